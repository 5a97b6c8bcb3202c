import type { PlacedPoints } from '../deform/placed.ts';
import type { FreeBoxes } from './aabb-free.ts';
import type { Bounds } from './bounds.ts';

/**
 * World boxes of a free body that also has a world matrix: the box of a transformed box, one node at a time.
 */
export class PlacedBoxes implements Bounds {
  readonly box: Float64Array;
  readonly boundedNodes: number;
  readonly stride = 6;
  refitted = 0;

  readonly #local: FreeBoxes;
  readonly #placed: PlacedPoints;
  readonly #stamps: Uint32Array;
  #stamp = 0;
  #epoch = 0;
  #swept = false;

  constructor(local: FreeBoxes, placed: PlacedPoints) {
    this.#local = local;
    this.#placed = placed;
    this.boundedNodes = local.boundedNodes;
    this.box = new Float64Array(6 * local.boundedNodes);
    this.#stamps = new Uint32Array(local.boundedNodes);
  }

  begin(swept: boolean): void {
    const wanted = swept && this.#placed.hasMotion;
    this.#local.begin(swept);
    if (this.#epoch === this.#placed.epoch && this.#swept === wanted) return;
    this.#epoch = this.#placed.epoch;
    this.#swept = wanted;
    if (this.#stamp === 0xffffffff) {
      this.#stamps.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
  }

  ensure(node: number): void {
    if (this.#stamps[node] === this.#stamp) return;
    this.#stamps[node] = this.#stamp;
    this.#local.ensure();
    this.refitted++;
    const { box } = this.#local;
    const [start, end] = this.#placed.matrices;
    placeBox(start, box, 6 * node, this.box, 6 * node, false);
    if (this.#swept) placeBox(end, box, 6 * node, this.box, 6 * node, true);
  }

  free(): void {}

  refitAll(): void {
    for (let node = 0; node < this.boundedNodes; node++) this.ensure(node);
  }
}

/**
 * The box around the image of box `b`, rounded outward far enough to hold every image point as transformPoint
 * rounds it: that has four products and sums, hence an error below 4 · 2⁻⁵³ of the sum of their sizes; ours, from
 * centre and half size, below 8 · 2⁻⁵³ of it. 2⁻⁴⁹ covers both; UNDERFLOW, times the matrix, what underflows.
 */
export function placeBox(
  m: Float64Array,
  b: Float64Array,
  o: number,
  out: Float64Array,
  r: number,
  grow: boolean,
): void {
  const cx = b[o] / 2 + b[o + 3] / 2,
    cy = b[o + 1] / 2 + b[o + 4] / 2,
    cz = b[o + 2] / 2 + b[o + 5] / 2;
  const ex = b[o + 3] / 2 - b[o] / 2,
    ey = b[o + 4] / 2 - b[o + 1] / 2,
    ez = b[o + 5] / 2 - b[o + 2] / 2;
  const sx = Math.abs(cx) + ex,
    sy = Math.abs(cy) + ey,
    sz = Math.abs(cz) + ez;
  for (let k = 0; k < 3; k++) {
    const i = 4 * k;
    const m0 = Math.abs(m[i]),
      m1 = Math.abs(m[i + 1]),
      m2 = Math.abs(m[i + 2]);
    const centre = m[i] * cx + m[i + 1] * cy + m[i + 2] * cz + m[i + 3];
    const size = m0 * sx + m1 * sy + m2 * sz + Math.abs(m[i + 3]);
    const half = m0 * ex + m1 * ey + m2 * ez + size * 2 ** -49 + (m0 + m1 + m2 + 1) * UNDERFLOW;
    out[r + k] = grow ? Math.min(out[r + k], centre - half) : centre - half;
    out[r + 3 + k] = grow ? Math.max(out[r + 3 + k], centre + half) : centre + half;
  }
}

const UNDERFLOW = 2 ** -1060;
