/*
 * Exact answers about two triangles, in integers, sharing nothing with src/narrow: no case analysis, no
 * orientation predicates. A linear program decides, and its answer is believed only after its
 * certificate (a common point, or a separating direction) has been checked by plain arithmetic.
 */

/** Nine numbers: the corners x, y, z of one triangle. */
export type Triangle = ArrayLike<number>;
export type Point = readonly [bigint, bigint, bigint];
/** The point x/w, y/w, z/w; w > 0. */
export type RationalPoint = readonly [bigint, bigint, bigint, bigint];
type AnyPoint = Point | RationalPoint;

/** Whether the closed triangles have a point in common. */
export function oracleTrianglesIntersect(a: Triangle, b: Triangle): boolean {
  const [pa, pb] = toCommonIntegers(a, b);
  return oracleHullsIntersect(pa, pb);
}

/** Whether the convex hulls of two point sets have a point in common. */
export function oracleHullsIntersect(a: readonly AnyPoint[], b: readonly AnyPoint[]): boolean {
  const { weights, direction } = solve(a, b);
  if (weights) {
    const alpha = weights.slice(0, a.length),
      beta = weights.slice(a.length);
    const isProof =
      weights.every((w) => w >= 0n) &&
      total(alpha, a) > 0n &&
      total(alpha, a) === total(beta, b) &&
      [0, 1, 2].every((k) => combine(alpha, a, k) === combine(beta, b, k));
    if (!isProof) throw new Error('the oracle found no valid common point');
    return true;
  }
  const valuesA = a.map((p) => dot(direction, p)),
    valuesB = b.map((p) => dot(direction, p));
  const isProof = valuesA.every((v, i) => valuesB.every((w, j) => v * weightOf(b[j]) > w * weightOf(a[i])));
  if (!isProof) throw new Error('the oracle found no valid separating direction');
  return false;
}

export interface OracleDistance {
  /** d² = numerator / denominator, in units of the input. */
  numerator: bigint;
  denominator: bigint;
}

/**
 * The exact squared distance of two triangles. For every pair of corner subsets, the closest points of
 * their affine hulls solve a linear system (KKT); the pair is accepted when the points are inside and
 * the planes through them, orthogonal to their difference, separate the triangles: that is a proof.
 */
export function oracleDistanceSquared(a: Triangle, b: Triangle): OracleDistance {
  const [pa, pb, bits] = toCommonIntegers(a, b);
  for (const s of SUBSETS) {
    for (const t of SUBSETS) {
      const d = closestOfHulls(
        s.map((i) => pa[i]),
        t.map((i) => pb[i]),
        pa,
        pb,
      );
      if (d) return { numerator: d.numerator, denominator: d.denominator << BigInt(2 * bits) };
    }
  }
  throw new Error('the oracle found no closest points');
}

/** √(d²) as a float64, good to the last bits. */
export function oracleDistance(a: Triangle, b: Triangle): number {
  const { numerator, denominator } = oracleDistanceSquared(a, b);
  if (numerator === 0n) return 0;
  const shift = 60 + (denominator.toString(2).length - numerator.toString(2).length) / 2; // 60 bits are kept
  const k = Math.trunc(shift);
  const quotient =
    k >= 0 ? (numerator << BigInt(2 * k)) / denominator : numerator / (denominator << BigInt(-2 * k));
  const half = Math.trunc(k / 2);
  return Math.sqrt(Number(quotient)) * 2 ** -half * 2 ** -(k - half);
}

/**
 * The extreme points of what two triangles have in common, each as x · w, y · w, z · w, w with w > 0.
 * A common point is Σ αᵢ aᵢ = Σ βⱼ bⱼ. The extreme ones are among those whose weights are determined by
 * the corners they use, so every choice of corners is solved; points in the hull of others are dropped.
 */
export function oracleIntersectionPoints(a: readonly Point[], b: readonly Point[]): RationalPoint[] {
  const found: RationalPoint[] = [];
  for (const s of SUBSETS) {
    for (const t of SUBSETS) {
      const columns = [
        ...s.map((i) => [a[i][0], a[i][1], a[i][2], 1n, 0n]),
        ...t.map((j) => [-b[j][0], -b[j][1], -b[j][2], 0n, 1n]),
      ];
      const solution = solveUniquely(columns, [0n, 0n, 0n, 1n, 1n]);
      if (!solution?.x.every((w) => w >= 0n)) continue;
      const { x, denominator } = solution;
      const sum3 = [0, 1, 2].map((k) => s.reduce((acc, i, n) => acc + x[n] * a[i][k], 0n));
      const point: RationalPoint = [sum3[0], sum3[1], sum3[2], denominator];
      if (!found.some((p) => isSamePoint(p, point))) found.push(point);
    }
  }
  return found.filter(
    (p) =>
      !isInHull(
        p,
        found.filter((q) => q !== p),
      ),
  );
}

/** Whether p is in the convex hull of the points. */
export function isInHull(p: RationalPoint, points: readonly RationalPoint[]): boolean {
  if (points.length === 0) return false;
  return oracleHullsIntersect([p], points);
}

function isSamePoint(p: RationalPoint, q: RationalPoint): boolean {
  return [0, 1, 2].every((k) => p[k] * q[3] === q[k] * p[3]);
}

/** The sign of det[b − a, c − a, d − a]. */
export function oracleOrient3d(points: ArrayLike<number>): number {
  const [[a, b, c, d]] = toIntegers(points);
  const [u, v, w] = [b, c, d].map((p) => subtract(p, a));
  const det =
    u[0] * (v[1] * w[2] - v[2] * w[1]) +
    u[1] * (v[2] * w[0] - v[0] * w[2]) +
    u[2] * (v[0] * w[1] - v[1] * w[0]);
  return det > 0n ? 1 : det < 0n ? -1 : 0;
}

/** The points x, y, z, x, y, z … as integers over a common power of two, and that power. */
export function toIntegers(points: ArrayLike<number>): [Point[], number] {
  const parts = Array.from(points, mantissaAndExponent);
  const low = Math.min(0, ...parts.filter(([m]) => m !== 0n).map(([, e]) => e));
  const numbers = parts.map(([m, e]) => (m === 0n ? 0n : m << BigInt(e - low)));
  const result: Point[] = [];
  for (let i = 0; i < numbers.length; i += 3) result.push([numbers[i], numbers[i + 1], numbers[i + 2]]);
  return [result, -low];
}

export function toCommonIntegers(a: Triangle, b: Triangle): [Point[], Point[], number] {
  const [points, bits] = toIntegers([...Array.from(a), ...Array.from(b)]);
  return [points.slice(0, 3), points.slice(3), bits];
}

/** x = m · 2^e, read off the bits of the number. */
function mantissaAndExponent(x: number): [bigint, number] {
  const raw = new BigUint64Array(new Float64Array([x]).buffer)[0];
  const exponent = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xfffffffffffffn;
  let m = exponent === 0 ? fraction : fraction | 0x10000000000000n;
  let e = (exponent === 0 ? 1 : exponent) - 1075;
  while (m !== 0n && (m & 0xffn) === 0n) {
    // keep the integers short
    m >>= 8n;
    e += 8;
  }
  return [x < 0 ? -m : m, e];
}

/**
 * Phase 1 of the simplex method, in integers (Edmonds' pivots, Bland's rule), for
 *
 *     Σ αᵢ aᵢ − Σ βⱼ bⱼ = 0,  Σ αᵢ = 1,  Σ βⱼ = 1,  α, β ≥ 0.
 *
 * A rational point counts with its four numbers as they are: its weight is then α w.
 * Returns the weights, scaled to integers, or the dual's direction that separates the two sets.
 */
function solve(a: readonly AnyPoint[], b: readonly AnyPoint[]): { weights?: bigint[]; direction: Point } {
  const columns = [
    ...a.map((p) => [p[0], p[1], p[2], weightOf(p), 0n]),
    ...b.map((p) => [-p[0], -p[1], -p[2], 0n, weightOf(p)]),
  ];
  const n = columns.length,
    width = n + 6;
  const rows: bigint[][] = [];
  for (let r = 0; r < 5; r++) {
    const artificial = [0n, 0n, 0n, 0n, 0n];
    artificial[r] = 1n;
    rows.push([...columns.map((c) => c[r]), ...artificial, r < 3 ? 0n : 1n]);
  }
  const cost: bigint[] = [];
  for (let k = 0; k < width; k++) {
    const isArtificial = k >= n && k < n + 5;
    cost.push(isArtificial ? 0n : -(rows[0][k] + rows[1][k] + rows[2][k] + rows[3][k] + rows[4][k]));
  }
  const basis = [n, n + 1, n + 2, n + 3, n + 4];
  let scale = 1n;
  for (;;) {
    const enter = cost.findIndex((c, k) => k < n && c < 0n);
    if (enter < 0) break;
    let leave = -1;
    for (let r = 0; r < 5; r++) {
      if (rows[r][enter] <= 0n) continue;
      if (leave < 0) leave = r;
      else {
        const here = rows[r][width - 1] * rows[leave][enter],
          best = rows[leave][width - 1] * rows[r][enter];
        if (here < best || (here === best && basis[r] < basis[leave])) leave = r;
      }
    }
    if (leave < 0) throw new Error('a bounded program cannot be unbounded');
    const pivotRow = rows[leave],
      pivot = pivotRow[enter];
    for (const row of [...rows, cost]) {
      if (row === pivotRow) continue;
      const factor = row[enter];
      for (let k = 0; k < width; k++) row[k] = (row[k] * pivot - factor * pivotRow[k]) / scale;
    }
    scale = pivot;
    basis[leave] = enter;
  }
  if (cost[width - 1] === 0n) {
    const weights: bigint[] = new Array(n).fill(0n);
    for (let r = 0; r < 5; r++) if (basis[r] < n) weights[basis[r]] = rows[r][width - 1];
    return { weights, direction: [0n, 0n, 0n] };
  }
  // Reduced cost of artificial i is scale − yᵢ · scale, and y proves: y·column ≤ 0, y·(0,0,0,1,1) > 0.
  const y = [0, 1, 2].map((i) => cost[n + i] - scale);
  return { direction: [y[0], y[1], y[2]] };
}

const SUBSETS = [[0], [1], [2], [0, 1], [1, 2], [2, 0], [0, 1, 2]];

function closestOfHulls(
  s: readonly Point[],
  t: readonly Point[],
  a: readonly Point[],
  b: readonly Point[],
): OracleDistance | undefined {
  // Unknown x: p = s₀ + Σ xᵢ (sᵢ − s₀), q = t₀ + Σ xⱼ (tⱼ − t₀); all edge vectors orthogonal to p − q.
  const edges = [...s.slice(1).map((p) => subtract(p, s[0])), ...t.slice(1).map((p) => subtract(t[0], p))];
  const offset = subtract(s[0], t[0]);
  const solution = solveUniquely(
    edges.map((e) => edges.map((f) => dot(e, f))), // symmetric: rows and columns alike
    edges.map((e) => -dot(e, offset)),
  );
  if (!solution) return undefined; // dependent edges: a smaller subset has the same closest points
  const { x, denominator } = solution;
  const xs = x.slice(0, s.length - 1),
    xt = x.slice(s.length - 1);
  const isInside = x.every((w) => w >= 0n) && sum(xs) <= denominator && sum(xt) <= denominator;
  if (!isInside) return undefined;
  const gap = [0, 1, 2].map((k) => edges.reduce((acc, e, i) => acc + x[i] * e[k], offset[k] * denominator));
  const direction: Point = [gap[0], gap[1], gap[2]]; // (p − q) · denominator
  const onA = dot(direction, s[0]),
    onB = dot(direction, t[0]);
  const isProof = a.every((p) => dot(direction, p) >= onA) && b.every((p) => dot(direction, p) <= onB);
  return isProof
    ? { numerator: dot(direction, direction), denominator: denominator * denominator }
    : undefined;
}

/** The x with Σ xₖ columnₖ = right, as integers over a positive denominator, if there is exactly one. */
function solveUniquely(
  columns: bigint[][],
  right: bigint[],
): { x: bigint[]; denominator: bigint } | undefined {
  const n = columns.length;
  const rows = right.map((r, i) => [...columns.map((c) => c[i]), r]);
  let scale = 1n;
  for (let k = 0; k < n; k++) {
    const r = rows.findIndex((row, i) => i >= k && row[k] !== 0n);
    if (r < 0) return undefined;
    [rows[k], rows[r]] = [rows[r], rows[k]];
    const pivotRow = rows[k],
      pivot = pivotRow[k];
    for (const row of rows) {
      if (row === pivotRow) continue;
      const factor = row[k];
      for (let c = 0; c <= n; c++) row[c] = (row[c] * pivot - factor * pivotRow[c]) / scale;
    }
    scale = pivot;
  }
  if (rows.slice(n).some((row) => row[n] !== 0n)) return undefined;
  const sign = scale < 0n ? -1n : 1n;
  return { x: rows.slice(0, n).map((row) => row[n] * sign), denominator: scale * sign };
}

function subtract(p: Point, q: Point): Point {
  return [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
}

function dot(p: AnyPoint, q: AnyPoint): bigint {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => a + b, 0n);
}

/** Σ weights · w */
function total(weights: readonly bigint[], points: readonly AnyPoint[]): bigint {
  return weights.reduce((acc, x, i) => acc + x * weightOf(points[i]), 0n);
}

function weightOf(p: AnyPoint): bigint {
  return p[3] ?? 1n;
}

function combine(weights: readonly bigint[], points: readonly AnyPoint[], k: number): bigint {
  return weights.reduce((acc, w, i) => acc + w * points[i][k], 0n);
}
