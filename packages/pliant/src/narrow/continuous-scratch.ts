/** What the kind of contact is; see `continuous-filter.ts` for how little depends on it. */
export const VERTEX_FACE = 0;
export const EDGE_EDGE = 1;

/** Memory for continuous tests, made once and passed to each. Not shared between threads or nested calls. */
export interface ContactScratch {
  /** Up to six moving points, six places each: x, y, z at the start, x, y, z at the end of the step. */
  readonly points: Float64Array;
  /**
   * time[0]: the earliest contact so far, Infinity if none. A test looks only for earlier ones and lowers
   * it when it finds one: 0 ≤ exact first contact - time ≤ 2⁻⁴⁰.
   */
  readonly time: Float64Array;
  /**
   * Set by callers that know the features to be apart at the start and decide themselves whether they touch at the end:
   * a test that leaves nothing open but the end sets `isEndOpen` instead of deciding it.
   */
  isApartAtStart: boolean;
  isEndOpen: boolean;
  /** For tests of this library: answer everything in exact arithmetic. */
  exactOnly: boolean;
  /** How many features were compared, and how many of them needed exact arithmetic. */
  featuresTested: number;
  exactFallbacks: number;

  // The filter's own, laid out in continuous-filter.ts and continuous-time.ts.
  readonly edges: Float64Array;
  readonly weights: Float64Array;
  readonly volume: Float64Array;
  readonly margins: Float64Array;
  readonly interval: Float64Array;
  readonly at: Float64Array;
  readonly pairs: Float64Array;
}

/** Places per moving point in `points`. */
export const POINT = 6;

export function createContactScratch(): ContactScratch {
  return {
    points: new Float64Array(6 * POINT),
    time: new Float64Array([Infinity]),
    isApartAtStart: false,
    isEndOpen: false,
    exactOnly: false,
    featuresTested: 0,
    exactFallbacks: 0,
    edges: new Float64Array(18),
    weights: new Float64Array(36),
    volume: new Float64Array(4),
    margins: new Float64Array(6),
    interval: new Float64Array(3),
    at: new Float64Array(1),
    pairs: new Float64Array(2 * 40),
  };
}

/** Puts a moving vertex into place `slot` of `points`. */
export function loadPoint(
  scratch: ContactScratch,
  slot: number,
  start: Float64Array,
  end: Float64Array,
  offset: number,
): void {
  const { points } = scratch;
  const o = POINT * slot;
  points[o] = start[offset];
  points[o + 1] = start[offset + 1];
  points[o + 2] = start[offset + 2];
  points[o + 3] = end[offset];
  points[o + 4] = end[offset + 1];
  points[o + 5] = end[offset + 2];
}
