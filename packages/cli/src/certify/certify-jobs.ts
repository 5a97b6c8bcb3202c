import { createTriangleMesh, type Modes, type TriangleMesh } from 'pliant';
import type { GaugeKind } from 'pliant/cull';
import { type BodyAddress, readModes, type StoredModes } from 'pliant/io';
import { CommandError } from '../command-error.ts';
import { openModesSource } from '../modes/modes-source.ts';
import { naming } from '../modes/named-errors.ts';
import { readBytes } from '../scene/read-file.ts';
import type { PartMesh, Scene, ScenePart } from '../scene/scene.ts';
import type { CertifySettings, Purpose, StoredPurpose } from './certify-settings.ts';
import { findWeightRanges, spreadOut, suggestGauge, suggestReach, type WeightRange } from './weight-range.ts';

/** How a certificate is prepared; kept with it, so that another run can tell whether it would do the same. */
export type JobOptions = ModalOptions | FreeOptions;

export interface ModalOptions {
  readonly gauge: GaugeKind;
  readonly reach: number | null; // null: what the library thinks right
  readonly tolerance: number;
  readonly ignoreRestContacts: boolean;
  readonly centres: readonly (readonly number[])[]; // beside the rest pose
}

/** Energies need none. */
export type FreeOptions = Readonly<Record<never, never>>;

/** A body that is to get a certificate. */
export type CertifyJob = ModalJob | FreeJob;

interface CertifiedShape {
  readonly body: BodyAddress;
  readonly purpose: StoredPurpose;
  readonly shape: TriangleMesh;
}

/** Moved by modes: its weights tell what is free. */
export interface ModalJob extends CertifiedShape {
  readonly modes: Modes;
  readonly options: ModalOptions;
}

/** Frames are given vertex by vertex: energies tell. */
export interface FreeJob extends CertifiedShape {
  readonly modes?: undefined;
  readonly options: FreeOptions;
}

export interface CertifyPlan {
  readonly jobs: readonly CertifyJob[];
  /** Meshes that get none, and why. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

const MOST_CENTRES = 4; // each costs as much as the rest pose

/** The bodies that a check or three.js makes of the meshes of a file, or of frames of one. */
export async function planScene({ parts: [part] }: Scene, settings: CertifySettings): Promise<CertifyPlan> {
  checkNames(part, settings.meshes);
  const ranges = await findWeightRanges(part);
  const jobs: CertifyJob[] = [];
  const skipped: { name: string; reason: string }[] = [];
  for (const [m, mesh] of part.meshes.entries()) {
    const { name, triangles } = mesh;
    if (settings.meshes.length > 0 && !settings.meshes.includes(name)) continue;
    const reason = whyNot(mesh);
    if (reason !== undefined) {
      if (triangles.length > 0) skipped.push({ name, reason });
      continue;
    }
    if (mesh.kind === 'free') {
      const shape = await naming(part.path, () => shapeOf(mesh));
      const body = { name, node: null, primitive: null, triangles: shape.triangleCount };
      jobs.push({ body, purpose: 'check', shape, options: {} });
      continue;
    }
    const options = chooseOptions(settings, ranges[m]!);
    for (const form of formsOf(mesh, settings.purpose)) {
      jobs.push({ ...form, shape: await naming(part.path, () => shapeOf(form.mesh)), options });
    }
  }
  return { jobs, skipped };
}

/** A surface and the modes that were stored for it. */
export async function planModes(
  paths: readonly string[],
  modesPath: string,
  settings: CertifySettings,
): Promise<{ plan: CertifyPlan; files: readonly string[]; paths: readonly string[] }> {
  const source = await openModesSource(paths, settings.meshes[0]);
  const stored = readModes(await readBytes(modesPath), modesPath, source.surface);
  const { surface, files } = source;
  const name = settings.meshes[0] ?? files[0];
  const body = { name, node: null, primitive: null, triangles: surface.triangleCount };
  const options = chooseOptions(settings, rangeOfModes(stored));
  const isGltf = /\.(glb|gltf)$/i.test(files[0]);
  const purpose: StoredPurpose = isGltf ? 'programs' : 'modes';
  const job = { body, purpose, shape: surface, modes: stored.modes, options };
  return { plan: { jobs: [job], skipped: [] }, files, paths: [...source.paths, modesPath] };
}

function checkNames({ path, meshes }: ScenePart, names: readonly string[]): void {
  const unknown = names.find((name) => !meshes.some((mesh) => mesh.name === name));
  if (unknown === undefined) return;
  const known = meshes.map(({ name }) => name).slice(0, 12);
  throw new CommandError(`${path}: there is no mesh "${unknown}", only ${known.join(', ')}`);
}

function whyNot({ kind, modes, triangles }: PartMesh): string | undefined {
  if (triangles.length === 0) return 'it has no triangles';
  if (kind === 'skinned') return 'it has a skin';
  if (kind === 'free') return undefined;
  return kind === 'rigid' || modes === undefined ? 'it does not change its shape' : undefined;
}

interface BodyForm {
  readonly mesh: PartMesh;
  readonly body: BodyAddress;
  readonly purpose: Purpose;
  readonly modes: Modes;
}

/**
 * A check takes a node's mesh as one body, in world coordinates where the node never moves. three.js has an object per
 * primitive, each in its own coordinates. Often all of this is the same.
 */
function formsOf(mesh: PartMesh, purpose: Purpose): BodyForm[] {
  const { unsettled = mesh } = mesh;
  const primitives = unsettled.regions.filter(({ triangleCount }) => triangleCount > 0);
  if (unsettled === mesh && primitives.length === 1) return [formOf(mesh, null, 'both')];
  const forms: BodyForm[] = [];
  if (purpose !== 'three') forms.push(formOf(mesh, null, 'check'));
  if (purpose === 'check') return forms;
  if (primitives.length === 1) return [...forms, formOf(unsettled, null, 'three')];
  unsettled.regions.forEach(({ firstTriangle, triangleCount }, k) => {
    if (triangleCount === 0) return;
    const triangles = unsettled.triangles.slice(3 * firstTriangle, 3 * (firstTriangle + triangleCount));
    forms.push(formOf({ ...unsettled, triangles }, k, 'three'));
  });
  return forms;
}

function formOf(mesh: PartMesh, primitive: number | null, purpose: Purpose): BodyForm {
  const { name, node, triangles, modes } = mesh;
  return { mesh, body: { name, node, primitive, triangles: triangles.length / 3 }, purpose, modes: modes! };
}

function shapeOf({ name, positions, triangles, attributes }: PartMesh): TriangleMesh {
  return createTriangleMesh({ name, positions, triangles, attributes });
}

function chooseOptions(settings: CertifySettings, range: WeightRange): ModalOptions {
  const { tolerance, ignoreRestContacts } = settings;
  const isClipped = settings.centres === 'clip';
  const gauge = settings.gauge === 'auto' ? suggestGauge(range, isClipped) : settings.gauge;
  const centres = isClipped ? spreadOut(range.poses, MOST_CENTRES) : [];
  const suggestedReach = suggestReach(range, gauge);
  const reach = settings.reach ?? (suggestedReach > 0 ? suggestedReach : null);
  return {
    gauge,
    reach,
    tolerance,
    ignoreRestContacts,
    centres: centres.map((centre) => Array.from(centre)),
  };
}

/** Modes can go either way. How far, only recorded motions tell; else the library knows what is worth it. */
function rangeOfModes({ modes: { count }, poses }: StoredModes): WeightRange {
  const list: Float64Array[] = [];
  let largestNorm = 0;
  for (let o = 0; poses !== undefined && o < poses.length; o += count) {
    const pose = poses.subarray(o, o + count);
    list.push(pose);
    largestNorm = Math.max(largestNorm, Math.hypot(...pose));
  }
  return { hasClips: true, hasNegative: true, largestWeight: 1, largestNorm, poses: list };
}
