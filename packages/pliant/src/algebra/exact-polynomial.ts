/** Integer coefficients, constant term first, without a leading zero; [] is zero. */
export type Polynomial = readonly bigint[];

/**
 * A root in [0, 1] of a square-free polynomial. Exact: the root is numerator / 2^bits. Otherwise it is
 * the only root strictly between numerator / 2^bits and (numerator + 1) / 2^bits, neither of which is one.
 */
export interface UnitRoot {
  readonly polynomial: Polynomial;
  readonly numerator: bigint;
  readonly bits: number;
  readonly exact: boolean;
}

/**
 * The different roots of a nonzero polynomial in [0, 1], ascending. Bisection with Descartes' rule on the
 * Bernstein coefficients of the square-free part: no sign change, no root; one, one root. It costs only
 * additions and shifts per step, and so stays fast where roots are 2⁻²⁰⁰⁰ apart.
 */
export function findUnitRoots(p: Polynomial): UnitRoot[] {
  const polynomial = squareFreePart(p);
  const roots: UnitRoot[] = [];
  const pending = [{ numerator: 0n, bits: 0, coefficients: toBernstein(polynomial) }];
  while (pending.length > 0) {
    const { numerator, bits, coefficients } = pending.pop()!; // on [numerator, numerator + 1] / 2^bits
    const startsAtRoot = coefficients[0] === 0n;
    const endsAtRoot = coefficients[coefficients.length - 1] === 0n;
    const isNew = bits === 0 || (numerator & 1n) === 1n; // an even start was the start of the whole
    if (startsAtRoot && isNew) roots.push({ polynomial, numerator, bits, exact: true });

    const changes = signChanges(coefficients);
    if (changes === 1 && !startsAtRoot && !endsAtRoot) {
      roots.push({ polynomial, numerator, bits, exact: false });
    } else if (changes > 0) {
      const [left, right] = halve(coefficients);
      pending.push({ numerator: 2n * numerator + 1n, bits: bits + 1, coefficients: right });
      pending.push({ numerator: 2n * numerator, bits: bits + 1, coefficients: left });
    }
  }
  if (signAt(polynomial, 1n, 0) === 0) roots.push({ polynomial, numerator: 1n, bits: 0, exact: true });
  return roots;
}

/** The same root, known to at least `bits` binary digits. */
export function refineRoot(root: UnitRoot, bits: number): UnitRoot {
  if (root.exact || root.bits >= bits) return root;
  const { polynomial } = root;
  let numerator = root.numerator;
  let coefficients = bernsteinOn(polynomial, numerator, root.bits);
  for (let b = root.bits + 1; b <= bits; b++) {
    const [left, right] = halve(coefficients);
    const middle = right[0];
    if (middle === 0n) return { polynomial, numerator: 2n * numerator + 1n, bits: b, exact: true };
    const isRight = signOf(middle) === signOf(coefficients[0]);
    numerator = 2n * numerator + (isRight ? 1n : 0n);
    coefficients = isRight ? right : left;
  }
  return { polynomial, numerator, bits, exact: false };
}

/** The sign of `g` at a root. */
export function signAtRoot(g: Polynomial, root: UnitRoot): number {
  if (root.exact || g.length <= 1) return signAt(g, root.numerator, root.bits);
  let sign = signOnInterval(g, root);
  if (sign === 0 && !areSurelyCoprime(root.polynomial, g)) return tarskiQuery(g, root);
  for (let closer = root; sign === 0; ) {
    closer = refineRoot(closer, 2 * closer.bits + 1); // g is not zero there, so this ends
    sign = closer.exact ? signAt(g, closer.numerator, closer.bits) : signOnInterval(g, closer);
  }
  return sign;
}

/**
 * The sign of `g` at a root that is not exact, by the Sturm-Tarski theorem: with P the polynomial of the
 * root, the sign changes of the remainder chain of (P, P'·g) drop across the interval by the sum of sign g
 * over the roots of P inside it, here one.
 */
function tarskiQuery(g: Polynomial, { polynomial, numerator, bits }: UnitRoot): number {
  const query = remainder(multiply(derivative(polynomial), g), polynomial);
  const chain = signedRemainders(polynomial, query);
  const changesAt = (n: bigint) => signChanges(chain.map((p) => BigInt(signAt(p, n, bits))));
  return changesAt(numerator) - changesAt(numerator + 1n);
}

/** The sign of g in the interval of the root if all its Bernstein coefficients there have it, otherwise 0. */
function signOnInterval(g: Polynomial, { numerator, bits }: UnitRoot): number {
  const coefficients = bernsteinOn(g, numerator, bits);
  const sign = signOf(coefficients[0]);
  return coefficients.every((c) => signOf(c) === sign) ? sign : 0;
}

/** True proves that p and q have no common root: they have none modulo a prime. Much cheaper than a gcd. */
function areSurelyCoprime(p: Polynomial, q: Polynomial): boolean {
  let a = moduloPrime(p);
  let b = moduloPrime(q);
  if (a.length < p.length || b.length < q.length) return false;
  while (b.length > 1) [a, b] = [b, moduloPrime(remainder(a, b))];
  return b.length === 1;
}

function moduloPrime(p: Polynomial): Polynomial {
  return trim(p.map((c) => c % PRIME));
}

const PRIME = (1n << 61n) - 1n;

/** The sign of p at numerator / 2^bits. */
export function signAt(p: Polynomial, numerator: bigint, bits: number): number {
  if (p.length === 0) return 0;
  let value = p[p.length - 1];
  let shift = 0n;
  for (let i = p.length - 2; i >= 0; i--) {
    shift += BigInt(bits);
    value = value * numerator + (p[i] << shift);
  }
  return signOf(value);
}

export function add(p: Polynomial, q: Polynomial): Polynomial {
  const longer = p.length >= q.length ? p : q;
  return trim(longer.map((_, i) => (p[i] ?? 0n) + (q[i] ?? 0n)));
}

export function subtract(p: Polynomial, q: Polynomial): Polynomial {
  const longer = p.length >= q.length ? p : q;
  return trim(longer.map((_, i) => (p[i] ?? 0n) - (q[i] ?? 0n)));
}

export function multiply(p: Polynomial, q: Polynomial): Polynomial {
  if (p.length === 0 || q.length === 0) return [];
  const product = new Array<bigint>(p.length + q.length - 1).fill(0n);
  for (let i = 0; i < p.length; i++) {
    for (let j = 0; j < q.length; j++) product[i + j] += p[i] * q[j];
  }
  return product;
}

export function derivative(p: Polynomial): Polynomial {
  return p.slice(1).map((c, i) => c * BigInt(i + 1));
}

/** Without leading zeros. */
export function trim(p: Polynomial): Polynomial {
  let length = p.length;
  while (length > 0 && p[length - 1] === 0n) length--;
  return length === p.length ? p : p.slice(0, length);
}

/** The Bernstein coefficients on [numerator, numerator + 1] / 2^bits, up to a positive factor. */
function bernsteinOn(p: Polynomial, numerator: bigint, bits: number): bigint[] {
  let shifted: Polynomial = [];
  for (let i = p.length - 1, shift = 0n; i >= 0; i--, shift += BigInt(bits)) {
    shifted = add(multiply(shifted, [numerator, 1n]), [p[i] << shift]);
  }
  return toBernstein(shifted);
}

/** n! times the Bernstein coefficients on [0, 1]: bᵢ = Σⱼ C(i, j) / C(n, j) pⱼ. */
function toBernstein(p: Polynomial): bigint[] {
  const n = p.length - 1;
  const scaled = p.map((c, j) => c * factorial(j) * factorial(n - j)); // n! pⱼ / C(n, j)
  return scaled.map((_, i) => {
    let sum = 0n;
    for (let j = 0; j <= i; j++) sum += (scaled[j] * factorial(i)) / (factorial(j) * factorial(i - j));
    return sum;
  });
}

/** 2^n times the Bernstein coefficients on the two halves (de Casteljau). */
function halve(coefficients: readonly bigint[]): [bigint[], bigint[]] {
  const n = coefficients.length - 1;
  const left: bigint[] = [];
  const right: bigint[] = [];
  let level = coefficients;
  for (let k = 0; k <= n; k++) {
    const shift = BigInt(n - k);
    left.push(level[0] << shift);
    right.push(level[n - k] << shift);
    level = level.slice(1).map((c, i) => c + level[i]);
  }
  return [left, right.reverse()];
}

/** Along a sequence, zeros left out. */
function signChanges(values: readonly bigint[]): number {
  let count = 0;
  let last = 0;
  for (const value of values) {
    const sign = signOf(value);
    if (sign === 0) continue;
    if (sign === -last) count++;
    last = sign;
  }
  return count;
}

function factorial(n: number): bigint {
  return n <= 1 ? 1n : BigInt(n) * factorial(n - 1);
}

/** Same roots, each once (p divided by its greatest common divisor with p'). */
function squareFreePart(p: Polynomial): Polynomial {
  if (p.length <= 2 || areSurelyCoprime(p, derivative(p))) return p;
  const common = signedRemainders(p, derivative(p)).at(-1)!;
  return common.length <= 1 ? p : quotient(p, common);
}

/** p, q, then each the negated remainder of the two before it; all up to positive factors. */
function signedRemainders(p: Polynomial, q: Polynomial): Polynomial[] {
  const chain = [p];
  let last = p;
  let next = q;
  while (next.length > 0) {
    chain.push(next);
    const following = remainder(last, next).map((c) => -c);
    last = next;
    next = following;
  }
  return chain;
}

/** A positive multiple of the remainder of p by q. */
function remainder(p: Polynomial, q: Polynomial): Polynomial {
  let rest = p;
  while (rest.length >= q.length) rest = cancelLeading(rest, q);
  return rest;
}

/** A multiple of the quotient of p by its divisor q. */
function quotient(p: Polynomial, q: Polynomial): Polynomial {
  const factor = magnitude(q[q.length - 1]);
  const sign = BigInt(signOf(q[q.length - 1]));
  const result = new Array<bigint>(p.length - q.length + 1).fill(0n);
  let rest = p;
  while (rest.length >= q.length) {
    for (let i = 0; i < result.length; i++) result[i] *= factor;
    result[rest.length - q.length] += sign * rest[rest.length - 1];
    rest = cancelLeading(rest, q);
  }
  return result;
}

/** |lead(q)| · p minus the multiple of q that removes the leading term of p. */
function cancelLeading(p: Polynomial, q: Polynomial): Polynomial {
  const lead = q[q.length - 1];
  const factor = magnitude(lead);
  const multiple = p[p.length - 1] * BigInt(signOf(lead));
  const offset = p.length - q.length;
  return trim(p.map((c, i) => factor * c - (i >= offset ? multiple * q[i - offset] : 0n)));
}

function signOf(n: bigint): number {
  return n > 0n ? 1 : n < 0n ? -1 : 0;
}

function magnitude(n: bigint): bigint {
  return n < 0n ? -n : n;
}
