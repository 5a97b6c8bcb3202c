/** How many coefficients `writeOscillatorStep` writes. */
export const OSCILLATOR_COEFFICIENTS = 6;

/** Below this, in units of a step, Taylor terms are exact to rounding and nothing cancels. */
const SLOW = 0.1;
const TAYLOR_TERMS = 14;

/**
 * The exact map of q̈ + c q̇ + λ q = f over a step h during which f does not change:
 *
 *     q′ = a₀ q + a₁ v + b₀ f        v′ = a₂ q + a₃ v + b₁ f
 *
 * written as a₀ a₁ a₂ a₃ b₀ b₁, for λ, c ≥ 0: under-, over- and critically damped, and λ = 0. The map of the
 * homogeneous part has determinant e^(−ch); without damping it turns q√λ and v like a clock, so energy neither grows
 * nor shrinks but by rounding, whatever the step.
 */
export function writeOscillatorStep(
  lambda: number,
  c: number,
  h: number,
  out: Float64Array,
  offset: number,
): void {
  if (c * h < SLOW && Math.sqrt(lambda) * h < SLOW) writeSlow(lambda, c, h, out, offset);
  else if (4 * lambda > c * c) writeUnderdamped(lambda, c, h, out, offset);
  else writeOverdamped(lambda, c, h, out, offset);
}

/**
 * All six from the response y to a unit force from rest: y, y′ and y″ at h. Its Taylor coefficients follow from the
 * equation itself; each term is less than SLOW/n of the one before.
 */
function writeSlow(lambda: number, c: number, h: number, out: Float64Array, offset: number): void {
  let before = 0, // y₁ h, of which y = Σ yₙ hⁿ
    term = (h * h) / 2; // y₂ h²
  let y = term,
    slope = 2 * term,
    bend = 2 * term;
  for (let n = 3; n < TAYLOR_TERMS; n++) {
    const next = -(c * h * term) / n - (lambda * h * h * before) / (n * (n - 1));
    before = term;
    term = next;
    y += term;
    slope += n * term;
    bend += n * (n - 1) * term;
  }
  slope /= h;
  bend /= h * h;
  write(out, offset, 1 - lambda * y, slope, -lambda * slope, bend, y, slope);
}

function writeUnderdamped(lambda: number, c: number, h: number, out: Float64Array, offset: number): void {
  const d = c / 2;
  const squared = lambda - d * d;
  const omega = Math.sqrt(squared);
  const decay = Math.exp(-d * h);
  const C = decay * Math.cos(omega * h),
    S = decay * sineOver(omega, h);
  const a0 = C + d * S;
  write(out, offset, a0, S, -lambda * S, C - d * S, (1 - a0) / lambda, S);
}

/** sin(ωh)/ω, also where ω is so small that it says nothing. */
function sineOver(omega: number, h: number): number {
  return omega * h > 1e-4 ? Math.sin(omega * h) / omega : h * (1 - (omega * h * omega * h) / 6);
}

/** Two decays, slow and fast; written so that no difference of nearly equal numbers is taken. */
function writeOverdamped(lambda: number, c: number, h: number, out: Float64Array, offset: number): void {
  const d = c / 2;
  const gamma = Math.sqrt(Math.max(0, d * d - lambda));
  const fast = d + gamma,
    slow = lambda / fast; // d − γ
  const eSlow = Math.exp(-slow * h),
    eFast = Math.exp(-fast * h);
  const S =
    gamma * h > 1e-4 ? (-eSlow * Math.expm1(-2 * gamma * h)) / (2 * gamma) : nearlyCritical(d, gamma, h);
  const C = (eSlow + eFast) / 2;
  const a0 = C + d * S,
    a3 = C - d * S;
  write(out, offset, a0, S, -lambda * S, a3, responseOf(slow, fast, h, a0), S);
}

function nearlyCritical(d: number, gamma: number, h: number): number {
  return Math.exp(-d * h) * h * (1 + (gamma * h * gamma * h) / 6);
}

/** What a unit force has done after h. */
function responseOf(slow: number, fast: number, h: number, a0: number): number {
  if (slow > 0.5 * fast) return (1 - a0) / (slow * fast);
  const whole = slow > 0 ? -Math.expm1(-slow * h) / slow : h;
  return (whole + Math.expm1(-fast * h) / fast) / (fast - slow);
}

function write(
  out: Float64Array,
  o: number,
  a0: number,
  a1: number,
  a2: number,
  a3: number,
  b0: number,
  b1: number,
): void {
  out[o] = a0;
  out[o + 1] = a1;
  out[o + 2] = a2;
  out[o + 3] = a3;
  out[o + 4] = b0;
  out[o + 5] = b1;
}
