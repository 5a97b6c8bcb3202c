/**
 * A matrix that has no Cholesky factor, or none that rounding has left digits of. Shift it (K + σM) or fix more
 * unknowns.
 */
export class NotPositiveDefinite extends Error {
  override readonly name = 'NotPositiveDefinite';
  /** The row of the matrix as it was given. */
  readonly row: number;
  /** What was left of its diagonal entry after those eliminated before it. */
  readonly pivot: number;
  readonly diagonal: number;

  constructor(row: number, pivot: number, diagonal: number) {
    super(
      `the matrix is not positive definite${pivot > 0 ? ' beyond rounding' : ''}: ` +
        `row ${row} has the pivot ${pivot}, from a diagonal entry of ${diagonal}`,
    );
    this.row = row;
    this.pivot = pivot;
    this.diagonal = diagonal;
  }
}
