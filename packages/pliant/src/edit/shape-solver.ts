import type { Kernels } from '../kernels/kernels.ts';
import { checkNumbers } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ResidentEnergy } from './arap/energy.ts';
import type { SpokeEnergy } from './arap/spoke-energy.ts';
import type { ShapeBasis } from './basis/shape-basis.ts';
import type { ContactFinder } from './contact/contact-finder.ts';
import type { ContactRows } from './contact/contact-rows.ts';
import { KernelRows } from './reduced/kernel-rows.ts';
import { ClusteredStep, createFullStep, type LocalStep } from './reduced/local-step.ts';
import { NearRows } from './reduced/near-rows.ts';
import { BasisOracle, type OracleOptions } from './reduced/oracle.ts';
import { ReducedSystem, type SoftRows } from './reduced/reduced-system.ts';
import { fitRigidMotion, moveCoefficients } from './reduced/rigid-fit.ts';
import { ShapePoints } from './shape-points.ts';
import { furthestWay } from './surface-rows.ts';
import type { Cage } from './types.ts';

/** A handle that depends on others by more than this gets functions of its own. */
const WEAK_HANDLE = 0.05;
/** How much contacts give way where they push, of their mean compliance: the margin is larger than what that does. */
const CONTACT_COMPLIANCE = 1e-3;
/** Where something touches, a solve moves nothing by more than this many edges of the cage: contacts are linear. */
const LONGEST_WAY = 1;
/** Columns for which there is room from the beginning: to make some takes longer than a step should. */
const RESERVED = 512;

/** Milliseconds of the stages of a step. */
export interface StageTimes {
  /** Finding contacts. */
  detect: number;
  /** Adding and removing functions. */
  basis: number;
  /** Rotations and the right-hand side. */
  local: number;
  /** The system with its contacts. */
  solve: number;
  /** Positions of cage and surface. */
  place: number;
}

/** What a solver is told at each step, in coordinates of the cage. */
export interface StepInput {
  /** Three numbers per hard row, and per soft row. */
  readonly targets: Float64Array;
  readonly softTargets: Float64Array;
  /** Share of the last shape that stays: static damping. */
  readonly damping: number;
  readonly rule: 'complementarity' | 'equality';
}

export interface StepFigures {
  /** False when the solve failed and the shape was kept. */
  readonly isSolved: boolean;
  /** Energy before the step. */
  readonly energy: number;
  /** How far the vertex of the surface moved that moved most. */
  readonly movement: number;
  readonly hasNewBasis: boolean;
}

/** Coefficients of the groups in use: all there is to know of a pose. */
export interface PoseState {
  readonly groups: readonly number[];
  /** Three rows: those of the global group, then of each group of the list. */
  readonly v: Float64Array;
  /** Per group: steps since something touched it, and what is left of it. Default: 0 and 1. */
  readonly ages?: readonly (readonly [idle: number, share: number])[];
}

/**
 * One step after the other of the local/global iteration in the working basis, with contacts. Everything is in
 * coordinates of the cage.
 */
export class ShapeSolver {
  readonly cage: Cage;
  readonly basis: ShapeBasis;
  readonly system: ReducedSystem;
  readonly oracle: BasisOracle;
  readonly times: StageTimes = { detect: 0, basis: 0, local: 0, solve: 0, place: 0 };
  /** Set while contacts are looked for. */
  contacts: ContactFinder | undefined;
  /** Of the last step. */
  rows: ContactRows | undefined;
  lambda = new Float64Array(64);
  /** How deep the deepest point was at the last step, folds left out. */
  depth = 0;

  readonly #kernels: Kernels;
  readonly #local: LocalStep;
  readonly #points: ShapePoints;
  readonly #b: number; // address of three numbers per vertex of the cage
  readonly #projected: KernelRows; // Uᵀb
  readonly #solved: KernelRows;
  readonly #from: KernelRows; // v when the solve began
  readonly #before: Float64Array; // of the surface, when the step began
  readonly #near: NearRows;
  #hard: Uint32Array = new Uint32Array(0);
  #soft: SoftRows = { vertices: new Uint32Array(0), stiffness: new Float64Array(0) };
  #multipliers = new Map<number, number>(); // of the last step, by key

  constructor(
    kernels: Kernels,
    cage: Cage,
    basis: ShapeBasis,
    energy: ResidentEnergy,
    options: OracleOptions,
    clusters?: Uint32Array,
  ) {
    const { vertexCount } = cage.tetrahedra;
    this.#kernels = kernels;
    this.cage = cage;
    this.basis = basis;
    const source = {
      global: basis.global,
      projection: (a: number, b: number) => (basis.areCoupled(a, b) ? basis.projection(a, b) : undefined),
      memory: basis.memory.kernels === kernels ? basis.memory : undefined, // else it works elsewhere
    };
    this.#points = new ShapePoints(kernels, cage);
    const { embedding } = this.#points;
    this.system = new ReducedSystem(kernels, source, embedding);
    const columns = Math.min(options.columnBudget, basis.hierarchy.nodeCount, RESERVED);
    this.system.reserve(columns);
    this.oracle = new BasisOracle(basis, this.system, embedding, options);
    this.#near = new NearRows(energy.laplacian, cage.tetrahedra.positions, (vertex) =>
      this.oracle.controlOf(vertex),
    );
    this.#b = kernels.memory.allocate(24 * vertexCount);
    this.#projected = new KernelRows(kernels.memory);
    this.#solved = new KernelRows(kernels.memory);
    this.#from = new KernelRows(kernels.memory);
    for (const rows of [this.#projected, this.#solved, this.#from]) rows.reserve(3, columns);
    this.#before = new Float64Array(this.surface.length);
    this.reset();
    this.#local =
      clusters === undefined
        ? createFullStep(energy, this.system, this.#points.address, this.#b)
        : new ClusteredStep(kernels, energy as SpokeEnergy, clusters, this.system);
  }

  /** Positions of the vertices of the surface. */
  get surface(): Float64Array {
    return this.#points.surface;
  }

  /** Positions of the vertices of the cage. */
  get controls(): Float64Array {
    return this.#points.controls;
  }

  /** The rest shape. */
  reset(): void {
    this.oracle.reset();
    const { v } = this.system.basis;
    const { positions } = this.cage.tetrahedra;
    this.basis.global.manipulators.forEach((vertex, k) => {
      for (let axis = 0; axis < 3; axis++) v.f64[v.offset(axis) + k] = positions[3 * vertex + axis];
    });
    this.contacts?.clear();
    this.#multipliers.clear();
    this.#points.place(this.system.basis);
  }

  setRows(hard: Uint32Array, soft: SoftRows): void {
    this.#hard = hard;
    this.#soft = soft;
    this.system.setRows(hard, soft);
  }

  /** Forgets the times of the last step. */
  beginTimes(): void {
    const { times } = this;
    times.detect = times.basis = times.local = times.solve = times.place = 0;
    this.#before.set(this.surface);
  }

  /** Moves the shape as a whole when its handles have moved, and finds contacts. */
  begin(targets: Float64Array, softTargets: Float64Array, hasMoved: boolean): void {
    const start = performance.now();
    if (hasMoved) this.#followRigidly(targets, softTargets);
    const placed = performance.now();
    this.rows = this.contacts?.find(this.surface, this.controls);
    this.depth = this.rows ? this.#leaveFoldsOut(this.rows) : 0;
    this.times.place += placed - start;
    this.times.detect += performance.now() - placed;
  }

  /** The rest of the step. */
  step(input: StepInput): StepFigures {
    const { times, rows } = this;
    let clock = performance.now();
    const lap = (stage: keyof StageTimes) => {
      const now = performance.now();
      times[stage] += now - clock;
      clock = now;
    };
    const kept = this.savePose();
    let hasNewBasis = rows !== undefined && this.oracle.addForContacts(rows, this.surface);
    hasNewBasis = this.#keepHandlesApart() || hasNewBasis;
    lap('basis');
    const energy = this.#local.run(this.#projected);
    lap('local');
    const isSolved = this.#solve(input, rows);
    lap('solve');
    if (isSolved) {
      this.#adopt(input.damping, rows !== undefined && rows.count > 0);
      const faded = this.oracle.fade();
      if (faded === 'shrunk') hasNewBasis = true;
      if (faded !== 'same') this.#points.place(this.system.basis); // positions are always those of the coefficients
    }
    if (!isSolved || !this.#points.isSound()) {
      this.restorePose(kept);
      this.#multipliers.clear();
      this.contacts?.clear();
      return { isSolved: false, energy, movement: 0, hasNewBasis: true };
    }
    if (rows) this.#noteContacts(rows);
    const movement = furthestWay(this.#before, this.surface);
    lap('place');
    return { isSolved: true, energy, movement, hasNewBasis };
  }

  /** Steps that prepare the large groups for when they come into use. */
  *prepareSteps(): Generator<number, void> {
    const large = this.basis.readyGroups().filter(({ level }) => level === 1);
    for (let k = 0; k < large.length; k++) {
      this.#local.prepare(large[k]);
      yield (k + 1) / large.length;
    }
  }

  /** The energy of the shape as it is. */
  energy(): number {
    return this.#local.run(this.#projected);
  }

  savePose(): PoseState {
    const { v, columns } = this.system.basis;
    const out = new Float64Array(3 * columns);
    for (let axis = 0; axis < 3; axis++) {
      out.set(v.f64.subarray(v.offset(axis), v.offset(axis) + columns), axis * columns);
    }
    const groups = this.system.basis.groups.slice(1).map(({ group }) => group.id);
    return { groups, v: out, ages: groups.map((id) => this.oracle.ageOf(id)) };
  }

  /**
   * With `keepsGroups`, groups that the pose has not stay in use, with coefficients of 0. Errors: 'mismatch' when it is
   * not a pose of this basis, 'not-finite', 'index-out-of-range'.
   */
  restorePose({ groups, v: saved, ages }: PoseState, keepsGroups = false): void {
    const { basis } = this.system;
    checkNumbers('coefficients', saved);
    const width = [0, ...groups].reduce((sum, id) => sum + this.basis.ensure(id).columns, 0);
    if (saved.length !== 3 * width) {
      throw new InputError('mismatch', `${saved.length} coefficients for ${width} functions`);
    }
    this.oracle.reset(new Set(keepsGroups ? this.oracle.groups : groups));
    this.oracle.addGroups(groups);
    for (let axis = 0; axis < 3; axis++) {
      const o = basis.v.offset(axis);
      basis.v.f64.fill(0, o, o + basis.columns);
    }
    ages?.forEach((age, k) => {
      this.oracle.setAge(groups[k], age);
    });
    const columns = saved.length / 3;
    let from = 0;
    for (const id of [0, ...groups]) {
      const width = this.basis.ensure(id).columns;
      const active = basis.get(id);
      for (let axis = 0; active && axis < 3; axis++) {
        const values = saved.subarray(axis * columns + from, axis * columns + from + width);
        basis.v.f64.set(values, basis.v.offset(axis) + active.first);
      }
      from += width;
    }
    this.#points.place(this.system.basis);
  }

  dispose(): void {
    this.contacts?.dispose();
    this.#local.dispose();
    this.system.dispose();
    this.#projected.dispose();
    this.#solved.dispose();
    this.#from.dispose();
    this.#points.dispose();
    this.#kernels.memory.free(this.#b);
  }

  /** Rows of folds do nothing. Returns the depth of the others; where nothing crosses, nothing is inside of itself. */
  #leaveFoldsOut(rows: ContactRows): number {
    const isCrossing = this.contacts!.crossingPairs > 0;
    let depth = 0;
    for (let row = 0; row < rows.count; row++) {
      if (this.#near.isNear(rows, row)) rows.terms[row] = 0;
      else if (isCrossing || rows.other[row] >= 0) depth = Math.max(depth, rows.depth[row]);
    }
    return depth;
  }

  /** Handles that depend on one another get deeper functions, as far as the levels go. */
  #keepHandlesApart(): boolean {
    let hasGrown = false;
    if (this.#hard.length > 1) {
      if (!this.#prepare()) return false;
      const { independence } = this.system.held;
      for (let k = 0; k < this.#hard.length; k++) {
        if (independence[k] >= WEAK_HANDLE) continue;
        if (this.oracle.addForHandle(this.#hard[k])) hasGrown = true;
      }
    }
    for (const vertex of this.#hard) this.oracle.keepForHandle(vertex);
    return hasGrown;
  }

  /** Factors the system; groups that turn out to depend on others go again. */
  #prepare(): boolean {
    const { system } = this;
    while (!system.prepare()) {
      const culprit = system.dependentGroup;
      if (culprit === undefined || culprit === 0) return false;
      this.oracle.refuse([culprit]);
      system.removeGroups(new Set([culprit]));
    }
    return true;
  }

  #solve({ targets, softTargets, rule }: StepInput, rows: ContactRows | undefined): boolean {
    const columns = this.system.basis.columns;
    if (!this.#prepare()) return false;
    if (this.system.basis.columns !== columns) this.#local.run(this.#projected); // a group had to go
    if (rows && rows.count > this.lambda.length) this.lambda = new Float64Array(2 * rows.count);
    for (let row = 0; rows && row < rows.count; row++) {
      this.lambda[row] = this.#multipliers.get(rows.key[row]) ?? 0;
    }
    return this.system.solve(
      {
        b: this.#projected,
        targets,
        softTargets,
        contacts: rows,
        rule,
        compliance: CONTACT_COMPLIANCE,
        lambda: this.lambda,
      },
      this.#solved,
    );
  }

  #noteContacts(rows: ContactRows): void {
    this.contacts?.noteMultipliers(this.lambda);
    this.oracle.noteContacts(rows, this.lambda);
    this.#multipliers.clear();
    for (let row = 0; row < rows.count; row++) {
      if (this.lambda[row] < 0) this.#multipliers.set(rows.key[row], this.lambda[row]);
    }
  }

  /** v ← (1 − α) solved + α v; where something touches, α is at least what keeps the way short. */
  #adopt(damping: number, isTouching: boolean): void {
    const { v, columns } = this.system.basis;
    const from = this.#from;
    from.reserve(3, columns);
    for (let axis = 0; axis < 3; axis++) {
      v.f64.copyWithin(from.offset(axis), v.offset(axis), v.offset(axis) + columns);
    }
    this.#points.note();
    this.#mix(1 - damping);
    this.#points.place(this.system.basis);
    if (!isTouching) return;
    const way = this.#points.way(),
      longest = LONGEST_WAY * this.cage.spacing;
    if (!(way > longest)) return;
    this.#mix(((1 - damping) * longest) / way);
    this.#points.shorten(longest / way);
  }

  /** v ← share · solved + (1 − share) · what it was. */
  #mix(share: number): void {
    const { v, columns } = this.system.basis;
    const { f64 } = v;
    for (let axis = 0; axis < 3; axis++) {
      const o = v.offset(axis),
        s = this.#solved.offset(axis),
        f = this.#from.offset(axis);
      for (let k = 0; k < columns; k++) f64[o + k] = share * f64[s + k] + (1 - share) * f64[f + k];
    }
  }

  /** Moves the whole shape as handles and springs move, as far as that is rigid: the iteration is slow at that. */
  #followRigidly(targets: Float64Array, softTargets: Float64Array): void {
    const hard = this.#hard.length,
      count = hard + this.#soft.vertices.length;
    if (count === 0) return;
    const points = new Float64Array(3 * count),
      goals = new Float64Array(3 * count);
    for (let k = 0; k < count; k++) {
      const vertex = k < hard ? this.#hard[k] : this.#soft.vertices[k - hard];
      const goal = k < hard ? targets.subarray(3 * k) : softTargets.subarray(3 * (k - hard));
      for (let axis = 0; axis < 3; axis++) {
        points[3 * k + axis] = this.surface[3 * vertex + axis];
        goals[3 * k + axis] = goal[axis];
      }
    }
    const motion = fitRigidMotion(points, goals, count);
    moveCoefficients(this.system.basis, motion);
    this.#points.move(motion);
  }
}
