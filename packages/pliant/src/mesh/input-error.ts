/**
 * What is wrong with an input, for programs; the message says it for people, with the place.
 * New codes may be added; existing ones keep their meaning.
 */
export type InputErrorCode =
  | 'empty'
  | 'wrong-type'
  | 'wrong-length'
  | 'not-finite'
  | 'out-of-range'
  | 'index-out-of-range'
  | 'too-large'
  | 'singular'
  | 'no-pose'
  | 'disposed'
  | 'busy'
  | 'bad-option'
  | 'mismatch'
  | 'refuted'
  | 'syntax'
  | 'truncated'
  | 'unsupported'
  | 'missing-file'
  | 'out-of-memory';

/** Input that cannot be used. Nothing was changed by the call that threw it. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly code: InputErrorCode;

  constructor(code: InputErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
