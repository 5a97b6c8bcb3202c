import { factorInPlace, solveInPlace } from '../../algebra/dense/cholesky.ts';
import { checkMade, checkNumbers, checkObject, describe, type NumberArray } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { checkOption } from '../../shapes/shape.ts';
import type { RayleighDamping } from './damping.ts';
import { InertialForces } from './inertial-forces.ts';
import { NewmarkStep, type OuterForces } from './newmark.ts';
import type { ReducedModel } from './reduced-model.ts';
import { RigidFrame } from './rigid-frame.ts';

export interface ReducedBodyOptions {
  /** True holds the frame where it is put: the modes are those of a body that is held somewhere. Default: false. */
  fixed?: boolean;
  /** Acceleration. Default: 0, −9.81, 0. */
  gravity?: NumberArray;
  /** Default: none. */
  damping?: RayleighDamping;
  /** Newton steps per step at most. Default: 12. */
  iterations?: number;
  /** A step ends when Newton's correction is this small a part of the motion. Default: 1e-8. */
  tolerance?: number;
}

/** Modes of a free body may carry this much of the momentum that a rigid motion of their size would. */
const UNBALANCED = 1e-6;

/**
 * A body of a reduced model in motion: a rigid frame and a deformation q in it, St. Venant-Kirchhoff elasticity, one
 * implicit Newmark step at a time. Free bodies conserve linear and angular momentum to rounding when no forces act;
 * what turning and deforming do to each other is in `InertialForces`. Steps allocate nothing.
 */
export class ReducedBody {
  readonly model: ReducedModel;
  readonly isFixed: boolean;
  readonly gravity: Float64Array;
  /** Where it is. After writing `orientation`, call `frame.update`. */
  readonly frame = new RigidFrame();
  /** The deformation, also the pose of a modal body, and its velocity; may be written between steps. */
  readonly q: Float64Array;
  readonly velocities: Float64Array;
  /** Of the whole body, in world coordinates, about its centre of mass; may be written between steps. */
  readonly momentum = new Float64Array(3);
  readonly angularMomentum = new Float64Array(3);
  /** Forces on the modes until the end of the next step; may be added to. */
  readonly modalForces: Float64Array;
  /** @internal Force and torque about the centre until the end of the next step. */
  readonly force = new Float64Array(3);
  /** @internal */ readonly torque = new Float64Array(3);
  /** Seconds since it was made. */
  time = 0;

  readonly #newmark: NewmarkStep;
  readonly #inertial: InertialForces;
  readonly #total: Float64Array;
  readonly #middle: Float64Array; // q and its velocity in the middle of a step
  readonly #rate: Float64Array;
  readonly #meanMomentum = new Float64Array(3);
  readonly #massFactor: Float64Array;
  readonly #scratch = new Float64Array(3);
  readonly #push: Float64Array;
  readonly #outer: OuterForces;
  #step = 0;

  constructor(model: ReducedModel, options: ReducedBodyOptions = {}) {
    checkMade('model', model, 'createReducedModel', 'inertia', 'elasticity', 'surface');
    checkObject('options', options);
    const {
      fixed = false,
      gravity = [0, -9.81, 0],
      damping = {},
      iterations = 12,
      tolerance = 1e-8,
    } = options;
    checkNumbers('gravity', gravity, 3);
    checkOption('iterations', iterations, 1, 1000);
    checkOption('tolerance', tolerance, 1e-15, 1);
    this.model = model;
    this.isFixed = fixed;
    this.gravity = Float64Array.from(gravity as ArrayLike<number>);
    if (!fixed) checkBalance(model);
    const create = () => new Float64Array(model.modeCount);
    this.q = create();
    this.velocities = create();
    this.modalForces = create();
    this.#total = create();
    this.#middle = create();
    this.#rate = create();
    this.#push = create();
    this.#newmark = new NewmarkStep(model, damping, Math.round(iterations), tolerance);
    this.#inertial = new InertialForces(model.inertia);
    this.#outer = { at: (q) => this.#outerAt(q), relief: fixed ? undefined : this.#inertial.relief };
    this.#massFactor = model.inertia.massMatrix.slice();
    if (!factorInPlace(this.#massFactor, model.modeCount)) {
      throw new InputError(
        'singular',
        'the modes are not independent: their mass matrix is not positive definite',
      );
    }
    this.frame.position.set(model.inertia.centre);
  }

  /** Newton steps of the last step. */
  get iterations(): number {
    return this.#newmark.iterations;
  }

  /** Moves the centre of mass to a place, turned by a quaternion w, x, y, z; momenta stay. */
  place(position: NumberArray, orientation: NumberArray = [1, 0, 0, 0]): void {
    checkNumbers('position', position, 3);
    checkNumbers('orientation', orientation, 4);
    const length = Math.hypot(...Array.from(orientation as ArrayLike<number>));
    if (!(length > 0)) throw new InputError('bad-option', 'orientation is 0');
    for (let k = 0; k < 3; k++) this.frame.position[k] = position[k];
    for (let k = 0; k < 4; k++) this.frame.orientation[k] = orientation[k] / length;
    this.frame.update();
  }

  /** Sets the momenta of a motion: both vectors in world coordinates. A fixed body has none. */
  setMotion(velocity: NumberArray, angularVelocity: NumberArray = [0, 0, 0]): void {
    checkNumbers('velocity', velocity, 3);
    checkNumbers('angularVelocity', angularVelocity, 3);
    if (this.isFixed) throw new InputError('unsupported', 'a fixed body has no motion of its own');
    const { inertia } = this.model;
    const w = this.#scratch;
    inertia.evaluate(this.q, this.velocities);
    this.frame.toBody(angularVelocity[0], angularVelocity[1], angularVelocity[2], w);
    const I = inertia.inertia,
      s = inertia.spin;
    const x = I[0] * w[0] + I[3] * w[1] + I[4] * w[2] + s[0],
      y = I[3] * w[0] + I[1] * w[1] + I[5] * w[2] + s[1],
      z = I[4] * w[0] + I[5] * w[1] + I[2] * w[2] + s[2];
    this.frame.toWorld(x, y, z, this.angularMomentum);
    for (let k = 0; k < 3; k++) this.momentum[k] = inertia.mass * velocity[k];
  }

  /** Angular velocity in world coordinates, into `out`. */
  getAngularVelocity(out: Float64Array): void {
    if (this.isFixed) {
      out.fill(0);
      return;
    }
    this.#inertial.begin(this.frame, this.q, this.velocities, this.angularMomentum);
    const { omega } = this.#inertial;
    this.frame.toWorld(omega[0], omega[1], omega[2], out);
  }

  /** The row-major 3×4 matrix for `Body.setWorldMatrix`, into `out`. */
  getWorldMatrix(out: Float64Array): void {
    const { rotation: R, position } = this.frame;
    const c = this.model.inertia.centre;
    for (let k = 0; k < 3; k++) {
      for (let j = 0; j < 3; j++) out[4 * k + j] = R[3 * k + j];
      out[4 * k + 3] = position[k] - (R[3 * k] * c[0] + R[3 * k + 1] * c[1] + R[3 * k + 2] * c[2]);
    }
  }

  /** Where a vertex of the surface is in the world, into `out`. */
  getVertex(vertex: number, out: Float64Array): void {
    const { positions } = this.model.surface;
    const { centre } = this.model.inertia;
    this.#checkVertex(vertex);
    this.#displace(vertex, this.q, out);
    for (let k = 0; k < 3; k++) out[k] += positions[3 * vertex + k] - centre[k];
    this.frame.toWorld(out[0], out[1], out[2], out);
    for (let k = 0; k < 3; k++) out[k] += this.frame.position[k];
  }

  /** Adds a force on a vertex, in world coordinates, until the end of the next step. */
  applyForce(vertex: number, x: number, y: number, z: number): void {
    this.#checkVertex(vertex);
    checkVector('force', vertex, x, y, z);
    const p = this.#scratch;
    this.getVertex(vertex, p);
    this.#addWrench(p, x, y, z, this.force, this.torque);
    this.frame.toBody(x, y, z, p);
    this.#project(vertex, p, this.modalForces);
  }

  /** Changes momenta and velocities at once by an impulse on a vertex, in world coordinates. */
  applyImpulse(vertex: number, x: number, y: number, z: number): void {
    this.#checkVertex(vertex);
    checkVector('impulse', vertex, x, y, z);
    const p = this.#scratch,
      push = this.#push.fill(0);
    this.getVertex(vertex, p);
    if (!this.isFixed) this.#addWrench(p, x, y, z, this.momentum, this.angularMomentum);
    this.frame.toBody(x, y, z, p);
    this.#project(vertex, p, push);
    solveInPlace(this.#massFactor, push.length, push);
    for (let k = 0; k < push.length; k++) this.velocities[k] += push[k];
  }

  /** Advances by `seconds`, at most 1. Refuses forces that are not numbers, and then changes nothing. */
  step(seconds: number): void {
    checkOption('seconds', seconds, 1e-9, 1);
    checkNumbers('modalForces', this.modalForces);
    const { q, velocities: v, frame, momentum: P, angularMomentum: L, force, torque } = this;
    const { mass } = this.model.inertia;
    const h = (this.#step = seconds);
    this.#centreTorque(h);
    this.#addGravity();
    if (!this.isFixed) {
      this.#inertial.begin(frame, q, v, L);
      for (let k = 0; k < 3; k++) {
        frame.position[k] += (h / mass) * (P[k] + (h / 2) * force[k]);
        P[k] += h * force[k];
        this.#meanMomentum[k] = L[k] + (h / 2) * torque[k];
        L[k] += h * torque[k];
      }
    }
    this.#newmark.solve(q, v, h, this.#outer);
    const { q: end } = this.#newmark;
    if (!this.isFixed) this.#outerAt(end); // once more: the middle of the step as it came out
    for (let k = 0; k < q.length; k++) v[k] = (2 / h) * (end[k] - q[k]) - v[k];
    q.set(end);
    if (!this.isFixed) {
      const { omega } = this.#inertial;
      frame.turn(h * omega[0], h * omega[1], h * omega[2]);
      this.#inertial.finish(frame, q, v, L);
    }
    this.modalForces.fill(0);
    force.fill(0);
    torque.fill(0);
    this.time += seconds;
  }

  kineticEnergy(): number {
    const { inertia, modeCount: n } = this.model;
    const { velocities: v, momentum: P } = this;
    let sum = 0;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) sum += v[i] * inertia.massMatrix[i * n + j] * v[j];
    if (this.isFixed) return sum / 2;
    this.#inertial.begin(this.frame, this.q, v, this.angularMomentum);
    const [x, y, z] = this.#inertial.omega;
    const I = inertia.inertia,
      s = inertia.spin;
    sum += I[0] * x * x + I[1] * y * y + I[2] * z * z + 2 * (I[3] * x * y + I[4] * x * z + I[5] * y * z);
    sum += 2 * (s[0] * x + s[1] * y + s[2] * z);
    return (sum + (P[0] * P[0] + P[1] * P[1] + P[2] * P[2]) / inertia.mass) / 2;
  }

  elasticEnergy(): number {
    return this.model.elasticity.energy(this.q);
  }

  /** The farthest that any vertex can be from the centre of mass. */
  get reach(): number {
    const { radius, modeReach } = this.model;
    let reach = radius;
    for (let k = 0; k < modeReach.length; k++) reach += Math.abs(this.q[k]) * modeReach[k];
    return reach;
  }

  /**
   * Forces stay where they act while the body moves on: their torque is taken about where its centre is in the middle
   * of the step. So a force and its opposite on another body leave the angular momentum of both together as it is.
   */
  #centreTorque(h: number): void {
    const { force: f, torque, momentum: P, gravity: g } = this;
    const { mass } = this.model.inertia;
    const x = (h / 2 / mass) * (P[0] + (h / 2) * (f[0] + mass * g[0])),
      y = (h / 2 / mass) * (P[1] + (h / 2) * (f[1] + mass * g[1])),
      z = (h / 2 / mass) * (P[2] + (h / 2) * (f[2] + mass * g[2]));
    torque[0] -= y * f[2] - z * f[1];
    torque[1] -= z * f[0] - x * f[2];
    torque[2] -= x * f[1] - y * f[0];
  }

  /** Free bodies fall as a whole; of a fixed one the modes feel it. */
  #addGravity(): void {
    const { mass, modeMomenta } = this.model.inertia;
    const g = this.gravity;
    if (!this.isFixed) {
      for (let k = 0; k < 3; k++) this.force[k] += mass * g[k];
      return;
    }
    const down = this.#scratch;
    this.frame.toBody(g[0], g[1], g[2], down);
    for (let j = 0; j < this.modalForces.length; j++) {
      const o = 3 * j;
      this.modalForces[j] +=
        modeMomenta[o] * down[0] + modeMomenta[o + 1] * down[1] + modeMomenta[o + 2] * down[2];
    }
  }

  /** Forces on the modes when the step ends at `end`. */
  #outerAt(end: Float64Array): Float64Array {
    if (this.isFixed) return this.modalForces;
    const { q } = this;
    const h = this.#step;
    for (let k = 0; k < q.length; k++) {
      this.#middle[k] = (q[k] + end[k]) / 2;
      this.#rate[k] = (end[k] - q[k]) / h;
    }
    this.#inertial.evaluate(this.frame, this.#middle, this.#rate, this.#meanMomentum, h);
    for (let k = 0; k < q.length; k++) this.#total[k] = this.modalForces[k] + this.#inertial.forces[k];
    return this.#total;
  }

  #addWrench(
    point: Float64Array,
    x: number,
    y: number,
    z: number,
    linear: Float64Array,
    angular: Float64Array,
  ): void {
    const { position } = this.frame;
    const rx = point[0] - position[0],
      ry = point[1] - position[1],
      rz = point[2] - position[2];
    linear[0] += x;
    linear[1] += y;
    linear[2] += z;
    angular[0] += ry * z - rz * y;
    angular[1] += rz * x - rx * z;
    angular[2] += rx * y - ry * x;
  }

  #displace(vertex: number, q: Float64Array, out: Float64Array): void {
    const { vertexModes, modeCount: n } = this.model;
    for (let axis = 0, o = 3 * n * vertex; axis < 3; axis++) {
      let sum = 0;
      for (let k = 0; k < n; k++, o++) sum += vertexModes[o] * q[k];
      out[axis] = sum;
    }
  }

  #project(vertex: number, f: Float64Array, out: Float64Array): void {
    const { vertexModes: u, modeCount: n } = this.model;
    const o = 3 * n * vertex;
    for (let k = 0; k < n; k++) out[k] += u[o + k] * f[0] + u[o + n + k] * f[1] + u[o + 2 * n + k] * f[2];
  }

  #checkVertex(vertex: number): void {
    const { vertexCount } = this.model.surface;
    if (Number.isInteger(vertex) && vertex >= 0 && vertex < vertexCount) return;
    throw new InputError(
      'index-out-of-range',
      `vertex must be a whole number below ${vertexCount}, not ${describe(vertex)}`,
    );
  }
}

function checkBalance({ inertia, modeCount: n }: ReducedModel): void {
  const { modeMomenta: p, massMatrix, mass } = inertia;
  for (let i = 0; i < n; i++) {
    const carried = Math.hypot(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
    if (carried <= UNBALANCED * Math.sqrt(mass * massMatrix[i * n + i])) continue;
    throw new InputError(
      'mismatch',
      `mode ${i} moves the centre of mass: a free body needs modes of a free body; hold this one with fixed: true`,
    );
  }
}

function checkVector(what: string, vertex: number, x: number, y: number, z: number): void {
  if (Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)) return;
  throw new InputError('not-finite', `the ${what} on vertex ${vertex} is (${x}, ${y}, ${z})`);
}
