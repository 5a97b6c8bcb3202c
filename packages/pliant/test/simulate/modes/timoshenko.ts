import type { Material } from '../../../src/simulate/material.ts';

export interface Beam {
  readonly length: number;
  /** Across the bending, and along it. */
  readonly width: number;
  readonly height: number;
}

/**
 * Bending frequencies of a beam held at one end, in Hz: Timoshenko's equations with the rotation ψ of the section,
 *
 *     w′ = ψ + V / κGA,   ψ′ = M / EI,   V′ = −ω² ρA w,   M′ = −V − ω² ρI ψ,
 *
 * w = ψ = 0 at the root, M = V = 0 at the tip. κ is Cowper's for a rectangle. Roots of the determinant by shooting.
 */
export function timoshenkoFrequencies(
  { length, width, height }: Beam,
  material: Material,
  count: number,
): number[] {
  const { young, poisson, density } = material;
  const area = width * height,
    inertia = (width * height ** 3) / 12;
  const kappa = (10 * (1 + poisson)) / (12 + 11 * poisson);
  const shear = (kappa * young * area) / (2 * (1 + poisson));
  const rates = (omega: number) => (s: readonly number[]) => {
    const [w, psi, moment, force] = s;
    return [
      psi + force / shear,
      moment / (young * inertia),
      -force - omega * omega * density * inertia * psi,
      -omega * omega * density * area * w,
    ];
  };
  const determinant = (omega: number) => {
    const a = shoot(rates(omega), [0, 0, 1, 0], length),
      b = shoot(rates(omega), [0, 0, 0, 1 / length], length);
    return a[2] * b[3] - a[3] * b[2];
  };
  const slender = (1.8751 ** 2 * Math.sqrt((young * inertia) / (density * area))) / length ** 2;
  const found: number[] = [];
  let low = slender / 20,
    before = determinant(low);
  while (found.length < count) {
    const high = low + slender / 10;
    const after = determinant(high);
    if (before < 0 !== after < 0) found.push(bisect(determinant, low, high) / (2 * Math.PI));
    low = high;
    before = after;
  }
  return found;
}

const STEPS = 200;

function shoot(
  rate: (s: readonly number[]) => number[],
  start: readonly number[],
  length: number,
): readonly number[] {
  const h = length / STEPS;
  let s = start;
  for (let k = 0; k < STEPS; k++) {
    const a = rate(s);
    const b = rate(s.map((x, i) => x + (h / 2) * a[i]));
    const c = rate(s.map((x, i) => x + (h / 2) * b[i]));
    const d = rate(s.map((x, i) => x + h * c[i]));
    s = s.map((x, i) => x + (h / 6) * (a[i] + 2 * b[i] + 2 * c[i] + d[i]));
  }
  return s;
}

function bisect(f: (x: number) => number, low: number, high: number): number {
  const sign = f(low) < 0;
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (f(middle) < 0 === sign) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
