import type { MeshlessPose } from '../deform/meshless.ts';
import { checkMade, checkNumbers, checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { checkOption } from '../shapes/shape.ts';
import { solveCholesky } from './cholesky.ts';
import type { ElasticModel } from './elastic-model.ts';
import { checkObstacle, findDepth, type Obstacle } from './obstacle.ts';

export interface ElasticBodyOptions {
  /** Acceleration of all nodes. Default: 0, −9.81, 0. */
  gravity?: readonly [number, number, number];
  /** How fast speed is lost to the surroundings, per second. Default: 0.2. */
  damping?: number;
  /** Parts into which a step is cut. Default: 1. */
  substeps?: number;
  /** Descents per part at most. Default: 8. */
  iterations?: number;
  /** How far nodes stay away from obstacles and from nodes of others. Default: half the spacing of the nodes. */
  contactRadius?: number;
}

const HALVINGS = 12;
/** Descents end when they promise less than this, in units of mass · spacing² / step², … */
const NEGLIGIBLE = 1e-14;
/** … or less than rounding does to g. */
const ROUNDING = 1e-13;
/** Share of the promised descent that a step has to bring (Armijo). */
const WORTHWHILE = 1e-4;

/**
 * An elastic body in motion. A step is backward Euler: it seeks the minimum of
 *
 *     g(u) = 1/2h² |u − s|²_M + E(u)        s = u₀ + h v₀ + h² a
 *
 * by descents in the metric of the model's stiffness, halved until they go down. As g never grows, the elastic
 * energy after a step is at most all energy before it, unless forces, pins or obstacles add some: whatever the time
 * step or the state, turned inside out or not. Longer steps only lose more energy; 1/60 s suits models of some
 * hundred nodes. The matrix is factored when the step first has that length or other nodes are pinned; otherwise a
 * step allocates nothing.
 */
export class ElasticBody {
  readonly model: ElasticModel;
  /** The state as `Body.setPose` of a meshless body wants it: always the same arrays. */
  readonly pose: MeshlessPose & { readonly displacements: Float64Array; readonly gradients: Float64Array };
  /** May be written between steps. */
  readonly velocities: Float64Array;
  readonly contactRadius: number;
  readonly gravity: [number, number, number];

  readonly #damping: number;
  readonly #substeps: number;
  readonly #iterations: number;
  readonly #obstacles: Obstacle[] = [];
  readonly #pinned: Uint8Array;
  readonly #targets: Float64Array; // displacements that pinned nodes go to
  readonly #applied: Float64Array; // forces until the end of the next step
  readonly #before: Float64Array;
  readonly #inertial: Float64Array; // s
  readonly #trial: Float64Array;
  readonly #forces: Float64Array;
  readonly #trialForces: Float64Array;
  readonly #residual: Float64Array;
  readonly #direction: Float64Array;
  readonly #negligible: number;
  readonly #normal = new Float64Array(3);

  constructor(model: ElasticModel, options: ElasticBodyOptions = {}) {
    checkMade('model', model, 'new ElasticModel', 'spacing', 'nodeCount');
    checkObject('options', options);
    const { gravity = [0, -9.81, 0], damping = 0.2, substeps = 1, iterations = 8 } = options;
    const { contactRadius = model.spacing / 2 } = options;
    checkNumbers('gravity', gravity, 3);
    checkOption('damping', damping, 0, 1e6);
    checkOption('substeps', substeps, 1, 1000);
    checkOption('iterations', iterations, 1, 1000);
    checkOption('contactRadius', contactRadius, 0, 1e150);
    this.model = model;
    this.gravity = [gravity[0], gravity[1], gravity[2]];
    this.contactRadius = contactRadius;
    this.#damping = damping;
    this.#substeps = Math.round(substeps);
    this.#iterations = Math.round(iterations);
    const create = (width: number) => new Float64Array(width * model.nodeCount);
    this.pose = { displacements: create(3), gradients: create(9) };
    this.velocities = create(3);
    this.#pinned = new Uint8Array(model.nodeCount);
    this.#targets = create(3);
    this.#applied = create(3);
    this.#before = create(3);
    this.#inertial = create(3);
    this.#trial = create(3);
    this.#forces = create(3);
    this.#trialForces = create(3);
    this.#residual = create(3);
    this.#direction = create(3);
    const mass = model.masses.reduce((sum, m) => sum + m, 0);
    this.#negligible = NEGLIGIBLE * mass * model.spacing * model.spacing;
  }

  get nodeCount(): number {
    return this.model.nodeCount;
  }

  get displacements(): Float64Array {
    return this.pose.displacements;
  }

  get gradients(): Float64Array {
    return this.pose.gradients;
  }

  /** Where a node is, into `out`. */
  getNode(node: number, out: Float64Array): void {
    for (let k = 0, o = 3 * node; k < 3; k++)
      out[k] = this.model.positions[o + k] + this.displacements[o + k];
  }

  /** Puts the rest shape, moved by a row-major 3×4 matrix, where the body is. It stands still; pins go along. */
  place(matrix: ArrayLike<number>): void {
    checkNumbers('matrix', matrix, 12);
    const { positions: x } = this.model;
    for (let o = 0; o < x.length; o += 3) {
      for (let k = 0, m = 0; k < 3; k++, m += 4) {
        const moved = matrix[m] * x[o] + matrix[m + 1] * x[o + 1] + matrix[m + 2] * x[o + 2] + matrix[m + 3];
        this.displacements[o + k] = moved - x[o + k];
      }
    }
    this.#targets.set(this.displacements);
    this.velocities.fill(0);
    this.model.setGradients(this.displacements, this.gradients);
  }

  /** Holds a node where it is, until `unpin`. */
  pin(node: number): void {
    this.#checkNode(node);
    this.#pinned[node] = 1;
    this.#targets.set(this.displacements.subarray(3 * node, 3 * node + 3), 3 * node);
  }

  /** The place to which a pinned node goes during the next step. */
  movePin(node: number, x: number, y: number, z: number): void {
    this.#checkNode(node);
    checkVector('pin', x, y, z);
    if (this.#pinned[node] === 0) throw new InputError('bad-option', `node ${node} is not pinned`);
    const { positions } = this.model;
    this.#targets[3 * node] = x - positions[3 * node];
    this.#targets[3 * node + 1] = y - positions[3 * node + 1];
    this.#targets[3 * node + 2] = z - positions[3 * node + 2];
  }

  unpin(node: number): void {
    this.#checkNode(node);
    this.#pinned[node] = 0;
  }

  isPinned(node: number): boolean {
    return this.#pinned[node] === 1;
  }

  /** The object is kept: moving it moves the obstacle. */
  addObstacle(obstacle: Obstacle): void {
    checkObstacle(obstacle);
    this.#obstacles.push(obstacle);
  }

  /** Adds to the forces that act during the next step. */
  applyForce(node: number, x: number, y: number, z: number): void {
    this.#checkNode(node);
    checkVector('force', x, y, z);
    this.#applied[3 * node] += x;
    this.#applied[3 * node + 1] += y;
    this.#applied[3 * node + 2] += z;
  }

  /** Changes a node's velocity at once. */
  addImpulse(node: number, x: number, y: number, z: number): void {
    this.#checkNode(node);
    checkVector('impulse', x, y, z);
    if (this.#pinned[node] === 1) return;
    const m = this.model.masses[node];
    this.velocities[3 * node] += x / m;
    this.velocities[3 * node + 1] += y / m;
    this.velocities[3 * node + 2] += z / m;
  }

  /** Advances by `seconds`, at most 1. */
  step(seconds: number): void {
    checkOption('seconds', seconds, 1e-9, 1);
    const h = seconds / this.#substeps;
    for (let part = this.#substeps; part > 0; part--) this.#advance(h, part);
    this.#applied.fill(0);
    this.model.setGradients(this.displacements, this.gradients);
  }

  kineticEnergy(): number {
    const { velocities: v } = this;
    let sum = 0;
    for (let o = 0; o < v.length; o++) sum += this.model.masses[Math.trunc(o / 3)] * v[o] * v[o];
    return sum / 2;
  }

  elasticEnergy(): number {
    return this.model.evaluate(this.displacements, this.#trialForces);
  }

  /** −Σ m g·x: what gravity can still set free. */
  gravityEnergy(): number {
    const { masses, positions } = this.model;
    let sum = 0;
    for (let o = 0; o < positions.length; o++) {
      sum -= masses[Math.trunc(o / 3)] * this.gravity[o % 3] * (positions[o] + this.displacements[o]);
    }
    return sum;
  }

  #advance(h: number, partsLeft: number): void {
    const { displacements: u, velocities: v } = this;
    const before = this.#before;
    before.set(u);
    this.#setInertial(h, partsLeft);
    this.#descend(h);
    this.#leaveObstacles();
    const kept = 1 / (1 + this.#damping * h);
    for (let o = 0; o < u.length; o++) v[o] = ((u[o] - before[o]) / h) * kept;
  }

  /** s for free nodes; pinned ones are put where this part of the step ends. */
  #setInertial(h: number, partsLeft: number): void {
    const { displacements: u, velocities: v } = this;
    const { masses } = this.model;
    const s = this.#inertial;
    for (let i = 0, o = 0; i < masses.length; i++) {
      for (let k = 0; k < 3; k++, o++) {
        if (this.#pinned[i] === 1) {
          u[o] += (this.#targets[o] - u[o]) / partsLeft;
          s[o] = u[o];
        } else s[o] = u[o] + h * v[o] + h * h * (this.gravity[k] + this.#applied[o] / masses[i]);
      }
    }
  }

  /** From where we are, or from where nothing but inertia leads if that is better, downhill. */
  #descend(h: number): void {
    const { displacements: u } = this;
    const factor = this.model.factorFor(h, this.#pinned);
    const trial = this.#trial;
    let value = this.#evaluate(u, this.#forces, h);
    trial.set(this.#inertial);
    const inertial = this.#evaluate(trial, this.#trialForces, h);
    if (inertial < value) value = this.#accept(inertial);
    const enough = this.#negligible / (h * h);
    for (let iteration = 0; iteration < this.#iterations; iteration++) {
      this.#setResidual(h);
      this.#direction.set(this.#residual);
      solveCholesky(factor, this.#direction);
      const slope = dot(this.#residual, this.#direction);
      if (!(slope > enough + ROUNDING * value)) return;
      let isLower = false;
      for (let k = 0, length = 1; k < HALVINGS && !isLower; k++, length /= 2) {
        for (let o = 0; o < u.length; o++) trial[o] = u[o] + length * this.#direction[o];
        const next = this.#evaluate(trial, this.#trialForces, h);
        isLower = next <= value - WORTHWHILE * length * slope;
        if (isLower) value = this.#accept(next);
      }
      if (!isLower) return;
    }
  }

  /** g at u, and the elastic forces there. */
  #evaluate(u: Float64Array, forces: Float64Array, h: number): number {
    const { masses } = this.model;
    const s = this.#inertial;
    let sum = 0;
    for (let i = 0, o = 0; i < masses.length; i++, o += 3) {
      const x = u[o] - s[o],
        y = u[o + 1] - s[o + 1],
        z = u[o + 2] - s[o + 2];
      sum += masses[i] * (x * x + y * y + z * z);
    }
    return sum / (2 * h * h) + this.model.evaluate(u, forces);
  }

  /** The trial becomes the state. */
  #accept(value: number): number {
    this.displacements.set(this.#trial);
    this.#forces.set(this.#trialForces);
    return value;
  }

  /** −∇g of free nodes, 0 of pinned ones. */
  #setResidual(h: number): void {
    const { displacements: u } = this;
    const { masses } = this.model;
    for (let o = 0; o < u.length; o++) {
      const i = Math.trunc(o / 3);
      const pull = (masses[i] / (h * h)) * (this.#inertial[o] - u[o]);
      this.#residual[o] = this.#pinned[i] === 1 ? 0 : pull + this.#forces[o];
    }
  }

  /** Nodes are moved out; on the way along the surface, friction holds back what was pressed against it. */
  #leaveObstacles(): void {
    const { displacements: u, contactRadius } = this;
    const { positions } = this.model;
    const n = this.#normal,
      before = this.#before;
    for (const obstacle of this.#obstacles) {
      const { friction = 0.5 } = obstacle;
      for (let i = 0, o = 0; i < this.nodeCount; i++, o += 3) {
        if (this.#pinned[i] === 1) continue;
        const x = positions[o] + u[o],
          y = positions[o + 1] + u[o + 1],
          z = positions[o + 2] + u[o + 2];
        const depth = findDepth(obstacle, x, y, z, contactRadius, n);
        if (depth === 0) continue;
        const along =
          (u[o] - before[o]) * n[0] + (u[o + 1] - before[o + 1]) * n[1] + (u[o + 2] - before[o + 2]) * n[2];
        const sx = u[o] - before[o] - along * n[0],
          sy = u[o + 1] - before[o + 1] - along * n[1],
          sz = u[o + 2] - before[o + 2] - along * n[2];
        const slid = Math.sqrt(sx * sx + sy * sy + sz * sz);
        const held = slid > 0 ? Math.min(1, (friction * depth) / slid) : 0;
        u[o] += depth * n[0] - held * sx;
        u[o + 1] += depth * n[1] - held * sy;
        u[o + 2] += depth * n[2] - held * sz;
      }
    }
  }

  #checkNode(node: number): void {
    if (Number.isInteger(node) && node >= 0 && node < this.nodeCount) return;
    throw new InputError(
      'index-out-of-range',
      `node must be a whole number below ${this.nodeCount}, not ${describe(node)}`,
    );
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function checkVector(what: string, x: number, y: number, z: number): void {
  if (Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)) return;
  throw new InputError('not-finite', `${what} is (${x}, ${y}, ${z})`);
}
