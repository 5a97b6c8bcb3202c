import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';

/** Refuses an option that says how much work is allowed, unless it is a number above 0 or was left out. */
export function checkEffort(name: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value > 0)) return;
  throw new InputError('bad-option', `${name} must be a number above 0, not ${describe(value)}`);
}
