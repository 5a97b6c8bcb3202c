import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { type BrainOptions, createBrain } from '../../src/shapes/brain.ts';
import { type BumpyBallOptions, createBumpyBall } from '../../src/shapes/bumpy-ball.ts';
import { type ClothOptions, createCloth } from '../../src/shapes/cloth.ts';
import { createFigure } from '../../src/shapes/figure.ts';
import { createFish } from '../../src/shapes/fish.ts';
import type { MotionOptions, Shape } from '../../src/shapes/shape.ts';
import { createSpring, type SpringOptions } from '../../src/shapes/spring.ts';
import { createTentacleBall, type TentacleBallOptions } from '../../src/shapes/tentacle-ball.ts';
import { createTorusKnot, type TorusKnotOptions } from '../../src/shapes/torus-knot.ts';
import { countSelfContacts, shareVertex, touch } from './self-contact.ts';
import { volume } from './skinned.ts';

type Options = MotionOptions & { triangles?: number; seed?: number };

interface Row {
  create: (options?: Options) => Shape;
  triangles: number; // by default
  euler: number; // vertices − edges + triangles
  closed: boolean;
  calm: number; // an amplitude without contact
  wild: number; // one with contact in some frames
  hash: string; // of positions and triangles at about 1000 triangles, at rest and at 0.7 s
}

const SHAPES: [string, Row][] = [
  [
    'spring',
    {
      create: createSpring,
      triangles: 16_000,
      euler: 0,
      closed: true,
      calm: 0.7,
      wild: 1,
      hash: '8180c9211eccc0cd',
    },
  ],
  [
    'bumpy ball',
    {
      create: createBumpyBall,
      triangles: 14_580,
      euler: 2,
      closed: true,
      calm: 0.8,
      wild: 1,
      hash: '39adf3d179814f11',
    },
  ],
  [
    'tentacle ball',
    {
      create: createTentacleBall,
      triangles: 99_540,
      euler: 2,
      closed: true,
      calm: 0.6,
      wild: 1,
      hash: '2091a0b07a1c567e',
    },
  ],
  [
    'flowing cloth',
    {
      create: createCloth,
      triangles: 51_200,
      euler: 1,
      closed: false,
      calm: 1.1,
      wild: 2,
      hash: 'c3562ad14dbf250e',
    },
  ],
  [
    'folding cloth',
    {
      create: (options) => createCloth({ motion: 'fold', ...options }),
      triangles: 51_200,
      euler: 1,
      closed: false,
      calm: 0.8,
      wild: 1,
      hash: '1c3c83f6ac28b4d3',
    },
  ],
  [
    'torus knot',
    {
      create: createTorusKnot,
      triangles: 100_016,
      euler: 0,
      closed: true,
      calm: 0.7,
      wild: 1,
      hash: '031e1e60f3aca1f7',
    },
  ],
  [
    'brain',
    {
      create: createBrain,
      triangles: 60_500,
      euler: 2,
      closed: true,
      calm: 0.8,
      wild: 1,
      hash: '830dff8e8bcec8c3',
    },
  ],
  [
    'figure',
    {
      create: createFigure,
      triangles: 15_000,
      euler: 2,
      closed: true,
      calm: 0.7,
      wild: 1,
      hash: 'e2fc34772501f152',
    },
  ],
  [
    'fish',
    {
      create: createFish,
      triangles: 16_048,
      euler: 2,
      closed: true,
      calm: 0.85,
      wild: 1,
      hash: 'de939b6e3beafafd',
    },
  ],
];

describe.each(SHAPES)('%s', (_, { create, triangles, euler, closed, calm, wild, hash }) => {
  test('has the promised size and topology, and its normals point outwards', () => {
    const mesh = createTriangleMesh(create().source);
    expect(mesh.triangleCount).toBe(triangles);
    expect(mesh.vertexCount - mesh.edgeCount + mesh.triangleCount).toBe(euler);
    expect([mesh.componentCount, mesh.isClosed]).toEqual([1, closed]);
    const { boundaryEdges, ...others } = mesh.defects;
    expect(boundaryEdges > 0).toBe(!closed);
    expect(Object.values(others)).toEqual([0, 0, 0, 0, 0, 0]);
    if (closed) expect(volume(mesh.positions, mesh.triangles)).toBeGreaterThan(0.1);
  });

  test.each([1, 1000, 5000, 20_000])('asked for %i triangles it does not touch itself at rest', (wished) => {
    const { positions, triangles } = create({ triangles: wished }).source;
    expect(countSelfContacts(positions, triangles)).toBe(0);
    if (wished >= 5000) {
      expect(triangles.length / 3).toBeGreaterThan(0.8 * wished);
      expect(triangles.length / 3).toBeLessThan(1.25 * wished);
    }
  });

  test('touches itself in some frames of the wild motion and in none of the calm one', () => {
    expect(contactsPerFrame(create({ triangles: 12_000, amplitude: calm }))).toEqual(
      new Array(FRAMES).fill(0),
    );
    const frames = contactsPerFrame(create({ triangles: 12_000, amplitude: wild }));
    const touching = frames.filter((count) => count > 0).length;
    expect(touching).toBeGreaterThan(0);
    expect(touching).toBeLessThan(FRAMES / 2);
  });

  test('is at rest at time 0, and always with amplitude 0', () => {
    const shape = create({ triangles: 1000 });
    const out = new Float64Array(shape.source.positions.length);
    shape.deform(0.6, out);
    expect(out).not.toEqual(shape.source.positions);
    shape.deform(0, out);
    expect(out).toEqual(shape.source.positions);
    const still = create({ triangles: 1000, amplitude: 0 });
    still.deform(0.6, out);
    expect(out).toEqual(still.source.positions);
    expect(still.source).toEqual(shape.source);
  });

  test('moves smoothly: a small step in time moves no vertex far', () => {
    const shape = create({ triangles: 4000 });
    const before = shape.source.positions.slice();
    const after = before.slice();
    let step = 0;
    for (let frame = 1; frame <= 240; frame++) {
      shape.deform(frame / 120, after);
      for (let i = 0; i < after.length; i++) step = Math.max(step, Math.abs(after[i] - before[i]));
      before.set(after);
    }
    expect(step).toBeGreaterThan(0.001);
    expect(step).toBeLessThan(0.05);
  });

  test('gives the same bits on every run and platform', () => {
    const shape = create({ triangles: 1000 });
    const pose = shape.source.positions.slice();
    shape.deform(0.7, pose);
    const digest = createHash('sha256')
      .update(shape.source.positions)
      .update(shape.source.triangles)
      .update(pose);
    expect(digest.digest('hex').slice(0, 16)).toBe(hash);
  });

  test('refuses wrong options, times and arrays', () => {
    for (const options of [
      { triangles: NaN },
      { triangles: -5 },
      { triangles: 1e9 },
      { amplitude: -1 },
      { period: 0 },
    ]) {
      expect(() => create(options)).toThrow(expect.objectContaining({ code: 'bad-option' }));
    }
    const shape = create({ triangles: 100 });
    const out = new Float64Array(shape.source.positions.length);
    expect(() => shape.deform(NaN, out)).toThrow(expect.objectContaining({ code: 'not-finite' }));
    expect(() => shape.deform(0, out.subarray(1))).toThrow(expect.objectContaining({ code: 'wrong-length' }));
    expect(() => shape.deform(0, [] as never)).toThrow(expect.objectContaining({ code: 'wrong-type' }));
  });
});

describe('options', () => {
  const springs: SpringOptions[] = [
    { turns: 0.5 },
    { turns: 2.3, tubeRadius: 0.2 },
    { turns: 12, tubeRadius: 0.05 },
  ];
  const knots: TorusKnotOptions[] = [
    { p: 3, q: 5 },
    { p: 1, q: 4 },
    { p: 3, q: 2 },
    { p: 2, q: 5 },
  ];
  const balls: BumpyBallOptions[] = [{ bump: 0.5, frequency: 10 }, { seed: 7 }, { bump: 0 }];
  const tentacles: TentacleBallOptions[] = [
    { tentacles: 1 },
    { tentacles: 12 },
    { tentacles: 42, length: 2 },
    { length: 0.1, seed: 3 },
  ];
  const brains: BrainOptions[] = [{ fold: 0.2, seed: 5 }, { fold: 0 }, { seed: 9 }];
  const cases: [string, Shape][] = [
    ...brains.map((o): [string, Shape] => [
      `brain ${JSON.stringify(o)}`,
      createBrain({ triangles: 4000, ...o }),
    ]),
    ...[2, 3, 4].flatMap((seed): [string, Shape][] => [
      [`figure, seed ${seed}`, createFigure({ triangles: 4000, seed })],
      [`fish, seed ${seed}`, createFish({ triangles: 4000, seed })],
    ]),
    ...springs.map((o): [string, Shape] => [
      `spring ${JSON.stringify(o)}`,
      createSpring({ triangles: 3000, ...o }),
    ]),
    ...knots.map((o): [string, Shape] => [
      `knot ${JSON.stringify(o)}`,
      createTorusKnot({ triangles: 4000, ...o }),
    ]),
    ...balls.map((o): [string, Shape] => [
      `ball ${JSON.stringify(o)}`,
      createBumpyBall({ triangles: 4000, ...o }),
    ]),
    ...tentacles.map((o): [string, Shape] => [
      `tentacles ${JSON.stringify(o)}`,
      createTentacleBall({ triangles: 8000, ...o }),
    ]),
  ];

  test.each(cases)('%s: closed, without contact at rest', (_, { source }) => {
    expect(createTriangleMesh(source).isClosed).toBe(true);
    expect(countSelfContacts(source.positions, source.triangles)).toBe(0);
  });

  test('another seed is another shape', () => {
    const at = (create: (options: { seed: number } & Options) => Shape, seed: number) => {
      const shape = create({ seed, triangles: 1000 });
      const out = shape.source.positions.slice();
      shape.deform(0.5, out);
      return out;
    };
    for (const create of [
      createBumpyBall,
      createTentacleBall,
      createCloth,
      createBrain,
      createFigure,
      createFish,
    ]) {
      expect(at(create, 1)).not.toEqual(at(create, 2));
      expect(at(create, 2)).toEqual(at(create, 2));
    }
  });

  test('senseless ones are refused', () => {
    const refused: (() => Shape)[] = [
      () => createTorusKnot({ p: 2, q: 4 }),
      () => createTorusKnot({ p: 1.5 }),
      () => createSpring({ tubeRadius: 1 }),
      () => createSpring({ turns: Infinity }),
      () => createBumpyBall({ seed: 0.5 }),
      () => createBumpyBall({ bump: Object.create(null) }),
      () => createTentacleBall({ tentacles: 1e9 }),
      () => createTentacleBall({ length: -1 }),
      () => createCloth({ motion: 'fly' } as unknown as ClothOptions),
    ];
    for (const create of refused) expect(create).toThrow(expect.objectContaining({ code: 'bad-option' }));
    expect(() => createSpring(null as never)).toThrow(expect.objectContaining({ code: 'wrong-type' }));
  });
});

test('the grid of these tests finds what trying all pairs finds', () => {
  for (const shape of [createSpring({ triangles: 1000 }), createBumpyBall({ triangles: 980 })]) {
    const { triangles, positions } = shape.source;
    const out = positions.slice();
    shape.deform(1, out);
    let expected = 0;
    for (let t = 0; 3 * t < triangles.length; t++) {
      for (let s = 0; s < t; s++)
        if (!shareVertex(triangles, s, t) && touch(out, triangles, s, t)) expected++;
    }
    expect(expected).toBeGreaterThan(0);
    expect(countSelfContacts(out, triangles)).toBe(expected);
  }
});

test('a tentacle ball of a million triangles is built in seconds', () => {
  const began = performance.now();
  const mesh = createTriangleMesh(createTentacleBall({ triangles: 1_000_000 }).source);
  expect(Math.abs(mesh.triangleCount - 1_000_000)).toBeLessThan(20_000);
  expect([mesh.isClosed, mesh.componentCount]).toEqual([true, 1]);
  expect(performance.now() - began).toBeLessThan(15_000);
});

const FRAMES = 16;

function contactsPerFrame(shape: Shape): number[] {
  const out = new Float64Array(shape.source.positions.length);
  return Array.from({ length: FRAMES }, (_, frame) => {
    shape.deform((2 * frame) / FRAMES, out);
    return countSelfContacts(out, shape.source.triangles);
  });
}
