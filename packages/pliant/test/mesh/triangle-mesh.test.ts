import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COUNT_LIMIT, checkNumbers } from '../../src/mesh/check-input.ts';
import { InputError } from '../../src/mesh/input-error.ts';
import { createTriangleMesh, type TriangleMeshSource } from '../../src/mesh/triangle-mesh.ts';

const SQUARE = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
const HALVES = [0, 1, 2, 0, 2, 3];

/** Corners on a tiny lattice, so that equal positions, −0, repeats and collinear corners all occur. */
const meshes = fc.integer({ min: 1, max: 10 }).chain((vertexCount) =>
  fc.record({
    positions: fc.array(fc.constantFrom(0, -0, 1, 2), {
      minLength: 3 * vertexCount,
      maxLength: 3 * vertexCount,
    }),
    triangles: fc
      .array(fc.nat(vertexCount - 1), { minLength: 3, maxLength: 60 })
      .map((corners) => corners.slice(0, corners.length - (corners.length % 3))),
    weights: fc.array(fc.constantFrom(0, -0, 0.5), {
      minLength: 2 * vertexCount,
      maxLength: 2 * vertexCount,
    }),
  }),
);

describe('welding', () => {
  test('is equality of numbers, with maps both ways', () => {
    fc.assert(
      fc.property(meshes, fc.boolean(), ({ positions, triangles, weights }, useWeights) => {
        const attributes = useWeights ? [{ data: Float32Array.from(weights), itemSize: 2 }] : [];
        const mesh = createTriangleMesh({ positions, triangles, attributes });
        const rows = rowsOf(positions, 3).map((row, v) =>
          useWeights ? [...row, ...rowsOf(weights, 2)[v]] : row,
        );

        for (let u = 0; u < rows.length; u++) {
          const w = mesh.weldedVertex[u];
          for (let k = 0; k < 3; k++) expect(mesh.positions[3 * w + k] === positions[3 * u + k]).toBe(true);
          expect(mesh.sourceVertex[w]).toBeLessThanOrEqual(u);
          expect(mesh.weldedVertex[mesh.sourceVertex[w]]).toBe(w);
          for (let v = 0; v < u; v++) {
            const equal = rows[u].every((x, k) => x === rows[v][k]);
            expect(mesh.weldedVertex[v] === w).toBe(equal);
          }
        }
        expect(mesh.vertexCount).toBe(new Set(mesh.weldedVertex).size);
        expect(mesh.defects.weldedVertices).toBe(mesh.sourceVertexCount - mesh.vertexCount);
        expect(Array.from(mesh.triangles)).toEqual(triangles.map((v) => mesh.weldedVertex[v]));
        expect(mesh.positions.some((x) => Object.is(x, -0))).toBe(false);
      }),
    );
  });

  test('can be switched off', () => {
    const source = { positions: [...SQUARE, ...SQUARE], triangles: [0, 1, 2, 4, 6, 7] };
    expect(createTriangleMesh(source).componentCount).toBe(1);
    const apart = createTriangleMesh({ ...source, weld: false });
    expect([apart.vertexCount, apart.componentCount, apart.defects.weldedVertices]).toEqual([8, 2, 0]);
  });

  test('keeps vertices apart whose attributes differ in the last bit', () => {
    const positions = [...SQUARE, ...SQUARE];
    const data = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 + 2 ** -56];
    const mesh = createTriangleMesh({ positions, triangles: HALVES, attributes: [{ data, itemSize: 1 }] });
    expect(mesh.vertexCount).toBe(5);
    expect(Array.from(mesh.weldedVertex)).toEqual([0, 1, 2, 3, 0, 1, 2, 4]);
  });

  test('takes a million equal positions with different weights in linear time', () => {
    const count = 1_000_000;
    const data = Float64Array.from({ length: count }, (_, v) => v);
    const began = performance.now();
    const mesh = createTriangleMesh({
      positions: new Float64Array(3 * count),
      triangles: [0, 1, 2],
      attributes: [{ data, itemSize: 1 }],
    });
    expect(mesh.vertexCount).toBe(count);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

test('adjacency, components and defects are those of brute force', () => {
  fc.assert(
    fc.property(meshes, ({ positions, triangles }) => {
      const mesh = createTriangleMesh({ positions, triangles });
      const faces = rowsOf(Array.from(mesh.triangles), 3);
      const { start, list } = mesh.adjacency;
      for (let v = 0; v < mesh.vertexCount; v++) {
        const expected = faces.flatMap((face, t) => (face.includes(v) ? [t] : []));
        expect(Array.from(list.subarray(start[v], start[v + 1]))).toEqual(expected);
      }
      expect(Array.from(mesh.component)).toEqual(componentsByFlooding(faces));
      expect(mesh.componentCount).toBe(1 + Math.max(...mesh.component));
      expect({ ...mesh.defects, weldedVertices: 0, edges: mesh.edgeCount }).toEqual(
        defectsByCounting(faces, mesh.positions),
      );
    }),
    { numRuns: 500 },
  );
});

describe('defects of shapes one can count by hand', () => {
  test('a square has four boundary edges and is open', () => {
    const { defects, edgeCount, isClosed } = createTriangleMesh({ positions: SQUARE, triangles: HALVES });
    expect([defects.boundaryEdges, edgeCount, isClosed]).toEqual([4, 5, false]);
  });

  test('a tetrahedron is closed, and not once a face is turned over', () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    const faces = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3];
    expect(createTriangleMesh({ positions, triangles: faces }).isClosed).toBe(true);
    const turned = createTriangleMesh({ positions, triangles: [...faces.slice(0, 9), 0, 2, 3] });
    expect([turned.isClosed, turned.defects.flippedEdges]).toEqual([false, 3]);
  });

  test('an edge with three triangles, a duplicate, a sliver and an unused vertex', () => {
    const positions = [...SQUARE, 0.5, 0.5, 1, 2, 2, 0, 9, 9, 9];
    const { defects } = createTriangleMesh({ positions, triangles: [...HALVES, 0, 2, 4, 2, 1, 0, 0, 2, 5] });
    expect(defects).toMatchObject({
      nonManifoldEdges: 1,
      duplicateTriangles: 1,
      degenerateTriangles: 1,
      unusedVertices: 1,
    });
  });
});

test('the source may be changed afterwards', () => {
  const positions = Float64Array.from(SQUARE);
  const triangles = Uint32Array.from(HALVES);
  const mesh = createTriangleMesh({ positions, triangles });
  positions.fill(7);
  triangles.fill(0);
  expect(Array.from(mesh.positions)).toEqual(SQUARE);
  expect(Array.from(mesh.triangles)).toEqual(HALVES);
});

test('all kinds of number arrays give the same mesh', () => {
  const expected = createTriangleMesh({ positions: SQUARE, triangles: HALVES });
  for (const positions of [Float64Array.from(SQUARE), Float32Array.from(SQUARE), Int8Array.from(SQUARE)]) {
    for (const triangles of [Uint32Array.from(HALVES), Uint16Array.from(HALVES), Uint8Array.from(HALVES)]) {
      expect(createTriangleMesh({ positions, triangles })).toEqual(expected);
    }
  }
});

describe('bad input is refused with code and address', () => {
  const withPosition = (i: number, value: unknown) => ({ positions: replaced(SQUARE, i, value) });
  const withCorner = (i: number, value: unknown) => ({ triangles: replaced(HALVES, i, value) });
  const replaced = (values: number[], i: number, value: unknown) =>
    values.map((x, k) => (k === i ? value : x));
  const withHole = (values: number[], i: number) => {
    const copy = [...values];
    delete copy[i];
    return copy;
  };
  const attribute = (part: object) => ({ attributes: [{ data: [1, 2, 3, 4], itemSize: 1, ...part }] });

  test.each<[string, string, unknown, RegExp]>([
    ['NaN', 'not-finite', withPosition(7, NaN), /positions\[7\] \(vertex 2, y\) is NaN/],
    ['Infinity', 'not-finite', withPosition(11, -Infinity), /vertex 3, z\) is -Infinity/],
    ['NaN in a typed array', 'not-finite', { positions: new Float32Array(12).fill(NaN, 3) }, /vertex 1, x/],
    ['far away', 'out-of-range', withPosition(3, 1e100), /vertex 1, x\) is 1e\+100/],
    ['far away the other way', 'out-of-range', withPosition(3, -1e100), /vertex 1, x\) is -1e\+100/],
    ['a string', 'wrong-type', withPosition(4, '1'), /positions\[4\] \(vertex 1, y\) is a string/],
    ['null', 'wrong-type', withPosition(4, null), /is null/],
    ['a bigint', 'wrong-type', withPosition(4, 1n), /is a bigint/],
    ['a hole', 'wrong-type', { positions: withHole(SQUARE, 5) }, /positions\[5\].* is undefined/],
    ['no positions', 'wrong-type', { positions: undefined }, /positions must be an array.* undefined/],
    ['positions as text', 'wrong-type', { positions: '0,0,0' }, /not a string/],
    ['positions as object', 'wrong-type', { positions: { length: 12 } }, /not an object/],
    ['bigint positions', 'wrong-type', { positions: new BigInt64Array(12) }, /not a BigInt64Array/],
    ['a DataView', 'wrong-type', { positions: new DataView(new ArrayBuffer(96)) }, /not a DataView/],
    ['empty positions', 'empty', { positions: [] }, /positions is empty/],
    ['eleven numbers', 'wrong-length', { positions: SQUARE.slice(1) }, /has 11 numbers.* multiple of 3/],
    [
      'a far index',
      'index-out-of-range',
      withCorner(4, 4),
      /triangle 1 uses vertex 4, but the mesh has 4 vertices/,
    ],
    ['a negative index', 'index-out-of-range', withCorner(0, -1), /triangle 0 uses vertex -1/],
    [
      'an index wrapped to unsigned',
      'index-out-of-range',
      { triangles: Uint32Array.of(0, 1, -1) },
      /4294967295/,
    ],
    [
      'half an index',
      'wrong-type',
      withCorner(5, 1.5),
      /triangle 1 uses vertex 1.5, which is not an integer/,
    ],
    ['NaN as index', 'not-finite', withCorner(2, NaN), /triangle 0 uses vertex NaN/],
    ['text as index', 'wrong-type', withCorner(2, '0'), /triangle 0, corner 2, is a string/],
    [
      'a hole as index',
      'wrong-type',
      { triangles: withHole(HALVES, 3) },
      /triangle 1, corner 0, is undefined/,
    ],
    ['no triangles', 'empty', { triangles: new Uint32Array() }, /triangles is empty/],
    ['null triangles', 'wrong-type', { triangles: null }, /triangles must be an array of numbers, not null/],
    ['five corners', 'wrong-length', { triangles: HALVES.slice(1) }, /triangles has 5 numbers/],
    ['a number as name', 'wrong-type', { name: 7 }, /name must be a string, not the number 7/],
    ['text as weld', 'wrong-type', { weld: 'no' }, /weld must be true or false, not a string/],
    ['attributes as object', 'wrong-type', { attributes: {} }, /attributes must be an array, not an object/],
    ['an attribute of null', 'wrong-type', { attributes: [null] }, /attributes\[0\] must be an object/],
    ['no itemSize', 'wrong-type', attribute({ itemSize: undefined }), /itemSize must be a positive integer/],
    [
      'a short attribute',
      'wrong-length',
      attribute({ itemSize: 2 }),
      /attributes\[0\] has 4 numbers, expected 8/,
    ],
    [
      'NaN in an attribute',
      'not-finite',
      attribute({ name: 'weights', data: [1, 2, 3, NaN] }),
      /weights\[3\] is NaN/,
    ],
    ['a huge itemSize', 'wrong-length', attribute({ itemSize: 2 ** 52 }), /expected/],
  ])('%s', (_, code, part, message) => {
    const source = { positions: SQUARE, triangles: HALVES, ...(part as object) } as TriangleMeshSource;
    const error = errorOf(() => createTriangleMesh(source));
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).code).toBe(code);
    expect((error as InputError).message).toMatch(message);
  });

  test.each([null, undefined, 5, 'mesh', [], Symbol('mesh')])('%s is no source', (source) => {
    expect(errorOf(() => createTriangleMesh(source as never))).toMatchObject({ code: 'wrong-type' });
  });

  test('too many, without walking through them', () => {
    const vertices = { positions: new Array(3 * COUNT_LIMIT + 3), triangles: HALVES };
    expect(() => createTriangleMesh(vertices)).toThrow(
      'positions has 201326595 numbers; the limit is 3 × 2^26',
    );
    const triangles = { positions: SQUARE, triangles: new Array(2 ** 32 - 1) };
    expect(errorOf(() => createTriangleMesh(triangles))).toMatchObject({ code: 'too-large' });
  });

  test('the name of the mesh comes first', () => {
    const source = { positions: SQUARE, triangles: [0, 1, 9], name: 'hero' };
    expect(() => createTriangleMesh(source)).toThrow('mesh "hero": triangle 0 uses vertex 9');
  });

  test('and poses are checked the same way', () => {
    expect(errorOf(() => checkNumbers('pose', [1, 2, NaN], 3))).toMatchObject({
      code: 'not-finite',
      message: 'pose[2] is NaN',
    });
    expect(errorOf(() => checkNumbers('pose', [1, 2], 3))).toMatchObject({ code: 'wrong-length' });
    expect(errorOf(() => checkNumbers('pose', null, 3))).toMatchObject({ code: 'wrong-type' });
    expect(() => checkNumbers('pose', [1, 2, 3], 3)).not.toThrow();
  });
});

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

function rowsOf(values: number[], size: number): number[][] {
  return Array.from({ length: values.length / size }, (_, i) => values.slice(size * i, size * i + size));
}

function componentsByFlooding(faces: number[][]): number[] {
  const component = faces.map(() => -1);
  let count = 0;
  for (let first = 0; first < faces.length; first++) {
    if (component[first] >= 0) continue;
    const pending = [first];
    component[first] = count;
    while (pending.length > 0) {
      const t = pending.pop()!;
      faces.forEach((face, s) => {
        if (component[s] >= 0 || !face.some((v) => faces[t].includes(v))) return;
        component[s] = count;
        pending.push(s);
      });
    }
    count++;
  }
  return component;
}

function defectsByCounting(faces: number[][], positions: Float64Array) {
  const edges = new Map<string, string[]>();
  for (const [a, b, c] of faces) {
    if (a === b || b === c || c === a) continue;
    for (const [u, v] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      const key = `${Math.min(u, v)} ${Math.max(u, v)}`;
      edges.set(key, [...(edges.get(key) ?? []), `${u} ${v}`]);
    }
  }
  const uses = [...edges.values()];
  const sorted = faces.map((face) => [...face].sort((a, b) => a - b).join());
  const used = new Set(faces.flat());
  return {
    edges: edges.size,
    boundaryEdges: uses.filter((use) => use.length === 1).length,
    nonManifoldEdges: uses.filter((use) => use.length > 2).length,
    flippedEdges: uses.filter((use) => use.length === 2 && use[0] === use[1]).length,
    duplicateTriangles: sorted.length - new Set(sorted).size,
    degenerateTriangles: faces.filter((face) => hasNoArea(face, positions)).length,
    unusedVertices: positions.length / 3 - used.size,
    weldedVertices: 0,
  };
}

/** Exact: the coordinates are small integers. */
function hasNoArea([a, b, c]: number[], positions: Float64Array): boolean {
  const [u, v] = [b, c].map((p) => [0, 1, 2].map((k) => positions[3 * p + k] - positions[3 * a + k]));
  const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  return cross.every((x) => x === 0);
}
