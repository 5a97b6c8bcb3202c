import type { SubspaceBall, SubspaceRecord } from '../cull/subspace/subspace-certificate.ts';
import { LEAF } from '../kernels/kernels.ts';
import type { Tree } from '../tree/tree.ts';

const PLANE_HEAD = 2; // gap and spread, then the row

/** A plain reading of what a stored certificate says about two triangles in a pose; shares no code with the certificate. */
export class SubspaceClaims {
  readonly #tree: Tree;
  readonly #record: SubspaceRecord;
  readonly #ball: SubspaceBall;
  readonly #stride: number;
  readonly #exceptions: ReadonlySet<number>;
  readonly #pairExceptions: ReadonlySet<number>;

  constructor(tree: Tree, record: SubspaceRecord, ball: SubspaceBall, modeCount: number) {
    this.#tree = tree;
    this.#record = record;
    this.#ball = ball;
    this.#stride = 4 * Math.ceil((PLANE_HEAD + modeCount) / 4);
    this.#exceptions = this.#keysOf(record.exceptions);
    this.#pairExceptions = this.#keysOf(ball.pairs.exceptions);
  }

  /** The smallest node that two slots are both under. */
  commonNode(s: number, t: number): number {
    const { link, firstSlot } = this.#tree;
    for (let node = 0; ; ) {
      const second = link[node] + 1;
      if (link[node] >= LEAF || s < firstSlot[second] !== t < firstSlot[second]) return node;
      node = s < firstSlot[second] ? second - 1 : second;
    }
  }

  /** The largest gauge at which some radius still clears the two: what a pose must reach for them to touch. */
  radiusOf(s: number, t: number): number {
    const { lower, between, limit } = this.#ball;
    const { link } = this.#tree;
    const { firstSlot } = this.#tree;
    let most = 0;
    if (!this.#exceptions.has(this.#key(s, t))) {
      for (let node = 0; ; ) {
        most = Math.max(most, lower[node]);
        const child = link[node];
        if (s < firstSlot[child + 1] !== t < firstSlot[child + 1]) {
          most = Math.max(most, between[child]);
          break;
        }
        node = s < firstSlot[child + 1] ? child : child + 1;
      }
    }
    return Math.max(most, Math.min(limit, this.#radiusInTree(s, t)));
  }

  /** Which claim, in words, says that the two do not touch in a pose; undefined: none does. `planePose`: in units of planes. */
  claimAgainst(
    s: number,
    t: number,
    gauge: number,
    planePose: Float64Array,
    planeGauge: number,
  ): string | undefined {
    const { lower, between, limit, planeLimit } = this.#ball;
    const { link, firstSlot } = this.#tree;
    if (!this.#exceptions.has(this.#key(s, t))) {
      for (let node = 0; ; ) {
        if (gauge < lower[node]) return `node ${node} is said to be free up to ${lower[node]}`;
        const child = link[node];
        if (s < firstSlot[child + 1] !== t < firstSlot[child + 1]) {
          if (gauge < between[child])
            return `nodes ${child} and ${child + 1} are said to be apart up to ${between[child]}`;
          break;
        }
        node = s < firstSlot[child + 1] ? child : child + 1;
      }
    }
    const isOwn = this.#record.planeMetric.length === 0;
    if (!(gauge < limit) || (!isOwn && !(planeGauge <= planeLimit))) return undefined;
    return this.#claimOfTree(s, t, gauge, planePose, planeGauge);
  }

  /** Down the tree of pairs, as a query goes that lists what is open. */
  #claimOfTree(
    s: number,
    t: number,
    gauge: number,
    pose: Float64Array,
    planeGauge: number,
  ): string | undefined {
    const { a, b, radius, next, planes } = this.#ball.pairs;
    const isException = this.#pairExceptions.has(this.#key(s, t));
    let from = 0,
      end = a.length;
    for (;;) {
      let entry = from;
      while (entry < end && !this.#holds(a[entry], b[entry], s, t)) entry = next[entry];
      if (entry >= end)
        return isException ? undefined : `the list of pairs leaves them out up to ${this.#ball.limit}`;
      const closed =
        gauge < radius[entry]
          ? `pair ${entry} of nodes is said to be apart up to ${radius[entry]}`
          : this.#isBehindPlane(planes, entry * this.#stride, pose, planeGauge)
            ? `the plane of pair ${entry} of nodes is said to part them`
            : undefined;
      if (closed !== undefined) return isException ? undefined : closed;
      if (next[entry] === entry + 1) return undefined; // open: it is looked at
      from = entry + 1;
      end = next[entry];
    }
  }

  #isBehindPlane(planes: Float32Array, o: number, pose: Float64Array, gauge: number): boolean {
    let height = planes[o];
    if (!(height > 0)) return false;
    for (let m = 0; m < pose.length; m++) height += planes[o + PLANE_HEAD + m] * pose[m];
    return height - planes[o + 1] * gauge > 0;
  }

  #radiusInTree(s: number, t: number): number {
    const { a, b, radius, next } = this.#ball.pairs;
    if (this.#pairExceptions.has(this.#key(s, t))) return 0;
    let most = 0,
      from = 0,
      end = a.length;
    for (;;) {
      let entry = from;
      while (entry < end && !this.#holds(a[entry], b[entry], s, t)) entry = next[entry];
      if (entry >= end) return Infinity;
      most = Math.max(most, radius[entry]);
      if (next[entry] === entry + 1) return most;
      from = entry + 1;
      end = next[entry];
    }
  }

  /** Every exception must stand with the pair of nodes that it is in, or it would not be listed when that is closed. */
  findMisplacedException(): number {
    const { a, b, exceptions, exceptionAt } = this.#ball.pairs;
    for (let e = 0; e < exceptionAt.length; e++) {
      const at = exceptionAt[e];
      if (at >= a.length || !this.#holds(a[at], b[at], exceptions[2 * e], exceptions[2 * e + 1])) return e;
    }
    return -1;
  }

  #holds(a: number, b: number, s: number, t: number): boolean {
    return (this.#isBelow(a, s) && this.#isBelow(b, t)) || (this.#isBelow(a, t) && this.#isBelow(b, s));
  }

  #isBelow(node: number, slot: number): boolean {
    const { firstSlot, slotCount } = this.#tree;
    return slot >= firstSlot[node] && slot < firstSlot[node] + slotCount[node];
  }

  #key(s: number, t: number): number {
    return Math.min(s, t) * this.#tree.order.length + Math.max(s, t);
  }

  #keysOf(slots: Uint32Array): Set<number> {
    const keys = new Set<number>();
    for (let k = 0; k < slots.length; k += 2) keys.add(this.#key(slots[k], slots[k + 1]));
    return keys;
  }
}
