import type { BlendHandles } from '../deform/handles.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import type { BallNodes } from './ball-nodes.ts';
import { type JointSets, shareJointSets } from './joint-sets.ts';
import type { PlacedHandles } from './placed-handles.ts';
import type { BallRule } from './sphere-bounds.ts';

/**
 * Balls as Kavan & Žára 2005 refit them: the joint sets of the vertices below a node, each with the corners r_i of its
 * weights; per corner the ball R_i = Σ_j r_ij C_j S (their Eq. 5), and around all of these one ball, whose centre is
 * the mean of theirs.
 *
 * Erratum: the paper keeps the radius of S, which holds for rotations only, and not for those of float32 files. Here
 * C_j S has the radius of S times an upper bound of the largest singular value of C_j. Weights may be negative: the
 * radius of R_i is then a sum over |r_ij|.
 */
export class JointSetBalls implements BallRule {
  readonly #sets: JointSets;
  readonly #images: Float64Array; // of the joints of one set: centre, radius
  readonly #balls: Float64Array; // R_i of one node

  constructor(kernels: Kernels, mesh: ResidentMesh, blend: BlendHandles, nodes: BallNodes) {
    this.#sets = shareJointSets(kernels, mesh, blend, nodes);
    this.#images = new Float64Array(4 * this.#sets.mostMembers);
    this.#balls = new Float64Array(4 * this.#sets.mostCorners);
  }

  fit(node: number, rest: Float64Array, handles: PlacedHandles, out: Float64Array): void {
    const { entryStart } = this.#sets;
    let count = 0;
    for (let e = entryStart[node]; e < entryStart[node + 1]; e++)
      count = this.#addSet(e, rest, handles, count);
    this.#enclose(count, out);
  }

  /** The balls of the corners of one joint set. */
  #addSet(entry: number, rest: Float64Array, { matrices, stretch }: PlacedHandles, count: number): number {
    const { set, setStart, member, cornerStart, corners } = this.#sets;
    const images = this.#images,
      balls = this.#balls;
    const x = rest[0],
      y = rest[1],
      z = rest[2];
    const first = setStart[set[entry]],
      n = setStart[set[entry] + 1] - first;
    for (let k = 0; k < n; k++) {
      const j = member[first + k],
        m = 12 * j,
        o = 4 * k;
      images[o] = matrices[m] * x + matrices[m + 1] * y + matrices[m + 2] * z + matrices[m + 3];
      images[o + 1] = matrices[m + 4] * x + matrices[m + 5] * y + matrices[m + 6] * z + matrices[m + 7];
      images[o + 2] = matrices[m + 8] * x + matrices[m + 9] * y + matrices[m + 10] * z + matrices[m + 11];
      images[o + 3] = stretch[j] * rest[3];
    }
    for (let c = cornerStart[entry]; c < cornerStart[entry + 1]; c += n, count++) {
      let cx = 0,
        cy = 0,
        cz = 0,
        radius = 0;
      for (let k = 0; k < n; k++) {
        const w = corners[c + k],
          o = 4 * k;
        cx += w * images[o];
        cy += w * images[o + 1];
        cz += w * images[o + 2];
        radius += Math.abs(w) * images[o + 3];
      }
      const b = 4 * count;
      balls[b] = cx;
      balls[b + 1] = cy;
      balls[b + 2] = cz;
      balls[b + 3] = radius;
    }
    return count;
  }

  #enclose(count: number, out: Float64Array): void {
    const balls = this.#balls;
    let x = 0,
      y = 0,
      z = 0;
    for (let o = 0; o < 4 * count; o += 4) {
      x += balls[o];
      y += balls[o + 1];
      z += balls[o + 2];
    }
    x /= count;
    y /= count;
    z /= count;
    let radius = 0;
    for (let o = 0; o < 4 * count; o += 4) {
      const dx = balls[o] - x,
        dy = balls[o + 1] - y,
        dz = balls[o + 2] - z;
      radius = Math.max(radius, Math.sqrt(dx * dx + dy * dy + dz * dz) + balls[o + 3]);
    }
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = radius;
  }
}
