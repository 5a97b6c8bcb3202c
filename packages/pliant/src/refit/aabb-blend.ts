import type { BlendDeformer } from '../deform/blend.ts';
import type { MotionEnd } from '../deform/point-source.ts';
import type { KernelMemory } from '../kernels/memory.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { countBoundedNodes } from './aabb-free.ts';
import { type BlendNodes, prepareBlendNodes } from './blend-nodes.ts';
import type { Bounds } from './bounds.ts';

/** Up to this many handles the best λ is tried out; beyond, the second largest value serves. */
const EXACT_HANDLES = 4;

/**
 * Boxes of nodes moved by skins, morph targets or modes, at a cost that follows the number of handles and not the
 * number of points below. In direction g, with the common part T° = Σ l_j T_j kept exact,
 *
 *     g·x ≤ σ_T°(g) + max { Σ δ_j b_j : 0 ≤ δ_j ≤ cap_j, Σ δ_j = R }                 BOUNDS §2, Theorem 1
 *
 * where b_j is the support of handle j's image of the points it moves. The maximum is bounded by its dual,
 * λR + Σ cap_j max(b_j − λ, 0), which holds for any λ; the best λ is one of the b_j. Everything is rounded outward
 * by a margin for the whole pose.
 */
export class BlendBoxes implements Bounds {
  readonly box: Float64Array;
  readonly boundedNodes: number;
  refitted = 0;
  readonly nodes: BlendNodes;

  readonly #memory: KernelMemory;
  readonly #deformer: BlendDeformer;
  readonly #stamps: Uint32Array;
  readonly #shift = new Float64Array(6); // by how much modes move and widen the node's points
  readonly #reach = new Float64Array(6); // centre and half size of the node's points before the skin
  readonly #support: Float64Array; // centre and half size per axis and entry
  readonly #margin: [number, number] = [0, 0];
  #stamp = 0;
  #epoch = 0;
  #swept = false;

  constructor(memory: KernelMemory, mesh: ResidentMesh, deformer: BlendDeformer) {
    const { skinList, modeList, jointCount, modeCount } = deformer;
    this.#memory = memory;
    this.#deformer = deformer;
    this.boundedNodes = countBoundedNodes(mesh);
    this.nodes = prepareBlendNodes(
      memory,
      mesh,
      this.boundedNodes,
      skinList,
      modeList,
      jointCount,
      modeCount,
    );
    this.box = new Float64Array(6 * this.boundedNodes);
    this.#stamps = new Uint32Array(this.boundedNodes);
    const { firstEntry } = this.nodes;
    let most = 0;
    for (let n = 0; n < this.boundedNodes; n++) most = Math.max(most, firstEntry[n + 1] - firstEntry[n]);
    this.#support = new Float64Array(6 * most);
  }

  begin(swept: boolean): void {
    const wanted = swept && this.#deformer.hasMotion;
    if (this.#epoch === this.#deformer.epoch && this.#swept === wanted) return;
    this.#epoch = this.#deformer.epoch;
    this.#swept = wanted;
    if (this.#stamp === 0xffffffff) {
      this.#stamps.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
    this.#margin[0] = this.#measureMargin(0);
    if (wanted) this.#margin[1] = this.#measureMargin(1);
  }

  ensure(node: number): void {
    if (this.#stamps[node] === this.#stamp) return;
    this.#stamps[node] = this.#stamp;
    this.refitted++;
    const { box } = this;
    const o = 6 * node;
    this.#fit(node, 0);
    if (!this.#swept) return;
    const x = box[o],
      y = box[o + 1],
      z = box[o + 2],
      u = box[o + 3],
      v = box[o + 4],
      w = box[o + 5];
    this.#fit(node, 1);
    box[o] = Math.min(x, box[o]);
    box[o + 1] = Math.min(y, box[o + 1]);
    box[o + 2] = Math.min(z, box[o + 2]);
    box[o + 3] = Math.max(u, box[o + 3]);
    box[o + 4] = Math.max(v, box[o + 4]);
    box[o + 5] = Math.max(w, box[o + 5]);
  }

  refitAll(): void {
    for (let node = 0; node < this.boundedNodes; node++) this.ensure(node);
  }

  #fit(node: number, end: MotionEnd): void {
    const { box, nodes } = this;
    const margin = this.#margin[end];
    const o = 6 * node;
    this.#setReach(node, end);
    const first = nodes.firstEntry[node],
      count = nodes.firstEntry[node + 1] - first;
    const reach = this.#reach;
    if (count === 0) {
      // No skin: the displaced rest box itself.
      for (let k = 0; k < 3; k++) {
        box[o + k] = reach[k] - reach[3 + k] - margin;
        box[o + 3 + k] = reach[k] + reach[3 + k] + margin;
      }
      return;
    }
    this.#addCore(first, count, end, o, margin);
    if (nodes.isBlended[node] === 1) this.#addRest(node, first, count, end, o);
  }

  /** Centre and half size of the node's rest points, moved by the active modes. */
  #setReach(node: number, end: MotionEnd): void {
    const { nodes } = this;
    const shift = this.#shift;
    const { f64 } = this.#memory;
    const weights = this.#deformer.weightsAddress(end) >>> 3;
    shift.fill(0);
    for (let m = nodes.firstMode[node]; m < nodes.firstMode[node + 1]; m++) {
      const q = f64[weights + nodes.mode[m]];
      if (q === 0) continue;
      const size = Math.abs(q);
      for (let k = 0, o = 6 * m; k < 3; k++) {
        shift[k] += (q * (nodes.modeBox[o + k] + nodes.modeBox[o + 3 + k])) / 2;
        shift[3 + k] += (size * (nodes.modeBox[o + 3 + k] - nodes.modeBox[o + k])) / 2;
      }
    }
    for (let k = 0, o = 6 * node; k < 3; k++) {
      this.#reach[k] = (nodes.box[o + k] + nodes.box[o + 3 + k]) / 2 + shift[k];
      this.#reach[3 + k] = (nodes.box[o + 3 + k] - nodes.box[o + k]) / 2 + shift[3 + k];
    }
  }

  /** The image of the whole node under the weights that all its points have in common. */
  #addCore(first: number, count: number, end: MotionEnd, o: number, margin: number): void {
    const { nodes, box } = this;
    const { f64 } = this.#memory;
    const matrices = this.#deformer.matricesAddress(end) >>> 3;
    const phantom = this.#deformer.jointCount;
    const reach = this.#reach;
    const cx = reach[0],
      cy = reach[1],
      cz = reach[2],
      ex = reach[3],
      ey = reach[4],
      ez = reach[5];
    for (let axis = 0; axis < 3; axis++) {
      let t0 = 0,
        t1 = 0,
        t2 = 0,
        t3 = 0;
      for (let e = first; e < first + count; e++) {
        const l = nodes.low[e];
        if (l === 0 || nodes.handle[e] === phantom) continue;
        const m = matrices + 12 * nodes.handle[e] + 4 * axis;
        t0 += l * f64[m];
        t1 += l * f64[m + 1];
        t2 += l * f64[m + 2];
        t3 += l * f64[m + 3];
      }
      const centre = t0 * cx + t1 * cy + t2 * cz + t3;
      const half = Math.abs(t0) * ex + Math.abs(t1) * ey + Math.abs(t2) * ez + margin;
      box[o + axis] = centre - half;
      box[o + 3 + axis] = centre + half;
    }
  }

  /** What the weights above the common ones can add, per direction. */
  #addRest(node: number, first: number, count: number, end: MotionEnd, o: number): void {
    const { nodes, box } = this;
    const support = this.#support;
    for (let e = 0; e < count; e++) this.#setSupport(first + e, end, 6 * e);
    const R = nodes.rest[node];
    for (let axis = 0; axis < 3; axis++) {
      box[o + axis] -= mostOf(support, axis, -1, nodes.cap, first, count, R);
      box[o + 3 + axis] += mostOf(support, axis, 1, nodes.cap, first, count, R);
    }
  }

  /** Centre and half size, per axis, of one handle's image of the points it moves. */
  #setSupport(e: number, end: MotionEnd, o: number): void {
    const { nodes } = this;
    const support = this.#support;
    const handle = nodes.handle[e];
    if (handle === this.#deformer.jointCount) {
      for (let k = 0; k < 6; k++) support[o + k] = 0; // the phantom sends everything to 0
      return;
    }
    const local = nodes.localBox[e];
    const { boxes } = nodes;
    const from = local >= 0 ? this.#shift : this.#reach;
    let cx = from[0],
      cy = from[1],
      cz = from[2],
      ex = from[3],
      ey = from[4],
      ez = from[5];
    if (local >= 0) {
      cx += (boxes[local] + boxes[local + 3]) / 2;
      cy += (boxes[local + 1] + boxes[local + 4]) / 2;
      cz += (boxes[local + 2] + boxes[local + 5]) / 2;
      ex += (boxes[local + 3] - boxes[local]) / 2;
      ey += (boxes[local + 4] - boxes[local + 1]) / 2;
      ez += (boxes[local + 5] - boxes[local + 2]) / 2;
    }
    const { f64 } = this.#memory;
    for (
      let axis = 0, m = (this.#deformer.matricesAddress(end) >>> 3) + 12 * handle;
      axis < 3;
      axis++, m += 4
    ) {
      support[o + axis] = f64[m] * cx + f64[m + 1] * cy + f64[m + 2] * cz + f64[m + 3];
      support[o + 3 + axis] = Math.abs(f64[m]) * ex + Math.abs(f64[m + 1]) * ey + Math.abs(f64[m + 2]) * ez;
    }
  }

  /**
   * Far more than what rounding can do to a posed coordinate or to a box: each is a sum of at most 64 handles and
   * four products, off by less than 80 · 2⁻⁵³ of the sum of sizes, Σ|w| (‖A‖ (rest + modes) + ‖t‖).
   */
  #measureMargin(end: MotionEnd): number {
    const { nodes } = this;
    const { f64 } = this.#memory;
    const weights = this.#deformer.weightsAddress(end) >>> 3;
    let size = nodes.largestCoordinate;
    for (let m = 0; m < nodes.largestDisplacement.length; m++) {
      size += Math.abs(f64[weights + m]) * nodes.largestDisplacement[m];
    }
    const { jointCount } = this.#deformer;
    let image = jointCount === 0 ? size : 0;
    for (let j = 0, m = this.#deformer.matricesAddress(end) >>> 3; j < jointCount; j++, m += 12) {
      for (let r = m; r < m + 12; r += 4) {
        const linear = Math.abs(f64[r]) + Math.abs(f64[r + 1]) + Math.abs(f64[r + 2]);
        image = Math.max(image, linear * size + Math.abs(f64[r + 3]));
      }
    }
    return image * nodes.largestWeightSum * 2 ** -44 + 1e-300;
  }
}

/**
 * The most that Σ δ_j b_j can be in one direction, from the dual λR + Σ cap_j max(b_j − λ, 0). Up to EXACT_HANDLES
 * the best of λ = b_j, which is the maximum itself; beyond that λ = the second largest b (Steinemann et al., Eq. 11).
 */
function mostOf(
  support: Float64Array,
  axis: number,
  sign: 1 | -1,
  cap: Float64Array,
  first: number,
  count: number,
  R: number,
): number {
  if (count > EXACT_HANDLES) return twoLargest(support, axis, sign, cap, first, count, R);
  let best = Infinity;
  for (let i = 0; i < count; i++) {
    const lambda = sign * support[6 * i + axis] + support[6 * i + 3 + axis];
    let bound = lambda * R;
    for (let j = 0; j < count; j++) {
      const b = sign * support[6 * j + axis] + support[6 * j + 3 + axis];
      if (b > lambda) bound += cap[first + j] * (b - lambda);
    }
    if (bound < best) best = bound;
  }
  return best;
}

function twoLargest(
  support: Float64Array,
  axis: number,
  sign: 1 | -1,
  cap: Float64Array,
  first: number,
  count: number,
  R: number,
): number {
  let largest = -Infinity,
    second = -Infinity,
    which = 0;
  for (let j = 0; j < count; j++) {
    const b = sign * support[6 * j + axis] + support[6 * j + 3 + axis];
    if (b > largest) {
      second = largest;
      largest = b;
      which = j;
    } else if (b > second) second = b;
  }
  return second * R + cap[first + which] * (largest - second);
}
