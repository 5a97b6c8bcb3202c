import { createEngine, type Engine } from 'pliant';
import { giveWay, unlessAborted } from '../scenes/give-way.ts';
import { findScene } from '../scenes/registry.ts';
import { completeValues, type SceneDefinition, type SceneRequest, type Stage } from '../scenes/scene.ts';
import { Contender } from './contender.ts';
import type { Reply, Request, Ticket } from './protocol.ts';
import { Show } from './show.ts';

type Answer = Reply extends infer One ? (One extends Reply ? Omit<One, 'ticket'> : never) : never;

/** What belongs to a request while it is being answered. */
type Work = Required<Pick<SceneRequest, 'onProgress' | 'signal'>>;

interface Opened {
  readonly scene: SceneDefinition;
  readonly show: Show;
}

/**
 * Owns the scene that is shown: builds it, poses it frame by frame and asks both methods what touches. One request is
 * answered after the other. A scene that cannot be opened, or is given up, leaves the one that is shown in place: the
 * old one goes when a request says that the page shows the new one.
 */
export class Host {
  #engine: Promise<Engine> | undefined;
  #kernels: 'auto' | 'ts' = 'auto';
  readonly #opened = new Map<Ticket, Opened>();
  #shown: Ticket = 0; // of what the page shows, as far as it has said
  #last: Promise<void> = Promise.resolve();
  #current = new AbortController();

  /** Whatever is being built or reported is given up when something else is wanted: nobody waits for its answer. */
  handle(request: Request, reply: (message: Reply) => void): Promise<void> {
    if (request.type !== 'frame') {
      this.#current.abort();
      this.#current = new AbortController();
    }
    const { signal } = this.#current;
    const run = () => this.#reply(request, reply, signal);
    this.#last = this.#last.then(run, run);
    return this.#last;
  }

  async #reply(request: Request, reply: (message: Reply) => void, signal: AbortSignal): Promise<void> {
    const { ticket } = request;
    const onProgress = (what: string, share: number) => {
      if (!signal.aborted) reply({ type: 'progress', ticket, what, share });
    };
    try {
      if (request.shown >= this.#shown) this.#forgetAllBut((this.#shown = request.shown));
      if (request.type === 'keep') return;
      signal.throwIfAborted(); // something else was wanted before this one's turn came
      reply({ ...(await this.#answer(request, { onProgress, signal })), ticket } as Reply);
    } catch (error) {
      if (signal.aborted) reply({ type: 'dropped', ticket });
      else reply({ type: 'failed', ticket, ...describeFailure(error) });
    }
  }

  async #answer(request: Exclude<Request, { type: 'keep' }>, work: Work): Promise<Answer> {
    if (request.type === 'open') return this.#open(request, work);
    const opened = this.#opened.get(request.shown);
    if (opened === undefined) return { type: 'dropped' };
    const { scene, show } = opened;
    if (request.type === 'frame') {
      const { clip, frame, wants, spare } = request;
      show.stage.setValues?.(completeValues(scene, request.values));
      return { type: 'frame', result: await show.frame(clip, frame, wants, { ...work, spare }) };
    }
    const { createReport } = await import('./report.ts'); // brings the page of the HTML report along
    return { type: 'report', kind: request.kind, ...(await createReport(show, request, work)) };
  }

  async #open(request: Request & { type: 'open' }, work: Work): Promise<Answer> {
    const { files, kernels, first, ticket } = request;
    const scene = findScene(request.scene);
    const values = completeValues(scene, request.values);
    const engine = await this.#engineWith(kernels);
    const { signal } = work;
    const building = scene.open({ engine, values, files, ...work });
    const stage = await unlessAborted(building, signal, (late) => late.dispose?.());
    const show = await createShow(engine, stage, signal);
    try {
      const { clip, frame } = show.nearestFrame(first.clip, first.frame);
      const result = await show.frame(clip, frame, first.wants, work);
      signal.throwIfAborted();
      this.#opened.set(ticket, { scene, show });
      return { type: 'opened', scene: show.describe(scene.id, values), first: result };
    } catch (error) {
      show.dispose();
      throw error;
    }
  }

  /** An engine that could not be made is made anew the next time. */
  async #engineWith(kernels: 'auto' | 'ts'): Promise<Engine> {
    if (this.#engine === undefined || kernels !== this.#kernels) {
      this.#forgetAllBut(undefined);
      void this.#engine?.then((engine) => engine.dispose());
      this.#kernels = kernels;
      this.#engine = createEngine({ kernels });
      this.#engine.catch(() => void (this.#engine = undefined));
    }
    return this.#engine;
  }

  #forgetAllBut(shown: Ticket | undefined): void {
    for (const [ticket, { show }] of this.#opened) {
      if (ticket === shown) continue;
      this.#opened.delete(ticket);
      show.dispose();
    }
  }
}

/** Both contenders, already warm: the first queries after a start are slow for reasons that are nobody's fault. */
async function createShow(engine: Engine, stage: Stage, signal: AbortSignal): Promise<Show> {
  const contenders: Contender[] = [];
  try {
    for (const method of ['auto', 'depth-first'] as const) {
      await giveWay(signal);
      contenders.push(new Contender(stage.createCast(method === 'depth-first'), method, stage.self));
    }
    const [pliant, traditional] = contenders;
    const show = new Show(engine, stage, pliant, traditional);
    await show.warmUp(signal);
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
