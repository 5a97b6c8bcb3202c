import type { AllKernels } from './extra-kernels.ts';
import type { KernelMemory } from './memory.ts';

/**
 * The hot loops, twice: AssemblyScript with SIMD (`kernels/` beside `src/`) and TypeScript. Both work on the
 * same bytes and leave the same bytes behind, so either may run any stage; the tests compare them.
 *
 * Every argument that names data is a byte address in `memory`. Layouts:
 * - points: x, y, z as f64; 24 bytes each
 * - corners: three u32 vertex ids per triangle, in tree order ("slots"); one u32 more is readable behind them
 * - link: u32 per node: the first of two adjacent children, or LEAF | slot
 * - box: eight i16 [lo.xyz, leaf, M − hi.xyz, leaf], M = 32767; 16 bytes, see kernels/boxes.ts
 * - pairs: two u32 node ids; a list that is written has room for one pair more than its stated need
 */
export interface Kernels {
  readonly name: 'wasm' | 'ts';
  readonly memory: KernelMemory;
  /** What the memory is in WebAssembly. */
  readonly raw?: WebAssembly.Memory;
  /** These and those that only certificates and shapes need, once one of them has asked: see withExtra. */
  all?: AllKernels;

  /** Smallest and largest coordinates: six f64 at `out`. */
  pointBounds(points: number, count: number, out: number): void;
  /** A box per point in the frame (origin xyz, cells per unit xyz) at `frame`. Monotone, hence sound. */
  quantise(points: number, count: number, frame: number, boxes: number): void;
  /** Boxes of all nodes from those of the vertices. */
  refit(nodeCount: number, link: number, corners: number, vertexBoxes: number, nodeBoxes: number): void;

  /** Tests pairs; the overlapping ones go to `next` or, when both are leaves, to `leaves`. Two u32 at counts. */
  testPairs(
    pairs: number,
    count: number,
    boxesA: number,
    boxesB: number,
    next: number,
    leaves: number,
    counts: number,
  ): void;
  /** The same for pairs that are all leaf pairs, or none of them; returns how many went to `out`. */
  testAlike(pairs: number, count: number, boxesA: number, boxesB: number, out: number): number;
  /** The same for the two children of each inner node in [from, to). */
  testSiblings(
    from: number,
    to: number,
    link: number,
    boxes: number,
    next: number,
    leaves: number,
    counts: number,
  ): void;
  /** Replaces overlapping pairs by their overlapping child pairs: up to four for one. */
  expandPairs(
    pairs: number,
    count: number,
    linkA: number,
    boxesA: number,
    linkB: number,
    boxesB: number,
    next: number,
    leaves: number,
    counts: number,
  ): void;
  /**
   * testPairs for a motion: the boxes at the end are `stride` bytes behind those at the start. A pair is apart when
   * one axis separates it on the same side at both ends. A stride of 0 stands for a body at rest.
   */
  testMovingPairs(
    pairs: number,
    count: number,
    boxesA: number,
    strideA: number,
    boxesB: number,
    strideB: number,
    next: number,
    leaves: number,
    counts: number,
  ): void;
  /** expandPairs for a motion. */
  expandMovingPairs(
    pairs: number,
    count: number,
    linkA: number,
    boxesA: number,
    strideA: number,
    linkB: number,
    boxesB: number,
    strideB: number,
    next: number,
    leaves: number,
    counts: number,
  ): void;
  /** Keeps the leaf pairs whose triangles share no vertex, in place; returns how many. */
  dropAdjacent(pairs: number, count: number, link: number, corners: number): number;
  /**
   * Keeps the leaf pairs whose triangles may touch in a motion, in place; returns how many. Looks at the whole motion, and up
   * to `levels` times, three at most, at halves of it and halves of these. `room`: for 504 bytes and 288 more per level.
   */
  dropSeparated(
    pairs: number,
    count: number,
    linkA: number,
    cornersA: number,
    startA: number,
    endA: number,
    linkB: number,
    cornersB: number,
    startB: number,
    endB: number,
    levels: number,
    room: number,
  ): number;
  /**
   * Leaf pairs: proven contacts go to `hits`, undecided ones to `unsure`; the others are apart. `bound` is
   * the boundOfPoints of all of them, or Infinity.
   */
  narrowPairs(
    pairs: number,
    count: number,
    linkA: number,
    cornersA: number,
    pointsA: number,
    linkB: number,
    cornersB: number,
    pointsB: number,
    bound: number,
    hits: number,
    unsure: number,
    counts: number,
  ): void;

  /** The classic way: f64 boxes (lo.xyz, hi.xyz; 48 bytes), bottom-up; `grow` 1 keeps what they held. */
  refitBoxes(
    nodeCount: number,
    link: number,
    corners: number,
    points: number,
    boxes: number,
    grow: number,
  ): void;
  /** … and a depth-first traversal from a stack of pairs; depth, leaf pairs and steps at counts. */
  descend(
    stack: number,
    depth: number,
    linkA: number,
    boxesA: number,
    linkB: number,
    boxesB: number,
    leaves: number,
    room: number,
    steps: number,
    self: number,
    counts: number,
  ): void;

  /**
   * Once per pose and end of a motion (0 or 1), for points that follow handles: float32 columns of the handles, and
   * how large their images are. A side is the block that refit/handle-boxes.ts fills, see kernels/side.ts.
   */
  placeHandles(side: number, end: number): void;
  /** The box of a node, six f32 rounded outward, computed now unless it was since `placeHandles`. */
  ensureBox(side: number, node: number): void;
  /** 1 when the boxes of two nodes overlap; computes them if it must. */
  testBoxes(a: number, n: number, b: number, m: number): number;
  /**
   * Depth first from a stack of pairs whose boxes overlap, computing boxes and points as they are needed. Stops after
   * `steps` pairs, or when the list of leaf pairs is full; depth, leaf pairs and box tests at counts.
   */
  descendOnDemand(
    a: number,
    b: number,
    stack: number,
    depth: number,
    leaves: number,
    room: number,
    steps: number,
    self: number,
    counts: number,
  ): void;

  /**
   * The same from a stack of pairs of small, different nodes of one body, whose boxes are not known: all their points are
   * posed, and boxes of triangles compared. Stops as well when the list may have no room for the next pair.
   */
  testSmallPairs(
    side: number,
    stack: number,
    depth: number,
    leaves: number,
    room: number,
    steps: number,
    counts: number,
  ): void;

  /**
   * Of the points at `from` those that `source` names (u32 each), in its order. 0 when a coordinate of these, or of the first
   * `fromCount` ones, is not a number below 2^300 in size; otherwise 1.
   */
  gatherPoints(from: number, fromCount: number, source: number, count: number, out: number): number;
  /** A row-major 3×4 matrix applied to points. */
  transformPoints(rest: number, count: number, matrix: number, out: number): void;
  /**
   * Rest points plus weighted displacements. Those of point i are the entries [start[i], start[i + 1]): which mode
   * (u32), and the displacement (three f64).
   */
  morphPoints(
    rest: number,
    count: number,
    start: number,
    mode: number,
    delta: number,
    weights: number,
    out: number,
  ): void;
  /** Points under blended matrices. The influences of point i are [start[i], start[i + 1]): joint (u32), weight (f64). */
  skinPoints(
    points: number,
    count: number,
    start: number,
    joint: number,
    weight: number,
    matrices: number,
    out: number,
  ): void;
}

export const LEAF = 0x80000000;
export const SLOT = 0x7fffffff;
/** The largest cell of a quantised coordinate. */
export const CELLS = 32767;
