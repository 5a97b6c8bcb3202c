/** Up to five frames of a range with most contacts, not next to one another: peaks, not one peak's slopes. */
export function worstFrames(count: ArrayLike<number>, from: number, to: number): number[] {
  const apart = Math.max(2, Math.ceil((to - from) / 25));
  const order = Array.from({ length: to - from }, (_, k) => from + k)
    .filter((k) => count[k] > 0 && count[k] >= (count[k - 1] ?? 0) && count[k] >= (count[k + 1] ?? 0))
    .sort((a, b) => count[b] - count[a] || a - b);
  const chosen: number[] = [];
  for (const k of order) {
    if (chosen.length === 5) break;
    if (chosen.every((other) => Math.abs(other - k) >= apart)) chosen.push(k);
  }
  return chosen;
}
