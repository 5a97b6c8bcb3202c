import { InputError } from 'pliant';
import { CommandError } from '../command-error.ts';

/** Runs work on a file; what it refuses then names the file, and what did not succeed says what to do about it. */
export async function naming<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InputError) throw new InputError(error.code, `${path}: ${error.message}`);
    const { name, message } = error as Error;
    if (name === 'NotConverged') {
      throw new CommandError(`${path}: the modes did not converge: ${message}; ask for another --count`);
    }
    if (name === 'NotPositiveDefinite') {
      throw new CommandError(
        `${path}: the stiffness cannot be factorised: ${message}; are there extreme shapes?`,
      );
    }
    throw error;
  }
}
