import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cotangentLaplacian, createGradients } from '../../../src/edit/arap/laplacian.ts';
import { createShapeBasis, readShapeBasis, writeShapeBasis } from '../../../src/edit/basis/index.ts';
import type { Cage } from '../../../src/edit/types.ts';
import { readStored, type StoredData, writeStored } from '../../../src/io/stored-file.ts';
import { InputError } from '../../../src/mesh/input-error.ts';
import { blockCage } from './cages.ts';

const cage = blockCage(5, 4, 3);
const laplacianOf = ({ tetrahedra }: Cage) => cotangentLaplacian(tetrahedra, createGradients(tetrahedra));
const laplacian = laplacianOf(cage);
const created = createShapeBasis(cage, laplacian, { manipulators: 6, children: 4 });
const file = created.then((basis) => writeShapeBasis(basis));
const read = (bytes: Uint8Array, of: Cage = cage) => readShapeBasis(bytes, 'hero.basis', of, laplacianOf(of));

test('a stored basis is the one it was', async () => {
  const basis = await created,
    again = read(await file);
  expect(again.hierarchy).toEqual(basis.hierarchy);
  expect(again.readyGroups()).toEqual(basis.readyGroups());
  const last = basis.groupCount - 1;
  expect(again.isReady(last)).toBe(false);
  expect(again.ensure(last)).toEqual(basis.ensure(last));
  expect(again.projection(0, 0)).toEqual(basis.projection(0, 0));
  expect(again.projection(1, last)).toEqual(basis.projection(1, last));
  expect(writeShapeBasis(read(await file))).toEqual(await file);
});

describe('refused', () => {
  test('when the cage has changed', async () => {
    const bytes = await file;
    const { tetrahedra, glue } = cage;
    const moved = tetrahedra.positions.slice();
    moved[7] += 1e-9;
    const others = [
      blockCage(5, 4, 2),
      { ...cage, tetrahedra: { ...tetrahedra, positions: moved } },
      { ...cage, glue: glue.slice(2) },
    ];
    for (const other of others) expect(() => read(bytes, other)).toThrow('is stale');
  });

  test('when it is another kind of file, or damaged', async () => {
    const bytes = await file;
    const data = readStored(bytes, 'hero.basis');
    expect(() => read(writeStored({ ...data, kind: 'modes' }))).toThrow('holds a modes');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = bytes.slice();
        damaged[at] ^= change;
        let found: unknown;
        try {
          read(damaged);
        } catch (error) {
          found = error;
        }
        // Bytes between arrays, which align them, mean nothing.
        if (found !== undefined) expect(found).toBeInstanceOf(InputError);
        else expect(writeShapeBasis(read(damaged))).toEqual(bytes);
      }),
      { numRuns: 300 },
    );
    expect(() => read(bytes.slice(0, -5))).toThrow(InputError);
  });

  test('when its numbers lead nowhere', async () => {
    const data = readStored(await file, 'hero.basis');
    const change = (name: string, edit: (values: Uint32Array) => void): StoredData => {
      const values = (data.arrays[name] as Uint32Array).slice();
      edit(values);
      return { ...data, arrays: { ...data.arrays, [name]: values } };
    };
    for (const name of ['vertex', 'parent', 'childGroup', 'cell', 'groupLevel', 'row', 'ready']) {
      const broken = change(name, (values) => values.fill(0xfffffff0, 1, 2));
      expect(() => read(writeStored(broken)), name).toThrow(`${name}[1]`);
    }
    for (const name of ['groupStart', 'rowStart']) {
      const broken = change(name, (values) => values.fill(0, 1, 2));
      expect(() => read(writeStored(broken)), name).toThrow(InputError);
      expect(() => read(writeStored(change(name, (values) => values.fill(1e9, 1, 2)))), name).toThrow(
        InputError,
      );
    }
    const short = { ...data.arrays, weights: (data.arrays.weights as Float32Array).slice(1) };
    expect(() => read(writeStored({ ...data, arrays: short }))).toThrow('weights');
    expect(() => read(writeStored({ ...data, settings: { levels: 1.5 } }))).toThrow('settings');
  });
});
