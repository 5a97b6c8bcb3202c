import { NotConverged } from '../algebra/eigenpairs.ts';
import { NotPositiveDefinite } from '../algebra/sparse/index.ts';
import { InputError } from '../mesh/input-error.ts';

/** What a pool tells a worker. */
export type ToWorker =
  | { readonly type: 'share'; readonly key: number; readonly value: unknown }
  | { readonly type: 'forget'; readonly key: number }
  | { readonly type: 'run'; readonly kind: string; readonly input: unknown; readonly shared: number };

/** What a worker tells its pool: first that it is there, then about the one task it has. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly values: readonly unknown[] }
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'failed'; readonly error: SentError };

/** `shared` of a task that needs nothing shared. */
export const NOTHING_SHARED = -1;

/** An error on its way: its class by name, and what is needed to make another one like it. */
interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly details: readonly unknown[];
}

interface SentClass {
  readonly type: new (...details: never[]) => Error;
  readonly details: (error: never) => readonly unknown[];
}

/** So that errors arrive with the class they left with. By name, because classes may be renamed by a bundler. */
const CLASSES: Readonly<Record<string, SentClass>> = {
  InputError: { type: InputError, details: ({ code, message }: InputError) => [code, message] },
  NotConverged: { type: NotConverged, details: ({ message, settled }: NotConverged) => [message, settled] },
  NotPositiveDefinite: {
    type: NotPositiveDefinite,
    details: ({ row, pivot, diagonal }: NotPositiveDefinite) => [row, pivot, diagonal],
  },
  RangeError: { type: RangeError, details: ({ message }: RangeError) => [message] },
  TypeError: { type: TypeError, details: ({ message }: TypeError) => [message] },
};

export function packError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: '', message: String(error), stack: undefined, details: [] };
  const { name, message, stack } = error;
  return { name, message, stack, details: CLASSES[name]?.details(error as never) ?? [] };
}

export function unpackError({ name, message, stack, details }: SentError): Error {
  const known = CLASSES[name];
  const error = known ? new known.type(...(details as never[])) : new Error(message);
  if (!known && name !== '') error.name = name;
  if (stack !== undefined) error.stack = stack; // where it happened
  return error;
}

/** All memory behind plain data that can be moved to another thread. */
export function transferOf(data: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
    } else for (const part of Object.values(value)) visit(part);
  };
  visit(data);
  return [...buffers];
}
