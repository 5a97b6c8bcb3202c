import { solveSymmetric } from '../../algebra/matrix3.ts';
import type { Body } from '../../body/body.ts';
import type { ContactShape } from './contact-shape.ts';
import type { ReducedBody } from './reduced-body.ts';

/** A body as contacts see it during one step: vertices and velocities in the world, computed when asked for. */
export class ContactBody {
  readonly index: number;
  readonly body: ReducedBody;
  readonly shape: ContactShape;
  /** The engine's body, posed as this one. */
  readonly collider: Body;
  /** World positions of vertices; of those only that `ensure` was called for. */
  readonly positions: Float64Array<ArrayBuffer>;
  /** Marks of searches: a vertex was met, or found inside, in the search with that number. */
  readonly seen: Uint32Array;
  readonly inside: Uint32Array;
  /** How far a vertex has been dragged along what it rests on, on whom, and in which step last. */
  readonly slip: Float64Array;
  readonly slipPartner: Int32Array;
  readonly slipStep: Uint32Array;
  /** Σ stiffness × mobility of its contacts: the square of a frequency. */
  load = 0;

  readonly #known: Uint32Array; // per vertex: the step of its position
  readonly #velocity = new Float64Array(3);
  readonly #omega = new Float64Array(3);
  readonly #softness: Float64Array; // per mode: what a unit of force moves it by in a step, times 1/h²
  readonly #matrix = new Float64Array(12);
  readonly #local = new Float64Array(3);
  readonly #turned = new Float64Array(3);
  readonly #modal: Float64Array;
  #step = 0;
  #softnessOf = 0;

  constructor(index: number, body: ReducedBody, shape: ContactShape, collider: Body) {
    const { vertexCount } = shape.model.surface;
    this.index = index;
    this.body = body;
    this.shape = shape;
    this.collider = collider;
    this.positions = new Float64Array(3 * vertexCount);
    this.seen = new Uint32Array(vertexCount);
    this.inside = new Uint32Array(vertexCount);
    this.slip = new Float64Array(3 * vertexCount);
    this.slipPartner = new Int32Array(vertexCount);
    this.slipStep = new Uint32Array(vertexCount);
    this.#known = new Uint32Array(vertexCount);
    this.#softness = new Float64Array(shape.model.modeCount);
    this.#modal = new Float64Array(shape.model.modeCount);
  }

  /** A new step, of length h: poses the engine's body. */
  begin(step: number, h: number): void {
    const { body } = this;
    this.#step = step;
    this.load = 0;
    this.collider.setPose(body.q);
    body.getWorldMatrix(this.#matrix);
    this.collider.setWorldMatrix(this.#matrix);
    body.getAngularVelocity(this.#omega);
    for (let k = 0; k < 3; k++)
      this.#velocity[k] = body.isFixed ? 0 : body.momentum[k] / body.model.inertia.mass;
    if (this.#softnessOf !== h) this.#setSoftness(h);
  }

  /** Makes the position of a vertex known. */
  ensure(vertex: number): void {
    if (this.#known[vertex] === this.#step) return;
    this.#known[vertex] = this.#step;
    this.body.getVertex(vertex, this.#local);
    this.positions.set(this.#local, 3 * vertex);
  }

  /** The same for all of them at once. */
  ensureAll(): void {
    this.collider.getPositions(this.positions);
    this.#known.fill(this.#step);
  }

  /** Adds `share` of the velocity that a vertex has beside the rigid motion. */
  addDeformationVelocity(vertex: number, share: number, out: Float64Array): void {
    const { vertexModes, modeCount: n } = this.shape.model;
    const v = this.body.velocities;
    const local = this.#local;
    for (let axis = 0, o = 3 * n * vertex; axis < 3; axis++) {
      let sum = 0;
      for (let k = 0; k < n; k++, o++) sum += vertexModes[o] * v[k];
      local[axis] = share * sum;
    }
    this.body.frame.toWorld(local[0], local[1], local[2], local);
    for (let k = 0; k < 3; k++) out[k] += local[k];
  }

  /** Adds `share` of the rigid velocity at a place in the world. */
  addRigidVelocity(point: Float64Array, share: number, out: Float64Array): void {
    const { position } = this.body.frame;
    const w = this.#omega,
      v = this.#velocity;
    const x = point[0] - position[0],
      y = point[1] - position[1],
      z = point[2] - position[2];
    out[0] += share * (v[0] + w[1] * z - w[2] * y);
    out[1] += share * (v[1] + w[2] * x - w[0] * z);
    out[2] += share * (v[2] + w[0] * y - w[1] * x);
  }

  /** Force and torque of a force at a place in the world. */
  addWrench(point: Float64Array, fx: number, fy: number, fz: number): void {
    const { force, torque, frame } = this.body;
    const x = point[0] - frame.position[0],
      y = point[1] - frame.position[1],
      z = point[2] - frame.position[2];
    force[0] += fx;
    force[1] += fy;
    force[2] += fz;
    torque[0] += y * fz - z * fy;
    torque[1] += z * fx - x * fz;
    torque[2] += x * fy - y * fx;
  }

  /** Adds what a force on a vertex, in world directions, does to the modes. */
  addModal(vertex: number, fx: number, fy: number, fz: number, out: Float64Array): void {
    const { vertexModes: u, modeCount: n } = this.shape.model;
    const f = this.#turned;
    this.body.frame.toBody(fx, fy, fz, f);
    const x = f[0],
      y = f[1],
      z = f[2];
    for (let k = 0, o = 3 * n * vertex; k < n; k++, o++) out[k] += u[o] * x + u[o + n] * y + u[o + 2 * n] * z;
  }

  /** An empty vector of modes, the body's own scratch. */
  clearModal(): Float64Array {
    return this.#modal.fill(0);
  }

  /** How much a unit impulse that is `modal` on the modes changes their velocity along it. */
  modalMobility(modal: Float64Array): number {
    let sum = 0;
    for (let k = 0; k < modal.length; k++) sum += this.#softness[k] * modal[k] * modal[k];
    return sum;
  }

  /** … and that of the frame, for a unit impulse along n at a place in the world. */
  rigidMobility(point: Float64Array, nx: number, ny: number, nz: number): number {
    const { body } = this;
    if (body.isFixed) return 0;
    const { mass, restInertia } = body.model.inertia;
    const { position } = body.frame;
    const x = point[0] - position[0],
      y = point[1] - position[1],
      z = point[2] - position[2];
    const lever = this.#local,
      turned = this.#turned;
    body.frame.toBody(y * nz - z * ny, z * nx - x * nz, x * ny - y * nx, lever);
    solveSymmetric(restInertia, lever[0], lever[1], lever[2], turned);
    return 1 / mass + lever[0] * turned[0] + lever[1] * turned[1] + lever[2] * turned[2];
  }

  /** Stiff modes give way less than their mass says: within a step the implicit method holds them. */
  #setSoftness(h: number): void {
    const { elasticity, inertia, modeCount: n } = this.shape.model;
    for (let k = 0; k < n; k++) {
      const stiffness = elasticity.coefficients.quadratic[(k * (k + 1)) / 2 + k];
      this.#softness[k] = 1 / (inertia.massMatrix[k * n + k] + (h * h * stiffness) / 4);
    }
    this.#softnessOf = h;
  }
}
