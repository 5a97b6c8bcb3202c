import type { Modes } from '../../packages/pliant/src/deform/blend-data.ts';
import {
  type Body,
  CollisionReport,
  type Engine,
  findSelfCollisions,
  type Method,
  type SelfCollisionOptions,
} from '../../packages/pliant/src/index.ts';
import { finishHash, mixHash } from '../../packages/pliant/src/mesh/hash.ts';
import type { TriangleMesh } from '../../packages/pliant/src/mesh/triangle-mesh.ts';
import { hashReport } from './hash.ts';
import type { Answer, Contender } from './measure.ts';

/** Bodies of one mesh deformed by the same modes, frame by frame: only what they do to themselves matters. */
export interface SubspaceTrack {
  readonly mesh: TriangleMesh;
  readonly modes: Modes;
  /** How poses are measured. */
  readonly metric: ArrayLike<number>;
  /** Of each frame, the weights of all bodies. */
  readonly frames: readonly (readonly Float64Array[])[];
  /** Where the bodies are one frame later, for motions; by default at the next frame of the list. */
  readonly ends?: readonly (readonly Float64Array[])[];
}

/** Bodies in one engine, asked in different ways. */
export class SubspaceStage {
  readonly bodies: readonly Body[];
  readonly track: SubspaceTrack;

  constructor(engine: Engine, track: SubspaceTrack) {
    this.track = track;
    this.bodies = track.frames[0].map(() => engine.createModalBody(track.mesh, track.modes));
  }

  /** Queries of all bodies about themselves, with their own certificates or without. */
  createContender(
    name: string,
    method: 'auto' | Method,
    options: Pick<SelfCollisionOptions, 'certificates' | 'continuous'> = {},
  ): SubspaceContender {
    return new SubspaceContender(name, this, { ...options, method });
  }
}

export class SubspaceContender implements Contender {
  readonly name: string;
  /** Sums over all queries since the last `forget`. */
  queries = 0;
  tests = 0;
  cleared = 0;
  readonly #stage: SubspaceStage;
  readonly #options: SelfCollisionOptions;
  readonly #report = new CollisionReport();
  #hash = 0;
  #pairs = 0;

  constructor(name: string, stage: SubspaceStage, options: SelfCollisionOptions) {
    this.name = name;
    this.#stage = stage;
    this.#options = { ...options, report: this.#report };
  }

  forget(): void {
    this.queries = this.tests = this.cleared = 0;
  }

  run(frame: number): void {
    const { bodies, track } = this.#stage;
    const poses = track.frames[frame],
      ends = track.ends?.[frame];
    const report = this.#report;
    this.#hash = this.#pairs = 0;
    for (let k = 0; k < bodies.length; k++) {
      if (this.#options.continuous) bodies[k].setMotion(poses[k], ends![k]);
      else bodies[k].setPose(poses[k]);
      findSelfCollisions(bodies[k], this.#options);
      const { nodePairsTested, trianglePairsTested } = report.counters;
      this.queries++;
      this.tests += nodePairsTested;
      if (nodePairsTested + trianglePairsTested === 0) this.cleared++;
      this.#pairs += report.pairCount;
      if (report.pairCount > 0) this.#hash = mixHash(mixHash(this.#hash, k), hashReport(report));
    }
  }

  answer(): Answer {
    return { hash: finishHash(this.#hash) >>> 0, pairs: this.#pairs };
  }
}
