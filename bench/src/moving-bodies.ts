import {
  type Body,
  CollisionReport,
  createEngine,
  type Engine,
  findAllCollisions,
  findAnyCollision,
  findCollisions,
  type Method,
} from '../../packages/pliant/src/index.ts';
import { hashReport } from './hash.ts';
import type { Answer, Contender } from './measure.ts';

/** Bodies and their poses, frame by frame. */
export interface BodyTrack {
  readonly triangleCount: number;
  readonly frames: number;
  createBodies(engine: Engine): Body[];
  /** Copies the poses of one frame; part of what is timed. */
  pose(bodies: readonly Body[], frame: number): void;
}

export type Question = 'all' | 'first';
export type BodyMethod = Method | 'auto';

/** Bodies in one engine, asked in different ways. */
export class BodyStage {
  readonly bodies: readonly Body[];
  readonly #engine: Engine;
  readonly #track: BodyTrack;

  static async create(track: BodyTrack, kernels: 'wasm' | 'ts' = 'wasm'): Promise<BodyStage> {
    return new BodyStage(track, await createEngine({ kernels }));
  }

  constructor(track: BodyTrack, engine: Engine) {
    this.#track = track;
    this.#engine = engine;
    this.bodies = track.createBodies(engine);
  }

  /** The whole frame: poses are copied and the question is answered into a report that is used again. */
  createContender(method: BodyMethod, question: Question): MovingContender {
    return new MovingContender(this.#track, this.bodies, method, question);
  }

  dispose(): void {
    this.#engine.dispose();
  }
}

export class MovingContender implements Contender {
  readonly name: string;
  readonly report = new CollisionReport();
  readonly #track: BodyTrack;
  readonly #bodies: readonly Body[];
  readonly #method: BodyMethod;
  readonly #question: Question;
  #isHit = false;

  constructor(track: BodyTrack, bodies: readonly Body[], method: BodyMethod, question: Question) {
    this.name = `${method} (${question})`;
    this.#track = track;
    this.#bodies = bodies;
    this.#method = method;
    this.#question = question;
  }

  run(frame: number): void {
    const { report } = this;
    const method = this.#method;
    const bodies = this.#bodies;
    this.#track.pose(bodies, frame);
    if (this.#question === 'first')
      this.#isHit = findAnyCollision(bodies[0], bodies[1], { method, report }) !== undefined;
    else if (bodies.length === 2) findCollisions(bodies[0], bodies[1], { method, report });
    else findAllCollisions(bodies, { method, report });
  }

  /** Of a first hit only whether there is one: which pair it is depends on the method. */
  answer(): Answer {
    if (this.#question === 'first') return { hash: this.#isHit ? 1 : 0, pairs: this.#isHit ? 1 : 0 };
    return { hash: hashReport(this.report), pairs: this.report.pairCount };
  }
}
