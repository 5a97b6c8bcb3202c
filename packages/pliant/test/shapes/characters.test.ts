import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Character, type CharacterOptions, subdivideCharacter } from '../../src/shapes/character.ts';
import { createCreature } from '../../src/shapes/creature.ts';
import { createDwarf } from '../../src/shapes/dwarf.ts';
import { createMan } from '../../src/shapes/man.ts';
import { countSelfContacts } from './self-contact.ts';
import { posedPositions, volume } from './skinned.ts';

interface Row {
  create: (options?: CharacterOptions) => Character;
  triangles: number; // by default
  fewest: number;
  feet: [joint: string, stance: [from: number, to: number]][]; // when they stand still on the moving ground
  hash: string; // of the coarsest, with the pose at 0.4 s
}

const CHARACTERS: [string, Row][] = [
  [
    'dwarf',
    {
      create: createDwarf,
      triangles: 1678,
      fewest: 1000,
      feet: [
        ['footL', [0.12, 0.27]],
        ['footR', [0.62, 0.77]],
      ],
      hash: 'bf675bea6ba2950a',
    },
  ],
  [
    'man',
    {
      create: createMan,
      triangles: 8256,
      fewest: 1000,
      feet: [
        ['footL', [0.12, 0.27]],
        ['footR', [0.62, 0.77]],
      ],
      hash: '412dd8304958b1f2',
    },
  ],
  [
    'creature',
    {
      create: createCreature,
      triangles: 13_494,
      fewest: 2500,
      feet: [
        ['footR', [0.05, 0.55]],
        ['fingersL', [0.13, 0.63]],
      ],
      hash: '97f77187e09c6e46',
    },
  ],
];

describe.each(CHARACTERS)('%s', (name, { create, triangles, fewest, feet, hash }) => {
  let character: Character;
  let small: Character;
  beforeAll(() => {
    character = create();
    small = create({ triangles: 1 });
  });

  test('is one closed surface without handles, facing outwards, with its feet on the ground', () => {
    for (const { mesh, height } of [character, small]) {
      expect([mesh.isClosed, mesh.componentCount]).toEqual([true, 1]);
      expect(mesh.vertexCount - mesh.edgeCount + mesh.triangleCount).toBe(2);
      expect(Object.values(mesh.defects)).toEqual([0, 0, 0, 0, 0, 0, 0]);
      expect(volume(mesh.positions, mesh.triangles)).toBeGreaterThan(0.03);
      const ys = mesh.positions.filter((_, i) => i % 3 === 1);
      expect(Math.abs(Math.min(...ys))).toBeLessThan(0.004);
      expect(height).toBe(Math.max(...ys));
    }
    expect(character.name).toBe(name);
    expect(character.mesh.triangleCount).toBe(triangles);
    expect(Math.abs(small.mesh.triangleCount / fewest - 1)).toBeLessThan(0.05);
  });

  test('has well shaped triangles', () => {
    const qualities = triangleQualities(character).sort((a, b) => a - b);
    expect(qualities[0]).toBeGreaterThan(0.3);
    expect(qualities[qualities.length >> 1]).toBeGreaterThan(0.95);
  });

  test('does not touch itself, neither at rest nor in its walk', () => {
    expect(countSelfContacts(small.mesh.positions, small.mesh.triangles)).toBe(0);
    expect(countSelfContacts(character.mesh.positions, character.mesh.triangles)).toBe(0);
    for (let k = 0; k < 6; k++) {
      const positions = posedPositions(character, character.walk((k / 6) * character.walkDuration));
      expect(countSelfContacts(positions, character.mesh.triangles)).toBe(0);
    }
  });

  test('weights: at most four, adding up to 1, continuous, and of one side only away from the middle', () => {
    const { skin, mesh, jointNames } = character;
    const { influences, jointCount, joints, weights } = skin;
    expect([influences, jointCount, weights.length]).toEqual([4, jointNames.length, 4 * mesh.vertexCount]);
    for (let v = 0; v < mesh.vertexCount; v++) {
      const own = weights.subarray(4 * v, 4 * v + 4);
      expect(own.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 14);
      expect(Math.min(...own)).toBeGreaterThanOrEqual(0);
      const used = [...joints.subarray(4 * v, 4 * v + 4)].filter((_, k) => own[k] > 0);
      expect(new Set(used).size).toBe(used.length);
      if (Math.abs(mesh.positions[3 * v]) < 0.08) continue;
      const otherSide = mesh.positions[3 * v] > 0 ? 'R' : 'L';
      for (const j of used) expect(jointNames[j].endsWith(otherSide)).toBe(false);
    }
    expect(largestStep(character)).toBeLessThan(0.85);
  });

  test('every joint has vertices of its own, but clavicles that only carry', () => {
    const { skin, jointNames } = character;
    const most = new Float64Array(jointNames.length);
    for (const [k, w] of skin.weights.entries()) most[skin.joints[k]] = Math.max(most[skin.joints[k]], w);
    for (const [j, joint] of jointNames.entries()) {
      if (!joint.startsWith('clavicle')) expect(most[j]).toBeGreaterThan(joint === 'neck' ? 0.3 : 0.6);
    }
  });

  test('the walk is periodic, smooth and keeps all bones as long as they are', () => {
    const { walkDuration, bind, parents } = character;
    const pose = character.walk(0.3);
    const later = character.walk(0.3 + 5 * walkDuration);
    for (const [i, x] of pose.entries()) expect(later[i]).toBeCloseTo(x, 9);
    const out = new Float64Array(pose.length);
    expect(character.walk(0.3, out)).toBe(out);
    expect(out).toEqual(pose);

    let before = jointPlaces(character, 0);
    for (let frame = 1; frame <= 120; frame++) {
      const after = jointPlaces(character, (frame / 120) * walkDuration);
      for (let j = 0; j < parents.length; j++) {
        expect(gap(after, j, before, j)).toBeLessThan(0.065); // 5 m/s for the fastest foot of a creature
        if (parents[j] < 0) continue;
        const bone = gap(bindPlaces(bind), j, bindPlaces(bind), parents[j]);
        expect(gap(after, j, after, parents[j])).toBeCloseTo(bone, 9);
      }
      before = after;
    }
  });

  test('standing feet go back with the ground at the speed that stride promises', () => {
    const { walkDuration, stride, jointNames } = character;
    for (const [foot, [from, to]] of feet) {
      const j = jointNames.indexOf(foot);
      const start = jointPlaces(character, from * walkDuration),
        end = jointPlaces(character, to * walkDuration);
      expect(start[3 * j + 2] - end[3 * j + 2]).toBeCloseTo(stride * (to - from), 2);
      expect(start[3 * j + 1]).toBeCloseTo(end[3 * j + 1], 2);
    }
  });

  test('nothing goes far below the ground', () => {
    for (let k = 0; k < 12; k++) {
      const positions = posedPositions(small, small.walk((k / 12) * small.walkDuration));
      for (let o = 1; o < positions.length; o += 3) expect(positions[o]).toBeGreaterThan(-0.035);
    }
  });

  test('pose: no rotation gives the bind matrices, a quarter turn of the root turns everything', () => {
    const { bind, jointNames } = small;
    const rotations = new Float64Array(4 * jointNames.length);
    for (let j = 0; j < jointNames.length; j++) rotations[4 * j + 3] = 2; // of any length
    for (const [i, x] of small.pose(rotations).entries()) expect(x).toBeCloseTo(bind[i], 12);
    rotations.set([0, 1, 0, 1], 0);
    const out = new Float64Array(bind.length);
    expect(small.pose(rotations, out)).toBe(out);
    const rest = bindPlaces(bind),
      turned = bindPlaces(out);
    for (let j = 0; j < jointNames.length; j++) {
      expect(turned[3 * j] - turned[0]).toBeCloseTo(rest[3 * j + 2] - rest[2], 12);
      expect(turned[3 * j + 1]).toBeCloseTo(rest[3 * j + 1], 12);
    }
  });

  test('subdivided, it is the same surface with weights that add up to 1', () => {
    const finer = subdivideCharacter(small, 2);
    expect(finer.mesh.triangleCount).toBe(16 * small.mesh.triangleCount);
    expect([finer.mesh.isClosed, finer.mesh.componentCount]).toEqual([true, 1]);
    expect(volume(finer.mesh.positions, finer.mesh.triangles)).toBeCloseTo(
      volume(small.mesh.positions, small.mesh.triangles),
      12,
    );
    const { weights } = finer.skin;
    expect(weights.length).toBe(4 * finer.mesh.vertexCount);
    for (let o = 0; o < weights.length; o += 4) {
      expect(weights[o] + weights[o + 1] + weights[o + 2] + weights[o + 3]).toBeCloseTo(1, 14);
    }
    expect(finer.walk(0.2)).toEqual(small.walk(0.2));
  });

  test('gives the same bits on every run and platform', () => {
    const digest = createHash('sha256')
      .update(small.mesh.positions)
      .update(small.mesh.triangles)
      .update(small.skin.weights)
      .update(small.walk(0.4));
    expect(digest.digest('hex').slice(0, 16)).toBe(hash);
  });

  test('another seed is another individual', () => {
    const other = create({ triangles: 1, seed: 3 });
    expect(other.mesh.triangles).toEqual(small.mesh.triangles);
    expect(other.height).not.toBe(small.height);
    expect(other.walkDuration).not.toBe(small.walkDuration);
    expect(countSelfContacts(other.mesh.positions, other.mesh.triangles)).toBe(0);
  });

  test('refuses wrong options, times and arrays', () => {
    for (const options of [{ triangles: NaN }, { triangles: 0 }, { triangles: 2e6 }, { seed: 0.5 }]) {
      expect(() => create(options)).toThrow(expect.objectContaining({ code: 'bad-option' }));
    }
    expect(() => create(null as never)).toThrow(expect.objectContaining({ code: 'wrong-type' }));
    expect(() => small.walk(NaN)).toThrow(expect.objectContaining({ code: 'not-finite' }));
    expect(() => small.walk(0, new Float64Array(3))).toThrow(
      expect.objectContaining({ code: 'wrong-length' }),
    );
    expect(() => small.pose(new Float64Array(3))).toThrow(expect.objectContaining({ code: 'wrong-length' }));
    const zero = new Float64Array(4 * small.jointNames.length);
    expect(() => small.pose(zero)).toThrow(expect.objectContaining({ code: 'out-of-range' }));
    expect(() => subdivideCharacter(small, 1.5)).toThrow(expect.objectContaining({ code: 'bad-option' }));
  });

  const counts = [1500, 2500, 4000, 6000, 9500, 14_000, 20_000, 31_000, 50_000, 100_000, 300_000];
  test.runIf(process.env.PLIANT_FULL !== undefined).each(counts.filter((wished) => wished >= fewest))(
    'asked for %i triangles it has about as many and does not touch itself at rest',
    (wished) => {
      const { mesh } = create({ triangles: wished });
      expect(Math.abs(mesh.triangleCount / wished - 1)).toBeLessThan(0.04);
      expect([mesh.isClosed, mesh.componentCount]).toEqual([true, 1]);
      expect(countSelfContacts(mesh.positions, mesh.triangles)).toBe(0);
    },
  );
});

/** 1 for an equilateral triangle, 0 for a flat one. */
function triangleQualities({ mesh: { positions: p, triangles } }: Character): number[] {
  const qualities: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[t + k]);
    const [u, v, w] = [
      [a, b],
      [b, c],
      [c, a],
    ].map(([i, j]) => Math.hypot(p[i] - p[j], p[i + 1] - p[j + 1], p[i + 2] - p[j + 2]));
    const s = (u + v + w) / 2;
    const area = Math.sqrt(Math.max(0, s * (s - u) * (s - v) * (s - w)));
    qualities.push((4 * Math.sqrt(3) * area) / (u * u + v * v + w * w));
  }
  return qualities;
}

/** The most that one weight changes along an edge. */
function largestStep({ mesh: { triangles }, skin }: Character): number {
  const rows = (v: number) => {
    const row = new Float64Array(skin.jointCount);
    for (let k = 4 * v; k < 4 * v + 4; k++) row[skin.joints[k]] += skin.weights[k];
    return row;
  };
  let step = 0;
  for (let i = 0; i < triangles.length; i++) {
    const a = rows(triangles[i]),
      b = rows(triangles[i % 3 === 2 ? i - 2 : i + 1]);
    for (let j = 0; j < a.length; j++) step = Math.max(step, Math.abs(a[j] - b[j]));
  }
  return step;
}

/** Where the walk puts the joints. */
function jointPlaces({ bind, walk }: Character, time: number): Float64Array {
  const matrices = walk(time);
  const rest = bindPlaces(bind);
  return rest.map((_, i) => {
    const j = 3 * Math.trunc(i / 3),
      o = 4 * j + 4 * (i % 3);
    return (
      matrices[o] * rest[j] + matrices[o + 1] * rest[j + 1] + matrices[o + 2] * rest[j + 2] + matrices[o + 3]
    );
  });
}

function bindPlaces(matrices: Float64Array): Float64Array {
  return Float64Array.from({ length: matrices.length / 4 }, (_, i) => matrices[4 * i + 3]);
}

function gap(p: Float64Array, i: number, q: Float64Array, j: number): number {
  return Math.hypot(p[3 * i] - q[3 * j], p[3 * i + 1] - q[3 * j + 1], p[3 * i + 2] - q[3 * j + 2]);
}
