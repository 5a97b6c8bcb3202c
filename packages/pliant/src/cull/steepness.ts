import { isLeaf, type Tree } from '../tree/tree.ts';
import type { PatchFields } from './patch-fields.ts';
import type { RestShapeDistances } from './rest-pairs.ts';

/** A pair of nodes that cannot exceed what has been found by more than this is not looked at. */
const SLACK = 1.03;
/** Covers the roundings of a quotient and of the norms in it. */
const UP = 1 + 2 ** -40;

/**
 * Lipschitz constants of the fields of a patch with respect to Euclidean distance at rest: over all pairs of
 * triangles that share no vertex and are farther apart than the tolerance,
 *
 *     ‖f(p) − f(q)‖ ≤ L ‖p − q‖                         for all p in one and q in the other
 *
 * Of a pair, L ≤ |g| + max ‖r(a) − r(b)‖ / distance, where g is any linear map, r = f − g and a, b are corners; g is
 * 0, the gradient of f in one of the triangles, or their mean. For plain groups g = 0: their L bounds ‖f(a) − f(b)‖ /
 * distance over corners. Pairs of nodes are discarded by the ranges of f and
 * the distance of their boxes.
 */
export class SteepnessFinder {
  /** Fields compared so far, once per pair of nodes or triangles: what the work is counted in. */
  comparisons = 0;
  /** Upper bounds, per group of the fields. */
  result = new Float64Array(0);

  readonly #tree: Tree;
  readonly #distances: RestShapeDistances;
  readonly #tolerance: number;
  #fields!: PatchFields;
  #found = new Float64Array(0); // per group
  // Nodes from the root of the patch down, children adjacent; triangles by their number in the patch.
  readonly #nodes: number[] = [];
  readonly #child: number[] = []; // −1 for a leaf
  readonly #triangle: number[] = [];
  #ranges = new Float64Array(0); // lowest and highest value per node and component
  #slopes = new Float64Array(0); // per triangle: two vectors that make gradients of differences
  readonly #stack: number[] = [];

  constructor(tree: Tree, distances: RestShapeDistances, tolerance: number) {
    this.#tree = tree;
    this.#distances = distances;
    this.#tolerance = tolerance;
  }

  /**
   * All pairs below a node, whose slots the fields hold. False when that takes more than `budget` comparisons: then
   * nothing is known.
   */
  find(fields: PatchFields, node: number, budget = Infinity): boolean {
    this.#begin(fields, node);
    return this.#run(this.comparisons + budget);
  }

  #begin(fields: PatchFields, root: number): void {
    const { groupCount } = fields;
    this.#fields = fields;
    if (this.#found.length < groupCount) {
      this.#found = new Float64Array(groupCount);
      this.result = new Float64Array(groupCount);
    }
    this.#found.fill(0);
    this.#listNodes(root);
    if (groupCount === 0) return;
    this.#setRanges();
    this.#setSlopes();
  }

  #listNodes(root: number): void {
    const { link, firstSlot } = this.#tree;
    const nodes = this.#nodes,
      child = this.#child,
      triangle = this.#triangle;
    nodes.length = child.length = triangle.length = 0;
    nodes.push(root);
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i];
      if (isLeaf(this.#tree, node)) {
        child.push(-1);
        triangle.push(firstSlot[node] - firstSlot[root]);
      } else {
        child.push(nodes.length);
        triangle.push(-1);
        nodes.push(link[node], link[node] + 1);
      }
    }
  }

  #setRanges(): void {
    const { componentCount: C, values, corners } = this.#fields;
    const count = this.#nodes.length;
    if (this.#ranges.length < 2 * C * count) this.#ranges = new Float64Array(2 * C * count);
    const ranges = this.#ranges;
    for (let i = count - 1; i >= 0; i--) {
      const o = 2 * C * i;
      if (this.#child[i] < 0) {
        const t = 3 * this.#triangle[i];
        const p = C * corners[t],
          q = C * corners[t + 1],
          r = C * corners[t + 2];
        for (let c = 0; c < C; c++) {
          ranges[o + 2 * c] = Math.min(values[p + c], values[q + c], values[r + c]);
          ranges[o + 2 * c + 1] = Math.max(values[p + c], values[q + c], values[r + c]);
        }
      } else {
        const l = 2 * C * this.#child[i],
          r = l + 2 * C;
        for (let c = 0; c < 2 * C; c += 2) {
          ranges[o + c] = Math.min(ranges[l + c], ranges[r + c]);
          ranges[o + c + 1] = Math.max(ranges[l + c + 1], ranges[r + c + 1]);
        }
      }
    }
  }

  /** The gradient of a function on a triangle is (f₁ − f₀) a + (f₂ − f₀) b; zeros for slivers. */
  #setSlopes(): void {
    const { triangleCount, corners, positions: P } = this.#fields;
    if (this.#slopes.length < 6 * triangleCount) this.#slopes = new Float64Array(6 * triangleCount);
    const slopes = this.#slopes;
    for (let t = 0; t < triangleCount; t++) {
      const p = 3 * corners[3 * t],
        q = 3 * corners[3 * t + 1],
        r = 3 * corners[3 * t + 2];
      const ux = P[q] - P[p],
        uy = P[q + 1] - P[p + 1],
        uz = P[q + 2] - P[p + 2];
      const vx = P[r] - P[p],
        vy = P[r + 1] - P[p + 1],
        vz = P[r + 2] - P[p + 2];
      const nx = uy * vz - uz * vy,
        ny = uz * vx - ux * vz,
        nz = ux * vy - uy * vx;
      const square = nx * nx + ny * ny + nz * nz;
      const edges = ux * ux + uy * uy + uz * uz + vx * vx + vy * vy + vz * vz;
      const s = square > SLIVER * edges * edges ? 1 / square : 0;
      const o = 6 * t;
      slopes[o] = s * (vy * nz - vz * ny);
      slopes[o + 1] = s * (vz * nx - vx * nz);
      slopes[o + 2] = s * (vx * ny - vy * nx);
      slopes[o + 3] = s * (ny * uz - nz * uy);
      slopes[o + 4] = s * (nz * ux - nx * uz);
      slopes[o + 5] = s * (nx * uy - ny * ux);
    }
  }

  #run(most: number): boolean {
    const { groupCount } = this.#fields;
    const stack = this.#stack,
      child = this.#child;
    stack.length = 0;
    if (groupCount > 0) stack.push(0, 0);
    while (stack.length > 0) {
      if (this.comparisons > most) return false;
      const v = stack.pop()!,
        u = stack.pop()!;
      if (u === v) {
        const c = child[u];
        if (c >= 0) stack.push(c, c + 1, c + 1, c + 1, c, c);
        continue;
      }
      const n = this.#nodes[u],
        m = this.#nodes[v];
      const gap = this.#distances.gap(n, m);
      if (gap > 0 && !this.#mayExceed(u, v, gap)) continue;
      if (child[u] < 0 && child[v] < 0) this.#lookAt(u, v, gap);
      else if (this.#tree.slotCount[n] >= this.#tree.slotCount[m]) stack.push(child[u], v, child[u] + 1, v);
      else stack.push(u, child[v], u, child[v] + 1);
    }
    for (let g = 0; g < groupCount; g++) this.result[g] = this.#found[g] * SLACK * UP;
    return true;
  }

  /** Whether some field may differ by more than SLACK times what has been found, at this distance. */
  #mayExceed(u: number, v: number, distance: number): boolean {
    const { groupCount, groupStart, groupSize, groupError, componentCount: C } = this.#fields;
    const found = this.#found;
    for (let g = 0; g < groupCount; g++) {
      this.comparisons++;
      const allowed = found[g] * SLACK * distance - groupError[g];
      if (!(allowed >= 0)) return true;
      const square = this.#squareOfDifference(
        2 * (C * u + groupStart[g]),
        2 * (C * v + groupStart[g]),
        groupSize[g],
      );
      if (!(square <= allowed * allowed)) return true;
    }
    return false;
  }

  /** The largest ‖f(p) − f(q)‖², from ranges. */
  #squareOfDifference(i: number, j: number, size: number): number {
    const ranges = this.#ranges;
    let square = 0;
    for (let k = 0; k < 2 * size; k += 2) {
      const d = Math.max(ranges[i + k + 1] - ranges[j + k], ranges[j + k + 1] - ranges[i + k]);
      square += d * d;
    }
    return square;
  }

  #lookAt(u: number, v: number, gap: number): void {
    const { firstSlot } = this.#tree;
    const { groupCount, groupStart, groupSize, groupError, groupIsPlain, componentCount: C } = this.#fields;
    const s = firstSlot[this.#nodes[u]],
      t = firstSlot[this.#nodes[v]];
    if (this.#distances.areAdjacent(s, t)) return;
    const distance = Math.max(gap, this.#distances.distance(s, t));
    if (distance <= this.#tolerance) return; // an exception, by the rule of `findTouchingPairs`
    const found = this.#found;
    this.comparisons += groupCount;
    for (let g = 0; g < groupCount; g++) {
      const i = 2 * (C * u + groupStart[g]),
        j = 2 * (C * v + groupStart[g]);
      const difference = Math.sqrt(this.#squareOfDifference(i, j, groupSize[g]));
      const bound = (difference + groupError[g]) / distance;
      if (bound <= found[g]) continue;
      const refined = groupIsPlain[g] === 1 ? bound : this.#refine(g, u, v, distance, bound);
      found[g] = Math.max(found[g], refined);
    }
  }

  /** The same with a gradient taken out: the best of three, or the first that is low enough. */
  #refine(g: number, u: number, v: number, distance: number, bound: number): number {
    const s = this.#triangle[u],
      t = this.#triangle[v];
    const enough = this.#found[g];
    let best = bound;
    for (let share = 0; share < 3 && best > enough; share++) {
      best = Math.min(best, this.#boundWith(g, s, t, share / 2, distance));
    }
    return best;
  }

  /** With the gradient (1 − share) ∇ₛf + share ∇ₜf. */
  #boundWith(g: number, s: number, t: number, share: number, distance: number): number {
    const {
      values,
      positions: P,
      corners,
      componentCount: C,
      groupStart,
      groupSize,
      groupError,
    } = this.#fields;
    const slopes = this.#slopes;
    const s0 = corners[3 * s],
      s1 = corners[3 * s + 1],
      s2 = corners[3 * s + 2];
    const t0 = corners[3 * t],
      t1 = corners[3 * t + 1],
      t2 = corners[3 * t + 2];
    const a = 6 * s,
      b = 6 * t;
    let steepness = 0,
      difference = 0;
    for (let c = groupStart[g]; c < groupStart[g] + groupSize[g]; c++) {
      const f0 = values[C * s0 + c],
        f1 = values[C * s1 + c],
        f2 = values[C * s2 + c];
      const h0 = values[C * t0 + c],
        h1 = values[C * t1 + c],
        h2 = values[C * t2 + c];
      const p = (1 - share) * (f1 - f0),
        q = (1 - share) * (f2 - f0);
      const r = share * (h1 - h0),
        w = share * (h2 - h0);
      const x = p * slopes[a] + q * slopes[a + 3] + r * slopes[b] + w * slopes[b + 3],
        y = p * slopes[a + 1] + q * slopes[a + 4] + r * slopes[b + 1] + w * slopes[b + 4],
        z = p * slopes[a + 2] + q * slopes[a + 5] + r * slopes[b + 2] + w * slopes[b + 5];
      const k0 = f0 - (x * P[3 * s0] + y * P[3 * s0 + 1] + z * P[3 * s0 + 2]),
        k1 = f1 - (x * P[3 * s1] + y * P[3 * s1 + 1] + z * P[3 * s1 + 2]),
        k2 = f2 - (x * P[3 * s2] + y * P[3 * s2 + 1] + z * P[3 * s2 + 2]);
      const l0 = h0 - (x * P[3 * t0] + y * P[3 * t0 + 1] + z * P[3 * t0 + 2]),
        l1 = h1 - (x * P[3 * t1] + y * P[3 * t1 + 1] + z * P[3 * t1 + 2]),
        l2 = h2 - (x * P[3 * t2] + y * P[3 * t2 + 1] + z * P[3 * t2 + 2]);
      const d = Math.max(
        Math.max(k0, k1, k2) - Math.min(l0, l1, l2),
        Math.max(l0, l1, l2) - Math.min(k0, k1, k2),
      );
      steepness += x * x + y * y + z * z;
      difference += d * d;
    }
    const length = Math.sqrt(steepness);
    const error = groupError[g] + length * this.#fields.radius * ROUNDING;
    return length * UP + (Math.sqrt(difference) + error) / distance;
  }
}

/** Squared height over edge below which a triangle's own gradient is not worth having. */
const SLIVER = 1e-12;
/** Of values less a gradient, relative to the gradient times the size of the patch. */
const ROUNDING = 2 ** -46;
