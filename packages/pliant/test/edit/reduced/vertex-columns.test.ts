import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DenseFactor } from '../../../src/edit/reduced/dense-factor.ts';
import { VertexColumns } from '../../../src/edit/reduced/vertex-columns.ts';
import { wasm } from './random-system.ts';

const MOST = 12;
const sineOf = (vertex: number, k: number) => Math.sin(7 * vertex + 3 * k);

/** A step: columns that are there, from which on they are others than before, vertices, and how many get their z at most. */
const step = fc.record({
  size: fc.integer({ min: 1, max: MOST }),
  changed: fc.nat(MOST),
  vertices: fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 6 }),
  most: fc.option(fc.nat(3)),
});

test('rows and their forward solves are right, whatever came, went or was forgotten before', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      const factor = new DenseFactor(wasm);
      const versions = new Array<number>(MOST).fill(0); // of columns
      const numberAt = (vertex: number, k: number) => sineOf(vertex, k) + versions[k];
      const columns = new VertexColumns(
        wasm,
        factor,
        (vertex, from, f64, out) => {
          for (let k = from; k < factor.size; k++) f64[out + k] += numberAt(vertex, k);
        },
        4,
      );
      steps.forEach(({ size, changed, vertices, most }, time) => {
        const from = Math.min(changed, factor.size, size);
        versions.fill(time, from);
        factor.invalidate(from);
        columns.invalidate(from);
        factor.resize(size);
        for (let i = 0; i < size; i++) {
          for (let j = 0; j <= i; j++) {
            const version = Math.max(versions[i], versions[j]);
            factor.matrix.f64[factor.matrix.offset(i) + j] = i === j ? 4 + version : Math.cos(i + 2 * j);
          }
        }
        factor.invalidate(0);
        expect(factor.factor()).toBe(-1);
        columns.beginStep();
        const slots = vertices.map((vertex) => columns.slot(vertex));
        expect(new Set(slots).size).toBe(slots.length);
        columns.write();
        for (const slot of slots) columns.ask(slot);
        if (most !== null) columns.fill(most);
        columns.fill();
        expect(columns.missing()).toBe(0);
        vertices.forEach((vertex, k) => {
          const c = columns.c.offset(slots[k]),
            z = columns.z.offset(slots[k]);
          for (let i = 0; i < size; i++) {
            expect(columns.c.f64[c + i]).toBe(numberAt(vertex, i));
            let sum = 0;
            for (let j = 0; j <= i; j++)
              sum += factor.lower.f64[factor.lower.offset(i) + j] * columns.z.f64[z + j];
            expect(sum).toBeCloseTo(numberAt(vertex, i), 9);
          }
        });
      });
      columns.dispose();
      factor.dispose();
    }),
    { numRuns: process.env.PLIANT_FULL ? 2000 : 100 },
  );
});
