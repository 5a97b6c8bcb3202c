import { createHash } from 'node:crypto';
import type { PreparedCulling } from '../culling/use-culling.ts';
import type { FrameResult } from '../frames/frame-checker.ts';

/** Results of frames on their way through Redis. */
export interface FrameBatch {
  readonly results: readonly FrameResult[];
  readonly prepared: readonly PreparedCulling[]; // told once by each thread
}

type Head = {
  readonly prepared: readonly PreparedCulling[];
  readonly frames: readonly (Omit<FrameResult, 'pairs' | 'times'> & {
    readonly pairs: number; // ids
    readonly times: number; // -1: none
  })[];
};

/** A length, a JSON head, and then the pairs and times of all frames, as they are in memory (little-endian). */
export function encodeFrames({ results, prepared }: FrameBatch): Buffer {
  const frames = results.map(({ pairs, times, ...rest }) => ({
    ...rest,
    pairs: pairs.length,
    times: times?.length ?? -1,
  }));
  const head = Buffer.from(JSON.stringify({ prepared, frames } satisfies Head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const arrays = results.flatMap(({ pairs, times }) => (times ? [pairs, times] : [pairs]));
  const bytes = arrays.map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength));
  return Buffer.concat([length, head, ...bytes]);
}

/** Throws when the bytes are not what `encodeFrames` wrote. */
export function decodeFrames(bytes: Buffer): FrameBatch {
  const headEnd = 4 + bytes.readUInt32LE(0);
  const { prepared, frames } = JSON.parse(bytes.toString('utf8', 4, headEnd)) as Head;
  let at = headEnd;
  const take = (count: number, size: number) => {
    const from = at;
    at += count * size;
    if (at > bytes.length) throw new Error('frames are cut short');
    return bytes.buffer.slice(bytes.byteOffset + from, bytes.byteOffset + at) as ArrayBuffer;
  };
  const results = frames.map(({ pairs, times, ...rest }) => ({
    ...rest,
    pairs: new Uint32Array(take(pairs, 4)),
    times: times < 0 ? undefined : new Float64Array(take(times, 8)),
  }));
  return { results, prepared };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
