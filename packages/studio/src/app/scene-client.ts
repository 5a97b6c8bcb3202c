import type {
  FrameChoice,
  FrameResult,
  OpenedScene,
  Reply,
  Request,
  SpareBuffers,
  Ticket,
} from '../host/protocol.ts';
import type { ControlValues, SourceFile } from '../scenes/scene.ts';
import type { Connection } from './connection.ts';
import type { LinkState } from './link.ts';

/** A scene that somebody wants to see. */
export interface Wish {
  readonly scene: string;
  readonly values: ControlValues;
  readonly files: readonly SourceFile[];
  readonly link?: LinkState; // where to go in it
  readonly served?: string; // kept in links: the files come from the command
}

/** Who shows what the host answers. A scene comes with its first frame, so that both are shown at once. */
export interface SceneListener {
  showScene(scene: OpenedScene, first: FrameResult, wish: Wish): void;
  showFrame(result: FrameResult): void;
  showProgress(what: string, share: number): void;
  saveReport(text: string, name: string): void;
  /** `wish`: the scene that could not be opened; undefined where a frame or a report failed. */
  fail(message: string, isExpected: boolean, wish: Wish | undefined): void;
}

interface Pending {
  readonly ticket: Ticket;
  readonly wish?: Wish;
}

/**
 * The page's end of the conversation with the host. At most one request counts: the latest. Whatever answers an earlier
 * one is dropped, so nothing that belongs to a scene before can reach the page.
 */
export class SceneClient {
  readonly #connection: Connection;
  readonly #listener: SceneListener;
  #lastTicket: Ticket = 0;
  #shown: Ticket = 0; // of the request that opened what is shown
  #pending: Pending | undefined;

  constructor(connection: Connection, listener: SceneListener) {
    this.#connection = connection;
    this.#listener = listener;
  }

  /** True while an answer is awaited. */
  get isBusy(): boolean {
    return this.#pending !== undefined;
  }

  /** The scene that is being opened. */
  get opening(): Wish | undefined {
    return this.#pending?.wish;
  }

  /** Asks for a scene instead of whatever was asked for before. */
  open(wish: Wish, kernels: 'auto' | 'ts', first: FrameChoice): void {
    const { scene, values, files } = wish;
    this.#send({ type: 'open', scene, values, files, kernels, first }, wish);
  }

  /** Asks for a frame of the scene that is shown. */
  askFrame(choice: FrameChoice, values: ControlValues, spare: SpareBuffers | undefined): void {
    this.#send({ type: 'frame', ...choice, values, spare });
  }

  askReport(request: Omit<Request & { type: 'report' }, 'type' | 'ticket' | 'shown'>): void {
    this.#send({ type: 'report', ...request });
  }

  /** The scene that is being opened is not wanted any longer; what is shown stays. */
  cancelOpening(): void {
    if (this.opening === undefined) return;
    this.#send({ type: 'keep' });
    this.#pending = undefined;
  }

  /** The host is gone, and all it had. */
  forgetHost(): void {
    this.#pending = undefined;
    this.#shown = 0;
  }

  take(reply: Reply): void {
    const pending = this.#pending;
    if (pending === undefined || reply.ticket !== pending.ticket) return; // of something that is not wanted by now
    if (reply.type === 'progress') {
      this.#listener.showProgress(reply.what, reply.share);
      return;
    }
    this.#pending = undefined;
    const { wish } = pending;
    if (reply.type === 'opened') {
      this.#shown = reply.ticket;
      this.#send({ type: 'keep' }); // the scene before can go
      this.#pending = undefined;
      this.#listener.showScene(reply.scene, reply.first, wish!);
    } else if (reply.type === 'frame') this.#listener.showFrame(reply.result);
    else if (reply.type === 'report') this.#listener.saveReport(reply.text, reply.name);
    else if (reply.type === 'failed') this.#listener.fail(reply.message, reply.isExpected, wish);
    else this.#listener.fail('this scene is no longer there', false, wish);
  }

  #send(request: Unaddressed<Request>, wish?: Wish): void {
    const ticket = ++this.#lastTicket;
    this.#pending = { ticket, wish };
    this.#connection.send({ ...request, ticket, shown: this.#shown } as Request);
  }
}

type Unaddressed<Kind> = Kind extends Request ? Omit<Kind, 'ticket' | 'shown'> : never;
