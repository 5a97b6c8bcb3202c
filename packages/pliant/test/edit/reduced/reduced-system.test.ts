import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContactRows } from '../../../src/edit/contact/contact-rows.ts';
import { KernelRows } from '../../../src/edit/reduced/kernel-rows.ts';
import { ReducedSystem } from '../../../src/edit/reduced/reduced-system.ts';
import {
  createRandomSystem,
  denseRow,
  generator,
  type RandomSystem,
  randomContacts,
  solvePlainly,
  ts,
  wasm,
} from './random-system.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 30;

interface Problem {
  readonly system: RandomSystem;
  readonly ids: number[];
  readonly hard: Uint32Array;
  readonly targets: Float64Array;
  readonly soft: { vertices: Uint32Array; stiffness: Float64Array };
  readonly softTargets: Float64Array;
  readonly b: Float64Array[]; // per axis
  readonly contacts: ContactRows;
}

function createProblem(
  seed: number,
  handles: number,
  pins: number,
  contacts: number,
  groups: number,
): Problem {
  const system = createRandomSystem(seed, 24, [6, ...new Array<number>(groups).fill(3)]);
  const random = generator(seed + 1);
  const vertices = new Set<number>();
  while (vertices.size < handles + pins) vertices.add(Math.floor(((random() + 1) / 2) * system.surfaceCount));
  const list = [...vertices];
  const ids = system.groups.map(({ id }) => id);
  const size = system.groups.reduce((sum, { columns }) => sum + columns, 0);
  return {
    system,
    ids,
    hard: Uint32Array.from(list.slice(0, handles)),
    targets: Float64Array.from({ length: 3 * handles }, random),
    soft: {
      vertices: Uint32Array.from(list.slice(handles)),
      stiffness: Float64Array.from({ length: pins }, () => 1.2 + random()),
    },
    softTargets: Float64Array.from({ length: 3 * pins }, random),
    b: [0, 1, 2].map(() => Float64Array.from({ length: size }, random)),
    contacts: randomContacts(system, seed + 2, contacts, list.slice(0, handles)),
  };
}

function place(rows: KernelRows, values: readonly Float64Array[]): KernelRows {
  rows.reserve(3, values[0].length);
  values.forEach((row, axis) => {
    rows.f64.set(row, rows.offset(axis));
  });
  return rows;
}

function read(rows: KernelRows, size: number): Float64Array[] {
  return [0, 1, 2].map((axis) => rows.f64.slice(rows.offset(axis), rows.offset(axis) + size));
}

/** Coefficients and multipliers. `ids` in another order, or `steps` with groups that come and go, change nothing. */
function solve(problem: Problem, kernels = wasm, rule: 'complementarity' | 'equality' = 'complementarity') {
  const { system, ids, contacts, hard, targets, soft, softTargets } = problem;
  const reduced = new ReducedSystem(kernels, system, system.surface);
  const out = new KernelRows(kernels.memory);
  const b = place(new KernelRows(kernels.memory), problem.b);
  const lambda = new Float64Array(contacts.count);
  reduced.setRows(hard, soft);
  for (const id of ids) reduced.addGroup(system.groups[id]);
  expect(reduced.solve({ b, targets, softTargets, contacts, rule, lambda }, out)).toBe(true);
  const v = read(out, reduced.basis.columns);
  const { rho } = reduced;
  for (const part of [reduced, out, b]) part.dispose();
  return { v, lambda, rho };
}

/** The conditions of optimality with everything in one dense matrix; rows that push are equalities. */
function solveDensely(problem: Problem, rho: number, pushing: readonly number[]) {
  const { system, ids, hard, targets, soft, softTargets, contacts, b } = problem;
  const size = b[0].length;
  const equalities = 3 * hard.length + pushing.length;
  const n = 3 * size + equalities;
  const A = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  const right = new Array<number>(n).fill(0);
  let row = 0;
  for (const a of ids) {
    let column = 0;
    for (const c of ids) {
      const block = system.projection(a, c)!;
      const width = system.groups[c].columns;
      for (let i = 0; i < system.groups[a].columns; i++) {
        for (let j = 0; j < width; j++) {
          for (let axis = 0; axis < 3; axis++) {
            A[axis * size + row + i][axis * size + column + j] = block[i * width + j];
          }
        }
      }
      column += width;
    }
    row += system.groups[a].columns;
  }
  for (let axis = 0; axis < 3; axis++) {
    for (let i = 0; i < size; i++) right[axis * size + i] = b[axis][i];
  }
  soft.vertices.forEach((vertex, k) => {
    const c = denseRow(system, ids, vertex);
    for (let axis = 0; axis < 3; axis++) {
      for (let i = 0; i < size; i++) {
        right[axis * size + i] += rho * soft.stiffness[k] * c[i] * softTargets[3 * k + axis];
        for (let j = 0; j < size; j++) {
          A[axis * size + i][axis * size + j] += rho * soft.stiffness[k] * c[i] * c[j];
        }
      }
    }
  });
  const addEquality = (equation: number, axis: number, c: readonly number[], factor: number) => {
    for (let i = 0; i < size; i++) {
      A[equation][axis * size + i] += factor * c[i];
      A[axis * size + i][equation] += factor * c[i];
    }
  };
  hard.forEach((vertex, k) => {
    const c = denseRow(system, ids, vertex);
    for (let axis = 0; axis < 3; axis++) {
      addEquality(3 * size + 3 * k + axis, axis, c, 1);
      right[3 * size + 3 * k + axis] = targets[3 * k + axis];
    }
  });
  pushing.forEach((i, k) => {
    const equation = 3 * size + 3 * hard.length + k;
    for (let term = 4 * i; term < 4 * i + contacts.terms[i]; term++) {
      const c = denseRow(system, ids, contacts.vertices[term]);
      for (let axis = 0; axis < 3; axis++) {
        addEquality(equation, axis, c, contacts.weights[term] * contacts.normal[3 * i + axis]);
      }
    }
    right[equation] = contacts.offset[i];
  });
  const x = solvePlainly(A, right);
  return {
    v: [0, 1, 2].map((axis) => x.slice(axis * size, (axis + 1) * size)),
    lambda: x.slice(3 * size + 3 * hard.length),
  };
}

function slackOf({ system, ids, contacts }: Problem, v: readonly ArrayLike<number>[], i: number): number {
  let sum = -contacts.offset[i];
  for (let term = 4 * i; term < 4 * i + contacts.terms[i]; term++) {
    const c = denseRow(system, ids, contacts.vertices[term]);
    for (let axis = 0; axis < 3; axis++) {
      const factor = contacts.weights[term] * contacts.normal[3 * i + axis];
      c.forEach((value, k) => {
        sum += factor * value * v[axis][k];
      });
    }
  }
  return sum;
}

/** No more contacts than there are ways to go. */
const problem = fc.record({
  seed: fc.integer(),
  handles: fc.integer({ min: 1, max: 4 }),
  pins: fc.integer({ min: 0, max: 5 }),
  groups: fc.integer({ min: 0, max: 3 }),
  contacts: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe('the reduced solve', () => {
  test('is that of the dense conditions of optimality, with contacts that push and others open', () => {
    fc.assert(
      fc.property(problem, ({ seed, handles, pins, groups, contacts }) => {
        const most = 6 + 3 * groups - handles;
        const p = createProblem(seed, handles, pins, Math.round(contacts * most), groups);
        const { v, lambda, rho } = solve(p);
        const pushing = [...lambda.keys()].filter((i) => lambda[i] < 0);
        const expected = solveDensely(p, rho, pushing);
        fc.pre(expected.v.flat().every((x) => Math.abs(x) < 1e4)); // two handles may hang on the same vertices
        const scale = 1 + Math.max(...expected.v.flat().map(Math.abs));
        for (let axis = 0; axis < 3; axis++) {
          expected.v[axis].forEach((x, k) => {
            expect(Math.abs(v[axis][k] - x)).toBeLessThan(1e-6 * scale);
          });
        }
        for (let i = 0; i < p.contacts.count; i++) {
          expect(lambda[i]).toBeLessThanOrEqual(0);
          const slack = slackOf(p, v, i);
          expect(slack).toBeGreaterThan(-1e-6 * scale);
          if (lambda[i] < 0) expect(slack).toBeLessThan(1e-6 * scale);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('which rows pushed last changes nothing, with rows that give way and without', () => {
    fc.assert(
      fc.property(problem, fc.integer(), fc.boolean(), ({ seed, handles, groups }, other, givesWay) => {
        const p = createProblem(seed, handles, 2, 20 + 10 * groups, groups); // more than join at a time
        const random = generator(other);
        const reduced = new ReducedSystem(wasm, p.system, p.system.surface);
        const out = new KernelRows(wasm.memory);
        const b = place(new KernelRows(wasm.memory), p.b);
        reduced.setRows(p.hard, p.soft);
        for (const id of p.ids) reduced.addGroup(p.system.groups[id]);
        const compliance = givesWay ? 1e-2 : 1e-5; // these may depend on each other
        const run = (lambda: Float64Array) => {
          const { targets, softTargets, contacts } = p;
          expect(reduced.solve({ b, targets, softTargets, contacts, compliance, lambda }, out)).toBe(true);
          return read(out, p.b[0].length).flatMap((row) => [...row]);
        };
        const none = run(new Float64Array(p.contacts.count));
        const some = run(Float64Array.from({ length: p.contacts.count }, () => Math.min(0, random())));
        for (const part of [reduced, out, b]) part.dispose();
        const scale = 1 + Math.max(...none.map(Math.abs));
        some.forEach((x, k) => {
          expect(Math.abs(x - none[k])).toBeLessThan(1e-6 * scale);
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('rows that stay open cost no forward solve', () => {
    const p = createProblem(21, 3, 0, 40, 3);
    p.contacts.offset.fill(-1e3); // far away
    const reduced = new ReducedSystem(wasm, p.system, p.system.surface);
    const out = new KernelRows(wasm.memory);
    const b = place(new KernelRows(wasm.memory), p.b);
    reduced.setRows(p.hard, p.soft);
    for (const id of p.ids) reduced.addGroup(p.system.groups[id]);
    const run = () => {
      const lambda = new Float64Array(40).fill(-1);
      const { targets, softTargets, contacts } = p;
      expect(reduced.solve({ b, targets, softTargets, contacts, lambda }, out)).toBe(true);
      return lambda;
    };
    expect(run()).toEqual(new Float64Array(40));
    expect(reduced.columns.computed).toBe(0);
    p.contacts.offset[7] = 1e3;
    const lambda = run();
    expect(lambda[7]).toBeLessThan(0);
    expect(reduced.columns.computed).toBeGreaterThan(0);
    for (const part of [reduced, out, b]) part.dispose();
  });

  test('with all contacts as equalities, some may pull', () => {
    const p = createProblem(7, 3, 0, 6, 2);
    const { v, lambda, rho } = solve(p, wasm, 'equality');
    const expected = solveDensely(p, rho, [0, 1, 2, 3, 4, 5]);
    expected.lambda.forEach((x, i) => {
      expect(lambda[i]).toBeCloseTo(x, 5);
    });
    for (let axis = 0; axis < 3; axis++) {
      expected.v[axis].forEach((x, k) => {
        expect(v[axis][k]).toBeCloseTo(x, 6);
      });
    }
    expect(lambda.some((x) => x > 0)).toBe(true);
  });

  test('is the same with both sets of kernels', () => {
    const p = createProblem(11, 3, 4, 8, 3);
    expect(solve(p, ts)).toEqual(solve(p, wasm));
  });

  test('groups that came and went leave no trace', () => {
    const p = createProblem(5, 3, 2, 8, 3);
    const { system, contacts, hard, targets, soft, softTargets } = p;
    const reduced = new ReducedSystem(wasm, system, system.surface);
    const out = new KernelRows(wasm.memory);
    const b = new KernelRows(wasm.memory);
    reduced.setRows(hard, soft);
    const run = () => {
      const ids = reduced.basis.groups.map(({ group }) => group.id);
      const order = ids.flatMap((id) => {
        const first = 6 * Math.min(id, 1) + 3 * Math.max(0, id - 1);
        return Array.from({ length: system.groups[id].columns }, (_, k) => first + k);
      });
      place(
        b,
        p.b.map((row) => Float64Array.from(order, (k) => row[k])),
      );
      const lambda = new Float64Array(contacts.count);
      expect(reduced.solve({ b, targets, softTargets, contacts, lambda }, out)).toBe(true);
      const fresh = solve({
        ...p,
        ids,
        b: [0, 1, 2].map((axis) => b.f64.slice(b.offset(axis), b.offset(axis) + order.length)),
      });
      read(out, order.length).forEach((row, axis) => {
        row.forEach((x, k) => {
          expect(x).toBeCloseTo(fresh.v[axis][k], 7);
        });
      });
    };
    run();
    reduced.addGroup(system.groups[1]);
    reduced.addGroup(system.groups[3]);
    run();
    reduced.addGroup(system.groups[2]);
    run();
    reduced.removeGroups(new Set([3]));
    run();
    reduced.addGroup(system.groups[3]);
    reduced.removeGroups(new Set([1, 3]));
    run();
    reduced.setRows(hard.slice(0, 2), soft);
    reduced.setRows(hard, soft);
    reduced.addGroup(system.groups[1]);
    run();
    for (const part of [reduced, out, b]) part.dispose();
  });

  test('a shape that nothing holds stays where it is', () => {
    const p = createProblem(3, 0, 0, 0, 1);
    const { v } = solve({ ...p, b: p.b.map((row) => row.fill(0)) });
    for (const row of v) for (const x of row) expect(Math.abs(x)).toBeLessThan(1e-9);
  });

  test('a contact where a handle is does nothing', () => {
    const p = createProblem(13, 3, 0, 3, 1);
    const { v, lambda } = solve(p);
    p.contacts.vertices[0] = p.hard[1];
    const { v: without } = solve({ ...p, contacts: randomContacts(p.system, 1, 0, []) });
    const one = randomContacts(p.system, 1, 1, []);
    one.terms[0] = 1;
    one.vertices[0] = p.hard[1];
    for (const offset of [-1e3, 1e3]) {
      one.offset[0] = offset; // open, or violated for good
      const { v: same, lambda: none } = solve({ ...p, contacts: one });
      expect(same).toEqual(without);
      expect(none[0]).toBe(0);
    }
    // Beside one that can do something.
    const two = randomContacts(p.system, 1, 2, []);
    two.terms[0] = 1;
    two.vertices[0] = p.hard[1];
    two.offset.set([1e3, 1]);
    const { v: moved, lambda: second } = solve({ ...p, contacts: two });
    expect(second[0]).toBe(0);
    expect(second[1]).toBeLessThan(0);
    expect(slackOf({ ...p, contacts: two }, moved, 1)).toBeCloseTo(0, 6);
    expect(lambda.some((x) => x < 0)).toBe(true);
    expect(v).not.toEqual(without);
  });

  test('a row that is asked for twice is held once', () => {
    const p = createProblem(9, 2, 0, 0, 1);
    const twice = { ...p, hard: Uint32Array.from([...p.hard, p.hard[0]]) };
    const targets = Float64Array.from([...p.targets, ...p.targets.subarray(0, 3)]);
    const { v } = solve({ ...twice, targets });
    const { v: once } = solve(p);
    v.forEach((row, axis) => {
      row.forEach((x, k) => {
        expect(x).toBeCloseTo(once[axis][k], 6);
      });
    });
  });
});
