import type { ReportFrame, ReportMesh } from './report-data.ts';

/** Frames whose pictures are embedded by default. */
export const SHOWN_FRAMES = 240;

const POSE_BYTES = 12e6; // of all embedded poses together, before compression

/**
 * How many frames to embed, fewer when each is a point cache. So a report takes at most 15 MB beside the rig itself
 * (rest shape, weights, morph targets), and no more than 15 MB with it for models of up to 100,000 triangles.
 */
export function shownFramesLimit(meshes: readonly ReportMesh[], pointCache = false): number {
  let bytes = 0;
  for (const { positions, skin, morphs } of meshes) {
    bytes += 48;
    if (pointCache) bytes += 2 * positions.length;
    else bytes += 48 * (skin?.jointNames.length ?? 0) + 4 * (morphs?.count ?? 0);
  }
  return Math.max(8, Math.min(SHOWN_FRAMES, Math.floor(POSE_BYTES / Math.max(1, bytes))));
}

/**
 * At most `limit` indices into `frames`, ascending: the worst frame of every clip as far as they fit, worst clip
 * first; then half of what is left for the frames with most contacts, and the rest evenly spread, so that the
 * motion between them can be followed.
 */
export function chooseShownFrames(frames: readonly ReportFrame[], limit: number = SHOWN_FRAMES): number[] {
  if (frames.length <= limit) return frames.map((_, k) => k);
  if (limit < 1) return [];
  const chosen = new Set<number>();
  const worstFirst = frames.map((_, k) => k).sort((a, b) => frames[b].count - frames[a].count || a - b);

  for (const k of worstOfEachClip(frames, worstFirst)) if (chosen.size < limit) chosen.add(k);
  const touching = Math.floor((chosen.size + limit) / 2);
  for (const k of worstFirst) {
    if (chosen.size >= touching || frames[k].count === 0) break;
    chosen.add(k);
  }
  addEvenly(chosen, frames.length, limit);
  return [...chosen].sort((a, b) => a - b);
}

function worstOfEachClip(frames: readonly ReportFrame[], worstFirst: readonly number[]): number[] {
  const seen = new Set<string>();
  return worstFirst.filter((k) => !seen.has(frames[k].clip) && seen.add(frames[k].clip));
}

/** Always halves the widest gap that is left. */
function addEvenly(chosen: Set<number>, frameCount: number, limit: number): void {
  while (chosen.size < limit) {
    const known = [-1, ...[...chosen].sort((a, b) => a - b), frameCount];
    const gaps = known
      .slice(1)
      .map((end, k) => ({ start: known[k], size: end - known[k] }))
      .filter(({ size }) => size > 1)
      .sort((a, b) => b.size - a.size || a.start - b.start);
    for (const { start, size } of gaps.slice(0, Math.ceil(gaps.length / 2))) {
      if (chosen.size < limit) chosen.add(start + (size >> 1));
    }
  }
}
