import { createEngine, type Engine, InputError } from 'pliant';
import { findScene } from '../scenes/registry.ts';
import { completeValues, type Stage } from '../scenes/scene.ts';
import { Contender } from './contender.ts';
import type { FrameResult, Reply, Request } from './protocol.ts';
import { Show } from './show.ts';

/**
 * Owns the scene that is shown: builds it, poses it frame by frame and asks both methods what touches. One request is
 * answered after the other. A scene that cannot be opened leaves the one before it in place.
 */
export class Host {
  #engine: Engine | undefined;
  #kernels: 'auto' | 'ts' = 'auto';
  #show: Show | undefined;
  #last: Promise<void> = Promise.resolve();

  handle(request: Request, reply: (message: Reply) => void): Promise<void> {
    this.#last = this.#last.then(async () => {
      try {
        reply(await this.#answer(request, reply));
      } catch (error) {
        reply({ type: 'failed', ...describeFailure(error) });
      }
    });
    return this.#last;
  }

  async #answer(request: Request, reply: (message: Reply) => void): Promise<Reply> {
    if (request.type === 'open') return { type: 'opened', scene: await this.#open(request) };
    if (this.#show === undefined) throw new InputError('no-pose', 'no scene is open');
    if (request.type === 'frame') return { type: 'frame', result: await this.#frame(request) };
    const { createReport } = await import('./report.ts'); // brings the page of the HTML report along
    const progress = (done: number, total: number) => reply({ type: 'progress', done, total });
    return { type: 'report', kind: request.kind, ...(await createReport(this.#show, request, progress)) };
  }

  async #open({ scene: id, values: given, files, kernels }: Request & { type: 'open' }) {
    if (this.#engine === undefined || kernels !== this.#kernels) {
      this.#show = undefined;
      this.#engine?.dispose();
      this.#engine = await createEngine({ kernels });
      this.#kernels = kernels;
    }
    const engine = this.#engine;
    const scene = findScene(id);
    const values = completeValues(scene, given);
    const stage = await scene.open({ engine, values, files });
    const show = await createShow(engine, stage);
    this.#show?.dispose();
    this.#show = show;
    return show.describe(scene.id, values);
  }

  #frame({ clip, frame, wants, spare }: Request & { type: 'frame' }): Promise<FrameResult> {
    return this.#show!.frame(clip, frame, wants, spare);
  }
}

/** Both contenders, already warm: the first queries after a start are slow for reasons that are nobody's fault. */
async function createShow(engine: Engine, stage: Stage): Promise<Show> {
  const contenders: Contender[] = [];
  try {
    for (const method of ['auto', 'depth-first'] as const) {
      contenders.push(new Contender(stage.createCast(), method, stage.self));
    }
    const [pliant, traditional] = contenders;
    const show = new Show(engine, stage, pliant, traditional);
    await show.warmUp();
    return show;
  } catch (error) {
    for (const contender of contenders) contender.dispose();
    throw error;
  }
}

function describeFailure(error: unknown): { message: string; isExpected: boolean } {
  const message = error instanceof Error ? error.message : String(error);
  const isExpected = error instanceof Error && (error.name === 'InputError' || error.name === 'CommandError');
  return { message: message.length > 500 ? `${message.slice(0, 500)}…` : message, isExpected };
}
