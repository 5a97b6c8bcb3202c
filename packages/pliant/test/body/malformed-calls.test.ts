import { describe, expect, test } from 'vitest';
import {
  CollisionReport,
  findAllCollisions,
  findAnyCollision,
  findAnySelfCollision,
  findClosePairs,
  findCollisions,
  findNearest,
  findSelfCollisions,
  InputError,
} from '../../src/index.ts';
import { grid } from '../arbitraries.ts';
import { type Any, createWorld, IDENTITY, mesh, POSE, silent, type World } from './bad-input-world.ts';

describe('ten thousand malformed calls', () => {
  const COUNT = process.env.PLIANT_FULL ? 200_000 : 10_000;

  test('throw InputErrors or give an answer; nothing else, and in time', async () => {
    const random = createRandom(20_240_601);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
    const refused = new Map<string, number>();
    const failures = new Map<string, string>();
    let accepted = 0;
    const begin = performance.now();
    let it = await createWorld();
    for (let k = 0; k < COUNT; k++) {
      if (it.engine.isDisposed || k % 500 === 0) it = await createWorld();
      const [name, call] = pick(CALLS);
      const args = [junk(it, random, pick), junk(it, random, pick), junk(it, random, pick)];
      try {
        call(it, args, pick);
        accepted++;
      } catch (error) {
        if (error instanceof InputError && error.message.length > 5) {
          refused.set(error.code, (refused.get(error.code) ?? 0) + 1);
        } else failures.set(`${name}: ${String(error).split('\n')[0]}`, describeArguments(args));
      }
    }
    expect(Object.fromEntries(failures)).toEqual({});
    expect(performance.now() - begin).toBeLessThan(60_000 * (COUNT / 10_000));
    expect(refused.size).toBeGreaterThan(5);
    expect(accepted).toBeGreaterThan(100);
  });
});

const VAST = new Array(1e7); // holes only

type Call = [string, (it: World, args: Any[], pick: <T>(list: readonly T[]) => T) => unknown];

const OPTION_NAMES = [
  'method',
  'continuous',
  'report',
  'maxPairs',
  'budget',
  'onPair',
  'certificates',
  'adjacent',
  'self',
  'split',
  'positions',
  'name',
] as const;

function optionsOf(args: Any[], pick: <T>(list: readonly T[]) => T): Any {
  return pick([
    args[2],
    { [pick(OPTION_NAMES)]: args[2] },
    { [pick(OPTION_NAMES)]: args[2], [pick(OPTION_NAMES)]: args[1] },
  ]);
}

const CALLS: Call[] = [
  ['setPose', ({ free }, [a]) => free.setPose(a)],
  ['setPose of a rigid body', ({ rigid }, [a]) => rigid.setPose(a)],
  ['setMotion', ({ free }, [a, b]) => free.setMotion(a, b)],
  ['setMotion of a rigid body', ({ rigid }, [a, b]) => rigid.setMotion(a, b)],
  ['moveTo', ({ free }, [a]) => free.moveTo(a)],
  ['moveTo of a rigid body', ({ rigid }, [a]) => rigid.moveTo(a)],
  ['setWorldMatrix', ({ free }, [a]) => free.setWorldMatrix(a)],
  ['setWorldMotion', ({ free }, [a, b]) => free.setWorldMotion(a, b)],
  ['getPositions', ({ free }, [a]) => free.getPositions(a)],
  [
    'createFreeBody',
    ({ engine }, args, pick) => engine.createFreeBody(pick([args[0], mesh]), optionsOf(args, pick)).dispose(),
  ],
  [
    'createRigidBody',
    ({ engine }, args, pick) =>
      engine.createRigidBody(pick([args[0], mesh]), optionsOf(args, pick)).dispose(),
  ],
  [
    'findSelfCollisions',
    ({ free }, args, pick) => findSelfCollisions(pick([args[0], free]), optionsOf(args, pick)),
  ],
  [
    'findAnySelfCollision',
    ({ free }, args, pick) => findAnySelfCollision(pick([args[0], free]), optionsOf(args, pick)),
  ],
  [
    'findCollisions',
    ({ free, rigid }, args, pick) =>
      findCollisions(pick([args[0], free]), pick([args[1], rigid]), optionsOf(args, pick)),
  ],
  [
    'findAnyCollision',
    ({ free, rigid }, args, pick) =>
      findAnyCollision(pick([args[0], free]), pick([args[1], rigid]), optionsOf(args, pick)),
  ],
  [
    'findAllCollisions',
    ({ free, rigid }, args, pick) =>
      findAllCollisions(pick([args[0], [args[0], args[1]], [free, rigid]]), optionsOf(args, pick)),
  ],
  [
    'findNearest',
    ({ free, rigid }, args, pick) => findNearest(pick([args[0], free]), rigid, optionsOf(args, pick)),
  ],
  [
    'findClosePairs',
    ({ free, rigid }, args, pick) => findClosePairs(free, rigid, args[0], optionsOf(args, pick)),
  ],
];

/** Something that is often wrong and sometimes right. */
function junk(it: World, random: () => number, pick: <T>(list: readonly T[]) => T): Any {
  const spoiled = () => {
    const list: Any[] = Array.from(pick([POSE, IDENTITY]));
    list[Math.floor(random() * list.length)] = pick<Any>([
      NaN,
      Infinity,
      1e200,
      '1',
      null,
      undefined,
      2n,
      {},
      -0,
      1e-320,
    ]);
    return list;
  };
  return pick<() => Any>([
    () =>
      pick<Any>([
        undefined,
        null,
        true,
        false,
        0,
        -1,
        1.5,
        NaN,
        Infinity,
        1e9,
        2 ** 53,
        '',
        'batch',
        'x',
        5n,
        Symbol('s'),
      ]),
    () =>
      pick<Any>([
        [],
        {},
        () => 1,
        () => false,
        new Map(),
        new Date(),
        /x/,
        Object.create(null),
        new Proxy({}, {}),
      ]),
    spoiled,
    () => Float64Array.from(spoiled(), (x) => (typeof x === 'number' ? x : NaN)),
    () => new Float64Array(Math.floor(random() * 40)),
    () => new (pick([Float32Array, Int8Array, Uint32Array, BigInt64Array]) as Any)(pick([0, 12, 27])),
    () => pick<Any>([POSE, IDENTITY, mesh, grid(1, 1), new CollisionReport()]),
    () => pick<Any>([it.free, it.rigid, it.stranger, it.gone, it.engine]),
    () =>
      pick<Any>([
        { nodePairs: 3 },
        { milliseconds: 0 },
        { nodePairs: NaN },
        { milliseconds: '1' },
        { nodePairs: Symbol('s') },
        { milliseconds: 5n },
      ]),
    () =>
      pick<Any>([
        [silent(it.free)],
        [silent(it.stranger)],
        [{}],
        [null],
        [{ tree: it.free.tree }],
        [() => 1],
        silent(it.free),
      ]),
    () => pick<Any>([['a'], [[]], [it.free, it.free], { length: 12 }, { length: 1e9 }, new Array(27), VAST]),
    () => pick<Any>([new DataView(new ArrayBuffer(8)), new ArrayBuffer(8), new Uint8Array(27).fill(255)]),
  ])();
}

function describeArguments(args: Any[]): string {
  return args.map((a) => Object.prototype.toString.call(a)).join(', ');
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
