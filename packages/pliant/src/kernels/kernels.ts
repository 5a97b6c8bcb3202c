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

  /** Laplacians of the rows of patches and their Grams, see kernels/energy.ts for the layouts. */
  sumEnergies(
    patches: number,
    counts: number,
    patchCount: number,
    points: number,
    near: number,
    slots: number,
    grams: number,
  ): void;
  /** The Gram of two patches together, which share rows. */
  joinEnergies(
    gramA: number,
    gramB: number,
    shared: number,
    sharedCount: number,
    slots: number,
    out: number,
  ): void;
  /** Ranges of the static front outside of calm patches; see src/cull/energy/energy-program.ts for the header. */
  listCalm(header: number): void;
  /** 1 proves that nothing touches within the patch of an item, or between its two. */
  testCalm(header: number, item: number): number;

  /** Pairs of nodes that a pose leaves open, see kernels/planes.ts; returns how many. */
  listOpen(
    tree: number,
    pose: number,
    ends: number,
    most: number,
    room: number,
    queue: number,
    out: number,
    places: number,
  ): number;

  /**
   * Rows [from, to) of the factor L of a dense symmetric A, those before being done; -1, or the row whose pivot is not
   * above `least` of A's diagonal. For this and the next, see kernels/dense.ts: rows of f64, strides in numbers, even.
   */
  factorDense(A: number, L: number, stride: number, from: number, to: number, least: number): number;
  /** x ← L⁻¹ x for rows x, entries [from, to); those before are done. */
  solveDense(
    L: number,
    stride: number,
    from: number,
    to: number,
    rows: number,
    rowStride: number,
    count: number,
  ): void;
  /** x ← L⁻ᵀ x for rows x. */
  solveDenseTransposed(
    L: number,
    stride: number,
    size: number,
    rows: number,
    rowStride: number,
    count: number,
  ): void;
  /** Products of each row of a with each of b; with `lower` those on and below the diagonal, and a few above. */
  multiplyRows(
    a: number,
    aStride: number,
    aCount: number,
    b: number,
    bStride: number,
    bCount: number,
    length: number,
    lower: number,
    out: number,
    outStride: number,
  ): void;
  /** out_i += Σ c_ik rows_k. */
  combineRows(
    c: number,
    cStride: number,
    count: number,
    rows: number,
    rowStride: number,
    rowCount: number,
    length: number,
    out: number,
    outStride: number,
  ): void;

  /** p = Σ W v, or p += Σ W v, at the rows of a group of functions; 0 for `rows` stands for all. See kernels/groups.ts. */
  gatherGroup(
    rows: number,
    rowCount: number,
    weights: number,
    columns: number,
    v: number,
    stride: number,
    p: number,
    isAdding: number,
  ): void;
  /** out += Wᵀ b. */
  projectGroup(
    rows: number,
    rowCount: number,
    weights: number,
    columns: number,
    b: number,
    out: number,
    stride: number,
  ): void;
  /** out += Wᵀ L X over rows [from, to) of a group: columns × width; X is another one, whose rows `place` finds. */
  coupleGroups(
    start: number,
    column: number,
    value: number,
    rows: number,
    from: number,
    to: number,
    weights: number,
    columns: number,
    place: number,
    other: number,
    width: number,
    out: number,
  ): void;

  /** Matrices of groups of vertices from spokes that were w (p̄ − p̄_j) at rest; see kernels/arap.ts for all layouts. */
  gatherSpokes(
    count: number,
    points: number,
    start: number,
    neighbour: number,
    spoke: number,
    labels: number,
    groups: number,
    matrices: number,
  ): void;
  /**
   * Fits a rotation to every vertex and writes b_i = ½ Σ w (R_i + R_j)(p̄ − p̄_j); returns Σ (weight / 4 − trace / 2).
   * Scratch: SCRATCH_BYTES of edit/arap.
   */
  fitSpokes(
    count: number,
    points: number,
    start: number,
    neighbour: number,
    spoke: number,
    rotations: number,
    b: number,
    scratch: number,
  ): number;
  /** b of rotations that groups of vertices share: `labels` names that of each vertex. */
  sumSpokes(
    count: number,
    start: number,
    neighbour: number,
    spoke: number,
    labels: number,
    rotations: number,
    b: number,
  ): void;
  /** The rotation R with the largest tr(Rᵀ M) for every matrix M; what is there stays where it is as good. */
  fitMatrices(count: number, matrices: number, rotations: number, scratch: number): void;
  /** The same for tetrahedra, and with `targets` the nearest matrices with singular values in a range. Returns the energy. */
  fitElements(
    count: number,
    points: number,
    corners: number,
    elements: number,
    rotations: number,
    targets: number,
    least: number,
    most: number,
    scratch: number,
  ): number;
  /** b = Σ V T ∇ at every corner. */
  sumElements(
    count: number,
    vertices: number,
    corners: number,
    elements: number,
    targets: number,
    b: number,
  ): void;
}

export const LEAF = 0x80000000;
export const SLOT = 0x7fffffff;
/** The largest cell of a quantised coordinate. */
export const CELLS = 32767;
