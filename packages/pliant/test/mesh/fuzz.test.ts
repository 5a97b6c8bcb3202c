import { expect, test } from 'vitest';
import { InputError } from '../../src/mesh/input-error.ts';
import { createTetrahedralMesh } from '../../src/mesh/tetrahedral-mesh.ts';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { createRandom } from '../../src/shapes/random.ts';

/** Things that turn up where numbers or arrays are expected. */
const NASTY_NUMBERS: unknown[] = [
  NaN, Infinity, -Infinity, -1, 0.5, 1e308, -1e200, 2 ** 31, 2 ** 32, 2 ** 53, 5e-324, '3', '', null, undefined,
  true, 7n, Symbol('x'), {}, [], [1], () => 1, Object.create(null), new Date(0),
]; // biome-ignore format: a list
const NASTY_ARRAYS: (() => unknown)[] = [
  () => [], () => null, () => undefined, () => 'abc', () => 12, () => ({}), () => ({ length: 3, 0: 0, 1: 1, 2: 2 }),
  () => Object.create(null), () => new BigInt64Array(3), () => new DataView(new ArrayBuffer(24)),
  () => new ArrayBuffer(24), () => new Array(2 ** 32 - 1), () => new Array(3 * 2 ** 26), () => new Array(3 * 2 ** 26 + 3),
  () => new Uint8Array(0), () => new Set([1, 2, 3]), () => [[0, 1, 2]], () => [0], () => [0, 1], () => detached(),
  () => Symbol('array'), () => () => [0, 1, 2], () => new Float32Array(3).fill(NaN), () => [0, 1, 2, 3, 4],
]; // biome-ignore format: a list

test('ten thousand malformed meshes: InputError or a valid mesh, quickly', () => {
  const random = createRandom(20_260);
  const codes = new Map<string, number>();
  let accepted = 0;
  const began = performance.now();
  for (let run = 0; run < 10_000; run++) {
    const source = malform(validSource(random), random);
    try {
      const tetrahedra = 'tetrahedra' in source;
      const mesh = tetrahedra ? createTetrahedralMesh(source as never) : createTriangleMesh(source as never);
      expect(mesh.positions.every(Number.isFinite)).toBe(true);
      const elements = 'tetrahedra' in mesh ? mesh.tetrahedra : mesh.triangles;
      expect(elements.every((v) => v < mesh.vertexCount)).toBe(true);
      accepted++;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      expect(error.message.length).toBeLessThan(250);
      codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
    }
  }
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(accepted).toBeLessThan(2_500); // most were malformed indeed
  const expected = [
    'empty',
    'index-out-of-range',
    'not-finite',
    'out-of-range',
    'too-large',
    'wrong-length',
    'wrong-type',
  ];
  expect([...codes.keys()].sort()).toEqual(expected);
});

type Source = Record<string, unknown>;

function validSource(random: () => number): Source {
  const count = 1 + Math.floor(8 * random());
  const numbers = (n: number, make: () => number) => Array.from({ length: n }, make);
  const index = () => Math.floor(count * random());
  const positions = numbers(3 * count, () => Math.round(4 * random()) - 2);
  if (random() < 0.2) return { positions, tetrahedra: numbers(4 * (1 + index()), index) };
  const source: Source = { positions, triangles: numbers(3 * (1 + index()), index) };
  if (random() < 0.5)
    source.attributes = [{ data: numbers(2 * count, random), itemSize: 2, name: 'weights' }];
  if (random() < 0.3) source.name = 'fuzz';
  return source;
}

/** One to three wounds. */
function malform(source: Source, random: () => number): Source {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(from.length * random())];
  for (let wounds = 1 + Math.floor(3 * random()); wounds > 0; wounds--) {
    const key = pick(Object.keys(source));
    const value = source[key];
    const kind = random();
    if (key === 'attributes' && Array.isArray(value) && value.length > 0 && kind < 0.7) {
      const part = pick(['data', 'itemSize', 'name']);
      const wound = part === 'data' ? pick(NASTY_ARRAYS)() : pick(NASTY_NUMBERS);
      source.attributes = kind < 0.1 ? [pick(NASTY_NUMBERS)] : [{ ...(value[0] as object), [part]: wound }];
    } else if (kind < 0.25) source[key] = pick(NASTY_ARRAYS)();
    else if (kind < 0.35) source[key] = pick(NASTY_NUMBERS);
    else if (Array.isArray(value) && value.length > 0 && value.length < 1000)
      wound(value, random, pick, kind);
  }
  return source;
}

function wound(
  values: unknown[],
  random: () => number,
  pick: <T>(from: readonly T[]) => T,
  kind: number,
): void {
  const i = Math.floor(values.length * random());
  if (kind < 0.75) values[i] = pick(NASTY_NUMBERS);
  else if (kind < 0.82) delete values[i];
  else if (kind < 0.9) values.splice(i, 1);
  else if (kind < 0.95) values.push(0);
  else values.length = values.length + 1 + Math.floor(5 * random());
}

function detached(): Float64Array {
  const array = new Float64Array(3);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}
