import type { ContactBody } from './contact-body.ts';

/** A point of body `a` inside body `b` or an obstacle. */
export class Contact {
  a!: ContactBody;
  /** Undefined: an obstacle. Equal to `a`: the body touches itself. */
  b: ContactBody | undefined;
  /** What it touches, for friction: the index of b, or −1, −2, … for obstacles. */
  partner = 0;
  friction = 0;
  /** The point lies on the edge between two vertices of a, `share` of the way; at the first one when share is 0. */
  vertex0 = 0;
  vertex1 = 0;
  share = 0;
  /** The closest point of b's surface. */
  triangle = 0;
  readonly weights = new Float64Array(3);
  /** Out of b, of length 1; the place; both in the world. */
  readonly normal = new Float64Array(3);
  readonly point = new Float64Array(3);
  depth = 0;
  /** Of its spring before it is limited. */
  stiffness = 0;
}

/** Contacts of a step; keeps its memory. */
export class ContactList {
  readonly items: Contact[] = [];
  count = 0;

  clear(): void {
    this.count = 0;
  }

  /** One more; the caller fills it. */
  add(): Contact {
    if (this.count === this.items.length) this.items.push(new Contact());
    return this.items[this.count++];
  }

  /** Takes the last one back. */
  drop(): void {
    this.count--;
  }

  /** Of the deepest, 0 when there is none. */
  get deepest(): number {
    let depth = 0;
    for (let k = 0; k < this.count; k++) depth = Math.max(depth, this.items[k].depth);
    return depth;
  }
}
