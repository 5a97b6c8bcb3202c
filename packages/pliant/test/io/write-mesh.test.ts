import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readObj } from '../../src/io/obj.ts';
import { readPly } from '../../src/io/ply.ts';
import { readStl } from '../../src/io/stl.ts';
import { type WritableMesh, writeObj, writePly, writeStl } from '../../src/io/write-mesh.ts';
import type { InputErrorCode } from '../../src/mesh/input-error.ts';
import { expectInputError } from './expect-input-error.ts';
import { objSample } from './sample-files.ts';

/** Any finite coordinates, −0 and subnormals included; any corners, degenerate ones included. */
function anyMesh(coordinate: fc.Arbitrary<number>): fc.Arbitrary<WritableMesh> {
  return fc.integer({ min: 1, max: 20 }).chain((vertexCount) =>
    fc.record({
      positions: fc
        .array(coordinate, { minLength: 3 * vertexCount, maxLength: 3 * vertexCount })
        .map((list) => Float64Array.from(list)),
      triangles: fc
        .array(fc.tuple(...[0, 1, 2].map(() => fc.nat(vertexCount - 1))), { maxLength: 20 })
        .map((list) => Uint32Array.from(list.flat())),
    }),
  );
}

const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const single = fc.float({ noNaN: true, noDefaultInfinity: true });

test('OBJ comes back bit for bit', () => {
  fc.assert(
    fc.property(anyMesh(double), (mesh) => {
      expect(readObj(writeObj(mesh), 'a.obj')).toMatchObject(mesh);
    }),
    { numRuns: 300 },
  );
});

test('OBJ keeps the names of runs', () => {
  const mesh = readObj(objSample(), 'a.obj');
  expect(readObj(writeObj(mesh), 'a.obj')).toEqual(mesh);
});

test('OBJ names stay on their line', () => {
  const group = {
    object: 'a\nv 9 9 9',
    name: 'b\rf 1 1 1',
    material: '',
    firstTriangle: 0,
    triangleCount: 1,
  };
  const mesh = { positions: new Float64Array(3), triangles: new Uint32Array(3), groups: [group] };
  expect(readObj(writeObj(mesh), 'a.obj').groups).toEqual([
    { ...group, object: 'a v 9 9 9', name: 'b f 1 1 1' },
  ]);
});

test('OBJ has 17 significant digits', () => {
  const bytes = writeObj({ positions: Float64Array.of(0.1, -0, 1e-9), triangles: new Uint32Array(0) });
  expect(new TextDecoder().decode(bytes)).toBe('v 0.10000000000000001 -0 1.0000000000000001e-9\n');
});

test('PLY comes back bit for bit', () => {
  fc.assert(
    fc.property(anyMesh(double), (mesh) => {
      expect(readPly(writePly(mesh), 'a.ply')).toMatchObject(mesh);
    }),
    { numRuns: 300 },
  );
});

test('STL comes back as float32 corners', () => {
  fc.assert(
    fc.property(anyMesh(single), ({ positions, triangles }) => {
      const read = readStl(writeStl({ positions, triangles }), 'a.stl');
      expect([...read.positions]).toEqual(
        [...triangles].flatMap((v) => [...positions.slice(3 * v, 3 * v + 3)]),
      );
    }),
  );
});

test('STL normals are of unit length, and 0 for degenerate triangles', () => {
  const positions = Float64Array.of(0, 0, 0, 2, 0, 0, 0, 3, 0);
  const view = new DataView(writeStl({ positions, triangles: Uint32Array.of(0, 1, 2, 0, 0, 1) }).buffer);
  expect([0, 4, 8].map((i) => view.getFloat32(84 + i, true))).toEqual([0, 0, 1]);
  expect([0, 4, 8].map((i) => view.getFloat32(134 + i, true))).toEqual([0, 0, 0]);
});

test('STL cannot hold what float32 cannot', () => {
  const mesh = { positions: Float64Array.of(1e300, 0, 0), triangles: Uint32Array.of(0, 0, 0) };
  expectInputError(() => writeStl(mesh), 'out-of-range', 'triangle 0: 1e+300 does not fit in float32');
});

test.each([writeObj, writePly, writeStl])('%o refuses what no reader takes', (write) => {
  const positions = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    triangles = Uint32Array.of(0, 1, 2);
  const refuse = (mesh: object, code: InputErrorCode, message: string) =>
    expectInputError(() => write({ positions, triangles, ...mesh }), code, message);
  refuse({ positions: positions.with(4, Number.NaN) }, 'not-finite', 'positions[4] is NaN');
  refuse({ positions: positions.subarray(1) }, 'wrong-length', 'positions and triangles come in threes');
  refuse({ triangles: Uint32Array.of(0, 1, 3) }, 'index-out-of-range', 'triangle 0 uses vertex 3');
  refuse({ triangles: Uint32Array.of(0, 1) }, 'wrong-length', 'positions and triangles come in threes');
  refuse({ groups: 5 }, 'wrong-type', 'groups must be a list');
});
