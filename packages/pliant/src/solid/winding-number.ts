import { checkObject, describe } from '../mesh/check-input.ts';
import { checkTriangleMesh } from '../mesh/check-mesh.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { firstChild, isLeaf, ROOT, triangleOfLeaf } from '../tree/tree.ts';
import { createSurfaceTree, STACK_SIZE, type SurfaceTree } from './surface-tree.ts';
import { normalised } from './unit-box.ts';

export interface WindingOptions {
  /** No answer is further from the exact sum than this, but for roundings of about 1e-12. 0: sum exactly. Default: 0.01. */
  tolerance?: number;
}

/** Nodes with no more triangles are summed one by one. */
const NEAR = 4;
/** Numbers per node: centre, radius, area, Σ area normals (3), Σ of their moments about the centre (6, symmetric). */
const STRIDE = 14;

/**
 * Generalised winding numbers: how often the surface goes around a point, as a share of the full solid angle. Closed
 * surfaces turned outwards give 1 inside and 0 outside; open ones something between. On the surface itself the
 * answer means nothing.
 *
 * Far nodes are expanded to first order about their centre c. With G(y) = y/|y|³, all second derivatives of which
 * are at most 6/|y|⁴, a node of area A, radius r and distance d is wrong by at most 3 A r² / (d − r)⁴: it is taken
 * when that is within its share of the tolerance by area, else its children are asked.
 */
export class WindingNumbers {
  readonly #surface: SurfaceTree;
  readonly #origin: Float64Array;
  readonly #scale: number;
  readonly #moments: Float64Array;
  readonly #stack = new Int32Array(STACK_SIZE);
  readonly #nearness: number; // r² nearness ≤ (d − r)⁴ allows the expansion

  constructor(mesh: TriangleMesh, options: WindingOptions = {}) {
    checkTriangleMesh(mesh);
    checkObject('options', options);
    const { tolerance = 0.01 } = options;
    if (!(typeof tolerance === 'number' && tolerance >= 0)) {
      throw new InputError('bad-option', `tolerance must be 0 or more, not ${describe(tolerance)}`);
    }
    const unit = normalised(mesh);
    this.#origin = unit.origin;
    this.#scale = unit.scale;
    this.#surface = createSurfaceTree(unit.mesh);
    this.#moments = createMoments(this.#surface);
    this.#nearness = (3 * this.#moments[STRIDE * ROOT + 4]) / (4 * Math.PI * tolerance);
  }

  at(x: number, y: number, z: number): number {
    const [ox, oy, oz] = this.#origin;
    return this.#sum((x - ox) * this.#scale, (y - oy) * this.#scale, (z - oz) * this.#scale) / (4 * Math.PI);
  }

  #sum(x: number, y: number, z: number): number {
    const { mesh, tree } = this.#surface;
    const m = this.#moments,
      stack = this.#stack;
    let angle = 0;
    let size = 1;
    stack[0] = ROOT;
    while (size > 0) {
      const node = stack[--size];
      const count = tree.slotCount[node];
      if (count > NEAR) {
        const o = STRIDE * node;
        const u = m[o] - x,
          v = m[o + 1] - y,
          w = m[o + 2] - z,
          r = m[o + 3];
        const dd = u * u + v * v + w * w,
          d = Math.sqrt(dd);
        const gap = (d - r) * (d - r);
        if (d > r && r * r * this.#nearness <= gap * gap) angle += expand(m, o, u, v, w, dd, d);
        else {
          stack[size++] = tree.link[node];
          stack[size++] = tree.link[node] + 1;
        }
        continue;
      }
      for (let slot = tree.firstSlot[node], end = slot + count; slot < end; slot++) {
        angle += solidAngle(mesh, tree.order[slot], x, y, z);
      }
    }
    return angle;
  }
}

/** N·G(y) + Σ moments · ∇G(y), y from the point to the centre. */
function expand(m: Float64Array, o: number, u: number, v: number, w: number, dd: number, d: number): number {
  const along = m[o + 5] * u + m[o + 6] * v + m[o + 7] * w;
  const trace = m[o + 8] + m[o + 9] + m[o + 10];
  const bent =
    m[o + 8] * u * u +
    m[o + 9] * v * v +
    m[o + 10] * w * w +
    2 * (m[o + 11] * u * v + m[o + 12] * v * w + m[o + 13] * w * u);
  return (along + trace - (3 * bent) / dd) / (dd * d);
}

/** The signed solid angle of a triangle (Van Oosterom and Strackee 1983); positive when seen from behind. */
function solidAngle(
  { positions: p, triangles }: TriangleMesh,
  t: number,
  x: number,
  y: number,
  z: number,
): number {
  const a = 3 * triangles[3 * t],
    b = 3 * triangles[3 * t + 1],
    c = 3 * triangles[3 * t + 2];
  const ax = p[a] - x,
    ay = p[a + 1] - y,
    az = p[a + 2] - z;
  const bx = p[b] - x,
    by = p[b + 1] - y,
    bz = p[b + 2] - z;
  const cx = p[c] - x,
    cy = p[c + 1] - y,
    cz = p[c + 2] - z;
  const la = Math.sqrt(ax * ax + ay * ay + az * az),
    lb = Math.sqrt(bx * bx + by * by + bz * bz),
    lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const below =
    la * lb * lc +
    (ax * bx + ay * by + az * bz) * lc +
    (bx * cx + by * cy + bz * cz) * la +
    (cx * ax + cy * ay + cz * az) * lb;
  return 2 * Math.atan2(volume, below);
}

/** Children before parents: their moments are moved to the common centre and added. */
function createMoments({ mesh, tree, boxes }: SurfaceTree): Float64Array {
  const m = new Float64Array(STRIDE * tree.nodeCount);
  for (let node = tree.nodeCount - 1; node >= 0; node--) {
    const o = STRIDE * node;
    if (isLeaf(tree, node)) setTriangleMoments(mesh, triangleOfLeaf(tree, node), m, o);
    else joinMoments(m, o, STRIDE * firstChild(tree, node), boxes, 6 * node);
    m[o + 3] = reachOf(m, o, boxes, 6 * node);
  }
  return m;
}

function setTriangleMoments(
  { positions: p, triangles }: TriangleMesh,
  t: number,
  m: Float64Array,
  o: number,
): void {
  const a = 3 * triangles[3 * t],
    b = 3 * triangles[3 * t + 1],
    c = 3 * triangles[3 * t + 2];
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3,
      j = (k + 2) % 3;
    m[o + k] = (p[a + k] + p[b + k] + p[c + k]) / 3;
    m[o + 5 + k] =
      ((p[b + i] - p[a + i]) * (p[c + j] - p[a + j]) - (p[b + j] - p[a + j]) * (p[c + i] - p[a + i])) / 2;
  }
  m[o + 4] = Math.hypot(m[o + 5], m[o + 6], m[o + 7]);
}

function joinMoments(m: Float64Array, o: number, first: number, boxes: Float64Array, box: number): void {
  const area = m[first + 4] + m[first + STRIDE + 4];
  for (let k = 0; k < 3; k++) {
    const weighted = m[first + 4] * m[first + k] + m[first + STRIDE + 4] * m[first + STRIDE + k];
    m[o + k] = area > 0 ? weighted / area : (boxes[box + k] + boxes[box + 3 + k]) / 2;
  }
  m[o + 4] = area;
  for (let c = first; c <= first + STRIDE; c += STRIDE) {
    const u = m[c] - m[o],
      v = m[c + 1] - m[o + 1],
      w = m[c + 2] - m[o + 2];
    const nx = m[c + 5],
      ny = m[c + 6],
      nz = m[c + 7];
    m[o + 5] += nx;
    m[o + 6] += ny;
    m[o + 7] += nz;
    m[o + 8] += m[c + 8] + u * nx;
    m[o + 9] += m[c + 9] + v * ny;
    m[o + 10] += m[c + 10] + w * nz;
    m[o + 11] += m[c + 11] + (u * ny + v * nx) / 2;
    m[o + 12] += m[c + 12] + (v * nz + w * ny) / 2;
    m[o + 13] += m[c + 13] + (w * nx + u * nz) / 2;
  }
}

/** From the centre to the farthest corner of the box. */
function reachOf(m: Float64Array, o: number, boxes: Float64Array, box: number): number {
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const reach = Math.max(m[o + k] - boxes[box + k], boxes[box + 3 + k] - m[o + k]);
    squared += reach * reach;
  }
  return Math.sqrt(squared);
}
