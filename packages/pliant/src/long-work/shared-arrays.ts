/**
 * Arrays that all workers can read and write when they are sent to them, where pages are allowed to have such: others
 * get a copy.
 */
export function createFloats64(length: number): Float64Array {
  return new Float64Array(allocate(8 * length), 0, length);
}

export function createFloats32(length: number): Float32Array {
  return new Float32Array(allocate(4 * length), 0, length);
}

/** True when what workers write into the array is seen here. */
export function isShared({ buffer }: ArrayBufferView): boolean {
  return typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;
}

function allocate(bytes: number): ArrayBufferLike {
  return typeof SharedArrayBuffer === 'function' ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}
