import { squaredPointTriangleDistance } from '../deform/point-triangle.ts';
import { LEAF, SLOT } from '../kernels/kernels.ts';
import { checkTriangleMesh } from '../mesh/check-mesh.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { closestOnTriangle } from '../narrow/closest-on-triangle.ts';
import { ROOT } from '../tree/tree.ts';
import { createSurfaceTree, STACK_SIZE, type SurfaceTree } from './surface-tree.ts';

/** Finds the point of a surface nearest to a given one; the answer is in the fields. Lengths up to 1e150. */
export class ClosestPoints {
  /** Of equally near triangles the one with the lowest number. */
  triangle = -1;
  distance = Infinity;
  readonly point = new Float64Array(3);
  readonly #surface: SurfaceTree;
  readonly #weights = new Float64Array(3);
  readonly #stack = new Int32Array(STACK_SIZE);
  readonly #query = new Float64Array(3);

  constructor(mesh: TriangleMesh) {
    checkTriangleMesh(mesh);
    this.#surface = createSurfaceTree(mesh);
  }

  /** False when the surface is further away than `within`; then the fields hold nothing. */
  find(x: number, y: number, z: number, within = Infinity): boolean {
    const q = this.#query;
    q[0] = x;
    q[1] = y;
    q[2] = z;
    this.triangle = -1;
    const squared = this.#search(within < 0 ? -1 : within * within);
    if (this.triangle < 0) {
      this.distance = Infinity;
      return false;
    }
    this.distance = Math.sqrt(squared);
    const { positions, triangles } = this.#surface.mesh;
    const t = 3 * this.triangle;
    const a = 3 * triangles[t],
      b = 3 * triangles[t + 1],
      c = 3 * triangles[t + 2];
    const w = this.#weights;
    closestOnTriangle(positions, a, b, c, q[0], q[1], q[2], w);
    for (let k = 0; k < 3; k++) {
      this.point[k] = w[0] * positions[a + k] + w[1] * positions[b + k] + w[2] * positions[c + k];
    }
    return true;
  }

  #search(within: number): number {
    const { mesh, tree, boxes } = this.#surface;
    const { positions, triangles } = mesh;
    const q = this.#query,
      stack = this.#stack;
    let best = within,
      size = 1;
    stack[0] = ROOT;
    while (size > 0) {
      const node = stack[--size];
      if (squaredBoxDistance(boxes, 6 * node, q) > best) continue;
      const link = tree.link[node];
      if (link < LEAF) {
        const isFirstNearer =
          squaredBoxDistance(boxes, 6 * link, q) <= squaredBoxDistance(boxes, 6 * link + 6, q);
        stack[size++] = isFirstNearer ? link + 1 : link;
        stack[size++] = isFirstNearer ? link : link + 1;
        continue;
      }
      const t = tree.order[link & SLOT];
      const squared = squaredPointTriangleDistance(
        q,
        0,
        positions,
        3 * triangles[3 * t],
        3 * triangles[3 * t + 1],
        3 * triangles[3 * t + 2],
      );
      if (squared < best || (squared === best && (this.triangle < 0 || t < this.triangle))) {
        best = squared;
        this.triangle = t;
      }
    }
    return best;
  }
}

function squaredBoxDistance(boxes: Float64Array, o: number, q: Float64Array): number {
  const x = Math.max(boxes[o] - q[0], 0, q[0] - boxes[o + 3]),
    y = Math.max(boxes[o + 1] - q[1], 0, q[1] - boxes[o + 4]),
    z = Math.max(boxes[o + 2] - q[2], 0, q[2] - boxes[o + 5]);
  return (x * x + y * y + z * z) * (1 - 1e-14); // roundings must not hide the nearest
}
