import type { PlacedPoints } from '../deform/placed.ts';
import type { HandledDeformer, MotionEnd, PointSource } from '../deform/point-source.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { type BallNodes, shareBallNodes } from './ball-nodes.ts';
import type { Bounds } from './bounds.ts';
import { PlacedHandles } from './placed-handles.ts';

/** How the ball of a node follows from its ball at rest and the handles. */
export interface BallRule {
  /**
   * Writes to `out` (centre, radius) a ball that holds the images of all points of the node, which `rest` holds before
   * the handles; `handles.margin` is still to be added.
   */
  fit(node: number, rest: Float64Array, handles: PlacedHandles, out: Float64Array): void;
}

/**
 * Balls of nodes moved by affine handles, one node at a time in any order, in float64. Boxes are those around the
 * balls, for queries that know nothing else.
 */
export class SphereBounds implements Bounds {
  readonly box: Float64Array;
  readonly stride = 6;
  readonly boundedNodes: number;
  /** Centre and radius, four numbers per node; valid for nodes ensured since the last change of pose. */
  readonly ball: Float64Array;
  refitted = 0;

  readonly #nodes: BallNodes;
  readonly #rule: BallRule;
  readonly #source: PointSource;
  readonly #handles: readonly [PlacedHandles, PlacedHandles];
  readonly #stamps: Uint32Array;
  readonly #rest = new Float64Array(4); // of the node being fitted, displaced by the modes
  readonly #start = new Float64Array(4);
  readonly #end = new Float64Array(4);
  #stamp = 0;
  #epoch = 0;
  #swept = false;

  /** `placed` for balls in the world, without it in the body's own coordinates. */
  constructor(
    kernels: Kernels,
    mesh: ResidentMesh,
    deformer: HandledDeformer,
    placed: PlacedPoints | undefined,
    createRule: (nodes: BallNodes) => BallRule,
  ) {
    const { handles } = deformer;
    const nodes = shareBallNodes(kernels, mesh, handles);
    const { boundedNodes } = nodes;
    this.#nodes = nodes;
    this.#rule = createRule(nodes);
    this.#source = placed ?? deformer;
    this.#handles = [
      new PlacedHandles(kernels, nodes, handles, placed),
      new PlacedHandles(kernels, nodes, handles, placed),
    ];
    this.boundedNodes = boundedNodes;
    this.box = new Float64Array(6 * boundedNodes);
    this.ball = new Float64Array(4 * boundedNodes);
    this.#stamps = new Uint32Array(boundedNodes);
  }

  begin(swept: boolean): void {
    const source = this.#source;
    const wanted = swept && source.hasMotion;
    if (this.#epoch === source.epoch && this.#swept === wanted) return;
    this.#epoch = source.epoch;
    this.#swept = wanted;
    if (this.#stamp === 0xffffffff) {
      this.#stamps.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
    this.#handles[0].place(0);
    if (wanted) this.#handles[1].place(1);
  }

  ensure(node: number): void {
    if (this.#stamps[node] === this.#stamp) return;
    this.#stamps[node] = this.#stamp;
    this.refitted++;
    this.#fit(node, 0, this.#start);
    if (this.#swept) {
      this.#fit(node, 1, this.#end);
      growByBall(this.#start, this.#end);
    }
    this.#store(node);
  }

  refitAll(): void {
    for (let node = 0; node < this.boundedNodes; node++) this.ensure(node);
  }

  free(): void {}

  /** A node that is hardly smaller than the one above it is opened without a look: some have many children. */
  skips(node: number): boolean {
    return node < this.boundedNodes && this.#nodes.isSkipped[node] === 1;
  }

  /** Compares the balls of two nodes that have one; undefined where the other body has no balls. */
  areApart(node: number, other: Bounds, otherNode: number): boolean | undefined {
    if (!(other instanceof SphereBounds)) return undefined;
    this.ensure(node);
    other.ensure(otherNode);
    const p = this.ball,
      q = other.ball;
    const i = 4 * node,
      j = 4 * otherNode;
    const x = p[i] - q[j],
      y = p[i + 1] - q[j + 1],
      z = p[i + 2] - q[j + 2],
      reach = p[i + 3] + q[j + 3];
    return x * x + y * y + z * z > reach * reach * UP;
  }

  #fit(node: number, end: MotionEnd, out: Float64Array): void {
    const handles = this.#handles[end];
    this.#displace(node, handles.modeWeights);
    this.#rule.fit(node, this.#rest, handles, out);
    out[3] = out[3] * UP + handles.margin;
    if (out[0] - out[0] + (out[1] - out[1]) + (out[2] - out[2]) === 0 && out[3] < Infinity) return;
    out.fill(0); // too large to say anything
    out[3] = Infinity;
  }

  /** The ball at rest after the modes: shifted by the centres of their boxes, grown by what these can add. */
  #displace(node: number, weights: Float64Array): void {
    const { ball, modeStart, mode, modeBox } = this.#nodes;
    const rest = this.#rest;
    for (let k = 0; k < 4; k++) rest[k] = ball[4 * node + k];
    let x = 0,
      y = 0,
      z = 0;
    for (let e = modeStart[node]; e < modeStart[node + 1]; e++) {
      const q = weights[mode[e]];
      if (q === 0) continue;
      const o = 6 * e;
      rest[0] += q * modeBox[o];
      rest[1] += q * modeBox[o + 1];
      rest[2] += q * modeBox[o + 2];
      x += Math.abs(q) * modeBox[o + 3];
      y += Math.abs(q) * modeBox[o + 4];
      z += Math.abs(q) * modeBox[o + 5];
    }
    rest[3] += Math.sqrt(x * x + y * y + z * z) * UP;
  }

  #store(node: number): void {
    const { ball, box } = this;
    const start = this.#start;
    const x = start[0],
      y = start[1],
      z = start[2],
      r = start[3];
    ball.set(start, 4 * node);
    const o = 6 * node;
    // Half of the margin in the radius covers these roundings many times over.
    box[o] = x - r;
    box[o + 1] = y - r;
    box[o + 2] = z - r;
    box[o + 3] = x + r;
    box[o + 4] = y + r;
    box[o + 5] = z + r;
  }
}

/** Covers the roundings of distances. */
const UP = 1 + 2 ** -44;

/** Makes p the smallest ball around p and q. */
function growByBall(p: Float64Array, q: Float64Array): void {
  const x = q[0] - p[0],
    y = q[1] - p[1],
    z = q[2] - p[2];
  const distance = Math.sqrt(x * x + y * y + z * z);
  if (distance + q[3] <= p[3] || p[3] === Infinity) return;
  if (distance + p[3] <= q[3] || q[3] === Infinity) {
    p.set(q);
    return;
  }
  const radius = (distance + p[3] + q[3]) / 2;
  const share = distance > 0 ? Math.min(1, Math.max(0, (radius - p[3]) / distance)) : 0;
  const r = Math.max(share * distance + p[3], (1 - share) * distance + q[3]);
  p[0] += share * x;
  p[1] += share * y;
  p[2] += share * z;
  p[3] = r * UP;
}
