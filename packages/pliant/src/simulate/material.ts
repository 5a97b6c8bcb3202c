import { checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';

/** An isotropic elastic material, in any consistent units: with metres, kilograms and seconds `young` is in pascals. */
export interface Material {
  /** Stiffness: stress per strain of a pulled rod. More than 0. */
  readonly young: number;
  /** How much a pulled rod gets thinner: from above −1 to below 0.5. */
  readonly poisson: number;
  /** Mass per volume. More than 0. */
  readonly density: number;
}

/** The two constants of Lamé: stress = λ tr(ε) I + 2 μ ε. */
export interface LameConstants {
  readonly lambda: number;
  readonly mu: number;
}

/** Rubber-like, in SI units. */
export const SOFT_RUBBER: Material = { young: 1e6, poisson: 0.45, density: 1000 };

/** Errors: 'wrong-type', 'out-of-range'. */
export function checkMaterial(material: unknown): asserts material is Material {
  checkObject('material', material);
  const { young, poisson, density } = material as Partial<Material>;
  checkPositive('material.young', young);
  checkPositive('material.density', density);
  if (typeof poisson === 'number' && poisson > -1 && poisson < 0.5) return;
  throw new InputError(
    typeof poisson === 'number' ? 'out-of-range' : 'wrong-type',
    `material.poisson must be above -1 and below 0.5, not ${describe(poisson)}`,
  );
}

export function lameConstants({ young, poisson }: Material): LameConstants {
  return {
    lambda: (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)),
    mu: young / (2 * (1 + poisson)),
  };
}

function checkPositive(what: string, value: unknown): void {
  if (typeof value === 'number' && value > 0 && value < Infinity) return;
  throw new InputError(
    typeof value === 'number' ? 'out-of-range' : 'wrong-type',
    `${what} must be a number above 0, not ${describe(value)}`,
  );
}
