import { describe, expect, test } from 'vitest';
import { createTetrahedralMesh, createTriangleMesh, InputError, type TriangleMesh } from '../../src/index.ts';
import {
  hashOfSurface,
  readModes,
  readStored,
  type StoredData,
  type StoredModes,
  writeModes,
  writeStored,
} from '../../src/io/index.ts';
import { createBumpyBall } from '../../src/shapes/index.ts';
import { computeModes, createReducedModel, SOFT_RUBBER, surfaceModes } from '../../src/simulate/index.ts';
import { createLattice } from '../../src/solid/index.ts';
import { expectInputError } from './expect-input-error.ts';
import { mutate, Random } from './mutate.ts';

const FILE = 'x.pliant';
/** A tetrahedron whose edges are split by its outer faces only: four vertices, four triangles. */
const TET = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tetrahedra: [0, 1, 2, 3] };
const tetrahedra = createTetrahedralMesh(TET);
const surface = createTriangleMesh({ positions: TET.positions, triangles: tetrahedra.boundaryTriangles });
const numbers = (count: number) => Float64Array.from({ length: count }, (_, k) => Math.sin(k + 1));

const PLAIN: StoredModes = { origin: 'imported', modes: { count: 2, displacements: numbers(24) } };
const EMBEDDED: StoredModes = {
  origin: 'linear',
  modes: { count: 2, displacements: numbers(24) },
  names: ['bend', 'größe'],
  frequencies: Float64Array.of(1, 2),
  eigenvalues: Float64Array.of(39, 157),
  residuals: Float64Array.of(1e-9, 0),
  singularValues: Float64Array.of(3, 2, 1),
  poses: numbers(6),
  material: { young: 2e5, poisson: 0.3, density: 900 },
  solid: {
    positions: numbers(15),
    tetrahedra: Uint32Array.of(0, 1, 2, 3, 1, 2, 3, 4),
    vectors: numbers(30),
    fill: Float64Array.of(1, 0.25),
    fixed: Uint32Array.of(4),
    embedding: { controls: Uint32Array.from({ length: 16 }, (_, k) => k % 5), weights: numbers(16) },
  },
  details: { vertices: 5, fix: ['y<0'] },
};
const OWN: StoredModes = {
  origin: 'nonlinear',
  modes: PLAIN.modes,
  solid: { positions: numbers(12), tetrahedra: Uint32Array.of(0, 1, 2, 3), vectors: numbers(24) },
};

describe('modes as a file', () => {
  test.each([
    ['plain', PLAIN],
    ['with a solid that they are embedded in', EMBEDDED],
    ['of the tetrahedra themselves', OWN],
  ])('%s: come back as they were, and the bytes are the same each time', (_, model) => {
    const bytes = writeModes(model, surface);
    expect(readModes(bytes, FILE, surface)).toEqual(model);
    expect(readModes(bytes, FILE)).toEqual(model);
    expect(writeModes(readModes(bytes, FILE), surface)).toEqual(bytes);
  });

  test('displacements of the tetrahedra themselves are stored once', () => {
    expect(Object.keys(readStored(writeModes(OWN, surface), FILE).arrays)).not.toContain('displacements');
    const other = { ...OWN, modes: { count: 2, displacements: numbers(24).reverse() } };
    expectInputError(() => writeModes(other, surface), 'mismatch', 'so must be their modes');
  });

  test('reduced dynamics can be built from what was read', async () => {
    const ball = createTriangleMesh(createBumpyBall({ triangles: 320 }).source);
    const { tetrahedra: mesh, embedding, fill } = createLattice(ball, { vertices: 60 });
    const weights = fill.map((share) => Math.max(share, 1e-3));
    const found = await computeModes(mesh, { count: 5, material: SOFT_RUBBER, weights });
    const model: StoredModes = {
      origin: 'linear',
      modes: surfaceModes(found.vectors, embedding),
      material: SOFT_RUBBER,
      solid: {
        positions: mesh.positions,
        tetrahedra: mesh.tetrahedra,
        vectors: found.vectors,
        fill: weights,
        embedding: {
          controls: Uint32Array.from(embedding.controls),
          weights: Float64Array.from(embedding.weights),
        },
      },
    };
    const { modes, material, solid } = readModes(writeModes(model, ball), FILE, ball);
    const build = (source: typeof solid) =>
      createReducedModel({
        mesh: createTetrahedralMesh(source!),
        modes: source!.vectors,
        weights: source!.fill,
        material: material!,
        surface: ball,
        surfaceModes: modes,
      });
    expect(build(solid).modeReach).toEqual(build(model.solid).modeReach);
    expect(build(solid).modeCount).toBe(5);
  });
});

describe('the hash of a surface', () => {
  const quad = {
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
    triangles: [0, 1, 2, 3, 4, 5],
  };
  const hash = (change: object) => hashOfSurface(createTriangleMesh({ ...quad, ...change }));

  test('is the same however it was welded, and whatever the sign of zero', () => {
    const apart = { itemSize: 1, data: [0, 1, 2, 3, 4, 5] };
    expect(hash({ weld: false })).toBe(hash({}));
    expect(hash({ attributes: [apart] })).toBe(hash({}));
    expect(hash({ positions: quad.positions.map((x) => (x === 0 ? -0 : x)) })).toBe(hash({}));
  });

  test('is another one for a moved, added or reordered vertex and for other triangles', () => {
    const moved = quad.positions.with(4, 1e-300);
    const swapped = [
      ...quad.positions.slice(3, 6),
      ...quad.positions.slice(0, 3),
      ...quad.positions.slice(6),
    ];
    const hashes = [
      hash({}),
      hash({ positions: moved }),
      hash({ positions: [...quad.positions, 0, 0, 0] }),
      hash({ positions: swapped, triangles: [1, 0, 2, 3, 4, 5] }),
      hash({ triangles: [0, 1, 2, 3, 5, 4] }),
      hash({ triangles: [0, 1, 2] }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('stale modes are refused', () => {
    const bytes = writeModes(PLAIN, surface);
    const moved = createTriangleMesh({
      positions: TET.positions.with(0, 1e-12),
      triangles: tetrahedra.boundaryTriangles,
    });
    expectInputError(() => readModes(bytes, FILE, moved), 'mismatch', `${FILE} is stale`);
    expect(readModes(bytes, FILE)).toEqual(PLAIN);
  });
});

/** A file whose checksums are right, and whose contents are not. */
function forged(change: { settings?: object; arrays?: object }): Uint8Array {
  const data = readStored(writeModes(EMBEDDED, surface), FILE);
  const arrays = Object.entries({ ...data.arrays, ...change.arrays }).filter(([, values]) => values);
  const settings = { ...data.settings, ...change.settings };
  return writeStored({ ...data, settings, arrays: Object.fromEntries(arrays) as StoredData['arrays'] });
}

describe('what does not fit together is refused', () => {
  const stiff = { young: 1, poisson: 0.5, density: 1 };
  test.each<[string, object, InputError['code'], string]>([
    ['an unknown origin', { origin: 'magic' }, 'bad-option', 'origin'],
    ['no modes', { count: 0 }, 'syntax', 'there must be modes'],
    ['an absurd count', { count: 1e300 }, 'syntax', 'there must be modes'],
    ['a wrong count', { count: 3 }, 'wrong-length', 'displacements'],
    ['other vertices', { vertexCount: 5 }, 'wrong-length', 'displacements'],
    ['too few names', { names: ['one'] }, 'wrong-type', 'names'],
    ['names that are none', { names: [1, 2] }, 'wrong-type', 'names'],
    ['no material', { material: null }, 'wrong-type', 'material'],
    ['a bad material', { material: stiff }, 'out-of-range', 'poisson'],
    ['details that are none', { details: 7 }, 'wrong-type', 'details'],
  ])('in the settings: %s', (_, settings, code, message) => {
    const bytes = forged({ settings });
    expectInputError(() => readModes(bytes, FILE, surface), code, message);
    expectInputError(() => readModes(bytes, FILE, surface), code, FILE);
  });

  const noNumber = numbers(24).fill(Number.NaN, 7, 8);
  const wrongCorner = Uint32Array.of(0, 1, 2, 5, 1, 2, 3, 4);
  const wrongControl = new Uint32Array(16).fill(9, 15);
  const endless = numbers(16).fill(Number.POSITIVE_INFINITY);
  test.each<[string, object, InputError['code'], string]>([
    ['a frequency too many', { frequencies: numbers(3) }, 'wrong-length', 'frequencies'],
    ['a negative one', { frequencies: Float64Array.of(1, -1) }, 'out-of-range', 'frequencies[1]'],
    ['another type', { frequencies: Float32Array.of(1, 1) }, 'syntax', 'frequencies'],
    ['a mode that is no number', { displacements: noNumber }, 'not-finite', 'displacements[7]'],
    ['no displacements', { displacements: undefined }, 'syntax', 'displacements'],
    ['half a pose', { poses: numbers(7) }, 'wrong-length', 'poses'],
    ['tetrahedra without vertices', { positions: undefined }, 'syntax', 'positions'],
    ['half a vertex', { positions: numbers(16) }, 'wrong-length', 'solid'],
    ['half a tetrahedron', { tetrahedra: Uint32Array.of(0, 1) }, 'wrong-length', 'solid'],
    ['a wrong corner', { tetrahedra: wrongCorner }, 'index-out-of-range', 'tetrahedron 0 uses vertex 5'],
    ['short vectors', { vectors: numbers(27) }, 'wrong-length', 'vectors'],
    ['an empty tetrahedron', { fill: Float64Array.of(1, 0) }, 'out-of-range', 'fill[1]'],
    ['a fill too many', { fill: Float64Array.of(1, 1, 1) }, 'wrong-length', 'fill'],
    ['a wrong fixed vertex', { fixed: Uint32Array.of(5) }, 'index-out-of-range', 'fixed 0'],
    ['a wrong control', { controls: wrongControl }, 'index-out-of-range', 'vertex 3 uses vertex 9'],
    ['weights without end', { weights: endless }, 'not-finite', 'weights[0]'],
    ['no weights', { weights: undefined }, 'syntax', 'weights'],
  ])('in the arrays: %s', (_, arrays, code, message) => {
    const bytes = forged({ arrays });
    expectInputError(() => readModes(bytes, FILE, surface), code, message);
    expectInputError(() => readModes(bytes, FILE, surface), code, FILE);
  });

  test('another kind, another version', () => {
    const other = writeStored({ kind: 'sample', madeFrom: '', settings: {}, arrays: {} });
    expectInputError(() => readModes(other, FILE), 'mismatch', 'holds a sample');
    const newer = writeModes(PLAIN, surface);
    newer[8] = 2;
    expectInputError(() => readModes(newer, FILE), 'unsupported', 'format version 2');
  });

  test('writing checks the same', () => {
    const larger = createTriangleMesh({ positions: [...TET.positions, 2, 2, 2], triangles: [0, 1, 4] });
    expectInputError(() => writeModes(PLAIN, larger), 'wrong-length', 'displacements');
    expectInputError(() => writeModes(PLAIN, undefined as unknown as TriangleMesh), 'wrong-type', 'surface');
    expectInputError(
      () => writeModes({ ...PLAIN, frequencies: numbers(1) }, surface),
      'wrong-length',
      'frequencies',
    );
  });
});

describe('damage: InputErrors, or nothing that matters', () => {
  test('to the bytes', () => {
    const random = new Random('modes');
    const bytes = writeModes(EMBEDDED, surface);
    let refused = 0;
    for (let round = 0; round < 600; round++) {
      try {
        expect(readModes(mutate(bytes, random), FILE, surface)).toEqual(EMBEDDED);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(500);
  });

  test('with right checksums: what is read keeps its promises', () => {
    const random = new Random('forged');
    let refused = 0;
    for (let round = 0; round < 600; round++) {
      const bytes = forged(randomChange(random));
      try {
        const { modes, solid } = readModes(bytes, FILE, surface);
        expect(modes.displacements.length).toBe(3 * modes.count * surface.sourceVertexCount);
        if (solid)
          expect(createTetrahedralMesh(solid).vertexCount * 3 * modes.count).toBe(solid.vectors.length);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(200);
  });
});

const SETTINGS = [null, 0, -1, 1e300, 1.5, '', 'linear', [], {}, [null], { young: 'x' }, true, 2 ** 32];
const NUMBERS = [-1, Number.NaN, 6, 1e301];

function randomChange(random: Random): { settings?: object; arrays?: object } {
  const data = readStored(writeModes(EMBEDDED, surface), FILE);
  if (random.integer(2) === 0) {
    return { settings: { [random.pick(Object.keys(data.settings))]: random.pick(SETTINGS) } };
  }
  const name = random.pick(Object.keys(data.arrays));
  const values = data.arrays[name].slice();
  const at = random.integer(values.length);
  if (random.integer(3) === 0) return { arrays: { [name]: undefined } };
  if (random.integer(2) === 0) return { arrays: { [name]: values.slice(0, at) } };
  values[at] = random.pick(NUMBERS);
  return { arrays: { [name]: values } };
}
