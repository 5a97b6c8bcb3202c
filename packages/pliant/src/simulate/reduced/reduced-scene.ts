import type { Body } from '../../body/body.ts';
import type { Engine } from '../../body/engine.ts';
import type { SubspaceCertificate } from '../../cull/subspace/subspace-certificate.ts';
import { checkNumbers, checkObject, describe, type NumberArray } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { findAllCollisions } from '../../query/all-collisions.ts';
import { CollisionReport } from '../../report/collision-report.ts';
import { checkOption } from '../../shapes/shape.ts';
import { checkObstacle, findDepth, type Obstacle } from '../obstacle.ts';
import { ContactBody } from './contact-body.ts';
import { type ContactEvent, ContactForces } from './contact-forces.ts';
import { ContactList } from './contact-list.ts';
import { ContactShape } from './contact-shape.ts';
import { ReducedBody, type ReducedBodyOptions } from './reduced-body.ts';
import type { ReducedModel } from './reduced-model.ts';
import { SurfaceContacts } from './surface-contacts.ts';

export interface ReducedSceneOptions {
  /** Acceleration. Default: 0, −9.81, 0. */
  gravity?: NumberArray;
  /** Floors and the like; kept, so moving one moves it. Each has its own friction. Default: none. */
  obstacles?: readonly Obstacle[];
  /**
   * Parts into which a step is cut. Contacts are explicit: the depth at which bodies rest on each other shrinks with the
   * square of a part. With 16 parts of 1/60 s it is some 0.1 % of the size of compact bodies of 1 m, and 0.5 % where
   * light ears carry the weight. Default: 16.
   */
  substeps?: number;
  /** Between bodies: friction over pressure. Default: 0.5. */
  friction?: number;
  /**
   * Of a contact, as the square of an angular frequency: the stiffness divided by the mass of the body, per unit of
   * its size. Lowered where the parts of a step are too long for it. Default: 5e4.
   */
  contactStiffness?: number;
  /** Damping ratio of contacts: 1 lets nothing bounce. Default: 0.5. */
  contactDamping?: number;
  /** True keeps bodies from passing through themselves. Default: true. */
  selfContact?: boolean;
  /** Told what every contact does in every part of a step. */
  onContact?: (event: ContactEvent) => void;
}

export interface SceneBodyOptions extends Omit<ReducedBodyOptions, 'gravity'> {
  /** Where the centre of mass is. Default: where it is at rest. */
  position?: NumberArray;
  /** A quaternion w, x, y, z. Default: not turned. */
  orientation?: NumberArray;
  velocity?: NumberArray;
  angularVelocity?: NumberArray;
  /** Spares self-queries work; of any body with the surface and the surface modes of the model. Default: none. */
  certificate?: SubspaceCertificate;
}

/** Depths beyond this share of the size push no harder. */
const DEEPEST = 0.05;

/**
 * Reduced bodies that fall, bump into obstacles, each other and themselves. Contacts come from the engine's exact
 * pairs of touching triangles in every part of a step. The same bodies and steps give the same motion to the last bit.
 */
export class ReducedScene {
  readonly bodies: ReducedBody[] = [];
  time = 0;
  readonly #engine: Engine;
  readonly #gravity: Float64Array;
  readonly #obstacles: readonly Obstacle[];
  readonly #substeps: number;
  readonly #friction: number;
  readonly #stiffness: number;
  readonly #hasSelfContact: boolean;
  readonly #onContact: ((event: ContactEvent) => void) | undefined;
  readonly #contactBodies: ContactBody[] = [];
  readonly #colliders: Body[] = [];
  readonly #shapes = new Map<ReducedModel, ContactShape>();
  readonly #contacts = new ContactList();
  readonly #surfaceContacts = new SurfaceContacts(this.#contacts);
  readonly #forces: ContactForces;
  readonly #report = new CollisionReport();
  readonly #normal = new Float64Array(3);
  #step = 1; // parts so far; vertices remember in which they touched

  constructor(engine: Engine, options: ReducedSceneOptions = {}) {
    checkObject('options', options);
    const { gravity = [0, -9.81, 0], obstacles = [], substeps = 16, friction = 0.5, onContact } = options;
    const { contactStiffness = 5e4, contactDamping = 0.5, selfContact = true } = options;
    checkNumbers('gravity', gravity, 3);
    checkOption('substeps', substeps, 1, 10_000);
    checkOption('friction', friction, 0, 1e6);
    checkOption('contactStiffness', contactStiffness, 1e-9, 1e18);
    checkOption('contactDamping', contactDamping, 0, 1);
    if (!Array.isArray(obstacles)) {
      throw new InputError('wrong-type', `obstacles must be an array, not ${describe(obstacles)}`);
    }
    for (const obstacle of obstacles) checkObstacle(obstacle);
    this.#engine = engine;
    this.#gravity = Float64Array.from(gravity as ArrayLike<number>);
    this.#obstacles = obstacles;
    this.#substeps = Math.round(substeps);
    this.#friction = friction;
    this.#stiffness = contactStiffness;
    this.#hasSelfContact = selfContact;
    this.#onContact = onContact;
    this.#forces = new ContactForces({ damping: contactDamping });
  }

  /** Contacts in the last part of a step, and the depth of the deepest: through obstacles, others and itself. */
  get contactCount(): number {
    return this.#contacts.count;
  }

  get deepest(): number {
    return this.#contacts.deepest;
  }

  /** Adds a body; those of one model share it. Its surface must be closed. */
  addBody(model: ReducedModel, options: SceneBodyOptions = {}): ReducedBody {
    const body = new ReducedBody(model, { ...options, gravity: this.#gravity });
    const { position, orientation, velocity, angularVelocity } = options;
    body.place(position ?? model.inertia.centre, orientation);
    if (velocity !== undefined || angularVelocity !== undefined) {
      body.setMotion(velocity ?? [0, 0, 0], angularVelocity);
    }
    let shape = this.#shapes.get(model);
    if (shape === undefined) this.#shapes.set(model, (shape = new ContactShape(model)));
    const collider = this.#engine.createModalBody(model.surface, model.surfaceModes);
    if (options.certificate !== undefined) collider.setCertificates([options.certificate.forBody(collider)]);
    this.#contactBodies.push(new ContactBody(this.bodies.length, body, shape, collider));
    this.#colliders.push(collider);
    this.bodies.push(body);
    return body;
  }

  /** The bodies of the engine that are asked where they touch, in order: to look at, posed as of the last part of a step. */
  get colliders(): readonly Body[] {
    return this.#colliders;
  }

  /** Advances by `seconds`, at most 1. Forces applied to bodies before act during its first part. */
  step(seconds: number): void {
    checkOption('seconds', seconds, 1e-9, 1);
    const h = seconds / this.#substeps;
    for (let part = 0; part < this.#substeps; part++) this.#advance(h);
  }

  /** Frees the bodies that were made in the engine. */
  dispose(): void {
    for (const collider of this.#colliders) collider.dispose();
  }

  #advance(h: number): void {
    const bodies = this.#contactBodies;
    this.#contacts.clear();
    this.#step++;
    for (const body of bodies) body.begin(this.#step, h);
    for (const body of bodies) {
      for (let k = 0; k < this.#obstacles.length; k++)
        this.#addObstacleContacts(body, this.#obstacles[k], -1 - k);
    }
    if (bodies.length > 1 || this.#hasSelfContact) {
      findAllCollisions(this.#colliders, { self: this.#hasSelfContact, report: this.#report });
      this.#surfaceContacts.add(this.#report, bodies, this.#friction);
    }
    this.#setStiffness();
    this.#forces.apply(this.#contacts, h, this.#step, this.time, this.#onContact);
    for (const { body } of bodies) body.step(h);
    this.time += h;
  }

  #addObstacleContacts(a: ContactBody, obstacle: Obstacle, partner: number): void {
    const { frame, reach } = a.body;
    const n = this.#normal;
    const { position } = frame;
    if (findDepth(obstacle, position[0], position[1], position[2], reach, n) === 0) return;
    a.ensureAll();
    const { positions: p } = a;
    const { adjacency, vertexCount } = a.shape.model.surface;
    const { friction = 0.5 } = obstacle;
    for (let v = 0; v < vertexCount; v++) {
      if (adjacency.start[v] === adjacency.start[v + 1]) continue; // in no triangle
      const depth = findDepth(obstacle, p[3 * v], p[3 * v + 1], p[3 * v + 2], 0, n);
      if (!(depth > 0)) continue;
      const contact = this.#contacts.add();
      contact.a = a;
      contact.b = undefined;
      contact.partner = partner;
      contact.friction = friction;
      contact.vertex0 = contact.vertex1 = v;
      contact.share = 0;
      contact.depth = depth;
      contact.normal.set(n);
      for (let k = 0; k < 3; k++) contact.point[k] = p[3 * v + k];
    }
  }

  /** What was asked for, of the lighter body; very deep contacts push as if they were less deep. */
  #setStiffness(): void {
    for (let k = 0; k < this.#contacts.count; k++) {
      const contact = this.#contacts.items[k];
      const { model } = contact.a.shape;
      let stiffness = model.inertia.mass / model.size;
      if (contact.b !== undefined) {
        const other = contact.b.shape.model;
        stiffness = Math.min(stiffness, other.inertia.mass / other.size);
      }
      contact.stiffness = this.#stiffness * stiffness * Math.min(1, (DEEPEST * model.size) / contact.depth);
    }
  }
}
