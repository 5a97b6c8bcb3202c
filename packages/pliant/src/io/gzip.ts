import { checkObject } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { bytesOf, type FileBytes, fileBytes } from './file-bytes.ts';

export interface GunzipOptions {
  /** Refuse more than this many bytes. Default: 1 GiB. */
  maxBytes?: number;
  /** Refuse more than this many bytes per compressed byte, once past 64 MiB. Default: 200. */
  maxRatio?: number;
}

const RATIO_FREE = 64 * 2 ** 20; // bytes: a bomb this small does no harm
const BEST_RATIO = 1032; // of deflate

export function isGzip(file: FileBytes): boolean {
  const bytes = bytesOf(file);
  return bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Unpacks gzip in memory; stops as soon as the bound is passed. */
export async function gunzip(
  file: FileBytes,
  fileName: string,
  options: GunzipOptions = {},
): Promise<Uint8Array> {
  const bytes = fileBytes(file, fileName);
  checkObject('options', options);
  const { maxBytes = 2 ** 30, maxRatio = 200 } = options;
  const bound = Math.min(maxBytes, Math.max(RATIO_FREE, maxRatio * bytes.length));
  const stated = statedLength(bytes);
  if (!isGzip(bytes)) throw new InputError('syntax', `${fileName}: byte 0: no gzip signature`);
  const isPlausible = stated <= BEST_RATIO * bytes.length; // otherwise the file was cut short, or lies
  if (isPlausible && stated > bound) throw tooLarge(fileName, stated, bound);

  let out = new Uint8Array(isPlausible ? stated : 0);
  let length = 0;
  for await (const piece of inflated(bytes, fileName)) {
    if (length + piece.length > bound) throw tooLarge(fileName, length + piece.length, bound);
    if (length + piece.length > out.length) {
      const larger = new Uint8Array(Math.min(bound, 2 * (length + piece.length)));
      larger.set(out.subarray(0, length));
      out = larger;
    }
    out.set(piece, length);
    length += piece.length;
  }
  return out.subarray(0, length);
}

/** Leaving the loop early cancels the rest. */
async function* inflated(bytes: Uint8Array, fileName: string): AsyncGenerator<Uint8Array> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const reader = source.pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw brokenGzip(fileName, error);
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The last four bytes: the length modulo 2³². */
function statedLength(bytes: Uint8Array): number {
  if (bytes.length < 18) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4, true);
}

function tooLarge(fileName: string, length: number, bound: number): InputError {
  return new InputError(
    'too-large',
    `${fileName}: unpacks to ${length} bytes or more, over the bound of ${bound}`,
  );
}

/** Engines say it each in their own words; Node, from 22 on, in those of the cause. */
function brokenGzip(fileName: string, error: unknown): InputError {
  const { message, cause } = error as Error;
  const words = message || (cause instanceof Error ? cause.message : '') || 'it is damaged';
  const isTruncated = /unexpected end|incomplete|truncated|ended without/i.test(words);
  return new InputError(
    isTruncated ? 'truncated' : 'syntax',
    `${fileName}: not a whole gzip file (${words})`,
  );
}
