import { createEngine, type Engine, InputError } from 'pliant';
import { findScene } from '../scenes/registry.ts';
import { completeValues, type SceneRequest, type Stage } from '../scenes/scene.ts';
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
  #opening = new AbortController();

  /** A scene that is still being built is given up when another one is wanted: nobody waits for its answer. */
  handle(request: Request, reply: (message: Reply) => void): Promise<void> {
    if (request.type === 'open') {
      this.#opening.abort();
      this.#opening = new AbortController();
    }
    const { signal } = this.#opening;
    this.#last = this.#last.then(async () => {
      try {
        reply(await this.#answer(request, reply, signal));
      } catch (error) {
        if (request.type === 'open' && signal.aborted) return;
        reply({ type: 'failed', ...describeFailure(error) });
      }
    });
    return this.#last;
  }

  async #answer(request: Request, reply: (message: Reply) => void, signal: AbortSignal): Promise<Reply> {
    if (request.type === 'open') {
      const onProgress = (what: string, share: number) =>
        reply({ type: 'progress', what, done: share, total: 1 });
      const scene = await this.#open(request, { onProgress, signal });
      return { type: 'opened', scene, ticket: request.ticket };
    }
    if (this.#show === undefined) throw new InputError('no-pose', 'no scene is open');
    if (request.type === 'frame') return { type: 'frame', result: await this.#frame(request) };
    const { createReport } = await import('./report.ts'); // brings the page of the HTML report along
    const what = 'Checking every frame';
    const progress = (done: number, total: number) => reply({ type: 'progress', what, done, total });
    return { type: 'report', kind: request.kind, ...(await createReport(this.#show, request, progress)) };
  }

  async #open(
    { scene: id, values: given, files, kernels }: Request & { type: 'open' },
    work: Pick<SceneRequest, 'onProgress' | 'signal'>,
  ) {
    work.signal?.throwIfAborted(); // another one was wanted before this one's turn came
    if (this.#engine === undefined || kernels !== this.#kernels) {
      this.#show = undefined;
      this.#engine?.dispose();
      this.#engine = await createEngine({ kernels });
      this.#kernels = kernels;
    }
    const engine = this.#engine;
    const scene = findScene(id);
    const values = completeValues(scene, given);
    const stage = await scene.open({ engine, values, files, ...work });
    const show = await createShow(engine, stage, work.signal);
    this.#show?.dispose();
    this.#show = show;
    return show.describe(scene.id, values);
  }

  #frame({ clip, frame, wants, values, spare }: Request & { type: 'frame' }): Promise<FrameResult> {
    this.#show!.stage.setValues?.(values);
    return this.#show!.frame(clip, frame, wants, spare);
  }
}

/** Both contenders, already warm: the first queries after a start are slow for reasons that are nobody's fault. */
async function createShow(engine: Engine, stage: Stage, signal: AbortSignal | undefined): Promise<Show> {
  const contenders: Contender[] = [];
  try {
    for (const method of ['auto', 'depth-first'] as const) {
      contenders.push(new Contender(stage.createCast(method === 'depth-first'), method, stage.self));
    }
    const [pliant, traditional] = contenders;
    const show = new Show(engine, stage, pliant, traditional);
    await show.warmUp();
    signal?.throwIfAborted();
    return show;
  } catch (error) {
    for (const contender of contenders) contender.dispose();
    stage.dispose?.();
    throw error;
  }
}

function describeFailure(error: unknown): { message: string; isExpected: boolean } {
  const message = error instanceof Error ? error.message : String(error);
  const isExpected = error instanceof Error && (error.name === 'InputError' || error.name === 'CommandError');
  return { message: message.length > 500 ? `${message.slice(0, 500)}…` : message, isExpected };
}
