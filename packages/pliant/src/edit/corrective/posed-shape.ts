import { InputError } from '../../mesh/input-error.ts';
import { ContactFinder } from '../contact/contact-finder.ts';
import type { ShapeObstacle } from '../contact/obstacle.ts';
import { Shape } from '../shape.ts';
import { checkContact, type ShapeContactOptions } from '../shape-options.ts';
import type { Cage } from '../types.ts';

type ShapeParts = ConstructorParameters<typeof Shape>[0];

/**
 * A shape that rests in a pose of another one. What overlaps in the pose is not at rest for its contacts: they are
 * looked for, and undone, by the cage that it was carried from.
 */
export class PosedShape extends Shape {
  readonly #bind: Cage;
  #contacts: ShapeContactOptions | false = false;

  /** `bind` has the same tetrahedra and the same surface as the cage of `parts`. @internal */
  constructor(parts: ShapeParts, bind: Cage) {
    super({ ...parts, contact: false });
    this.#bind = bind;
    this.setContact(parts.contact);
  }

  override setContact(contact: ShapeContactOptions | false): void {
    super.setContact(false);
    if (contact === false || !(#bind in this)) return; // the base class calls this before there is a cage
    checkContact(contact);
    const { margin, rule = 'push', obstacles = [], self, edges, perCell } = contact;
    const { scale, centre } = this.cage;
    this.solver.contacts = new ContactFinder(
      this.parts.engine,
      { ...this.#bind, scale, centre },
      {
        obstacles,
        self,
        edges,
        perCell,
        margin: margin === undefined ? undefined : margin / scale,
        rule: rule === 'push' ? 'band' : 'sign',
        cellOf: (vertex) => this.solver.oracle.cellOf(vertex),
      },
    );
    this.#contacts = contact;
  }

  override setObstacles(obstacles: readonly ShapeObstacle[]): void {
    if (this.#contacts === false) throw new InputError('bad-option', 'this shape has no contacts');
    this.setContact({ ...this.#contacts, obstacles });
  }

  /** Errors: 'unsupported': what a correction is made of is the file and the pose. */
  override serialize(): Uint8Array {
    throw new InputError('unsupported', 'the shape of a correction cannot be stored; store its state');
  }
}
