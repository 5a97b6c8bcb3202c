/** What makes a module for shared memory of one for its own: the bytes [from, to) are replaced by others. */
export interface SharedPatch {
  readonly from: number;
  readonly to: number;
  readonly bytes: readonly number[];
}

/** The module for the kind of memory that it is to have: they differ in how they declare it. */
export function forMemory(
  memory: WebAssembly.Memory,
  module: Uint8Array<ArrayBuffer>,
  { from, to, bytes }: SharedPatch,
): Uint8Array<ArrayBuffer> {
  if (memory.buffer instanceof ArrayBuffer) return module;
  const patched = new Uint8Array(module.length - (to - from) + bytes.length);
  patched.set(module.subarray(0, from));
  patched.set(bytes, from);
  patched.set(module.subarray(to), from + bytes.length);
  return patched;
}

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Undoes what zlib's deflate has done. */
export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
