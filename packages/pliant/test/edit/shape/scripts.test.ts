import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Shape, ShapeState } from '../../../src/edit/shape.ts';
import { createFork } from './scenes.ts';

const SCRIPTS = process.env.PLIANT_FULL ? 1000 : 12;

const share = fc.double({ min: 0, max: 1, noNaN: true });
const place = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -1.5, max: 2.5, noNaN: true })));

const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('handle' as const), at: share }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('move' as const), which: share, to: place }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('nudge' as const), which: share, by: place }) },
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('step' as const), times: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which: share }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('pin' as const),
      at: fc.array(share, { minLength: 1, maxLength: 9 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('region' as const),
      at: fc.array(share, { minLength: 1, maxLength: 9 }),
      turn: share,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('level' as const),
      level: fc.integer({ min: 0, max: 4 }),
      columns: fc.integer({ min: 20, max: 600 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('obstacle' as const), to: place, radius: share }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('contact' as const),
      rule: fc.constantFrom('sign' as const, 'push' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('save' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const { shape, mesh } = await createFork({ cage: { vertices: 350 }, hierarchy: { manipulators: 12 } });
afterAll(() => shape.dispose());
const vertexAt = (at: number) =>
  Math.min(mesh.sourceVertexCount - 1, Math.floor(at * mesh.sourceVertexCount));

function act(one: Action, saved: { state: ShapeState | undefined }): void {
  const pick = <T>(list: readonly T[], at: number): T | undefined =>
    list[Math.min(list.length - 1, Math.floor(at * list.length))];
  switch (one.do) {
    case 'handle': {
      const vertex = vertexAt(one.at);
      if (!shape.handles.some((handle) => handle.vertex === vertex)) shape.addHandle(vertex);
      return;
    }
    case 'move':
      pick(shape.handles, one.which)?.moveTo(one.to);
      return;
    case 'nudge': {
      const handle = pick(shape.handles, one.which);
      handle?.moveTo(handle.target.map((x, a) => Math.max(-50, Math.min(50, x + 0.1 * one.by[a]))));
      return;
    }
    case 'remove':
      pick([...shape.handles, ...shape.pins, ...shape.regions], one.which)?.remove();
      return;
    case 'pin':
      shape.pin(one.at.map(vertexAt));
      return;
    case 'region': {
      const c = Math.cos(one.turn),
        s = Math.sin(one.turn);
      shape.addRegionHandle(one.at.map(vertexAt)).moveTo([c, -s, 0, 0.1, s, c, 0, 0, 0, 0, 1, -0.1]);
      return;
    }
    case 'level':
      shape.settings = { maxLevel: one.level, columnBudget: one.columns };
      return;
    case 'obstacle':
      shape.setObstacles([
        { kind: 'plane', normal: [0, 0, 1], offset: -0.1 },
        { kind: 'sphere', centre: one.to, radius: 0.3 * one.radius },
      ]);
      return;
    case 'contact':
      shape.setContact({ rule: one.rule });
      return;
    case 'save':
      saved.state = shape.state;
      return;
    case 'undo':
      if (saved.state) shape.restore(saved.state);
      return;
    case 'step':
      for (let k = 0; k < one.times; k++) stepAndCheck(shape);
  }
}

let slowest = 0;

function stepAndCheck(one: Shape): void {
  const report = one.step();
  slowest = Math.max(slowest, report.ms);
  expect(one.positions.every(Number.isFinite)).toBe(true);
  for (const figure of [report.depth, report.movement, report.energy])
    expect(Number.isFinite(figure)).toBe(true);
  expect(report.columns).toBeLessThanOrEqual(Math.max(one.settings.columnBudget, 600));
}

test('whatever is done, the shape stays a shape', () => {
  let steps = 0,
    kept = 0;
  fc.assert(
    fc.property(fc.array(action, { minLength: 5, maxLength: 30 }), (script) => {
      shape.reset();
      shape.setContact({});
      shape.settings = { maxLevel: 3, columnBudget: 300 };
      const saved = { state: undefined };
      for (const one of script) act(one, saved);
      for (let k = 0; k < 3; k++) {
        const report = shape.step();
        steps++;
        if (report.state === 'kept') kept++;
        expect(shape.positions.every(Number.isFinite)).toBe(true);
      }
    }),
    { numRuns: SCRIPTS },
  );
  expect(kept).toBeLessThanOrEqual(0.01 * steps + 1);
  if (process.env.PLIANT_FULL)
    console.info(`${SCRIPTS} scripts, the slowest step took ${slowest.toFixed(0)} ms`);
}, 600_000);
