/** Contacts listed per embedded frame; more are counted and drawn, but not listed. */
export const SHOWN_PAIRS = 2000;

/**
 * What an embedded frame keeps of its contacts (two triangle ids each): all triangles that touch, ascending, and
 * at most `limit` contacts, taken at even distances so that every region keeps its share.
 */
export function shownContacts(
  pairs: Uint32Array,
  limit: number = SHOWN_PAIRS,
): { pairs: Uint32Array; touched: Uint32Array } {
  const touched = Uint32Array.from(new Set(pairs)).sort();
  const count = pairs.length / 2;
  if (count <= limit) return { pairs, touched };
  const kept = new Uint32Array(2 * limit);
  for (let k = 0; k < limit; k++) {
    const from = 2 * Math.floor((k * count) / limit);
    kept[2 * k] = pairs[from];
    kept[2 * k + 1] = pairs[from + 1];
  }
  return { pairs: kept, touched };
}
