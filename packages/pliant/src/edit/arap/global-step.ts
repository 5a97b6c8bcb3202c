import type { CageRows } from './cage-rows.ts';

/** Rows of contacts with their normals (3 each) and offsets: normal · (row p) = offset. */
export interface ContactSystem {
  readonly rows: CageRows;
  readonly normal: Float64Array;
  readonly offset: Float64Array;
}

/**
 * Minimises ½ tr(pᵀ A p) − tr(pᵀ b) where handle rows have their targets and contact rows their offsets. Columns x, y,
 * z stand one after another, n numbers each.
 */
export interface GlobalStep {
  /** Contacts from now on. May factorise. */
  setContacts(contacts: ContactSystem): Promise<void>;
  /**
   * Replaces the right-hand side by the solution, and fills the multipliers of contacts: A p + Cᵀ λ + … = b, so that
   * λ ≤ 0 pushes. Targets are three numbers per handle.
   */
  solve(columns: Float64Array, targets: Float64Array, multipliers: Float64Array): void;
  dispose(): void;
}
