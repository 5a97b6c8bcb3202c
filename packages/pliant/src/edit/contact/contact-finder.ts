import type { Body } from '../../body/body.ts';
import type { Engine } from '../../body/engine.ts';
import { checkLength, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { Cage } from '../types.ts';
import type { CageCertificate } from './cage-certificate.ts';
import { type ContactOptions, readContactOptions } from './contact-options.ts';
import { ContactRows, EDGE_EDGE, TERMS, VERTEX_OBSTACLE } from './contact-rows.ts';
import { InsideVertices } from './inside-vertices.ts';
import { MaterialSearch } from './material-search.ts';
import { checkObstacle, placeObstacle, type ShapeObstacle } from './obstacle.ts';
import { ObstacleContacts } from './obstacle-contacts.ts';
import { PointHash } from './point-hash.ts';
import { RowTable } from './row-table.ts';
import { SelfContacts } from './self-contacts.ts';
import { SurfaceGeometry } from './surface-geometry.ts';
import { RowThinner } from './thin-rows.ts';

/** What a finder knows from its last search: plain data. */
export interface ContactState {
  readonly rows: ContactRows;
  readonly multipliers: Float64Array;
  readonly before: Float64Array | undefined;
}

/** What presses is given up when it is further away than this many bands. */
const ESCAPE = 4;

/**
 * Finds where a shape touches itself and obstacles, and writes rows that keep it from going on. Contacts last: after
 * each solve it is told the multipliers, and rows that press are there again in the next search, where the surface has
 * slid to. Everything is in the coordinates of the cage.
 */
export class ContactFinder {
  /** How deep the deepest point was in the last search, without margins; 0 when nothing touched. */
  maxDepth = 0;
  /** How many pairs of triangles crossed that do not at rest. */
  crossingPairs = 0;
  /** How many vertices were in the own material, before thinning. */
  insideVertices = 0;
  readonly margin: number;
  readonly band: number;
  readonly rule: 'sign' | 'band';
  /** The surface as the search for crossings sees it; undefined when the surface does not touch itself. */
  readonly body: Body | undefined;

  readonly #cage: Cage;
  readonly #obstacles: ObstacleContacts;
  readonly #self: SelfContacts | undefined;
  readonly #inside: InsideVertices | undefined;
  readonly #hash: PointHash | undefined;
  readonly #hasEdges: boolean;
  readonly #cellOf: ((vertex: number) => number) | undefined;
  readonly #perCell: number;
  readonly #thinner = new RowThinner();
  readonly #candidates = new ContactRows();
  readonly #rowOfKey = new RowTable();
  #certificate: CageCertificate | undefined;
  #isPressing = new Uint8Array(64); // per candidate
  #rows = new ContactRows();
  #spare = new ContactRows();
  #multipliers = new Float64Array(64);
  #before: Float64Array | undefined; // positions of the last search

  constructor(engine: Engine, cage: Cage, options: ContactOptions = {}) {
    const { margin, band, rule, self, edges, method, perCell, obstacles } = readContactOptions(cage, options);
    this.#cage = cage;
    this.margin = margin;
    this.band = band;
    this.rule = rule;
    this.#hasEdges = edges;
    this.#cellOf = options.cellOf;
    this.#perCell = perCell;
    this.#obstacles = new ObstacleContacts(cage.surface.vertexCount);
    this.setObstacles(obstacles);
    if (!self) return;
    this.body = engine.createFreeBody(cage.surface, { split: 'connected' });
    const geometry = new SurfaceGeometry(cage.surface);
    this.#self = new SelfContacts(cage, geometry);
    this.#inside = new InsideVertices(cage, this.body, new MaterialSearch(cage, geometry));
    if (method === 'hash') this.#hash = new PointHash(cage);
  }

  /** Other obstacles, or the same in other places: contacts with them last when their number stays. */
  setObstacles(obstacles: readonly ShapeObstacle[]): void {
    if (!Array.isArray(obstacles)) {
      throw new InputError('bad-option', `obstacles must be an array, not ${describe(obstacles)}`);
    }
    for (let k = 0; k < obstacles.length; k++) checkObstacle(`obstacles[${k}]`, obstacles[k]);
    const { centre, scale } = this.#cage;
    this.#obstacles.obstacles = obstacles.map((obstacle) => placeObstacle(obstacle, centre, scale));
  }

  /** Proofs that the search for crossings tries, prepared for `body`; undefined: none. The answers stay the same. */
  setCertificate(certificate: CageCertificate | undefined): void {
    this.body?.setCertificates(certificate ? [certificate] : []);
    this.#certificate = certificate;
  }

  /**
   * Rows for a pose: `positions` of the surface's vertices, `controls` those of the cage that carry them. What is
   * returned is valid until the next search.
   */
  find(positions: Float64Array, controls: Float64Array): ContactRows {
    checkLength('positions', positions, 3 * this.#cage.surface.vertexCount);
    checkLength('controls', controls, 3 * this.#cage.tetrahedra.vertexCount);
    this.#candidates.clear();
    this.#rowOfKey.clear();
    this.maxDepth = this.crossingPairs = this.insideVertices = 0;
    this.body?.setPose(positions);
    this.#certificate?.setPose(controls);
    this.#addLasting(positions);
    this.#addObstacles(positions);
    this.#addInside(positions, controls);
    if (this.#hasEdges) this.#addEdges(positions);
    this.#choose();
    if (this.#self) {
      this.#before ??= new Float64Array(positions.length);
      this.#before.set(positions);
    }
    return this.#rows;
  }

  /** The rows of the last search. */
  get rows(): ContactRows {
    return this.#rows;
  }

  /** One multiplier per row of the last search: below 0 it presses, above 0 it would pull, 0 does nothing. */
  noteMultipliers(multipliers: ArrayLike<number>): void {
    const { count } = this.#rows;
    if (multipliers.length < count) {
      throw new InputError('wrong-length', `${multipliers.length} multipliers for ${count} rows`);
    }
    if (this.#multipliers.length < count) this.#multipliers = new Float64Array(2 * count);
    for (let k = 0; k < count; k++) this.#multipliers[k] = multipliers[k];
  }

  /**
   * Moves the target of a handle at a vertex of the surface out of obstacles, and back from where the surface around
   * the vertex touches itself. True when it moved.
   */
  pushOut(vertex: number, target: Float64Array): boolean {
    const moved = this.#obstacles.pushOut(target, this.margin);
    return this.#pushOutOfSelf(vertex, target) || moved;
  }

  /** Forgets all contacts. */
  clear(): void {
    this.#rows.clear();
    this.#before = undefined;
  }

  /** What is known from the last search, as a value; with `reused`, which is then no more, in its memory. */
  save(reused?: ContactState): ContactState {
    const rows = reused?.rows ?? new ContactRows();
    rows.clear();
    for (let k = 0; k < this.#rows.count; k++) rows.append(this.#rows, k);
    const multipliers = copyOf(this.#multipliers.subarray(0, rows.count), reused?.multipliers);
    return { rows, multipliers, before: this.#before && copyOf(this.#before, reused?.before) };
  }

  restore(state: ContactState): void {
    this.#rows.clear();
    for (let k = 0; k < state.rows.count; k++) this.#rows.append(state.rows, k);
    this.noteMultipliers(state.multipliers);
    this.#before = state.before?.slice();
  }

  dispose(): void {
    this.body?.dispose();
  }

  /** Rows of the last search that press, or that are near enough, as they are now. */
  #addLasting(positions: Float64Array): void {
    const old = this.#rows;
    for (let k = 0; k < old.count; k++) {
      const isPressing = this.#multipliers[k] < 0;
      if (!isPressing && this.rule === 'sign') continue;
      const reach = isPressing ? ESCAPE * this.band : this.band;
      if (this.#addAgain(positions, old, k, reach)) this.#note(isPressing);
    }
  }

  #addAgain(positions: Float64Array, old: ContactRows, k: number, reach: number): boolean {
    const v = old.vertices[TERMS * k];
    const rows = this.#candidates;
    if (old.kind[k] === VERTEX_OBSTACLE) {
      if (old.other[k] >= this.#obstacles.obstacles.length) return false;
      if (this.#obstacles.addRow(rows, positions, v, old.other[k], this.margin) < reach) return true;
      rows.count--;
      return false;
    }
    if (!this.#self) return false;
    if (old.kind[k] === EDGE_EDGE) {
      return this.#self.addEdgesAgain(rows, positions, old, k, this.margin, reach);
    }
    return this.#self.addAgain(rows, positions, v, old.triangle[k], this.margin, reach);
  }

  #addObstacles(positions: Float64Array): void {
    const within = this.rule === 'band' ? this.band : 0;
    this.#obstacles.visitClose(positions, within, (v, o) => {
      if (this.#rowOfKey.get(this.#obstacles.keyOf(v, o)) >= 0) return;
      this.#obstacles.addRow(this.#candidates, positions, v, o, this.margin);
      this.#note(false);
    });
  }

  #addInside(positions: Float64Array, controls: Float64Array): void {
    const inside = this.#inside,
      self = this.#self,
      rows = this.#candidates;
    if (!inside || !self) return;
    if (this.#hash) inside.findFromHash(positions, controls, this.#hash);
    else inside.findFromCrossings(positions, controls);
    this.crossingPairs = inside.crossingPairs;
    this.insideVertices = inside.count;
    for (let k = 0; k < inside.count; k++) {
      const v = inside.vertex[k];
      const known = this.#rowOfKey.get(v);
      if (known >= 0 && rows.depth[known] > 0) continue;
      if (!self.addInside(rows, positions, v, inside.triangle[k], this.margin)) continue;
      if (known < 0) this.#note(false);
      else this.#replace(known); // it had slid along one side, and is now inside of another
    }
  }

  /** Triangles that cross without a vertex inside: edge against edge. */
  #addEdges(positions: Float64Array): void {
    const inside = this.#inside,
      self = this.#self,
      rows = this.#candidates;
    if (!inside || !self) return;
    const { triangles } = this.#cage.surface;
    const { pairs, pairCount } = inside.report;
    const hasInside = (t: number) =>
      inside.isInside(triangles[3 * t]) ||
      inside.isInside(triangles[3 * t + 1]) ||
      inside.isInside(triangles[3 * t + 2]);
    for (let k = 0; k < pairCount; k++) {
      const i = pairs[2 * k],
        j = pairs[2 * k + 1];
      if (inside.isRestPair(i, j) || hasInside(i) || hasInside(j) || inside.areTied(i, j)) continue;
      if (!self.addEdges(rows, positions, this.#before, i, j, this.margin)) continue;
      if (this.#rowOfKey.get(rows.key[rows.count - 1]) >= 0) rows.count--;
      else this.#note(false);
    }
  }

  /** The last candidate is there to stay. */
  #note(isPressing: boolean): void {
    const row = this.#candidates.count - 1;
    if (row >= this.#isPressing.length) {
      const larger = new Uint8Array(2 * row + 2);
      larger.set(this.#isPressing);
      this.#isPressing = larger;
    }
    this.#isPressing[row] = isPressing ? 1 : 0;
    this.#rowOfKey.set(this.#candidates.key[row], row);
  }

  /** Puts the last candidate in the place of another one. */
  #replace(row: number): void {
    const rows = this.#candidates;
    const last = rows.count - 1;
    rows.copyRow(rows, last, row);
    rows.count--;
    this.#isPressing[row] = 0;
  }

  /** From candidates to rows. What presses gives way only to what is deeper than a band less a margin. */
  #choose(): void {
    const rows = this.#candidates;
    const chosen = this.#spare;
    chosen.clear();
    for (let k = 0; k < rows.count; k++) this.maxDepth = Math.max(this.maxDepth, rows.depth[k]);
    if (this.#cellOf) {
      this.#thinner.thin(
        rows,
        this.#cellOf,
        (row) => rows.depth[row] + this.#isPressing[row] * this.band,
        this.#obstacles.obstacles.length,
        this.#perCell,
        (row) => {
          chosen.append(rows, row);
        },
      );
    } else for (let k = 0; k < rows.count; k++) chosen.append(rows, k);
    this.#spare = this.#rows;
    this.#rows = chosen;
    if (this.#multipliers.length < chosen.count) this.#multipliers = new Float64Array(2 * chosen.count);
    this.#multipliers.fill(0, 0, chosen.count);
  }

  /** Behind the plane of the other side of each row near the vertex, as the surface was last. */
  #pushOutOfSelf(vertex: number, target: Float64Array): boolean {
    const rows = this.#rows,
      before = this.#before;
    let moved = false;
    if (!before) return false;
    for (let k = 0; k < rows.count; k++) {
      if (rows.other[k] >= 0) continue;
      const o = TERMS * k;
      const side = this.#isNear(vertex, rows.vertices[o])
        ? 1
        : this.#isNear(vertex, rows.vertices[o + 3])
          ? -1
          : 0;
      if (side === 0) continue;
      let short = rows.offset[k];
      for (let j = 0; j < 3; j++) {
        let hit = 0;
        for (let c = o; c < o + TERMS; c++) {
          hit += Math.max(0, -side * rows.weights[c]) * before[3 * rows.vertices[c] + j];
        }
        short -= side * rows.normal[3 * k + j] * (target[j] - hit);
      }
      if (!(short > 0)) continue;
      for (let j = 0; j < 3; j++) target[j] += side * short * rows.normal[3 * k + j];
      moved = true;
    }
    return moved;
  }

  /** Whether two vertices are at most a spacing apart at rest. */
  #isNear(v: number, w: number): boolean {
    const { surface, spacing } = this.#cage;
    const { positions: p } = surface;
    const x = p[3 * v] - p[3 * w],
      y = p[3 * v + 1] - p[3 * w + 1],
      z = p[3 * v + 2] - p[3 * w + 2];
    return x * x + y * y + z * z <= spacing * spacing;
  }
}

/** In the memory of `reused`, where there is enough: what lies beyond the end of `values` means nothing. */
function copyOf(values: Float64Array, reused: Float64Array | undefined): Float64Array {
  if (reused === undefined || reused.length < values.length) return values.slice();
  reused.set(values);
  return reused;
}
