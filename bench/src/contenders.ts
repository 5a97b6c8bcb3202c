import {
  type Body,
  CollisionReport,
  createEngine,
  type Engine,
  findSelfCollisions,
  type Method,
} from '../../packages/pliant/src/index.ts';
import { hashReport } from './hash.ts';
import type { Answer, Contender } from './measure.ts';
import type { Track } from './scenes.ts';

export type KernelName = 'wasm' | 'ts';
export const KERNELS: readonly KernelName[] = ['wasm', 'ts'];

/** Makes somebody who takes part in a case beside our own ways. */
export type ContenderMaker = (track: Track) => Contender;

/** Both kernels with a body each; the ways to query it share the body. */
export interface Setup {
  readonly kernels: KernelName;
  readonly engine: Engine;
  readonly body: Body;
}

export async function createSetups(track: Track): Promise<Setup[]> {
  return Promise.all(
    KERNELS.map(async (kernels) => {
      const engine = await createEngine({ kernels });
      return { kernels, engine, body: engine.createFreeBody(track.mesh).prepare() };
    }),
  );
}

/** The whole frame: the pose is copied, volumes are refitted, the query fills a report that is used again. */
export function createSelfContender({ body, kernels }: Setup, track: Track, method: Method): Contender {
  return createContender(`${method} (${kernels})`, (frame, report) => {
    body.setPose(track.poses[frame]);
    findSelfCollisions(body, { method, report });
  });
}

/** The same for a motion from each pose to the next. */
export function createMovingContender({ body, kernels }: Setup, track: Track, method: Method): Contender {
  return createContender(`${method} (${kernels})`, (frame, report) => {
    body.setMotion(track.poses[frame], track.poses[frame + 1]);
    findSelfCollisions(body, { method, report, continuous: true });
  });
}

export function createContender(
  name: string,
  run: (frame: number, report: CollisionReport) => void,
): Contender {
  const report = new CollisionReport();
  return {
    name,
    run: (frame) => run(frame, report),
    answer: (): Answer => ({ hash: hashReport(report), pairs: report.pairCount }),
  };
}
