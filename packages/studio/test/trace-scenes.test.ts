import { describe, expect, test } from 'vitest';
import { Contender } from '../src/host/contender.ts';
import { traceFrame } from '../src/host/trace.ts';
import type { Stage } from '../src/scenes/scene.ts';
import { openStage, SMALL } from './support/stages.ts';

/** Box pairs that the traditional method compared in a frame, and those of the walk that is shown. */
async function compared(
  stage: Stage,
  frames: readonly number[],
): Promise<{ asked: number; shown: number }[]> {
  const contender = new Contender(stage.createCast(), 'depth-first', stage.self);
  let firstVertex = 0;
  const meshes = stage.meshes.map(({ mesh }) => {
    const part = { index: mesh.triangles, firstVertex };
    firstVertex += mesh.vertexCount;
    return part;
  });
  const found: { asked: number; shown: number }[] = [];
  for (const frame of frames) {
    await stage.goTo(0, frame);
    const { counters } = contender.run();
    const { pairs } = traceFrame(contender.cast.bodies, stage.self, meshes);
    found.push({ asked: counters.nodePairsTested, shown: pairs });
  }
  return found;
}

describe('the walk that is shown is that of the traditional method, box pair by box pair', () => {
  test.each([
    ['walkers', [0, 100, 250, 400]],
    ['crowd', [0, 200]],
    ['fish', [0, 1, 2]],
  ] as const)('%s', async (id, frames) => {
    const { engine, stage } = await openStage(id, SMALL[id]);
    const found = await compared(stage, frames);
    expect(Math.max(...found.map(({ asked }) => asked))).toBeGreaterThan(100);
    for (const { asked, shown } of found) expect(shown).toBe(asked);
    engine.dispose();
  });

  test('within one body: all but the neighbours, which are as many in every frame', async () => {
    const { engine, stage } = await openStage('inspector', { triangles: 1000 });
    const found = await compared(stage, [0, 20, 40, 60]);
    expect(new Set(found.map(({ shown }) => shown)).size).toBeGreaterThan(1);
    expect(new Set(found.map(({ asked, shown }) => asked - shown)).size).toBe(1);
    engine.dispose();
  });
});
