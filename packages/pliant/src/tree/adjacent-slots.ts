/** True when two slots of the same mesh share a vertex; `first` is where their corners begin, three for each slot. */
export function areAdjacent(corners: Uint32Array, first: number, s: number, t: number): boolean {
  const a = first + 3 * s,
    b = first + 3 * t;
  const b0 = corners[b],
    b1 = corners[b + 1],
    b2 = corners[b + 2];
  for (let k = a; k < a + 3; k++) {
    if (corners[k] === b0 || corners[k] === b1 || corners[k] === b2) return true;
  }
  return false;
}
