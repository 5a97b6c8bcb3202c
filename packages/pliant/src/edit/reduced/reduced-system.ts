import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';
import { type FunctionGroup, GroupMemory } from '../basis/group-memory.ts';
import type { ContactRows } from '../contact/contact-rows.ts';
import { Complementarity } from './complementarity.ts';
import { ContactSolve, type ContactTask } from './contact-solve.ts';
import { DenseFactor } from './dense-factor.ts';
import { HeldRows } from './held-rows.ts';
import { KernelRows } from './kernel-rows.ts';
import { VertexColumns } from './vertex-columns.ts';
import { WorkingBasis } from './working-basis.ts';

/** Where the functions of a shape come from. */
export interface ReducedSource {
  readonly global: FunctionGroup;
  /** Wᵃᵀ L Wᵇ, columns of a × columns of b, of groups that are there. */
  projection(a: number, b: number): Float64Array | undefined;
  /** Where its groups are. Default: a memory of those in use alone. */
  readonly memory?: GroupMemory;
}

/** Vertices of the surface as sums over vertices of the cage, `influences` each. */
export interface SurfaceRows {
  readonly influences: number;
  readonly controls: Uint32Array;
  readonly weights: Float64Array;
}

/** Vertices that are pulled to targets by springs. */
export interface SoftRows {
  readonly vertices: Uint32Array;
  /** Of each spring, in units of the mean diagonal of WᵀLW, W being the global functions. */
  readonly stiffness: Float64Array;
}

/** How much a shape that nothing holds resists being carried along. */
const PROXIMITY = 1e-3;

export interface SolveInput {
  /** Uᵀb, three rows. */
  readonly b: KernelRows;
  /** Three numbers per hard row. */
  readonly targets: Float64Array;
  /** Three numbers per soft row. */
  readonly softTargets: Float64Array;
  readonly contacts?: ContactRows;
  /** 'complementarity': rows push or are open. 'equality': all hold, and some may pull. */
  readonly rule?: 'complementarity' | 'equality';
  /** How much rows give way where they push, see `Complementarity`. Default: 0. */
  readonly compliance?: number;
  /** Signs say which rows push at first; gets the multipliers, λ ≤ 0 where a row pushes. */
  readonly lambda?: Float64Array;
}

/**
 * The global step in the working basis (SHAPING §4.3): minimises ½ vᵀL̃v − b̃ᵀv over coefficients v for which hard rows
 * are at their targets and contact rows are not violated.
 *
 * L̃ = UᵀLU is singular, as moving everything costs nothing. Hard rows H hold it: A = L̃ + ρ HᵀH, with ρHᵀs on the
 * right-hand side, has the same solution for every ρ > 0. With A = LLᵀ and w = Lᵀv the problem is to find the point
 * nearest to L⁻¹b̃ among the w with Z w = s, Z = (L⁻¹Hᵀ)ᵀ, and n·(z w) ≥ d: only forward solves are needed, and these
 * stay valid when groups are appended.
 */
export class ReducedSystem {
  readonly basis: WorkingBasis;
  readonly columns: VertexColumns;
  readonly held: HeldRows;
  readonly #source: ReducedSource;
  readonly #surface: SurfaceRows;
  readonly #kernels: AllKernels;
  readonly #factor: DenseFactor;
  readonly #contacts: ContactSolve;
  readonly #rows: KernelRows; // hard rows, then soft rows, of U
  readonly #transposed: KernelRows;
  readonly #x: KernelRows;
  #hard: Uint32Array = new Uint32Array(0);
  #soft: SoftRows = { vertices: new Uint32Array(0), stiffness: new Float64Array(0) };
  #rho = 1;
  #assembled = 0;
  #isHeldReady = false;
  /** The group that made `prepare` fail: it depends on those before it. */
  dependentGroup: number | undefined;

  constructor(kernels: Kernels, source: ReducedSource, surface: SurfaceRows) {
    this.#kernels = withExtra(kernels);
    this.#source = source;
    this.#surface = surface;
    this.basis = new WorkingBasis(source.memory ?? new GroupMemory(kernels), source.global);
    this.#factor = new DenseFactor(kernels);
    this.held = new HeldRows(kernels);
    this.columns = new VertexColumns(kernels, this.#factor, (vertex, from, f64, out) =>
      this.addSurfaceRow(vertex, 1, from, f64, out),
    );
    this.#contacts = new ContactSolve(
      kernels,
      this.#factor,
      this.columns,
      this.held,
      new Complementarity(kernels),
    );
    this.#rows = new KernelRows(kernels.memory);
    this.#transposed = new KernelRows(kernels.memory);
    this.#x = new KernelRows(kernels.memory);
  }

  /** Makes room for so many columns. */
  reserve(columns: number): void {
    this.basis.v.reserve(3, columns);
    this.columns.reserve(columns);
    this.held.q.reserve(1, columns);
    this.#factor.reserve(columns);
    this.#contacts.reserve(0, columns);
    for (const rows of [this.#rows, this.#x]) rows.reserve(3, columns);
  }

  /** ρ, which stands for the stiffness of the shape. */
  get rho(): number {
    return this.#rho;
  }

  /** Rows that are at their targets exactly, and such that springs pull. A then has to be factored anew. */
  setRows(hard: Uint32Array, soft: SoftRows): void {
    this.#hard = hard;
    this.#soft = soft;
    this.#invalidate(0);
  }

  addGroup(group: FunctionGroup): void {
    if (this.basis.has(group.id)) return;
    this.basis.add(group);
    this.#isHeldReady = false;
  }

  removeGroups(ids: ReadonlySet<number>): void {
    const size = this.#assembled;
    const ranges = this.basis.remove(ids);
    if (ranges.length === 0) return;
    const known = ranges.filter(([first]) => first < size); // others were not in the matrix yet
    this.#factor.remove(known);
    this.#assembled = this.#factor.size;
    this.#isHeldReady = false;
    this.columns.invalidate(ranges[0][0]);
  }

  /** Adds `weight` times the row of U at a vertex of the surface, from a column on. */
  addSurfaceRow(vertex: number, weight: number, from: number, f64: Float64Array, out: number): void {
    const { influences, controls, weights } = this.#surface;
    for (let k = vertex * influences; k < (vertex + 1) * influences; k++) {
      if (weights[k] !== 0) this.basis.addRow(controls[k], weight * weights[k], from, f64, out);
    }
  }

  /** tr(vᵀ L̃ v) of the coefficients as they are. */
  quadratic(): number {
    const { groups, v } = this.basis;
    const { f64 } = v;
    let sum = 0;
    for (let a = 0; a < groups.length; a++) {
      for (let b = 0; b <= a; b++) {
        const block = this.#source.projection(groups[a].group.id, groups[b].group.id);
        if (block === undefined) continue;
        const width = groups[b].group.columns;
        let part = 0;
        for (let axis = 0; axis < 3; axis++) {
          const x = v.offset(axis) + groups[a].first,
            y = v.offset(axis) + groups[b].first;
          for (let i = 0; i < groups[a].group.columns; i++) {
            let row = 0;
            for (let j = 0; j < width; j++) row += block[i * width + j] * f64[y + j];
            part += f64[x + i] * row;
          }
        }
        sum += a === b ? part : 2 * part;
      }
    }
    return sum;
  }

  /** Assembles and factors what is missing. False when the system is not positive definite. */
  prepare(): boolean {
    const size = this.basis.columns;
    const from = this.#assembled;
    if (from < size) {
      this.#factor.resize(size);
      this.#assemble(from, size);
      this.#assembled = size;
      this.#isHeldReady = false;
    }
    this.dependentGroup = undefined;
    const failed = this.#factor.factored < size ? this.#factor.factor() : -1;
    if (failed >= 0) {
      this.dependentGroup = this.basis.groups.findLast(({ first }) => first <= failed)!.group.id;
      return false;
    }
    if (!this.#isHeldReady) {
      this.#writeRows(this.#hard.length + this.#soft.vertices.length, size);
      this.held.prepare(this.#factor, this.#rows, this.#hard.length);
      this.#isHeldReady = true;
    }
    return true;
  }

  /** New coefficients into `out`, three rows. False, and nothing written, when there are none that are finite. */
  solve(input: SolveInput, out: KernelRows): boolean {
    if (!this.prepare()) return false;
    const size = this.basis.columns;
    const x = this.#x;
    x.reserve(3, size);
    out.reserve(3, size);
    this.columns.beginStep();
    const hasContacts = input.contacts !== undefined && input.contacts.count > 0;
    if (hasContacts) this.#contacts.prepare(input.contacts!, size); // allocates: before views are read
    this.#writeRightSide(input, size);
    this.#factor.solve(x, 0, 3);
    this.held.hold(x, size, input.targets);
    if (hasContacts) this.#contacts.solve(contactTask(input), x, size);
    else this.#factor.solveTransposed(x, 0, 3);
    const { f64 } = x;
    for (let axis = 0; axis < 3; axis++) {
      const o = x.offset(axis);
      for (let k = 0; k < size; k++) if (!(Math.abs(f64[o + k]) < 1e100)) return false;
    }
    for (let axis = 0; axis < 3; axis++) {
      f64.copyWithin(out.offset(axis), x.offset(axis), x.offset(axis) + size);
    }
    return true;
  }

  dispose(): void {
    this.basis.dispose();
    this.columns.dispose();
    this.held.dispose();
    this.#contacts.dispose();
    for (const rows of [this.#rows, this.#transposed, this.#x]) rows.dispose();
    this.#factor.dispose();
  }

  #invalidate(from: number): void {
    this.#assembled = Math.min(this.#assembled, from);
    this.#factor.invalidate(from);
    this.columns.invalidate(from);
    this.#isHeldReady = false;
  }

  get #isLoose(): boolean {
    return this.#hard.length + this.#soft.vertices.length === 0;
  }

  /** Rows of A from `from` on. */
  #assemble(from: number, size: number): void {
    const { matrix } = this.#factor;
    const { groups } = this.basis;
    for (let a = 0; a < groups.length; a++) {
      if (groups[a].first < from) continue;
      for (let b = 0; b <= a; b++) this.#writeBlock(matrix, a, b);
    }
    if (from === 0) {
      const { columns } = groups[0].group; // not of all: springs are to stay as they are when groups come and go
      let trace = 0;
      for (let i = 0; i < columns; i++) trace += matrix.f64[matrix.offset(i) + i];
      this.#rho = trace > 0 ? trace / columns : 1;
    }
    const rows = this.#hard.length + this.#soft.vertices.length;
    if (rows > 0) this.#addRows(from, size, rows);
    else {
      const { f64 } = matrix;
      const end = Math.min(size, groups[0].group.columns);
      for (let i = from; i < end; i++) f64[matrix.offset(i) + i] += PROXIMITY * this.#rho;
    }
  }

  #writeBlock(matrix: KernelRows, a: number, b: number): void {
    const { groups } = this.basis;
    const { group: rowGroup, first: row } = groups[a],
      { group: columnGroup, first: column } = groups[b];
    const block = this.#source.projection(rowGroup.id, columnGroup.id);
    const { f64 } = matrix;
    const width = columnGroup.columns;
    for (let i = 0; i < rowGroup.columns; i++) {
      const o = matrix.offset(row + i) + column;
      for (let j = 0; j < width; j++) f64[o + j] = block === undefined ? 0 : block[i * width + j];
    }
  }

  /** Adds Σ ρ cᵀc of hard and soft rows to rows of A from `from` on. */
  #addRows(from: number, size: number, count: number): void {
    this.#writeRows(count, size);
    const rows = this.#rows,
      transposed = this.#transposed;
    transposed.reserve(size, count);
    const { f64 } = transposed;
    for (let k = 0; k < count; k++) {
      const factor = this.#stiffness(k),
        o = rows.offset(k);
      for (let i = from; i < size; i++) f64[transposed.offset(i) + k] = factor * f64[o + i];
    }
    const { matrix } = this.#factor;
    this.#kernels.combineRows(
      transposed.at(from),
      transposed.stride,
      size - from,
      rows.address,
      rows.stride,
      count,
      size,
      matrix.at(from),
      matrix.stride,
    );
  }

  #stiffness(row: number): number {
    const hard = this.#hard.length;
    return row < hard ? this.#rho : this.#rho * this.#soft.stiffness[row - hard];
  }

  #writeRows(count: number, size: number): void {
    const rows = this.#rows;
    rows.reserve(count, size);
    const { f64 } = rows;
    const hard = this.#hard.length;
    for (let k = 0; k < count; k++) {
      const o = rows.offset(k);
      f64.fill(0, o, o + size);
      const vertex = k < hard ? this.#hard[k] : this.#soft.vertices[k - hard];
      this.addSurfaceRow(vertex, 1, 0, f64, o);
    }
  }

  /** b̃ + ρHᵀs and what springs ask for, or what holds a shape that is loose. */
  #writeRightSide({ b, targets, softTargets }: SolveInput, size: number): void {
    const x = this.#x,
      rows = this.#rows;
    const { f64 } = x;
    const hard = this.#hard.length,
      count = hard + this.#soft.vertices.length;
    for (let axis = 0; axis < 3; axis++) {
      const o = x.offset(axis);
      f64.copyWithin(o, b.offset(axis), b.offset(axis) + size);
      for (let k = 0; k < count; k++) {
        const target = k < hard ? targets[3 * k + axis] : softTargets[3 * (k - hard) + axis];
        const factor = this.#stiffness(k) * target,
          r = rows.offset(k);
        for (let i = 0; i < size; i++) f64[o + i] += factor * f64[r + i];
      }
      if (!this.#isLoose) continue;
      const before = this.basis.v.offset(axis);
      const end = this.basis.groups[0].group.columns;
      for (let i = 0; i < end; i++) f64[o + i] += PROXIMITY * this.#rho * f64[before + i];
    }
  }
}

function contactTask({ contacts, rule, compliance, lambda }: SolveInput): ContactTask {
  return {
    contacts: contacts!,
    rule: rule ?? 'complementarity',
    compliance: compliance ?? 0,
    lambda: lambda!,
  };
}
