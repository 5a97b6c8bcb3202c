import { vi } from 'vitest';
import type { App } from '../../src/app/app.ts';
import type { Connection } from '../../src/app/connection.ts';
import { Host } from '../../src/host/host.ts';
import type { FrameResult, OpenedScene, Reply, Request, ShownFacts } from '../../src/host/protocol.ts';
import { transferOf } from '../../src/host/protocol.ts';
import type { View } from '../../src/view/view.ts';

const WATCHDOG = 120_000; // milliseconds for one change of scene
const PICTURE = 17; // milliseconds between two pictures of the screen

/** What the parts of the page were told last: modules of the page are replaced by ones that write here. */
export const told = {
  stats: undefined as FrameResult | undefined,
  pairs: undefined as FrameResult | undefined,
  facts: undefined as ShownFacts | undefined,
  frame: undefined as number | undefined,
  picture: undefined as FrameResult | undefined,
  pictured: undefined as OpenedScene | undefined, // the scene that the view was opened with
  progress: undefined as string | undefined,
  marked: '',
  errors: [] as string[],
  infos: [] as string[],
};

/** The page without a browser, a real host, and the messages between them, which a test can hold back. */
export class TestPage {
  app!: App;
  /** Replies are kept back while this is set. */
  isHolding = false;
  readonly #requests: Request[] = [];
  readonly #replies: Reply[] = [];
  readonly #host = new Host();
  readonly #seen = new Map<string, string>(); // what a frame of a scene looked like
  #now = 0;

  static async create(): Promise<TestPage> {
    const page = new TestPage();
    const { App } = await import('../../src/app/app.ts');
    const connection: Connection = { send: (request) => page.#requests.push(structuredClone(request)) };
    const theme = () => ({ current: 'light', chosen: undefined }) as never;
    page.app = new App(connection, createView(), { values: {} }, theme);
    return page;
  }

  get heldReplies(): readonly Reply[] {
    return this.#replies;
  }

  get heldRequests(): readonly Request[] {
    return this.#requests;
  }

  /** Messages go to and fro, and pictures are drawn, until something is so. */
  async until(isSo: () => boolean, what: string): Promise<void> {
    const start = performance.now();
    while (!isSo()) {
      await this.round();
      if (performance.now() - start > WATCHDOG)
        throw new Error(`waited in vain for ${what}: ${this.#state()}`);
    }
  }

  async rounds(count: number): Promise<void> {
    for (let k = 0; k < count; k++) await this.round();
  }

  /** Requests arrive, the host gets some time, replies arrive, a picture is drawn. */
  async round(): Promise<void> {
    for (const request of this.#requests.splice(0))
      void this.#host.handle(request, (reply) => this.#post(reply));
    await new Promise((resolve) => setTimeout(resolve));
    if (!this.isHolding) this.deliver();
    this.tick();
  }

  /** The replies that are there reach the page, the oldest first. */
  deliver(count = this.#replies.length): void {
    for (const reply of this.#replies.splice(0, count)) {
      this.app.take(reply);
      this.check();
    }
  }

  tick(): void {
    this.app.tick((this.#now += PICTURE));
    this.check();
  }

  /** Until frames of this scene are shown, without an error. */
  async shown(id: string, frames = 2): Promise<void> {
    const { app } = this;
    await this.until(
      () => told.errors.length > 0 || (!app.isOpening && app.scene?.id === id && app.result !== undefined),
      `the scene ${id}`,
    );
    const before = app.framesShown;
    const canMove = app.player.canMove;
    await this.until(
      () => told.errors.length > 0 || !canMove || app.framesShown >= before + frames,
      `frames of ${id}`,
    );
  }

  /** Picture and panel speak of one frame of one scene, and that frame looks as it always does. */
  check(): void {
    const { result, scene } = this.app;
    if (result === undefined || scene === undefined) return;
    same('picture', told.picture, result);
    same('numbers', told.stats, result);
    same('list of pairs', told.pairs, result);
    same('facts', told.facts, result.facts);
    same('frame label', told.frame, result.frame);
    same('scene of the picture', told.pictured, scene);
    same('number of positions', result.positions.length, 3 * scene.vertexCount);
    const key = `${scene.id} ${JSON.stringify(scene.values)} ${result.clip} ${result.frame}`;
    const look = `${result.pairCount} pairs, ${checksum(result.positions)}`;
    if (!this.#seen.has(key)) this.#seen.set(key, look);
    same(key, look, this.#seen.get(key));
  }

  #post(reply: Reply): void {
    this.#replies.push(structuredClone(reply, { transfer: transferOf(reply) }));
  }

  #state(): string {
    const { scene, isOpening, framesShown, result } = this.app;
    return JSON.stringify({
      scene: scene?.id,
      isOpening,
      framesShown,
      frame: result?.frame,
      progress: told.progress,
      requests: this.#requests.map(({ type }) => type),
      replies: this.#replies.map(({ type }) => type),
      errors: told.errors,
    });
  }
}

function same(what: string, one: unknown, other: unknown): void {
  if (one !== other) throw new Error(`${what}: ${brief(one)}, but ${brief(other)} is shown`);
}

function brief(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { id, clip, frame, pairCount } = value as Partial<OpenedScene & FrameResult>;
  return id ?? `clip ${clip}, frame ${frame}, ${pairCount} pairs`;
}

function checksum(positions: Float32Array): number {
  const words = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
  let sum = 0;
  for (let k = 0; k < words.length; k++) sum = (Math.imul(sum, 31) + words[k]) | 0;
  return sum;
}

function createView(): View {
  return {
    open: (scene: OpenedScene) => void (told.pictured = scene),
    showFrame: (result: FrameResult) => void (told.picture = result),
    setLooks: () => {},
    render: () => {},
    pick: () => {},
    pose: [0, 0, 0, 0, 0, 0],
  } as unknown as View;
}

/** The least of a browser that the page asks for. */
export function pretendBrowser(): void {
  const elements = new Map<string, object>();
  const element = (id: string) => {
    if (!elements.has(id)) elements.set(id, { replaceChildren: () => {}, classList: { toggle: () => {} } });
    return elements.get(id);
  };
  vi.stubGlobal('document', {
    getElementById: element,
    createElement: () => ({ append: () => {} }),
    title: '',
  });
  vi.stubGlobal('window', { setTimeout: () => 0 }); // the address of the page stays as it is
}
