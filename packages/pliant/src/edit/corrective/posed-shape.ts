import { InputError } from '../../mesh/input-error.ts';
import { Shape } from '../shape.ts';

/** A shape that rests in a pose of another one. What overlaps in the pose is not at rest for its contacts. */
export class PosedShape extends Shape {
  /** Errors: 'unsupported': what a correction is made of is the file and the pose. */
  override serialize(): Uint8Array {
    throw new InputError('unsupported', 'the shape of a correction cannot be stored; store its state');
  }
}
