import type { EnergyCertificate } from '../../packages/pliant/src/cull/index.ts';
import {
  type Body,
  CollisionReport,
  type Engine,
  findSelfCollisions,
  type Method,
} from '../../packages/pliant/src/index.ts';
import { finishHash, mixHash } from '../../packages/pliant/src/mesh/hash.ts';
import type { TriangleMesh } from '../../packages/pliant/src/mesh/triangle-mesh.ts';
import { setFrame } from '../../packages/pliant/src/refit/quantised-boxes.ts';
import { hashReport } from './hash.ts';
import type { Answer, Contender } from './measure.ts';
import { timeOf } from './stopwatch.ts';

/** Bodies of one mesh and where their vertices are, frame by frame. */
export interface EnergyTrack {
  readonly mesh: TriangleMesh;
  /** Of each frame, the positions of every body. */
  readonly frames: readonly (readonly Float64Array[])[];
}

/** The same bodies twice: the plain tree, which is the better one without certificates, and the connected one. */
export class EnergyStage {
  readonly track: EnergyTrack;
  readonly plain: readonly Body[];
  readonly connected: readonly Body[];
  readonly continuous: boolean;

  constructor(engine: Engine, track: EnergyTrack, continuous: boolean) {
    this.track = track;
    this.continuous = continuous;
    this.plain = track.frames[0].map(() => engine.createFreeBody(track.mesh));
    this.connected = track.frames[0].map(() => engine.createFreeBody(track.mesh, { split: 'connected' }));
    for (const body of [...this.plain, ...this.connected]) body.prepare();
  }

  /** Of a continuous track the last frame has no end. */
  get frameCount(): number {
    return this.track.frames.length - (this.continuous ? 1 : 0);
  }

  /** Of a continuous track one after the other. */
  setFrame(body: Body, k: number, frame: number): void {
    const { frames } = this.track;
    if (!this.continuous) body.setPose(frames[frame][k]);
    else if (frame === 0) body.setMotion(frames[0][k], frames[1][k]);
    else body.moveTo(frames[frame + 1][k]);
  }
}

/** Whole frames: poses are copied, and every body is asked about itself. */
export class EnergyContender implements Contender {
  readonly name: string;
  /** Sums since the last `forget`. */
  trianglePairs = 0;
  nodePairs = 0;
  readonly #stage: EnergyStage;
  readonly #bodies: readonly Body[];
  readonly #method: 'auto' | Method;
  readonly #certificates: readonly EnergyCertificate[];
  readonly #report = new CollisionReport();
  #hash = 0;
  #pairs = 0;

  constructor(
    name: string,
    stage: EnergyStage,
    bodies: readonly Body[],
    method: 'auto' | Method,
    certificates: readonly EnergyCertificate[] = [],
  ) {
    this.name = name;
    this.#stage = stage;
    this.#bodies = bodies;
    this.#method = method;
    this.#certificates = certificates;
  }

  forget(): void {
    this.trianglePairs = this.nodePairs = 0;
  }

  run(frame: number): void {
    const stage = this.#stage,
      report = this.#report;
    this.#hash = this.#pairs = 0;
    for (let k = 0; k < this.#bodies.length; k++) {
      const body = this.#bodies[k];
      stage.setFrame(body, k, frame);
      findSelfCollisions(body, {
        method: this.#method,
        certificates: this.#certificates.slice(k, k + 1),
        continuous: stage.continuous,
        report,
      });
      this.trianglePairs += report.counters.trianglePairsTested;
      this.nodePairs += report.counters.nodePairsTested;
      this.#pairs += report.pairCount;
      if (report.pairCount > 0) this.#hash = mixHash(mixHash(this.#hash, k), hashReport(report));
    }
  }

  answer(): Answer {
    return { hash: finishHash(this.#hash) >>> 0, pairs: this.#pairs };
  }
}

/** What parts of a frame cost in which the certificate does not rest, in nanoseconds per triangle. */
export interface EnergyCosts {
  readonly copy: number; // of the pose
  readonly energies: number;
  readonly proofs: number; // and boxes of patches
  readonly search: number; // of what is left, with the boxes that it needs
}

export function timeEnergies(
  stage: EnergyStage,
  certificates: readonly EnergyCertificate[],
  rounds: number,
): EnergyCosts {
  const triangles = stage.track.mesh.triangleCount * stage.connected.length;
  const frame = new Float64Array(6),
    box = new Float64Array(6);
  const report = new CollisionReport();
  const best = { copy: Infinity, energies: Infinity, proofs: Infinity, whole: Infinity };
  for (let round = 0; round < rounds; round++) {
    const sum = { copy: 0, energies: 0, proofs: 0, whole: 0 };
    for (let k = 0; k < stage.connected.length; k++) {
      const body = stage.connected[k],
        certificate = certificates[k];
      const { program } = certificate;
      const boxes = body.boxStore.acquireBlank(body.deformer, stage.continuous);
      for (let at = 0; at < stage.frameCount; at++) {
        sum.copy += timeOf(() => stage.setFrame(body, k, at));
        measurePositions(stage.track.frames[at][k], box);
        setFrame(box, frame);
        certificate.rouse();
        certificate.begin(stage.continuous);
        sum.energies += timeOf(() => certificate.survey());
        sum.proofs += timeOf(() => program.list(boxes.address, boxes.stride, frame));
      }
      body.boxStore.release(boxes);
      for (let at = 0; at < stage.frameCount; at++) {
        certificate.rouse();
        const { continuous } = stage;
        sum.whole += timeOf(() => {
          stage.setFrame(body, k, at);
          findSelfCollisions(body, { method: 'batch', certificates: [certificate], continuous, report });
        });
      }
    }
    for (const part of ['copy', 'energies', 'proofs', 'whole'] as const) {
      best[part] = Math.min(best[part], (1e6 * sum[part]) / stage.frameCount / triangles);
    }
  }
  const { copy, energies, proofs, whole } = best;
  return { copy, energies, proofs, search: Math.max(0, whole - copy - energies - proofs) };
}

/** lo.xyz, hi.xyz. */
function measurePositions(positions: Float64Array, box: Float64Array): void {
  box.fill(Infinity, 0, 3).fill(-Infinity, 3, 6);
  for (let o = 0; o < positions.length; o++) {
    box[o % 3] = Math.min(box[o % 3], positions[o]);
    box[3 + (o % 3)] = Math.max(box[3 + (o % 3)], positions[o]);
  }
}

/** Of the nodes of each size, by powers of two of their triangles, the share that is cleared by a proof of its own. */
export function measureLevels(
  stage: EnergyStage,
  certificates: readonly EnergyCertificate[],
): { triangles: number; share: number }[] {
  const { slotCount, nodeCount } = stage.connected[0].tree;
  const cleared = new Map<number, [number, number]>();
  for (let frame = 0; frame < stage.frameCount; frame++) {
    stage.connected.forEach((body, k) => {
      stage.setFrame(body, k, frame);
      certificates[k].rouse();
      certificates[k].begin(stage.continuous);
      for (let node = 0; node < nodeCount; node++) {
        if (!certificates[k].hasProof(node)) continue;
        const level = Math.round(Math.log2(slotCount[node]));
        const counts = cleared.get(level) ?? [0, 0];
        if (certificates[k].clears(node, node)) counts[0]++;
        counts[1]++;
        cleared.set(level, counts);
      }
    });
  }
  return [...cleared]
    .sort(([a], [b]) => b - a)
    .map(([level, [yes, all]]) => ({ triangles: 2 ** level, share: yes / all }));
}
