import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';

/** The contents of a file, as `fetch`, `Blob` and `fs` give them. */
export type FileBytes = Uint8Array | ArrayBufferLike;

/** The contents of a file that has a name, byte by byte; only shared memory is copied. Errors: 'wrong-type'. */
export function fileBytes(file: FileBytes, fileName: string): Uint8Array {
  if (typeof fileName !== 'string') {
    throw new InputError('wrong-type', `fileName must be a string, not ${describe(fileName)}`);
  }
  return bytesOf(file, `${fileName}: `);
}

/** The same of any file. `where` begins the message. */
export function bytesOf(file: FileBytes, where = ''): Uint8Array {
  const bytes = viewOf(file);
  if (bytes === undefined) {
    const hint = typeof file === 'string' ? '; encode text with new TextEncoder()' : '';
    throw new InputError(
      'wrong-type',
      `${where}the contents must be a Uint8Array or an ArrayBuffer, not ${describe(file)}${hint}`,
    );
  }
  return kindOf(bytes.buffer) === 'SharedArrayBuffer' ? bytes.slice() : bytes; // browsers decode no shared text
}

function viewOf(file: FileBytes): Uint8Array | undefined {
  if (file instanceof Uint8Array) return file;
  const kind = kindOf(file);
  if (kind === 'ArrayBuffer' || kind === 'SharedArrayBuffer') return new Uint8Array(file as ArrayBuffer);
  if (!ArrayBuffer.isView(file) || (kind !== 'Uint8Array' && kind !== 'DataView')) return undefined;
  const { buffer, byteOffset, byteLength } = file as ArrayBufferView;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Those of another window are not instances of our classes. */
function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
