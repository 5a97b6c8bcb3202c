import { FreeDeformer } from '../../../packages/pliant/src/deform/free.ts';
import { CollisionReport } from '../../../packages/pliant/src/index.ts';
import { type Kernels, LEAF } from '../../../packages/pliant/src/kernels/kernels.ts';
import { arrayStore, KernelMemory } from '../../../packages/pliant/src/kernels/memory.ts';
import { TraversalScratch } from '../../../packages/pliant/src/kernels/scratch.ts';
import { createTsKernels } from '../../../packages/pliant/src/kernels/ts-kernels.ts';
import type { TriangleMesh } from '../../../packages/pliant/src/mesh/triangle-mesh.ts';
import { trianglesIntersect } from '../../../packages/pliant/src/narrow/triangle-triangle.ts';
import { ResidentMesh } from '../../../packages/pliant/src/tree/resident-mesh.ts';
import type { Tree } from '../../../packages/pliant/src/tree/tree.ts';
import type { KMeansTree } from './k-means-tree.ts';

/**
 * Self-queries with the k-means tree: float64 boxes, refitted bottom-up, traversed depth first, in TypeScript.
 * Deformation, adjacency and narrow phase are those of our TypeScript kernels, so that only the tree differs.
 */
export class KMeansQuery {
  readonly report = new CollisionReport();
  /** Node pairs taken from the stack by the last query, as our own depth-first method counts them. */
  boxTests = 0;

  readonly #tree: KMeansTree;
  readonly #kernels: Kernels;
  readonly #mesh: ResidentMesh;
  readonly #points: FreeDeformer;
  readonly #scratch: TraversalScratch;
  readonly #boxes: Float64Array; // lo.xyz, hi.xyz per node
  readonly #stack = new Uint32Array(1 << 16);
  #leafCount = 0;

  constructor(mesh: TriangleMesh, tree: KMeansTree) {
    this.#tree = tree;
    this.#kernels = createTsKernels(new KernelMemory(arrayStore()));
    this.#mesh = new ResidentMesh(this.#kernels, mesh, leavesOnly(tree));
    this.#points = new FreeDeformer(this.#kernels, this.#mesh);
    this.#scratch = new TraversalScratch(this.#kernels.memory);
    this.#boxes = new Float64Array(6 * tree.nodeCount);
  }

  run(pose: Float64Array): CollisionReport {
    const { report } = this;
    report.begin('none', false, Infinity);
    this.#points.setPose(pose);
    this.#refit();
    this.#descend();
    this.#narrow();
    report.finish();
    return report;
  }

  #refit(): void {
    const { nodeCount, firstChild, childCount } = this.#tree;
    const { f64, u32 } = this.#kernels.memory;
    const box = this.#boxes;
    const corners = this.#mesh.corners >>> 2,
      points = this.#points.address(0) >>> 3;
    for (let node = nodeCount - 1; node >= 0; node--) {
      const o = 6 * node;
      const child = firstChild[node];
      if (childCount[node] === 0) {
        const c = corners + 3 * child;
        const p = points + 3 * u32[c],
          q = points + 3 * u32[c + 1],
          r = points + 3 * u32[c + 2];
        box[o] = Math.min(f64[p], f64[q], f64[r]);
        box[o + 1] = Math.min(f64[p + 1], f64[q + 1], f64[r + 1]);
        box[o + 2] = Math.min(f64[p + 2], f64[q + 2], f64[r + 2]);
        box[o + 3] = Math.max(f64[p], f64[q], f64[r]);
        box[o + 4] = Math.max(f64[p + 1], f64[q + 1], f64[r + 1]);
        box[o + 5] = Math.max(f64[p + 2], f64[q + 2], f64[r + 2]);
        continue;
      }
      for (let k = 0; k < 6; k++) box[o + k] = box[6 * child + k];
      for (let c = 6 * (child + 1), end = 6 * (child + childCount[node]); c < end; c += 6) {
        box[o] = Math.min(box[o], box[c]);
        box[o + 1] = Math.min(box[o + 1], box[c + 1]);
        box[o + 2] = Math.min(box[o + 2], box[c + 2]);
        box[o + 3] = Math.max(box[o + 3], box[c + 3]);
        box[o + 4] = Math.max(box[o + 4], box[c + 4]);
        box[o + 5] = Math.max(box[o + 5], box[c + 5]);
      }
    }
  }

  #descend(): void {
    const { firstChild, childCount } = this.#tree;
    const stack = this.#stack,
      box = this.#boxes;
    const { u32 } = this.#kernels.memory;
    const leaves = this.#scratch.leaves >>> 2;
    let tests = 0,
      top = 0;
    stack[top++] = 0;
    stack[top++] = 0;
    while (top > 0) {
      const b = stack[--top],
        a = stack[--top];
      tests++;
      const first = firstChild[a],
        count = childCount[a];
      if (a === b) {
        for (let c = first; c < first + count; c++) {
          for (let d = c; d < first + count; d++) {
            stack[top++] = c;
            stack[top++] = d;
          }
        }
        continue;
      }
      if (areApart(box, 6 * a, 6 * b)) continue;
      const second = firstChild[b],
        secondCount = childCount[b];
      if (count === 0 && secondCount === 0) {
        if (this.#leafCount === this.#scratch.leafRoom) this.#narrow();
        u32[leaves + 2 * this.#leafCount] = first; // of leaves, these are slots
        u32[leaves + 2 * this.#leafCount++ + 1] = second;
        continue;
      }
      const cEnd = count === 0 ? a + 1 : first + count,
        dEnd = secondCount === 0 ? b + 1 : second + secondCount;
      for (let c = count === 0 ? a : first; c < cEnd; c++) {
        for (let d = secondCount === 0 ? b : second; d < dEnd; d++) {
          stack[top++] = c;
          stack[top++] = d;
        }
      }
    }
    this.boxTests = tests;
  }

  #narrow(): void {
    const kernels = this.#kernels;
    const { leaves, hits, unsure, counts } = this.#scratch;
    const { link, corners } = this.#mesh;
    const points = this.#points.address(0);
    const count = kernels.dropAdjacent(leaves, this.#leafCount, link, corners);
    this.#leafCount = 0;
    kernels.narrowPairs(
      leaves,
      count,
      link,
      corners,
      points,
      link,
      corners,
      points,
      Infinity,
      hits,
      unsure,
      counts,
    );
    const { u32 } = kernels.memory;
    const hitCount = u32[counts >>> 2],
      unsureCount = u32[(counts >>> 2) + 1];
    for (let k = 0; k < hitCount; k++) this.#add(u32[(hits >>> 2) + 2 * k], u32[(hits >>> 2) + 2 * k + 1]);
    for (let k = 0; k < unsureCount; k++) {
      const s = u32[(unsure >>> 2) + 2 * k],
        t = u32[(unsure >>> 2) + 2 * k + 1];
      if (this.#doTouch(s, t)) this.#add(s, t);
    }
  }

  #doTouch(s: number, t: number): boolean {
    const { f64, u32 } = this.#kernels.memory;
    const points = this.#points.address(0) >>> 3,
      corners = this.#mesh.corners >>> 2;
    const at = (slot: number, k: number) => points + 3 * u32[corners + 3 * slot + k];
    return trianglesIntersect(f64, at(s, 0), at(s, 1), at(s, 2), f64, at(t, 0), at(t, 1), at(t, 2));
  }

  #add(s: number, t: number): void {
    const { order } = this.#tree;
    this.report.add(Math.min(order[s], order[t]), Math.max(order[s], order[t]), 0);
  }
}

function areApart(box: Float64Array, a: number, b: number): boolean {
  return (
    box[a] > box[b + 3] ||
    box[b] > box[a + 3] ||
    box[a + 1] > box[b + 4] ||
    box[b + 1] > box[a + 4] ||
    box[a + 2] > box[b + 5] ||
    box[b + 2] > box[a + 5]
  );
}

/** For the kernels, which know leaves by node: here the node of a slot is the slot. */
function leavesOnly({ order }: KMeansTree): Tree {
  const count = order.length;
  const link = Uint32Array.from({ length: count }, (_, slot) => (LEAF | slot) >>> 0);
  return {
    nodeCount: count,
    link,
    firstSlot: Uint32Array.from({ length: count }, (_, slot) => slot),
    slotCount: new Uint32Array(count).fill(1),
    order,
    levelStart: Uint32Array.of(0, count),
  };
}
