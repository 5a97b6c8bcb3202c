/** Something the user can mend: becomes one line on stderr and exit code 2. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** One line for people, whatever was thrown. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

/** Expected: it says what is wrong with the input. Everything else is a fault of ours. */
export function isExpected(error: unknown): boolean {
  return error instanceof Error && (error.name === 'CommandError' || error.name === 'InputError');
}
