/** 12345 → "12,345". */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Three digits that matter, without jumping about. */
export function formatMilliseconds(ms: number): string {
  return `${ms < 1 ? ms.toFixed(3) : ms < 10 ? ms.toFixed(2) : ms.toFixed(1)} ms`;
}

export function formatRatio(ratio: number): string {
  return `${ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0)}×`;
}

export function formatSeconds(seconds: number): string {
  return `${seconds.toFixed(2)} s`;
}
