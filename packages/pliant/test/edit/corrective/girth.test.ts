import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Crossings, sizeOf } from '../../../src/edit/corrective/crossings.ts';
import { easeSteps } from '../../../src/edit/corrective/ease.ts';
import { easeAway } from '../../../src/edit/corrective/ease-away.ts';
import { relaxSteps } from '../../../src/edit/corrective/relax.ts';
import { poseSkin, surfaceOf } from '../../../src/edit/corrective/skin-pose.ts';
import { weldValues } from '../../../src/edit/corrective/weld-values.ts';
import { createCorrection } from '../../../src/edit/index.ts';
import { readGltf } from '../../../src/gltf/index.ts';
import { createEngine } from '../../../src/index.ts';
import { hasSharedData, sharedFile } from '../../io/shared-data.ts';
import { tubeGltf } from './tube-gltf.ts';

const RUNS = process.env.PLIANT_FULL ? 40 : 5;

async function bentTube(angle: number, rings: number, sides: number) {
  const scene = await readGltf(tubeGltf({ bends: [angle], rings, sides }).glb(), 'tube.glb');
  const surface = surfaceOf(scene.meshes[0]);
  const posed = weldValues(surface, poseSkin(scene, 0, 0, 1).positions, 3);
  const engine = await createEngine();
  const crossings = new Crossings(engine, surface);
  return { surface, posed, crossings, options: { size: sizeOf(posed) }, dispose: () => engine.dispose() };
}

function run(steps: Generator<number, unknown>): unknown {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The least mean distance of a ring of the tube from its middle, of that in the bind pose. */
function leastGirth(bind: Float64Array, p: Float64Array, rings: number, sides: number): number {
  const girth = (q: Float64Array, ring: number) => {
    const at = Array.from({ length: sides }, (_, k) => 3 * (ring * sides + k));
    const middle = [0, 1, 2].map((a) => at.reduce((sum, o) => sum + q[o + a], 0) / sides);
    return at.reduce((sum, o) => sum + Math.hypot(...middle.map((x, a) => q[o + a] - x)), 0) / sides;
  };
  let least = Infinity;
  for (let ring = 0; ring <= rings; ring++) least = Math.min(least, girth(p, ring) / girth(bind, ring));
  return least;
}

const elbow = [
  fc.integer({ min: 90, max: 140 }),
  fc.integer({ min: 24, max: 40 }),
  fc.integer({ min: 8, max: 12 }),
] as const;

describe('easing', () => {
  test('undoes an elbow, and makes it less thin than smoothing does', async () => {
    const won: number[] = [];
    await fc.assert(
      fc.asyncProperty(...elbow, async (angle, rings, sides) => {
        const { surface, posed, crossings, options, dispose } = await bentTube(angle, rings, sides);
        const kept = posed.slice(),
          smoothed = posed.slice();
        expect(run(easeAway(crossings, kept, options))).toBe(true);
        expect(crossings.find(kept)).toEqual([]);
        expect(run(easeSteps(crossings, smoothed, options))).toBe(true);
        const { positions: bind } = surface;
        const girth = leastGirth(bind, kept, rings, sides);
        won.push(girth - leastGirth(bind, smoothed, rings, sides));
        dispose();
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(...won)).toBeGreaterThan(-0.02);
    expect(Math.max(...won)).toBeGreaterThan(0.02);
  });

  test('what is taken back lies on the way, is no longer, and lets nothing cross', async () => {
    await fc.assert(
      fc.asyncProperty(...elbow, async (angle, rings, sides) => {
        const { posed, crossings, options, dispose } = await bentTube(angle, rings, sides);
        const after = posed.slice();
        run(easeSteps(crossings, after, options));
        const relaxed = after.slice();
        run(relaxSteps(crossings, posed, relaxed, options));
        expect(crossings.findWithMargin(relaxed, options.size)).toEqual([]);
        for (let i = 0; i < posed.length; i++) {
          const low = Math.min(posed[i], after[i]),
            high = Math.max(posed[i], after[i]);
          expect(relaxed[i]).toBeGreaterThanOrEqual(low - 1e-12);
          expect(relaxed[i]).toBeLessThanOrEqual(high + 1e-12);
        }
        dispose();
      }),
      { numRuns: RUNS },
    );
  });

  test('everything is taken back where nothing crosses', async () => {
    const { posed, crossings, options, dispose } = await bentTube(20, 30, 10);
    const moved = posed.map((x, i) => x + 0.001 * Math.sin(i));
    run(relaxSteps(crossings, posed, moved, options));
    expect(moved).toEqual(posed);
    dispose();
  });
});

describe.skipIf(!hasSharedData)('legs of the fox, Run at 1.1 s', () => {
  test('keep their girth better than smoothing lets them', async () => {
    const scene = await readGltf(sharedFile('skinned/Fox.glb'), 'Fox');
    const correction = await createCorrection(scene, 'Run', 1.1, { shape: 'needed' });
    const { after } = await correction.resolve();
    expect(after.pairs).toBe(0);
    const girth = (joint: string) => {
      const { skin } = scene.meshes[0];
      const own = Array.from({ length: correction.posed.length / 3 }, (_, v) => v).filter((v) => {
        const first = skin!.influences * v;
        const weights = skin!.weights.subarray(first, first + skin!.influences);
        const heaviest = weights.indexOf(Math.max(...weights));
        return scene.nodes.names[skin!.joints[skin!.jointIndex[first + heaviest]]] === joint;
      });
      return meanGirth(correction.positions, own) / meanGirth(correction.posed, own);
    };
    expect(girth('b_RightForeArm_07')).toBeGreaterThan(0.95); // smoothing: 0.80
    expect(girth('b_RightHand_08')).toBeGreaterThan(0.88); // 0.71
    expect(girth('b_LeftForeArm_010')).toBeGreaterThan(0.7); // 0.50
    expect(girth('b_LeftHand_011')).toBeGreaterThan(0.93); // 0.72
    correction.dispose();
  });
});

/** Mean distance from the axis along which points lie. */
function meanGirth(p: Float64Array, vertices: readonly number[]): number {
  const at = vertices.map((v) => [0, 1, 2].map((a) => p[3 * v + a]));
  const middle = [0, 1, 2].map((a) => at.reduce((sum, x) => sum + x[a], 0) / at.length);
  const away = at.map((x) => x.map((c, a) => c - middle[a]));
  let axis = [1, 0.7, 0.3];
  for (let k = 0; k < 100; k++) {
    const next = [0, 0, 0];
    for (const d of away) {
      const along = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2];
      for (let a = 0; a < 3; a++) next[a] += along * d[a];
    }
    const length = Math.hypot(...next);
    axis = next.map((x) => x / length);
  }
  const distances = away.map((d) => {
    const along = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2];
    return Math.sqrt(Math.max(0, d[0] ** 2 + d[1] ** 2 + d[2] ** 2 - along ** 2));
  });
  return distances.reduce((sum, x) => sum + x, 0) / distances.length;
}
