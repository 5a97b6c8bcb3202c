/**
 * Open addressing over typed arrays: a slot holds an item's number plus one, 0 is free. The caller walks
 * `slot = (slot + 1) & mask` and compares items itself, so keys are never copied.
 */
export function createSlots(itemCount: number): Int32Array {
  let capacity = 16;
  while (capacity < 2 * itemCount) capacity *= 2;
  return new Int32Array(capacity);
}

/** One more 32-bit word into the hash (MurmurHash3's step). */
export function mixHash(hash: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  const h = hash ^ Math.imul(k, 0x1b873593);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** Spreads the hash over all bits, for use with a mask. */
export function finishHash(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
