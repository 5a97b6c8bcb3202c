import type { NumberArray } from '../mesh/check-input.ts';
import { checkObject } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ShapeBasis } from './basis/shape-basis.ts';
import type { CageReport } from './cage.ts';
import { type AsyncCageCertificateOptions, prepareCageCertificateAsync } from './contact/cage-certificate.ts';
import { ContactFinder } from './contact/contact-finder.ts';
import type { ShapeObstacle } from './contact/obstacle.ts';
import { Controls, type Handle, type Pin, type RegionHandle } from './controls.ts';
import {
  checkBlend,
  checkContact,
  readSettings,
  type ShapeContactOptions,
  type ShapeSettings,
} from './shape-options.ts';
import { ShapePace } from './shape-pace.ts';
import { ShapeSolver } from './shape-solver.ts';
import type { ShapeContact, ShapeParts, ShapeState, StepReport } from './shape-types.ts';
import { writeShape } from './stored-shape.ts';
import { type Cage, NO_VERTEX } from './types.ts';

export type { ShapeContact, ShapeState, StepReport } from './shape-types.ts';

/** What a step may add to the functions in use, in groups and rows, and how many groups it may compute that are not ready. */
const NEW_GROUPS = 5;
const NEW_ROWS = 1500;
const LAZY_GROUPS = 2;
const QUIET_STEPS = 15;
const FADE_STEPS = 10;
/** Steps without coming nearer to their goals after which handles stay where they are held. */
const PATIENCE = 100;

/**
 * A shape that follows handles as rigidly as possible, and stops where it touches itself or an obstacle. Handles are
 * moved, then `step` is called until it has come to rest. See `createShape`.
 */
export class Shape {
  readonly cage: Cage;
  /** What was done to the input; undefined for a shape that was stored. */
  readonly report: CageReport | undefined;
  readonly basis: ShapeBasis;
  /**
   * Three coordinates per vertex of the surface that was given: always the same array. Where tetrahedra were given, it
   * has all of their vertices, but only those on the surface are filled in; see `cagePositions` for the others.
   */
  readonly positions: Float64Array;
  /** @internal */ readonly solver: ShapeSolver;

  readonly #parts: ShapeParts;
  readonly #controls: Controls;
  readonly #pace: ShapePace;
  readonly #shown: Float64Array; // of the cage's surface, behind the solver while blending
  #settings: Required<ShapeSettings>;
  #contact: ShapeContactOptions | false = false;
  #still = 0; // steps since handles moved
  #blending = 0; // steps until the one that shows what was solved
  #isBehind = false; // what is shown is not what was solved
  #isDisposed = false;

  /** Use `createShape`. @internal */
  constructor(parts: ShapeParts) {
    const { engine, cage, basis, energy, contact, settings, prefetch, report } = parts;
    this.#parts = parts;
    this.cage = cage;
    this.report = report;
    this.basis = basis;
    this.#settings = readSettings(settings, cage.spacing * cage.scale);
    const oracle = {
      ...this.#settings,
      quiet: QUIET_STEPS,
      fade: FADE_STEPS,
      newGroups: NEW_GROUPS,
      newRows: NEW_ROWS,
      lazyGroups: LAZY_GROUPS,
      prefetch,
    };
    this.solver = new ShapeSolver(engine.kernels, cage, basis, energy, oracle, parts.clusters);
    this.#controls = new Controls(cage, () => this.solver.surface);
    this.#pace = new ShapePace(this.solver, this.#controls);
    this.positions = new Float64Array(3 * cage.surfaceVertex.length);
    this.#shown = this.solver.surface.slice();
    this.setContact(contact);
    this.#show(1);
  }

  get handles(): readonly Handle[] {
    return this.#controls.handles;
  }

  get pins(): readonly Pin[] {
    return this.#controls.pins;
  }

  get regions(): readonly RegionHandle[] {
    return this.#controls.regions;
  }

  get settings(): Readonly<Required<ShapeSettings>> {
    return this.#settings;
  }

  /** Errors: 'bad-option'. What is not said stays. */
  set settings(settings: ShapeSettings) {
    const { spacing, scale } = this.cage;
    this.#settings = readSettings(settings, spacing * scale, this.#settings);
    const { maxLevel, columnBudget } = this.#settings;
    this.solver.oracle.options = { ...this.solver.oracle.options, maxLevel, columnBudget };
  }

  /** A vertex of the surface that was given goes where it is told. Errors: 'index-out-of-range', 'mismatch'. */
  addHandle(vertex: number): Handle {
    this.#checkAlive();
    return this.#controls.addHandle(vertex);
  }

  /** Vertices move together as if they were rigid. Errors: as for `addHandle`, and 'empty'. */
  addRegionHandle(vertices: NumberArray): RegionHandle {
    this.#checkAlive();
    return this.#controls.addRegion(vertices);
  }

  /** Vertices stay where they are, held by springs: as many as you like. Errors: as for `addRegionHandle`. */
  pin(vertices: NumberArray): Pin {
    this.#checkAlive();
    return this.#controls.addPin(vertices);
  }

  /** Other contacts from now on, or none. */
  setContact(contact: ShapeContactOptions | false): void {
    this.#checkAlive();
    checkContact(contact);
    const { engine, contactCage = this.cage } = this.#parts;
    const { scale } = this.cage;
    let finder: ContactFinder | undefined;
    if (contact !== false) {
      const { rule = 'push', margin } = contact;
      finder = new ContactFinder(engine, contactCage, {
        obstacles: contact.obstacles,
        self: contact.self,
        edges: contact.edges,
        perCell: contact.perCell,
        margin: margin === undefined ? undefined : margin / scale,
        rule: rule === 'push' ? 'band' : 'sign',
        cellOf: (vertex) => this.solver.oracle.cellOf(vertex),
      });
    }
    this.solver.contacts?.dispose();
    this.solver.contacts = finder;
    this.solver.rows = undefined;
    this.#contact = contact;
  }

  /**
   * Proofs that patches of the surface do not touch themselves, which the search for crossings then leaves out. It takes
   * long: on workers of `pool`, or in slices. The answers stay the same.
   */
  async prepareCertificate(options: AsyncCageCertificateOptions = {}): Promise<void> {
    this.#checkAlive();
    const finder = this.solver.contacts;
    if (!finder?.body) throw new InputError('bad-option', 'this shape has no contacts with itself');
    const certificate = await prepareCageCertificateAsync(this.cage, finder.body, options);
    if (!this.#isDisposed && this.solver.contacts === finder) finder.setCertificate(certificate);
  }

  /** Other obstacles, or the same in other places. */
  setObstacles(obstacles: readonly ShapeObstacle[]): void {
    this.#checkAlive();
    if (this.#contact === false) throw new InputError('bad-option', 'this shape has no contacts');
    this.solver.contacts!.setObstacles(obstacles);
    this.#contact = { ...this.#contact, obstacles };
    this.#still = 0;
  }

  /** One iteration towards where the handles want the shape to be. */
  step(): StepReport {
    this.#checkAlive();
    const start = performance.now();
    const { solver } = this;
    const { scale } = this.cage;
    const { speed, damping: mostDamping, dampingSteps } = this.#settings;
    const hasNewRows = this.#useRows();
    const finder = solver.contacts;
    if (hasNewRows) this.#pace.reset();
    solver.beginTimes();
    this.#pace.begin(speed / scale, this.#still < PATIENCE);
    this.#still = this.#controls.hasProgress || hasNewRows ? 0 : this.#still + 1;
    const isTouching = (solver.rows?.count ?? 0) > 0;
    const damping = isTouching ? mostDamping * Math.min(1, this.#still / Math.max(1, dampingSteps)) : 0;
    const figures = solver.step({
      targets: this.#controls.targets,
      softTargets: this.#controls.softTargets,
      damping,
      rule: finder?.rule === 'sign' ? 'equality' : 'complementarity',
    });
    if (figures.hasNewBasis) this.#blending = this.#settings.blendSteps;
    this.#show(1 / (1 + this.#blending));
    if (this.#blending > 0) this.#blending--;
    const contacts = solver.rows?.count ?? 0;
    let pushing = 0;
    for (let k = 0; k < contacts; k++) if (solver.lambda[k] < 0) pushing++;
    return {
      state: figures.isSolved ? 'moved' : 'kept',
      ms: performance.now() - start,
      times: { ...solver.times },
      columns: solver.system.basis.columns,
      groups: solver.oracle.countByLevel(),
      contacts,
      pushing,
      depth: (finder?.maxDepth ?? 0) * scale,
      crossingPairs: finder?.crossingPairs ?? 0,
      movement: figures.movement * scale,
      energy: figures.energy,
      damping,
    };
  }

  /**
   * Steps until nothing moves by more than `tolerance`, 1e-5 of the surface's size by default, and what is shown is what was
   * solved, or until `steps` are done.
   */
  settle({ steps = 200, tolerance = 1e-5 * this.cage.scale } = {}): StepReport {
    let report = this.step();
    for (let k = 1; k < steps; k++) {
      if (report.movement <= tolerance && !this.#isBehind && !this.solver.oracle.isFading) break;
      report = this.step();
    }
    return report;
  }

  /** How deep the shape is in obstacles and itself as it is now. Nothing changes by asking. */
  measure(): { depth: number; crossingPairs: number } {
    this.#checkAlive();
    const finder = this.solver.contacts;
    if (!finder) return { depth: 0, crossingPairs: 0 };
    const before = finder.save();
    finder.clear(); // contacts that last may have slid off
    finder.find(this.solver.surface, this.solver.controls);
    const { maxDepth, crossingPairs } = finder;
    finder.restore(before);
    if (this.solver.rows) this.solver.rows = finder.rows; // those before are overwritten
    return { depth: maxDepth * this.cage.scale, crossingPairs };
  }

  /** Three coordinates per vertex of `cage.tetrahedra`. */
  get cagePositions(): Float64Array {
    const { centre, scale } = this.cage;
    return this.solver.controls.map((x, i) => centre[i % 3] + scale * x);
  }

  /** Where it touched at the last step. */
  get contacts(): ShapeContact[] {
    const { rows, lambda, surface } = this.solver;
    const { centre, scale } = this.cage;
    return (rows?.toArray() ?? []).flatMap(({ point, normal, depth, other }, k) => {
      if (point.vertices.length === 0) return []; // a fold
      const position = [0, 0, 0];
      point.vertices.forEach((v, j) => {
        const weight = point.weights[j];
        if (weight > 0) for (let a = 0; a < 3; a++) position[a] += weight * surface[3 * v + a];
      });
      return {
        position: position.map((x, a) => centre[a] + scale * x),
        normal,
        depth: depth * scale,
        obstacle: other,
        force: Math.max(0, -lambda[k]),
      };
    });
  }

  /** The shape with its handles, as a value that does not change. */
  get state(): ShapeState {
    this.#checkAlive();
    const contacts = this.solver.contacts?.save();
    return {
      pose: this.solver.savePose(),
      controls: this.#controls.save(),
      contacts: contacts && { rows: contacts.rows, multipliers: contacts.multipliers },
      still: this.#still,
      blend: this.#isBehind ? { steps: this.#blending, shown: this.#shown.slice() } : undefined,
    };
  }

  /** Goes back to a state of this shape, or of one with the same cage. Handles that are still there keep their identity. */
  restore(state: ShapeState): void {
    this.#checkAlive();
    checkObject('state', state);
    checkBlend(state.blend, this.#shown.length);
    this.solver.restorePose(state.pose);
    this.#controls.restore(state.controls);
    this.#useRows();
    const finder = this.solver.contacts;
    if (finder && state.contacts) finder.restore({ ...state.contacts, before: this.solver.surface.slice() });
    else finder?.clear();
    this.solver.rows = finder?.rows;
    this.solver.depth = 0;
    this.#pace.reset();
    this.#still = state.still;
    this.#blending = state.blend?.steps ?? 0;
    if (state.blend) this.#shown.set(state.blend.shown);
    this.#show(state.blend ? 0 : 1);
  }

  /** Back to rest, without handles. */
  reset(): void {
    this.#checkAlive();
    this.#controls.restore([]);
    this.solver.reset();
    this.solver.rows = undefined;
    this.solver.depth = 0;
    this.#pace.reset();
    this.#still = this.#blending = 0;
    this.#show(1);
  }

  /** Everything but obstacles as bytes, for `restoreShape`: the cage, the functions made so far, the state. */
  serialize(): Uint8Array {
    this.#checkAlive();
    return writeShape(this.parts, this.state);
  }

  /** @internal */
  get parts(): ShapeParts {
    return { ...this.#parts, contact: this.#contact, settings: this.#settings };
  }

  /** Gives its memory back. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.solver.dispose();
    this.basis.dispose();
    this.#parts.energy.dispose();
    if (this.#parts.ownsEngine) this.#parts.engine.dispose();
  }

  /** Tells the solver of handles that came or went; true when some did. */
  #useRows(): boolean {
    if (!this.#controls.collectRows()) return false;
    this.solver.setRows(this.#controls.hard, this.#controls.soft);
    return true;
  }

  #checkAlive(): void {
    if (this.#isDisposed) throw new InputError('disposed', 'this shape has been disposed of');
  }

  /** Lets what is shown come nearer to what was solved, by a share of the way. */
  #show(share: number): void {
    const shown = this.#shown,
      { surface } = this.solver;
    this.#isBehind = share !== 1;
    if (share === 1) shown.set(surface);
    else for (let i = 0; i < shown.length; i++) shown[i] += share * (surface[i] - shown[i]);
    const { surfaceVertex, centre, scale } = this.cage;
    for (let v = 0; v < surfaceVertex.length; v++) {
      const s = surfaceVertex[v];
      for (let a = 0; a < 3; a++) {
        this.positions[3 * v + a] = s === NO_VERTEX ? 0 : centre[a] + scale * shown[3 * s + a];
      }
    }
  }
}
