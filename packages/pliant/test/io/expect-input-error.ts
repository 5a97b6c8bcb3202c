import { expect } from 'vitest';
import { InputError, type InputErrorCode } from '../../src/mesh/input-error.ts';

/** Runs what must be refused: an InputError of this code, one line long, that says this. */
export function expectInputError(run: () => unknown, code: InputErrorCode, said: string): void {
  let error: unknown;
  try {
    run();
  } catch (caught) {
    error = caught;
  }
  expectIsInputError(error, code, said);
}

export function expectIsInputError(error: unknown, code: InputErrorCode, said: string): void {
  if (!(error instanceof InputError)) throw new Error(`expected an InputError, got ${error}`);
  expect(`${error.code}: ${error.message}`).toContain(`${code}: `);
  expect(error.message).toContain(said);
  expect(error.message).not.toMatch(/[\r\n]/);
}

/** The code of the InputError that is thrown, for tables of them. */
export function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof InputError) return error.code;
    throw error;
  }
  return 'nothing was thrown';
}
