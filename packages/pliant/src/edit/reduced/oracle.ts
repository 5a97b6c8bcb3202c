import type { ShapeBasis } from '../basis/shape-basis.ts';
import { type ContactRows, TERMS } from '../contact/contact-rows.ts';
import type { ReducedSystem, SurfaceRows } from './reduced-system.ts';

export interface OracleOptions {
  /** The deepest level that contacts bring in; 0 is the global functions alone. */
  readonly maxLevel: number;
  /** The most columns of the working basis; deeper groups are refused first. */
  readonly columnBudget: number;
  /** Steps without contact after which a group begins to fade. */
  readonly quiet: number;
  /** Steps in which it does. */
  readonly fade: number;
  /** Groups that may be added in a step, and how many rows they may have, beside one: their projections take a while. */
  readonly newGroups: number;
  readonly newRows: number;
  /** Groups that may be computed within a step; the others have to be ready or wait for another step. */
  readonly lazyGroups: number;
  /** Whether groups below those in use are prepared in the background. */
  readonly prefetch: boolean;
}

/** After so many times as long as it takes to be quiet, a group goes even when there is room. */
const LONG = 3;

/**
 * Which groups are in the working basis: those around contacts, from level 1 down to the deepest that is allowed, and
 * around handles that cannot be told apart without them. A group that nothing has touched for a while fades, and then
 * goes: coefficients that jump to 0 would be seen.
 */
export class BasisOracle {
  readonly #basis: ShapeBasis;
  readonly #system: ReducedSystem;
  readonly #controls: Uint32Array; // per vertex of the surface: the vertex of the cage that carries most of it
  readonly #lastUse = new Map<number, number>(); // groups in use -> step
  readonly #share = new Map<number, number>(); // groups that fade -> what is left of them
  readonly #refused = new Set<number>(); // they depend on others
  readonly #forHandles = new Set<number>(); // came to tell handles apart
  #options: OracleOptions;
  #step = 0;
  #isCrowded = false; // groups were refused for want of room

  constructor(basis: ShapeBasis, system: ReducedSystem, surface: SurfaceRows, options: OracleOptions) {
    this.#basis = basis;
    this.#system = system;
    this.#options = options;
    this.#controls = mainControls(surface);
  }

  get options(): OracleOptions {
    return this.#options;
  }

  set options(options: OracleOptions) {
    this.#options = options;
  }

  /** Groups in use, without the global one. */
  get groups(): number[] {
    return [...this.#lastUse.keys()];
  }

  /** How many groups there are of each level. */
  countByLevel(): number[] {
    const counts: number[] = [1];
    for (const id of this.#lastUse.keys()) {
      const level = this.#basis.levelOf(id);
      counts[level] = (counts[level] ?? 0) + 1;
    }
    return Array.from(counts, (count) => count ?? 0);
  }

  /** The vertex of the cage that carries most of a vertex of the surface. */
  controlOf(vertex: number): number {
    return this.#controls[vertex];
  }

  /** The cell of the deepest level in use that a vertex of the surface lies in. */
  cellOf(vertex: number): number {
    const { cell, vertexCount, levels } = this.#basis.hierarchy;
    const control = this.#controls[vertex];
    let label = cell[control];
    for (let level = 1; level < levels; level++) {
      const id = this.#basis.groupAt(level, control);
      if (id < 0 || !this.#lastUse.has(id)) break;
      label = cell[level * vertexCount + control];
    }
    return label;
  }

  /** Adds what violated rows ask for. True when the basis has grown. */
  addForContacts(rows: ContactRows, positions: Float64Array): boolean {
    this.#step++;
    const wanted = new Set<number>();
    for (let row = 0; row < rows.count; row++) {
      if (rows.terms[row] === 0 || rows.slack(row, positions) >= 0) continue;
      this.#collect(rows, row, this.#options.maxLevel, (id) => wanted.add(id));
    }
    return this.#addAll(wanted);
  }

  /** The next deeper group around a vertex of the surface: what a handle needs that depends on others. */
  addForHandle(vertex: number): boolean {
    const deepest = Math.min(this.#options.maxLevel, this.#basis.levels - 1);
    for (let level = 1; level <= deepest; level++) {
      const id = this.#basis.groupAt(level, this.#controls[vertex]);
      if (id < 0) return false;
      if (this.#lastUse.has(id)) continue;
      this.#forHandles.add(id);
      return this.#addAll(new Set([id]));
    }
    return false;
  }

  /** Adds groups by number, as long as there is room. */
  addGroups(ids: Iterable<number>): boolean {
    return this.#addAll(new Set(ids), Infinity, Infinity, Infinity);
  }

  /** Handles keep what they need. */
  keepForHandle(vertex: number): void {
    for (let level = 1; level < this.#basis.levels; level++) {
      const id = this.#basis.groupAt(level, this.#controls[vertex]);
      if (this.#forHandles.has(id) && this.#lastUse.has(id)) this.#lastUse.set(id, this.#step);
    }
  }

  /** After a solve: rows that push or are inside keep their groups. */
  noteContacts(rows: ContactRows, lambda: Float64Array): void {
    for (let row = 0; row < rows.count; row++) {
      if (!(lambda[row] < 0 || rows.depth[row] > 0)) continue;
      this.#collect(rows, row, this.#basis.levels - 1, (id) => {
        if (this.#lastUse.has(id)) this.#lastUse.set(id, this.#step);
      });
    }
  }

  /**
   * Fades what has been quiet, and takes away what has faded. As every removal costs a new factor, groups wait for one
   * another: a sweep begins when one has been quiet for long, or when there is no room for others. 'scaled' when only
   * coefficients have changed, 'shrunk' when the basis has: positions must then be computed anew.
   */
  fade(): 'same' | 'scaled' | 'shrunk' {
    const { quiet, fade, maxLevel } = this.#options;
    const isQuiet = (id: number, lastUse: number) =>
      this.#step - lastUse > quiet || this.#basis.levelOf(id) > maxLevel;
    let isDue = this.#isCrowded || this.#share.size > 0;
    for (const [id, lastUse] of this.#lastUse) {
      if (this.#step - lastUse > LONG * quiet || this.#basis.levelOf(id) > maxLevel) isDue = true;
    }
    if (!isDue) return 'same';
    let isScaled = false;
    const gone = new Set<number>();
    const isUnderWay = this.#share.size > 0;
    for (const [id, lastUse] of this.#lastUse) {
      const before = this.#share.get(id) ?? 1;
      // Those that become quiet while others fade wait for the next sweep.
      const isGoing = isQuiet(id, lastUse) && (before < 1 || !isUnderWay);
      const share = Math.min(1, Math.max(0, before + (isGoing ? -1 : 1) / Math.max(1, fade)));
      if (share === 1) this.#share.delete(id);
      else {
        this.#share.set(id, share);
        this.#scale(id, share);
        isScaled = true;
      }
      if (share < 1e-9) gone.add(id);
    }
    this.#isCrowded = false;
    if (this.#remove(gone)) return 'shrunk';
    return isScaled ? 'scaled' : 'same';
  }

  /** Of a group in use: steps since something touched it, and what is left of it. */
  ageOf(id: number): [idle: number, share: number] {
    return [this.#step - (this.#lastUse.get(id) ?? this.#step), this.#share.get(id) ?? 1];
  }

  setAge(id: number, [idle, share]: readonly [number, number]): void {
    if (!this.#lastUse.has(id)) return;
    this.#lastUse.set(id, this.#step - idle);
    if (share < 1) this.#share.set(id, share);
  }

  get isFading(): boolean {
    return this.#share.size > 0;
  }

  /** Takes all groups away that are not listed, at once. */
  reset(keep: ReadonlySet<number> = new Set()): void {
    this.#remove(new Set(this.groups.filter((id) => !keep.has(id))));
    this.#share.clear();
  }

  /** Groups that the system would not take. */
  refuse(ids: Iterable<number>): void {
    for (const id of ids) {
      this.#refused.add(id);
      this.#lastUse.delete(id);
      this.#share.delete(id);
    }
  }

  #remove(gone: ReadonlySet<number>): boolean {
    if (gone.size === 0) return false;
    for (const id of gone) {
      this.#lastUse.delete(id);
      this.#share.delete(id);
    }
    this.#system.removeGroups(gone);
    return true;
  }

  /** Groups of all levels around both sides of a row. */
  #collect(rows: ContactRows, row: number, maxLevel: number, visit: (id: number) => void): void {
    const deepest = Math.min(maxLevel, this.#basis.levels - 1);
    for (let k = TERMS * row, end = k + rows.terms[row]; k < end; k++) {
      const control = this.#controls[rows.vertices[k]];
      for (let level = 1; level <= deepest; level++) {
        const id = this.#basis.groupAt(level, control);
        if (id < 0) break;
        visit(id);
      }
    }
  }

  #addAll(
    wanted: ReadonlySet<number>,
    newGroups = this.#options.newGroups,
    newRows = this.#options.newRows,
    lazyGroups = this.#options.lazyGroups,
  ): boolean {
    const basis = this.#basis;
    const ids = [...wanted].filter((id) => !this.#refused.has(id));
    ids.sort((a, b) => basis.levelOf(a) - basis.levelOf(b) || a - b); // shallow ones first
    let lazy = 0,
      groups = 0,
      added = 0;
    for (const id of ids) {
      if (this.#lastUse.has(id)) {
        this.#lastUse.set(id, this.#step);
        continue;
      }
      const { groupStart, rowStart } = basis.hierarchy;
      const columns = groupStart[id + 1] - groupStart[id],
        rows = rowStart[id + 1] - rowStart[id];
      if (groups === newGroups || (groups > 0 && added + rows > newRows)) continue;
      if (!basis.isReady(id) && lazy++ >= lazyGroups) continue;
      if (this.#system.basis.columns + columns > this.#options.columnBudget) {
        this.#isCrowded = true;
        continue;
      }
      const group = basis.ensure(id);
      added += rows;
      groups++;
      this.#system.addGroup(group);
      this.#lastUse.set(id, this.#step);
      if (this.#options.prefetch) basis.prefetch(basis.childGroups(id));
    }
    return added > 0;
  }

  #scale(id: number, share: number): void {
    const { v } = this.#system.basis;
    const active = this.#system.basis.get(id);
    if (!active) return;
    const { f64 } = v;
    for (let axis = 0; axis < 3; axis++) {
      const o = v.offset(axis) + active.first;
      for (let k = 0; k < active.group.columns; k++) f64[o + k] *= share;
    }
  }
}

function mainControls({ influences, controls, weights }: SurfaceRows): Uint32Array {
  return Uint32Array.from({ length: controls.length / influences }, (_, vertex) => {
    let best = vertex * influences;
    for (let k = best + 1; k < (vertex + 1) * influences; k++) if (weights[k] > weights[best]) best = k;
    return controls[best];
  });
}
