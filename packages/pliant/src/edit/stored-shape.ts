import { readStored, type StoredData, storedArray, writeStored } from '../io/stored-file.ts';
import { quote } from '../mesh/check-input.ts';
import { ContentHash } from '../mesh/content-hash.ts';
import { InputError } from '../mesh/input-error.ts';
import { createTetrahedralMesh } from '../mesh/tetrahedral-mesh.ts';
import { createTriangleMesh } from '../mesh/triangle-mesh.ts';
import type { EnergyOptions } from './arap/energy.ts';
import { writeShapeBasis } from './basis/basis-file.ts';
import { ContactRows, TERMS } from './contact/contact-rows.ts';
import type { ShapeContactOptions, ShapeSettings } from './shape-options.ts';
import type { BlendState, ShapeParts, ShapeState } from './shape-types.ts';
import type { Cage } from './types.ts';

const KIND = 'shape';
/** Version of stored shapes. 2 added positions that are still being blended. */
const VERSION = 2;
/** Numbers of a contact row. */
const ROW = 2 * TERMS + 10;

/** What a stored shape is made from again. */
export interface StoredShape {
  readonly cage: Cage;
  readonly basis: Uint8Array;
  readonly state: ShapeState;
  readonly settings: ShapeSettings;
  readonly energyOptions: EnergyOptions;
  readonly rotationLevel: number | false | undefined;
  readonly contact: Omit<ShapeContactOptions, 'obstacles'> | false;
}

export function writeShape(parts: ShapeParts, state: ShapeState): Uint8Array {
  const { pose, controls, contacts, still, blend } = state;
  const { cage, basis, settings, energyOptions, rotationLevel, contact } = parts;
  const { embedding, tetrahedra, surface, ties } = cage;
  const { obstacles: _obstacles, ...plainContact } = contact === false ? {} : contact;
  return writeStored({
    kind: KIND,
    madeFrom: hashOfSurface(cage),
    settings: {
      version: VERSION,
      settings,
      energy: energyOptions,
      rotationLevel: rotationLevel ?? null,
      contact: contact === false ? false : plainContact,
      controls,
      still,
      blendSteps: blend?.steps ?? 0,
      groups: pose.groups,
      ages: pose.ages,
      names: { tetrahedra: tetrahedra.name, surface: surface.name },
      spacing: cage.spacing,
      centre: cage.centre,
      scale: cage.scale,
      outside: embedding.outside,
    },
    arrays: {
      cagePositions: tetrahedra.positions,
      tetrahedra: tetrahedra.tetrahedra,
      glue: cage.glue,
      component: cage.component,
      surfacePositions: surface.positions,
      triangles: surface.triangles,
      surfaceVertex: cage.surfaceVertex,
      tieStart: ties.start,
      tieVertex: ties.vertex,
      tieWeight: ties.weight,
      controls: Uint32Array.from(embedding.controls),
      weights: Float64Array.from(embedding.weights),
      tetrahedron: embedding.tetrahedron,
      coefficients: pose.v,
      contacts: packRows(contacts?.rows),
      multipliers: contacts?.multipliers ?? new Float64Array(0),
      shown: blend?.shown ?? new Float64Array(0),
      basis: writeShapeBasis(basis),
    },
  });
}

/** Errors as in `readStored`. */
export function readShape(bytes: Uint8Array, fileName: string): StoredShape {
  const data = readStored(bytes, fileName, KIND);
  const { version = 1 } = data.settings;
  if (version !== VERSION) {
    const what = `this is a shape of version ${quote(version)}; this version of Pliant reads ${VERSION}`;
    throw new InputError('unsupported', `${fileName}: ${what}`);
  }
  const cage = readCage(data, fileName);
  if (data.madeFrom !== hashOfSurface(cage)) fail(fileName, 'its surface is not the one it says');
  const { settings, energy, rotationLevel, contact, controls, still, groups, ages } = data.settings;
  if (!isObject(settings) || !isObject(energy) || !Array.isArray(controls) || !Array.isArray(groups)) {
    return fail(fileName, 'its settings are not what they should be');
  }
  if (typeof still !== 'number' || !(contact === false || isObject(contact))) {
    return fail(fileName, 'its settings are not what they should be');
  }
  const rows = unpackRows(storedArray(data, fileName, 'contacts', 'float64'));
  const last = Math.max(0, ...rows.vertices.subarray(0, TERMS * rows.count));
  if (last >= cage.surface.vertexCount) fail(fileName, `there is no vertex ${last}`);
  return {
    cage,
    basis: storedArray(data, fileName, 'basis', 'uint8'),
    settings: settings as ShapeSettings,
    energyOptions: energy as EnergyOptions,
    rotationLevel: (rotationLevel as number | false | null) ?? undefined,
    contact: contact as StoredShape['contact'],
    state: {
      pose: {
        groups,
        v: storedArray(data, fileName, 'coefficients', 'float64'),
        ages: Array.isArray(ages) ? ages : undefined,
      },
      controls,
      contacts: { rows, multipliers: storedArray(data, fileName, 'multipliers', 'float64') },
      still,
      blend: readBlend(data, fileName),
    },
  };
}

/** Checked like that of any state when the shape is restored. */
function readBlend(data: StoredData, fileName: string): BlendState | undefined {
  const { blendSteps } = data.settings;
  if (typeof blendSteps !== 'number') return fail(fileName, 'its settings are not what they should be');
  const shown = storedArray(data, fileName, 'shown', 'float64');
  return shown.length === 0 ? undefined : { steps: blendSteps, shown };
}

function readCage(data: StoredData, fileName: string): Cage {
  const floats = (name: string) => storedArray(data, fileName, name, 'float64');
  const numbers = (name: string) => storedArray(data, fileName, name, 'uint32');
  const { spacing, centre, scale, outside, names } = data.settings;
  if (typeof spacing !== 'number' || typeof scale !== 'number' || typeof outside !== 'number') {
    return fail(fileName, 'its cage has no size');
  }
  if (!Array.isArray(centre) || centre.length !== 3) return fail(fileName, 'its cage has no centre');
  const { tetrahedra: cageName = '', surface: surfaceName = '' } = Object(names) as Record<string, string>;
  const tetrahedra = createTetrahedralMesh({
    positions: floats('cagePositions'),
    tetrahedra: numbers('tetrahedra'),
    name: cageName,
  });
  const controls = numbers('controls'),
    weights = floats('weights');
  for (const v of controls) if (v >= tetrahedra.vertexCount) fail(fileName, `there is no vertex ${v}`);
  const surface = createTriangleMesh({
    positions: floats('surfacePositions'),
    triangles: numbers('triangles'),
    name: surfaceName,
    weld: false,
  });
  if (controls.length !== 4 * surface.vertexCount || weights.length !== controls.length) {
    fail(fileName, 'its surface is not in its cage');
  }
  return {
    tetrahedra,
    glue: numbers('glue'),
    component: numbers('component'),
    surface,
    ties: { start: numbers('tieStart'), vertex: numbers('tieVertex'), weight: floats('tieWeight') },
    embedding: {
      controlPositions: tetrahedra.positions,
      influences: 4,
      controls,
      weights,
      tetrahedron: numbers('tetrahedron'),
      outside,
    },
    surfaceVertex: numbers('surfaceVertex'),
    spacing,
    centre,
    scale,
  };
}

/** Contact rows as numbers, one row after the other. */
function packRows(rows: ContactRows | undefined): Float64Array {
  const out = new Float64Array(ROW * (rows?.count ?? 0));
  for (let row = 0; rows && row < rows.count; row++) {
    let at = ROW * row;
    for (let k = TERMS * row; k < TERMS * (row + 1); k++) {
      out[at++] = rows.vertices[k];
      out[at++] = rows.weights[k];
    }
    for (let k = 3 * row; k < 3 * row + 3; k++) out[at++] = rows.normal[k];
    out[at++] = rows.kind[row];
    out[at++] = rows.terms[row];
    out[at++] = rows.offset[row];
    out[at++] = rows.depth[row];
    out[at++] = rows.key[row];
    out[at++] = rows.other[row];
    out[at++] = rows.triangle[row];
  }
  return out;
}

function unpackRows(numbers: Float64Array): ContactRows {
  const rows = new ContactRows();
  for (let at = 0; at + ROW <= numbers.length; ) {
    const row = rows.add();
    for (let k = TERMS * row; k < TERMS * (row + 1); k++) {
      rows.vertices[k] = numbers[at++];
      rows.weights[k] = numbers[at++];
    }
    for (let k = 3 * row; k < 3 * row + 3; k++) rows.normal[k] = numbers[at++];
    rows.kind[row] = numbers[at++];
    rows.terms[row] = numbers[at++];
    rows.offset[row] = numbers[at++];
    rows.depth[row] = numbers[at++];
    rows.key[row] = numbers[at++];
    rows.other[row] = numbers[at++];
    rows.triangle[row] = numbers[at++];
  }
  return rows;
}

function hashOfSurface({ surface, tetrahedra }: Cage): string {
  const hash = new ContentHash();
  hash.addNumbers(surface.positions);
  hash.addNumbers(surface.triangles);
  hash.addNumbers(tetrahedra.positions);
  hash.addNumbers(tetrahedra.tetrahedra);
  return hash.finish();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fail(fileName: string, why: string): never {
  throw new InputError('syntax', `${fileName}: ${why}`);
}
