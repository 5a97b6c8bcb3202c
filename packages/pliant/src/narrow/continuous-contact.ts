import { InputError } from '../mesh/input-error.ts';
import { exactContactTime } from './continuous-exact.ts';
import { APART, FOUND, filterContact, OPEN_AT_END } from './continuous-filter.ts';
import type { ContactScratch } from './continuous-scratch.ts';

/** What happens to two features on linear paths over one step, t in [0, 1]. */
export interface Contact {
  /** Whether the closed features touch at some time, decided exactly. */
  readonly touches: boolean;
  /** First contact from below: 0 ≤ exact - time ≤ 2⁻⁴⁰. Infinity if they never touch. */
  readonly time: number;
}

/**
 * Lowers `time[0]` to the first contact of four points that no axis separates, and says whether it did.
 * Floating point decides nearly always, exact arithmetic the rest.
 */
export function findContact(
  scratch: ContactScratch,
  kind: number,
  o0: number,
  o1: number,
  o2: number,
  o3: number,
): boolean {
  const verdict = scratch.exactOnly ? -1 : filterContact(scratch, kind, o0, o1, o2, o3);
  if (verdict === APART) return false;
  if (verdict === FOUND) return true;
  if (verdict === OPEN_AT_END) {
    scratch.isEndOpen = true;
    return false;
  }

  scratch.exactFallbacks++;
  const exact = exactContactTime(scratch.points, kind, [o0, o1, o2, o3]);
  if (!(exact < scratch.time[0])) return false;
  scratch.time[0] = exact;
  return true;
}

/** Throws unless `points` holds four points with finite coordinates. */
export function checkFourPoints(points: Float64Array, name: string): void {
  if (!(points instanceof Float64Array)) {
    throw new InputError('wrong-type', `${name} must be a Float64Array of 12 coordinates`);
  }
  if (points.length !== 12) {
    throw new InputError('wrong-length', `${name} has ${points.length} coordinates, but four points have 12`);
  }
  const bad = points.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) throw new InputError('not-finite', `${name}[${bad}] is ${points[bad]}`);
}
