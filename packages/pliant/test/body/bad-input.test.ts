import { beforeEach, describe, expect, test } from 'vitest';
import {
  Body,
  type Certificate,
  CollisionReport,
  createEngine,
  createTriangleMesh,
  type Engine,
  findAllCollisions,
  findClosePairs,
  findCollisions,
  findFirstHit,
  findFirstSelfHit,
  findNearest,
  findSelfClosePairs,
  findSelfCollisions,
  findSelfNearest,
  InputError,
  type InputErrorCode,
} from '../../src/index.ts';
import { grid } from '../arbitraries.ts';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are what these tests are about
type Any = any;

const mesh = createTriangleMesh({ ...grid(2, 2), name: 'sheet' });
const POSE = mesh.positions;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const withAt = <T>(list: ArrayLike<T>, index: number, value: Any): Any[] =>
  Array.from(list, (x, i) => (i === index ? value : x));

interface World {
  engine: Engine;
  other: Engine;
  free: Body;
  rigid: Body;
  stranger: Body; // of another engine
  gone: Body; // disposed of
}

async function createWorld(): Promise<World> {
  const [engine, other] = await Promise.all([createEngine(), createEngine()]);
  const gone = engine.createFreeBody(mesh, { name: 'ghost' });
  gone.dispose();
  return {
    engine,
    other,
    free: engine.createFreeBody(mesh, { name: 'cloak' }),
    rigid: engine.createRigidBody(mesh),
    stranger: other.createFreeBody(mesh),
    gone,
  };
}

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

type Row = [string, (world: World) => unknown, InputErrorCode, RegExp];

const silent = (body: Body): Certificate => ({ tree: body.tree, begin: () => {}, clears: () => false });

const POSES: Row[] = [
  [
    'a pose that is too short',
    ({ free }) => free.setPose([1, 2, 3]),
    'wrong-length',
    /pose has 3 numbers, expected 27/,
  ],
  [
    'a pose that is too long',
    ({ free }) => free.setPose(new Float64Array(30)),
    'wrong-length',
    /pose has 30/,
  ],
  ['an empty pose', ({ free }) => free.setPose([]), 'wrong-length', /pose has 0/],
  ['NaN', ({ free }) => free.setPose(withAt(POSE, 7, NaN)), 'not-finite', /pose\[7\] \(vertex 2, y\) is NaN/],
  [
    'NaN in a typed array',
    ({ free }) => free.setPose(Float64Array.from(withAt(POSE, 26, NaN))),
    'not-finite',
    /pose\[26\]/,
  ],
  [
    'Infinity',
    ({ free }) => free.setPose(withAt(POSE, 0, -Infinity)),
    'not-finite',
    /pose\[0\] \(vertex 0, x\) is -Infinity/,
  ],
  [
    'a huge number',
    ({ free }) => free.setPose(withAt(POSE, 5, 2 ** 301)),
    'out-of-range',
    /pose\[5\].*2\^300/,
  ],
  ['a string in a pose', ({ free }) => free.setPose(withAt(POSE, 3, '1')), 'wrong-type', /pose\[3\]/],
  ['a hole in a pose', ({ free }) => free.setPose(withAt(POSE, 3, undefined)), 'wrong-type', /pose\[3\]/],
  ['a BigInt in a pose', ({ free }) => free.setPose(withAt(POSE, 3, 3n)), 'wrong-type', /pose\[3\]/],
  [
    'BigInts',
    ({ free }) => free.setPose(new BigInt64Array(27) as Any),
    'wrong-type',
    /pose must be an array of numbers/,
  ],
  ['a DataView', ({ free }) => free.setPose(new DataView(new ArrayBuffer(216)) as Any), 'wrong-type', /pose/],
  [
    'a string',
    ({ free }) => free.setPose('pose' as Any),
    'wrong-type',
    /pose must be an array of numbers, not a string/,
  ],
  ['nothing', ({ free }) => free.setPose(undefined as Any), 'wrong-type', /pose.*undefined/],
  ['null', ({ free }) => free.setPose(null as Any), 'wrong-type', /pose.*null/],
  ['a wrong start', ({ free }) => free.setMotion([], POSE), 'wrong-length', /start has 0/],
  [
    'a wrong end',
    ({ free }) => free.setMotion(POSE, withAt(POSE, 1, NaN)),
    'not-finite',
    /end\[1\] \(vertex 0, y\)/,
  ],
  [
    'a matrix of 16',
    ({ rigid }) => rigid.setPose(new Float64Array(16)),
    'wrong-length',
    /matrix has 16 numbers, expected 12/,
  ],
  [
    'a matrix with NaN',
    ({ rigid }) => rigid.setPose(withAt(IDENTITY, 11, NaN)),
    'not-finite',
    /matrix\[11\] is NaN/,
  ],
  ['a huge matrix', ({ rigid }) => rigid.setPose(withAt(IDENTITY, 2, -1e100)), 'out-of-range', /matrix\[2\]/],
  ['a matrix that is none', ({ rigid }) => rigid.setPose({ length: 12 } as Any), 'wrong-type', /matrix/],
  ['a wrong start matrix', ({ rigid }) => rigid.setMotion([1], IDENTITY), 'wrong-length', /start has 1/],
  [
    'a wrong end matrix',
    ({ rigid }) => rigid.setMotion(IDENTITY, withAt(IDENTITY, 0, Infinity)),
    'not-finite',
    /end\[0\]/,
  ],
  ['a wrong world matrix', ({ free }) => free.setWorldMatrix([1, 2]), 'wrong-length', /matrix has 2/],
  ['a wrong world motion', ({ free }) => free.setWorldMotion(IDENTITY, 'x' as Any), 'wrong-type', /end/],
  ['room for too few positions', ({ free }) => free.getPositions(new Float64Array(3)), 'wrong-length', /27/],
  [
    'room of the wrong kind',
    ({ free }) => free.getLocalPositions([] as Any),
    'wrong-length',
    /Float64Array of 27/,
  ],
];

const BODIES: Row[] = [
  [
    'no body',
    () => findSelfCollisions(undefined as Any),
    'wrong-type',
    /the body must be a body made by an engine, not undefined/,
  ],
  ['null', () => findSelfCollisions(null as Any), 'wrong-type', /the body/],
  [
    'a mesh instead of a body',
    () => findSelfCollisions(mesh as Any),
    'wrong-type',
    /the body must be a body/,
  ],
  [
    'something that looks like a body',
    () => findSelfCollisions({ checkUsable() {} } as Any),
    'wrong-type',
    /the body/,
  ],
  [
    'a body without insides',
    () => findSelfCollisions(Object.create(Body.prototype)),
    'wrong-type',
    /the body/,
  ],
  [
    'a second body that is none',
    ({ free }) => findCollisions(free, 7 as Any),
    'wrong-type',
    /the second body.*7/,
  ],
  [
    'a first body that is none',
    ({ free }) => findCollisions([] as Any, free),
    'wrong-type',
    /the first body.*an array/,
  ],
  ['one body twice', ({ free }) => findCollisions(free, free), 'mismatch', /one/],
  ['one body twice, first hit', ({ free }) => findFirstHit(free, free), 'mismatch', /one/],
  [
    'bodies of two engines',
    ({ free, stranger }) => findCollisions(free, stranger),
    'mismatch',
    /different engines/,
  ],
  [
    'no list',
    ({ free }) => findAllCollisions(free as Any),
    'wrong-type',
    /bodies must be an array, not an object/,
  ],
  [
    'a list with a stranger',
    ({ free, stranger }) => findAllCollisions([free, stranger]),
    'mismatch',
    /bodies\[1\]/,
  ],
  [
    'a list with a double',
    ({ free, rigid }) => findAllCollisions([free, rigid, free]),
    'mismatch',
    /bodies\[2\] is listed twice/,
  ],
  [
    'a list with a hole',
    ({ free }) => findAllCollisions([free, undefined as Any]),
    'wrong-type',
    /bodies\[1\]/,
  ],
  ['a body that was disposed of', ({ gone }) => findSelfCollisions(gone), 'disposed', /body "ghost"/],
  ['… as the second', ({ free, gone }) => findCollisions(free, gone), 'disposed', /body "ghost"/],
  ['… in a list', ({ free, gone }) => findAllCollisions([free, gone]), 'disposed', /body "ghost"/],
  ['… and posed', ({ gone }) => gone.setPose(POSE), 'disposed', /body "ghost"/],
  ['… and moved', ({ gone }) => gone.setMotion(POSE, POSE), 'disposed', /body "ghost"/],
  ['… and placed', ({ gone }) => gone.setWorldMatrix(IDENTITY), 'disposed', /body "ghost"/],
  ['… and read', ({ gone }) => gone.getPositions(), 'disposed', /body "ghost"/],
  ['… and prepared', ({ gone }) => gone.prepare(), 'disposed', /body "ghost"/],
  [
    'a disposed engine',
    ({ engine }) => {
      engine.dispose();
      engine.createFreeBody(mesh);
    },
    'disposed',
    /engine/,
  ],
  [
    'a body of a disposed engine',
    ({ engine, free }) => {
      engine.dispose();
      findSelfCollisions(free);
    },
    'disposed',
    /engine.*body "cloak"/,
  ],
  [
    '… and posed',
    ({ engine, free }) => {
      engine.dispose();
      free.setPose(POSE);
    },
    'disposed',
    /engine/,
  ],
];

const OPTIONS: Row[] = [
  ['options that are null', ({ free }) => findSelfCollisions(free, null as Any), 'wrong-type', /options/],
  [
    'options that are a string',
    ({ free }) => findSelfCollisions(free, 'batch' as Any),
    'wrong-type',
    /options/,
  ],
  [
    'a method that does not exist',
    ({ free }) => findSelfCollisions(free, { method: 'fast' as Any }),
    'bad-option',
    /method.*fast/,
  ],
  [
    'a method that is an object',
    ({ free }) => findSelfCollisions(free, { method: Object.create(null) }),
    'bad-option',
    /method/,
  ],
  [
    'a method that is a symbol',
    ({ free }) => findSelfCollisions(free, { method: Symbol('x') as Any }),
    'bad-option',
    /method/,
  ],
  [
    'continuous: 1',
    ({ free }) => findSelfCollisions(free, { continuous: 1 as Any }),
    'bad-option',
    /continuous.*1/,
  ],
  ['adjacent: 1', ({ free }) => findSelfCollisions(free, { adjacent: 1 as Any }), 'bad-option', /adjacent/],
  ['self: "yes"', ({ free }) => findAllCollisions([free], { self: 'yes' as Any }), 'bad-option', /self/],
  [
    'adjacent and continuous',
    ({ free }) => findSelfCollisions(free, { adjacent: true, continuous: true }),
    'unsupported',
    /adjacent/,
  ],
  ['maxPairs: -1', ({ free }) => findSelfCollisions(free, { maxPairs: -1 }), 'bad-option', /maxPairs.*-1/],
  ['maxPairs: 1.5', ({ free }) => findSelfCollisions(free, { maxPairs: 1.5 }), 'bad-option', /maxPairs.*1.5/],
  ['maxPairs: NaN', ({ free }) => findSelfCollisions(free, { maxPairs: NaN }), 'bad-option', /maxPairs/],
  [
    'maxPairs: "3"',
    ({ free }) => findSelfCollisions(free, { maxPairs: '3' as Any }),
    'bad-option',
    /maxPairs/,
  ],
  [
    'maxPairs: null',
    ({ free }) => findSelfCollisions(free, { maxPairs: null as Any }),
    'bad-option',
    /maxPairs/,
  ],
  [
    'maxPairs: a symbol',
    ({ free }) => findSelfCollisions(free, { maxPairs: Symbol('x') as Any }),
    'bad-option',
    /maxPairs/,
  ],
  [
    'a budget of null',
    ({ free }) => findSelfCollisions(free, { budget: null as Any }),
    'bad-option',
    /budget/,
  ],
  [
    'a budget that is a number',
    ({ free }) => findSelfCollisions(free, { budget: 5 as Any }),
    'bad-option',
    /budget/,
  ],
  [
    'a negative time',
    ({ free }) => findSelfCollisions(free, { budget: { milliseconds: -1 } }),
    'bad-option',
    /milliseconds.*-1/,
  ],
  [
    'a time of NaN',
    ({ free }) => findSelfCollisions(free, { budget: { milliseconds: NaN } }),
    'bad-option',
    /milliseconds/,
  ],
  [
    'a time in words',
    ({ free }) => findSelfCollisions(free, { budget: { milliseconds: '5' as Any } }),
    'bad-option',
    /milliseconds/,
  ],
  [
    'a time of 5n',
    ({ free }) => findSelfCollisions(free, { budget: { milliseconds: 5n as Any } }),
    'bad-option',
    /milliseconds/,
  ],
  [
    'negative node pairs',
    ({ free }) => findSelfCollisions(free, { budget: { nodePairs: -3 } }),
    'bad-option',
    /nodePairs.*-3/,
  ],
  [
    'node pairs that are an object',
    ({ free }) => findSelfCollisions(free, { budget: { nodePairs: {} as Any } }),
    'bad-option',
    /nodePairs/,
  ],
  ['onPair: true', ({ free }) => findSelfCollisions(free, { onPair: true as Any }), 'bad-option', /onPair/],
  [
    'a report that is none',
    ({ free }) => findSelfCollisions(free, { report: {} as Any }),
    'bad-option',
    /report/,
  ],
  [
    'certificates that are no list',
    ({ free }) => findSelfCollisions(free, { certificates: silent(free) as Any }),
    'bad-option',
    /certificates must be an array/,
  ],
  [
    'a certificate of null',
    ({ free }) => findSelfCollisions(free, { certificates: [null as Any] }),
    'bad-option',
    /certificates\[0\]/,
  ],
  [
    'a certificate without begin',
    ({ free }) =>
      findSelfCollisions(free, { certificates: [{ tree: free.tree, clears: () => false } as Any] }),
    'bad-option',
    /certificates\[0\]/,
  ],
  [
    'a certificate without clears',
    ({ free }) =>
      findSelfCollisions(free, { certificates: [silent(free), { tree: free.tree, begin: () => {} } as Any] }),
    'bad-option',
    /certificates\[1\]/,
  ],
  [
    'a certificate of another tree',
    ({ free, stranger }) => findSelfCollisions(free, { certificates: [silent(stranger)] }),
    'mismatch',
    /another tree/,
  ],
  [
    'a certificate for a pair',
    ({ free, rigid }) => findCollisions(free, rigid, { certificates: [silent(free)] } as Any),
    'bad-option',
    /certificates/,
  ],
  [
    'first hit: a wrong method',
    ({ free }) => findFirstSelfHit(free, { method: 'x' as Any }),
    'bad-option',
    /method/,
  ],
  [
    'pair: a wrong method',
    ({ free, rigid }) => findCollisions(free, rigid, { method: 'x' as Any }),
    'bad-option',
    /method/,
  ],
  [
    'pair first hit: a wrong budget',
    ({ free, rigid }) => findFirstHit(free, rigid, { budget: { nodePairs: NaN } }),
    'bad-option',
    /nodePairs/,
  ],
  [
    'many: a wrong method',
    ({ free, rigid }) => findAllCollisions([free, rigid], { method: 'x' as Any }),
    'bad-option',
    /method/,
  ],
  ['a negative distance', ({ free, rigid }) => findClosePairs(free, rigid, -1), 'bad-option', /distance.*-1/],
  ['a distance in words', ({ free }) => findSelfClosePairs(free, '1' as Any), 'bad-option', /distance/],
  [
    'a distance that is an object',
    ({ free }) => findSelfClosePairs(free, Object.create(null)),
    'bad-option',
    /distance/,
  ],
  ['nearest: a wrong body', ({ free }) => findNearest(free, {} as Any), 'wrong-type', /second body/],
  [
    'nearest: a wrong budget',
    ({ free }) => findSelfNearest(free, { budget: { milliseconds: -1 } }),
    'bad-option',
    /milliseconds/,
  ],
];

const ENGINES: Row[] = [
  ['a mesh that is none', ({ engine }) => engine.createFreeBody({} as Any), 'wrong-type', /mesh/],
  ['no mesh', ({ engine }) => engine.createRigidBody(undefined as Any), 'wrong-type', /mesh.*undefined/],
  [
    'the source of a mesh',
    ({ engine }) => engine.createRigidBody(grid(2, 2) as Any),
    'wrong-type',
    /createTriangleMesh/,
  ],
  [
    'a mesh with half its fields',
    ({ engine }) =>
      engine.createFreeBody({ positions: POSE, triangles: mesh.triangles, adjacency: {} } as Any),
    'wrong-type',
    /createTriangleMesh/,
  ],
  ['body options of null', ({ engine }) => engine.createFreeBody(mesh, null as Any), 'wrong-type', /options/],
  [
    'a split rule that is none',
    ({ engine }) => engine.createFreeBody(mesh, { split: 3 as Any }),
    'bad-option',
    /split/,
  ],
  [
    'a split rule that takes nothing',
    ({ engine }) => engine.createFreeBody(mesh, { split: () => 0 }),
    'bad-option',
    /split/,
  ],
  [
    'a split rule that takes all',
    ({ engine }) => engine.createFreeBody(mesh, { split: (_, __, count) => count }),
    'bad-option',
    /split/,
  ],
  [
    'a split rule that returns NaN',
    ({ engine }) => engine.createFreeBody(mesh, { split: () => NaN }),
    'bad-option',
    /split/,
  ],
  [
    'a split rule that returns a fraction',
    ({ engine }) => engine.createFreeBody(mesh, { split: () => 1.5 }),
    'bad-option',
    /split/,
  ],
  [
    'a split rule that spoils the order',
    ({ engine }) => engine.createFreeBody(mesh, { split: ({ order }) => Math.min(1, order.fill(0).length) }),
    'bad-option',
    /split/,
  ],
  [
    'split positions of the wrong length',
    ({ engine }) => engine.createFreeBody(mesh, { positions: new Float64Array(3) }),
    'wrong-length',
    /positions/,
  ],
  [
    'a name that is none',
    ({ engine }) => engine.createFreeBody(mesh, { name: 5 as Any }),
    'wrong-type',
    /name/,
  ],
];

describe('each kind of bad input is an InputError with a code and an address, and changes nothing', () => {
  describe.each([
    ['poses', POSES],
    ['bodies', BODIES],
    ['options', OPTIONS],
    ['engines', ENGINES],
  ])('%s', (_, rows) => {
    test.each(rows)('%s', (_name, action, code, message) => {
      const { engine, free, rigid } = world;
      const before = { bodies: engine.usage.bodies, free: free.getPositions(), rigid: rigid.getPositions() };
      const error = thrownBy(() => action(world));
      expect(error).toBeInstanceOf(InputError);
      expect({ code: (error as InputError).code, message: (error as InputError).message }).toEqual({
        code,
        message: expect.stringMatching(message),
      });
      if (engine.isDisposed) return;
      expect(engine.usage.bodies).toBe(before.bodies);
      expect(free.getPositions()).toEqual(before.free);
      expect(rigid.getPositions()).toEqual(before.rigid);
      // Still usable: nobody is left waiting.
      free.setPose(POSE);
      rigid.setPose(IDENTITY);
      expect(findCollisions(free, rigid).pairCount).toBeGreaterThan(0);
    });
  });

  test.each([
    [null, 'wrong-type', /options/],
    [{ kernels: 'gpu' }, 'bad-option', /kernels.*gpu/],
    [{ kernels: null }, 'bad-option', /kernels/],
    [{ kernels: Object.create(null) }, 'bad-option', /kernels/],
    [{ threads: 0 }, 'bad-option', /threads.*0/],
    [{ threads: 1.5 }, 'bad-option', /threads/],
    [{ threads: '2' }, 'bad-option', /threads/],
  ])('createEngine(%o)', async (options, code, message) => {
    const error = await createEngine(options as Any).catch((e) => e);
    expect(error).toBeInstanceOf(InputError);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });
});

describe('a pose that is refused leaves the body as it was', () => {
  test('a matrix with a number that is too large, after good ones', () => {
    const { rigid } = world;
    rigid.setPose([2, 0, 0, 1, 0, 2, 0, 1, 0, 0, 2, 1]);
    expect(() => rigid.setPose(withAt([3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 0], 11, 1e100))).toThrow(InputError);
    expect(rigid.getPositions().slice(0, 6)).toEqual(Float64Array.of(1, 1, 1, 3, 1, 1));
  });

  test('a motion whose start is refused', () => {
    const { rigid } = world;
    rigid.setMotion(IDENTITY, [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0]);
    expect(() => rigid.setMotion(withAt([9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 0], 11, 1e100), IDENTITY)).toThrow(
      InputError,
    );
    expect(rigid.getPositions()).toEqual(POSE);
  });

  test('a world matrix that is refused', () => {
    const { free } = world;
    free.setWorldMatrix([1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0]);
    expect(() => free.setWorldMatrix(withAt([7, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 11, 1e100))).toThrow(
      InputError,
    );
    expect(free.getPositions()[0]).toBe(5);
  });

  test('the caller may change or reuse its array', () => {
    const { free } = world;
    const pose = POSE.slice();
    free.setPose(pose);
    pose.fill(9);
    expect(free.getPositions()).toEqual(POSE);
  });
});

describe('a certificate that throws', () => {
  test.each(['begin', 'clears', 'exceptions'] as const)(
    'in %s: the error comes through, and the body is free again',
    (where) => {
      const { rigid } = world;
      const bang = () => {
        throw new Error('bang');
      };
      const certificate = { ...silent(rigid), clears: () => true, [where]: bang };
      for (const method of ['batch', 'on-demand'] as const) {
        expect(() => findSelfCollisions(rigid, { method, certificates: [certificate] })).toThrow('bang');
        rigid.setPose(IDENTITY);
        expect(findSelfCollisions(rigid, { method }).state).toBe('complete');
      }
    },
  );
});

test('matrices and coordinates that are legal apart are not too large together', () => {
  const { engine } = world;
  // 2^290 · 2^290 = 2^580: products of three such differences overflow, so the exact answer must not use them.
  const s = 2 ** 290;
  const a = createTriangleMesh({ positions: [0, 0, 0, s, 0, 0, 0, s, 0], triangles: [0, 1, 2] });
  const b = createTriangleMesh({
    positions: [s / 4, s / 4, -s, s / 4, s / 4, s, s, s, s],
    triangles: [0, 1, 2],
  });
  const [p, q] = [engine.createRigidBody(a), engine.createRigidBody(b)];
  const scaled = IDENTITY.map((x) => x * s);
  let answer: number | string;
  try {
    p.setPose(scaled);
    q.setPose(scaled);
    answer = findCollisions(p, q).pairCount;
  } catch (error) {
    answer = (error as InputError).code;
  }
  expect([1, 'out-of-range']).toContain(answer); // they touch, or it is refused; not: they are apart
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

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
    'findFirstSelfHit',
    ({ free }, args, pick) => findFirstSelfHit(pick([args[0], free]), optionsOf(args, pick)),
  ],
  [
    'findCollisions',
    ({ free, rigid }, args, pick) =>
      findCollisions(pick([args[0], free]), pick([args[1], rigid]), optionsOf(args, pick)),
  ],
  [
    'findFirstHit',
    ({ free, rigid }, args, pick) =>
      findFirstHit(pick([args[0], free]), pick([args[1], rigid]), optionsOf(args, pick)),
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
