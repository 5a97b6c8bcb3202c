import type { Kernels } from './kernels.ts';

/**
 * Kernels that only certificates and shapes need: a module of its own, so that queries do not carry it. What is said of
 * Kernels holds for them, too; `withExtra` adds them.
 */
export interface ExtraKernels {
  /** Laplacians of the rows of patches, their Grams and boxes of their points; see kernels/energy.ts for the layouts. */
  sumEnergies(
    patches: number,
    counts: number,
    patchCount: number,
    points: number,
    near: number,
    slots: number,
    grams: number,
    loose: number,
    boxes: number,
  ): void;
  /** The Gram of two patches together, which share rows. */
  joinEnergies(
    gramA: number,
    gramB: number,
    shared: number,
    sharedCount: number,
    slots: number,
    rests: number,
    out: number,
  ): void;
  /**
   * Boxes of all small patches, and of each its cone of normals or its energies: what the last pose needed. See
   * src/cull/energy/energy-layout.ts for this header and the next ones.
   */
  survey(header: number): void;
  /** 1 proves that nothing touches within what an item is about: it faces one way, and its outline does not cross itself. */
  testOutline(header: number, item: number): number;
  /** 16-bit boxes of small patches and of the nodes above them. */
  fitUpper(header: number): void;
  /** What is left outside of calm patches: ranges of the static front, pairs of small patches; marks these patches. */
  listCalm(header: number): void;
  /** The same for an item and what is below it, only to count: adds to tests, failed ones and pairs that are left. */
  sampleCalm(header: number, first: number): void;
  /** 16-bit boxes of the nodes below marked patches. */
  fitParts(header: number): void;
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

export type AllKernels = Kernels & ExtraKernels;
