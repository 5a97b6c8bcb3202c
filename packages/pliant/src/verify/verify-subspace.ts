import type { Body } from '../body/body.ts';
import { readBlendPoints } from '../cull/blend-points.ts';
import type { SubspaceBall, SubspaceRecord } from '../cull/subspace/subspace-certificate.ts';
import type { BlendDeformer } from '../deform/blend.ts';
import { LEAF } from '../kernels/kernels.ts';
import { InputError } from '../mesh/input-error.ts';
import { trianglesIntersect } from '../narrow/triangle-triangle.ts';
import { findSelfCollisions } from '../query/self-collisions.ts';
import { PoseScaling } from './pose-scaling.ts';
import { SubspaceClaims } from './subspace-claims.ts';
import { gaugeOf, type MovedPoints, TouchSearch } from './touch-search.ts';
import { Verification } from './verification.ts';

/*
 * An independent check of stored subspace certificates. A certificate is a list of claims "these triangles do not touch as
 * long as the pose is below this gauge". The check looks for counterexamples: poses in which triangles do touch, according to
 * the exact test of the narrow phase, although a claim covers them. It shares nothing with the preparation or with the
 * evaluation of certificates but the numbers of the file, the mesh and its modes.
 *
 * - Every pair of sibling nodes and every entry of the list of pairs gets a search of its own, for the two triangles in it
 *   that meet soonest (`TouchSearch`). So a claim about a single node is looked at as closely as one about the whole body.
 * - The pose in which the proofs are centred, and motions from there to the far end of what is claimed, are queried without
 *   certificates: every contact on the way is held against all claims that cover it.
 *
 * A certificate that was refuted is wrong: each counterexample was tested exactly in the pose of the real body. One that was
 * not refuted may still be wrong by a little: the poses that are found are close to the smallest, not the smallest.
 */

/** Pairs of nodes that are followed at a time. */
const BEAM = 4;
/** A search goes on as long as its guesses are no more than so many times the claim. */
const NEAR = 1.25;
/** A search begins when its first guess is no more than this many times the claim. */
const PROMISING = 3;
/** A little further on, where touching triangles cross. */
const FURTHER = [1, 1 + 1e-12, 1 + 1e-9, 1 + 1e-6, 1 + 1e-4, 1 + 1e-3];
/** Gauges that stand for no end are replaced by so many times the least one at which anything was found to touch. */
const FAR = 2;
/** Poses from which a search begins where the rest pose says nothing. */
const STARTS = 3;
const STEP = 256; // searches between two reports of progress
/** Contacts of one motion that are looked at. */
const MOST_CONTACTS = 20_000;
/** The rounding margin of an honest certificate is 1e-11 of the size of the body. */
const MOST_THICKNESS = 2e-11;

export function* verifySubspace(
  body: Body,
  record: SubspaceRecord,
  motions: number,
  random: () => number,
): Generator<number, Verification> {
  const verification = new Verification();
  const pose = new SavedPose(body);
  try {
    for (const [k, ball] of record.balls.entries()) {
      const check = new BallCheck(body, record, ball, verification, random);
      for (const share of check.run(motions)) yield (k + share) / record.balls.length;
      if (verification.refutation !== undefined) break;
    }
  } finally {
    pose.restore();
  }
  return verification;
}

class BallCheck {
  readonly #body: Body;
  readonly #ball: SubspaceBall;
  readonly #points: MovedPoints;
  readonly #claims: SubspaceClaims;
  readonly #search: TouchSearch;
  readonly #scaling: PoseScaling;
  readonly #planeScaling: PoseScaling;
  readonly #verification: Verification;
  readonly #random: () => number;
  readonly #summaries: NodeSummaries;
  readonly #placed = new Float64Array(18);
  readonly #witnesses: Float64Array[] = []; // poses of the largest nodes
  #least = Infinity; // the smallest gauge at which anything was found to touch

  constructor(
    body: Body,
    record: SubspaceRecord,
    ball: SubspaceBall,
    verification: Verification,
    random: () => number,
  ) {
    const blend = readBlendPoints(body.engine.kernels.memory, body.resident, body.deformer as BlendDeformer);
    const { modeCount, firstMode, mode, displacement, corners } = blend;
    const scaling = new PoseScaling(modeCount, record.metric);
    const rest = blend.rest.slice();
    const rows = new Float64Array(3 * modeCount * (rest.length / 3));
    for (let p = 0; p < rest.length / 3; p++) {
      for (let k = firstMode[p]; k < firstMode[p + 1]; k++) {
        for (let axis = 0; axis < 3; axis++) {
          rows[(3 * p + axis) * modeCount + mode[k]] += displacement[3 * k + axis];
          rest[3 * p + axis] += ball.centre[mode[k]] * displacement[3 * k + axis];
        }
      }
      for (let axis = 0; axis < 3; axis++) scaling.scaleRow(rows, (3 * p + axis) * modeCount);
    }
    this.#body = body;
    this.#ball = ball;
    this.#points = { gauge: record.gauge, modeCount, rest, rows, corners };
    this.#claims = new SubspaceClaims(body.tree, record, ball, modeCount);
    this.#search = new TouchSearch(this.#points);
    this.#scaling = scaling;
    this.#planeScaling =
      record.planeMetric.length > 0 ? new PoseScaling(modeCount, record.planeMetric) : scaling;
    this.#verification = verification;
    this.#random = random;
    this.#summaries = new NodeSummaries(body, this.#points);
    this.#checkNumbers(record);
  }

  /** Yields the share that is done. Ends early with a refutation. */
  *run(motions: number): Generator<number, void> {
    const { pairs } = this.#ball;
    const { link, nodeCount } = this.#body.tree;
    const verification = this.#verification;
    this.#checkCentre();
    const work = nodeCount + pairs.a.length;
    for (let node = 0; node < nodeCount && verification.refutation === undefined; node++) {
      if (link[node] < LEAF) this.#checkNode(node);
      if (node % STEP === 0) yield (0.7 * node) / work;
    }
    for (let k = 0; k < pairs.a.length && verification.refutation === undefined; k++) {
      if (pairs.next[k] === k + 1 && pairs.a[k] !== pairs.b[k]) this.#checkEntry(pairs.a[k], pairs.b[k]);
      if (k % STEP === 0) yield (0.7 * (nodeCount + k)) / work;
    }
    for (let k = 0; k < motions && verification.refutation === undefined; k++) {
      yield 0.7 + (0.3 * k) / motions;
      this.#checkMotion(k);
    }
  }

  /** What no preparation writes. */
  #checkNumbers({ exceptions }: SubspaceRecord): void {
    const { thickness, lower, between, limit, planeLimit, pairs } = this.#ball;
    const { order } = this.#body.tree;
    const largest = this.#points.rest.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const refute = (text: string) => this.#verification.refute(text);
    if (!(thickness <= MOST_THICKNESS * largest)) refute(`the rounding margin is ${thickness}`);
    for (const [name, values] of Object.entries({ lower, between, radius: pairs.radius })) {
      const bad = values.findIndex((value) => !(value >= 0));
      if (bad >= 0) refute(`${name}[${bad}] is ${values[bad]}, which is no gauge`);
    }
    if (!(limit >= 0 && planeLimit >= 0)) refute(`the limit is ${limit}`);
    for (let k = 0; k < exceptions.length; k += 2) {
      const isSorted =
        k === 0 ||
        exceptions[k] > exceptions[k - 2] ||
        (exceptions[k] === exceptions[k - 2] && exceptions[k + 1] >= exceptions[k - 1]);
      if (exceptions[k] < exceptions[k + 1] && exceptions[k + 1] < order.length && isSorted) continue;
      refute(`exception ${k / 2} is out of order`);
      break;
    }
    const misplaced = this.#claims.findMisplacedException();
    if (misplaced >= 0) refute(`exception ${misplaced} of the list of pairs is not where it should be`);
  }

  /** Everything that touches in the centre must be an exception, or under no claim at all. */
  #checkCentre(): void {
    this.#body.setPose(this.#ball.centre);
    this.#verification.poses++;
    const q = new Float64Array(this.#points.modeCount);
    const slots = this.#body.resident.slotOfTriangle;
    const report = findSelfCollisions(this.#body, { certificates: [] });
    for (let k = 0; k < report.pairCount; k++) {
      this.#hold(slots[report.pairs[2 * k]], slots[report.pairs[2 * k + 1]], q, 0);
    }
  }

  /** The two triangles on both sides of a node that meet soonest, as far as a quick search finds them. */
  #checkNode(node: number): void {
    const child = this.#body.tree.link[node];
    const [s, t] = this.#summaries.closest(child, child + 1);
    this.#verification.nodes++;
    if (s >= 0) this.#look(s, t, node < 16);
    const { nearest } = this.#ball; // what the preparation found closest: a hint that may be wrong
    const [i, j] = [nearest[2 * node], nearest[2 * node + 1]];
    if (i !== j) this.#look(i, j, false);
  }

  #checkEntry(a: number, b: number): void {
    const [s, t] = this.#summaries.closest(a, b);
    this.#verification.nodes++;
    if (s >= 0) this.#look(s, t, false);
  }

  #look(s: number, t: number, isKept: boolean): void {
    if (this.#areNeighbours(s, t)) return;
    const search = this.#search;
    const claimed = this.#claims.radiusOf(s, t);
    const guess = search.estimate(s, t);
    const isOneSided = this.#points.gauge !== 'ball' && guess === Infinity;
    if (!isKept && !isOneSided && !(guess <= PROMISING * claimed)) return;
    const most = NEAR * Math.min(claimed, 1e9);
    const gauge = isOneSided
      ? this.#searchAround(s, t, most)
      : search.search(s, t, isKept ? Infinity : most, claimed);
    if (gauge === Infinity) return;
    if (isKept) this.#witnesses.push(search.q.slice());
    this.#least = Math.min(this.#least, gauge);
    this.#hold(s, t, search.q, gauge);
  }

  /** From poses with all weights alike, and any. */
  #searchAround(s: number, t: number, most: number): number {
    const { gauge, modeCount } = this.#points;
    for (let k = 0; k < STARTS; k++) {
      const start = Float64Array.from({ length: modeCount }, () => (k === 0 ? 1 : this.#random()));
      const size = gaugeOf(gauge, start);
      const target = Math.min(most / NEAR, FAR * this.#least) * (1 - 0.15 * k);
      this.#search.searchFrom(
        s,
        t,
        start.map((weight) => (weight * target) / size),
        most,
      );
    }
    return this.#search.found;
  }

  /** From the centre as far as anything is claimed, or as far as anything was found. */
  #checkMotion(k: number): void {
    const { modeCount, gauge } = this.#points;
    const { limit, lower, centre } = this.#ball;
    const q =
      this.#witnesses[k]?.slice() ??
      Float64Array.from(
        { length: modeCount },
        () => (gauge === 'ball' ? 2 : 1) * this.#random() - (gauge === 'ball' ? 1 : 0),
      );
    const size = gaugeOf(gauge, q);
    const farthest = Math.min(Math.max(limit, lower[0]), FAR * this.#least);
    if (!(size > 0 && farthest > 0 && farthest < Infinity)) return;
    for (let m = 0; m < modeCount; m++) q[m] *= farthest / size;
    this.#verification.poses++;
    this.#body.setMotion(centre, this.#unscaled(q));
    const slots = this.#body.resident.slotOfTriangle;
    let count = 0;
    const onPair = (i: number, j: number, time: number) => {
      const gaugeThen = time * farthest * (1 + 1e-9);
      this.#hold(
        slots[i],
        slots[j],
        q.map((weight) => weight * time * (1 + 1e-9)),
        gaugeThen,
      );
      return this.#verification.refutation === undefined && ++count < MOST_CONTACTS;
    };
    findSelfCollisions(this.#body, { certificates: [], continuous: true, maxPairs: 0, onPair });
  }

  /** A contact against the claims that cover it. */
  #hold(s: number, t: number, q: Float64Array, gauge: number): void {
    this.#verification.contacts++;
    if (this.#claimAgainst(s, t, q, gauge) === undefined) return;
    for (const factor of FURTHER) {
      if (!this.#touches(s, t, q, factor)) continue;
      const claim = this.#claimAgainst(
        s,
        t,
        q.map((weight) => weight * factor),
        gauge * factor,
      );
      if (claim === undefined) return;
      const { order } = this.#body.tree;
      this.#verification.refute(
        `triangles ${order[s]} and ${order[t]} touch at ${gauge * factor}, but ${claim}`,
        this.#unscaled(q.map((weight) => weight * factor)),
      );
      return;
    }
  }

  #claimAgainst(s: number, t: number, q: Float64Array, gauge: number): string | undefined {
    const planePose =
      this.#scaling === this.#planeScaling ? q : this.#planeScaling.scaled(this.#scaling.unscaled(q));
    const planeGauge = gaugeOf(this.#points.gauge, planePose) * (1 + 1e-12);
    return this.#claims.claimAgainst(s, t, gauge * (1 + 1e-12), planePose, planeGauge);
  }

  /** As the exact test sees it. */
  #touches(s: number, t: number, q: Float64Array, factor: number): boolean {
    const x = this.#placed;
    this.#search.place(s, t, q, factor, x);
    return trianglesIntersect(x, 0, 3, 6, x, 9, 12, 15);
  }

  #unscaled(q: Float64Array): Float64Array {
    const pose = this.#scaling.unscaled(q);
    return pose.map((weight, m) => weight + this.#ball.centre[m]);
  }

  #areNeighbours(s: number, t: number): boolean {
    const { corners } = this.#points;
    for (let i = 3 * s; i < 3 * s + 3; i++) {
      for (let j = 3 * t; j < 3 * t + 3; j++) if (corners[i] === corners[j]) return true;
    }
    return s === t;
  }
}

/** Where nodes are and how modes move them on average, to guess which triangles of two nodes meet first. */
class NodeSummaries {
  readonly #body: Body;
  readonly #points: MovedPoints;
  readonly #width: number;
  readonly #values: Float32Array; // per node: centre, radius, spread of the modes; then the mean rows
  readonly #beam: { a: number; b: number; score: number }[] = [];

  constructor(body: Body, points: MovedPoints) {
    const { nodeCount, link, firstSlot, slotCount } = body.tree;
    const { modeCount, rest, rows, corners } = points;
    this.#body = body;
    this.#points = points;
    this.#width = 5 + 3 * modeCount;
    const width = this.#width;
    this.#values = new Float32Array(width * nodeCount);
    for (let node = nodeCount - 1; node >= 0; node--) {
      const o = width * node;
      const v = this.#values;
      if (link[node] >= LEAF) {
        for (let k = 0; k < 3; k++) {
          const p = corners[3 * firstSlot[node] + k];
          for (let axis = 0; axis < 3; axis++) v[o + axis] += rest[3 * p + axis] / 3;
          for (let i = 0; i < 3 * modeCount; i++) v[o + 5 + i] += rows[3 * modeCount * p + i] / 3;
        }
        for (let k = 0; k < 3; k++) {
          const p = corners[3 * firstSlot[node] + k];
          const distance = Math.hypot(...[0, 1, 2].map((axis) => rest[3 * p + axis] - v[o + axis]));
          v[o + 3] = Math.max(v[o + 3], distance);
        }
        continue;
      }
      const [a, b] = [width * link[node], width * (link[node] + 1)];
      const share = slotCount[link[node]] / slotCount[node];
      for (let i = 0; i < width; i++)
        if (i !== 3 && i !== 4) v[o + i] = share * v[a + i] + (1 - share) * v[b + i];
      for (const c of [a, b]) {
        const distance = Math.hypot(v[c] - v[o], v[c + 1] - v[o + 1], v[c + 2] - v[o + 2]);
        v[o + 3] = Math.max(v[o + 3], distance + v[c + 3]);
        let squares = 0;
        for (let i = 5; i < width; i++) squares += (v[c + i] - v[o + i]) ** 2;
        v[o + 4] = Math.max(v[o + 4], Math.sqrt(squares) + v[c + 4]);
      }
    }
  }

  /** Two slots, one under each node; −1 when all found are neighbours. */
  closest(a: number, b: number): [number, number] {
    const { link, firstSlot, slotCount } = this.#body.tree;
    const beam = this.#beam;
    beam.length = 0;
    beam.push({ a, b, score: 0 });
    for (;;) {
      let isDone = true;
      const wider: { a: number; b: number; score: number }[] = [];
      for (const pair of beam) {
        const { a: m, b: n } = pair;
        if (link[m] >= LEAF && link[n] >= LEAF) {
          wider.push(pair);
          continue;
        }
        isDone = false;
        const opensFirst = slotCount[m] >= slotCount[n];
        const first = opensFirst ? link[m] : link[n];
        for (const child of [first, first + 1]) {
          const next = opensFirst ? { a: child, b: n } : { a: m, b: child };
          const score = this.#score(next.a, next.b);
          if (score < Infinity) wider.push({ ...next, score });
        }
      }
      wider.sort((p, q) => p.score - q.score);
      beam.length = 0;
      beam.push(...wider.slice(0, BEAM));
      if (isDone || beam.length === 0) break;
    }
    if (beam.length === 0) return [-1, -1];
    return [firstSlot[beam[0].a], firstSlot[beam[0].b]];
  }

  /** About the gauge at which two nodes could meet; Infinity for two triangles that share a corner. */
  #score(a: number, b: number): number {
    const { modeCount: r, corners } = this.#points;
    const { link, firstSlot } = this.#body.tree;
    if (link[a] >= LEAF && link[b] >= LEAF) {
      const [s, t] = [3 * firstSlot[a], 3 * firstSlot[b]];
      for (let i = s; i < s + 3; i++)
        for (let j = t; j < t + 3; j++) if (corners[i] === corners[j]) return Infinity;
    }
    const v = this.#values;
    const o = this.#width * a,
      p = this.#width * b;
    const x = v[o] - v[p],
      y = v[o + 1] - v[p + 1],
      z = v[o + 2] - v[p + 2];
    const distance = Math.sqrt(x * x + y * y + z * z);
    const reach = v[o + 3] + v[p + 3];
    const gap = distance > reach ? distance - reach : (0.01 * distance * distance) / (reach + 1e-300);
    let squares = 0;
    for (let m = 5; m < 5 + r; m++) {
      const rate =
        x * (v[o + m] - v[p + m]) +
        y * (v[o + r + m] - v[p + r + m]) +
        z * (v[o + 2 * r + m] - v[p + 2 * r + m]);
      squares += rate * rate;
    }
    const speed = Math.sqrt(squares) / (distance + 1e-300) + v[o + 4] + v[p + 4];
    return speed > 0 ? gap / speed : 1e300;
  }
}

/** The pose of a body, to be given back. */
class SavedPose {
  readonly #body: Body;
  readonly #ends: Float64Array[];

  constructor(body: Body) {
    this.#body = body;
    const deformer = body.deformer as BlendDeformer;
    if (deformer.modeCount === undefined)
      throw new InputError('unsupported', 'this body is not moved by modes');
    const { f64 } = body.engine.kernels.memory;
    const read = (end: 0 | 1) => {
      const o = deformer.weightsAddress(end) >>> 3;
      return f64.slice(o, o + deformer.modeCount);
    };
    this.#ends = deformer.hasMotion ? [read(0), read(1)] : [read(0)];
  }

  restore(): void {
    if (this.#ends.length === 2) this.#body.setMotion(this.#ends[0], this.#ends[1]);
    else this.#body.setPose(this.#ends[0]);
  }
}
