import type { Contact, ContactList } from './contact-list.ts';

export interface ContactForceOptions {
  /** Damping ratio of contacts: 1 lets nothing bounce. */
  readonly damping: number;
}

/** What a contact did during a step; the object is used again for the next one. */
export interface ContactEvent {
  /** Which body, by its index in the scene, and the vertex closest to the contact. */
  body: number;
  vertex: number;
  /** The other body, or −1, −2, … for the first, second, … obstacle. */
  partner: number;
  /** In the body's own directions: what `ModalSoundBank.strike` wants. */
  readonly impulse: Float64Array;
  /** When the step began. */
  time: number;
}

/** Contacts stay this much below where they would gain energy. */
const CAUTION = 0.9;

/**
 * Penalty forces with Coulomb friction. Each contact is a spring along its normal and one along the surface that
 * remembers how far it was dragged (Cundall & Strack 1979); when it pulls more than friction allows, it slips. So
 * bodies rest on slopes without creeping. Stiffness is what was asked for, or as much as the step can bear: it is
 * lowered where contacts are many or what they push is light, by the sum of stiffness times mobility over all contacts
 * of the two bodies, which bounds the square of the highest frequency Ω along the normals.
 *
 * Springs act with the length that they have in the middle of a step at the velocity of its beginning: leapfrog, stable
 * for (hΩ)² / 4 + ζ hΩ < 1 with the damping ratio ζ. Springs along two more directions may work on the same motion, so
 * a third of that is allowed.
 */
export class ContactForces {
  readonly #velocity = new Float64Array(3);
  readonly #event: ContactEvent = { body: 0, vertex: 0, partner: 0, impulse: new Float64Array(3), time: 0 };
  readonly #damping: number;
  readonly #stable: number; // the largest (hΩ)²

  constructor({ damping }: ContactForceOptions) {
    this.#damping = damping;
    this.#stable = CAUTION * (Math.sqrt(4 * damping * damping + 4 / 3) - 2 * damping) ** 2;
  }

  /** Adds forces of all contacts to the bodies, for a step of length h with number `step`. */
  apply(
    list: ContactList,
    h: number,
    step: number,
    time: number,
    onContact: ((event: ContactEvent) => void) | undefined,
  ): void {
    for (let k = 0; k < list.count; k++) addLoad(list.items[k]);
    for (let k = 0; k < list.count; k++) {
      const contact = list.items[k];
      const { a, b } = contact;
      const load = a.load + (b === undefined || b === a ? 0 : b.load);
      if (load === 0) continue; // nothing here can move
      const scale = Math.min(1, this.#stable / (h * h * load));
      const stiffness = scale * contact.stiffness;
      const damping = (2 * this.#damping * stiffness) / Math.sqrt(scale * load);
      this.#setVelocity(contact);
      this.#setForce(contact, stiffness, damping, h, step);
      push(contact, this.#velocity);
      if (onContact !== undefined) this.#tell(contact, h, time, onContact);
    }
  }

  /** Velocity of the point of a relative to b. */
  #setVelocity({ a, b, vertex0, vertex1, share, triangle, weights, point }: Contact): void {
    const v = this.#velocity.fill(0);
    a.addDeformationVelocity(vertex0, 1 - share, v);
    if (share > 0) a.addDeformationVelocity(vertex1, share, v);
    if (b !== a) a.addRigidVelocity(point, 1, v);
    if (b === undefined) return;
    const { triangles } = b.shape.model.surface;
    for (let k = 0; k < 3; k++) b.addDeformationVelocity(triangles[3 * triangle + k], -weights[k], v);
    if (b !== a) b.addRigidVelocity(point, -1, v);
  }

  /** Turns the velocity into the force on a. */
  #setForce(contact: Contact, stiffness: number, damping: number, h: number, step: number): void {
    const { a, normal: n, vertex0, share, partner, depth, friction } = contact;
    const v = this.#velocity;
    const parting = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
    const pressure = Math.max(0, stiffness * (depth - (h / 2) * parting) - damping * parting);
    for (let k = 0; k < 3; k++) v[k] -= parting * n[k]; // along the surface from here on
    const remembers = share === 0;
    const slip = a.slip,
      o = 3 * vertex0;
    if (remembers) {
      const isNew = a.slipStep[vertex0] !== step - 1 || a.slipPartner[vertex0] !== partner;
      if (isNew) slip.fill(0, o, o + 3);
      const along = slip[o] * n[0] + slip[o + 1] * n[1] + slip[o + 2] * n[2];
      for (let k = 0; k < 3; k++) slip[o + k] += h * v[k] - along * n[k];
      a.slipStep[vertex0] = step;
      a.slipPartner[vertex0] = partner;
    }
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const drawn = remembers ? slip[o + k] - (h / 2) * v[k] : 0;
      v[k] = -damping * v[k] - stiffness * drawn;
      squared += v[k] * v[k];
    }
    const drag = Math.sqrt(squared),
      most = friction * pressure;
    if (drag > most) {
      for (let k = 0; k < 3; k++) {
        v[k] *= most / drag;
        if (remembers) slip[o + k] = -v[k] / stiffness; // it slips: the spring is as long as friction holds
      }
    }
    for (let k = 0; k < 3; k++) v[k] += pressure * n[k];
  }

  #tell(contact: Contact, h: number, time: number, onContact: (event: ContactEvent) => void): void {
    const { a, b, vertex0, vertex1, share, triangle, weights, partner } = contact;
    const event = this.#event,
      f = this.#velocity;
    event.time = time;
    event.body = a.index;
    event.partner = partner;
    event.vertex = share > 0.5 ? vertex1 : vertex0;
    a.body.frame.toBody(h * f[0], h * f[1], h * f[2], event.impulse);
    onContact(event);
    if (b === undefined) return;
    const largest =
      weights[0] >= weights[1] && weights[0] >= weights[2] ? 0 : weights[1] >= weights[2] ? 1 : 2;
    event.body = b.index;
    event.partner = a.index;
    event.vertex = b.shape.model.surface.triangles[3 * triangle + largest];
    b.body.frame.toBody(-h * f[0], -h * f[1], -h * f[2], event.impulse);
    onContact(event);
  }
}

/** Adds stiffness times mobility along the normal to the loads of the two bodies. */
function addLoad(contact: Contact): void {
  const { a, b, normal: n, point, stiffness } = contact;
  const modal = a.clearModal();
  projectA(contact, n[0], n[1], n[2], modal);
  if (b === a) {
    projectB(contact, -n[0], -n[1], -n[2], modal);
    a.load += stiffness * a.modalMobility(modal);
    return;
  }
  a.load += stiffness * (a.modalMobility(modal) + a.rigidMobility(point, n[0], n[1], n[2]));
  if (b === undefined) return;
  const other = b.clearModal();
  projectB(contact, n[0], n[1], n[2], other);
  b.load += stiffness * (b.modalMobility(other) + b.rigidMobility(point, n[0], n[1], n[2]));
}

/** A force on a, and its opposite on b, at one place: momenta of both together do not change. */
function push(contact: Contact, f: Float64Array): void {
  const { a, b, point } = contact;
  projectA(contact, f[0], f[1], f[2], a.body.modalForces);
  if (b !== a) a.addWrench(point, f[0], f[1], f[2]);
  if (b === undefined) return;
  projectB(contact, -f[0], -f[1], -f[2], b.body.modalForces);
  if (b !== a) b.addWrench(point, -f[0], -f[1], -f[2]);
}

function projectA(
  { a, vertex0, vertex1, share }: Contact,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): void {
  a.addModal(vertex0, (1 - share) * x, (1 - share) * y, (1 - share) * z, out);
  if (share > 0) a.addModal(vertex1, share * x, share * y, share * z, out);
}

function projectB(
  { b, triangle, weights: w }: Contact,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): void {
  const { triangles } = b!.shape.model.surface;
  for (let k = 0; k < 3; k++) b!.addModal(triangles[3 * triangle + k], w[k] * x, w[k] * y, w[k] * z, out);
}
