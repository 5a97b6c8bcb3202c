import { createEngine, type Engine } from 'pliant';
import { Contender } from '../../src/host/contender.ts';
import type { Request } from '../../src/host/protocol.ts';
import { findScene } from '../../src/scenes/registry.ts';
import { type ControlValue, completeValues, type SourceFile, type Stage } from '../../src/scenes/scene.ts';

/** Small versions of the scenes: quick to build and to draw in software. */
export const SMALL: Readonly<Record<string, Readonly<Record<string, ControlValue>>>> = {
  walkers: { triangles: 2000 },
  crowd: { people: 10, triangles: 2000 },
  hanging: { triangles: 4000 },
  fish: { count: 16, triangles: 2000 },
  'ear-drop': { bodies: '4', detail: 'coarse' },
  spring: { detail: 'coarse' },
  dragon: { detail: 'coarse' },
  face: { triangles: 1500 },
  'squishy-ball': { triangles: 10_000, tentacles: '42', certificate: false },
  flag: { detail: 'coarse', wind: 3 },
  inspector: { triangles: 2000 },
};

export async function openStage(
  id: string,
  values: Readonly<Record<string, ControlValue>>,
  files: readonly SourceFile[] = [],
): Promise<{ engine: Engine; stage: Stage }> {
  const engine = await createEngine();
  const scene = findScene(id);
  return { engine, stage: await scene.open({ engine, values: completeValues(scene, values), files }) };
}

/** What the page sends for a scene, with nothing shown yet. */
export function openRequest(
  scene: string,
  values: Readonly<Record<string, ControlValue>>,
  ticket: number,
): Request {
  const first = { clip: 0, frame: 0, wants: { curves: false, trace: false } };
  return { type: 'open', ticket, shown: 0, scene, values, files: [], kernels: 'auto', first };
}

/** Pairs of a frame as Node finds them. */
export async function countPairs(
  stage: Stage,
  frame: number,
  method: 'auto' | 'depth-first',
): Promise<number> {
  await stage.goTo(0, frame);
  const contender = new Contender(stage.createCast(method === 'depth-first'), method, stage.self);
  contender.run();
  const { pairCount } = contender.report;
  contender.dispose();
  return pairCount;
}
