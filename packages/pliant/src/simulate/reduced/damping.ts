import { checkObject } from '../../mesh/check-input.ts';
import { checkOption } from '../../shapes/shape.ts';

/**
 * Rayleigh damping, D = alpha M + beta K. A mode of angular frequency ω is damped with the ratio
 * alpha / 2ω + beta ω / 2 of the critical one: alpha quiets slow modes, beta fast ones.
 */
export interface RayleighDamping {
  /** Per second. Default: 0. */
  alpha?: number;
  /** In seconds. Default: 0. */
  beta?: number;
}

export function checkDamping(damping: RayleighDamping): { alpha: number; beta: number } {
  checkObject('damping', damping);
  const { alpha = 0, beta = 0 } = damping;
  checkOption('damping.alpha', alpha, 0, 1e12);
  checkOption('damping.beta', beta, 0, 1e12);
  return { alpha, beta };
}
