import { checkCount, checkNumbers, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { BinaryReader } from './binary-reader.ts';
import { type FileBytes, fileBytes } from './file-bytes.ts';
import type { PointCache } from './mesh-file.ts';

const PC2_SIGNATURE = 'POINTCACHE2\0';
const PC2_HEADER = 32; // bytes: signature 12, version, points, start, rate, samples

/** PointCache2: little endian, evenly spaced samples; times are in scene frames. */
export function readPc2(file: FileBytes, fileName: string): PointCache {
  const bytes = fileBytes(file, fileName);
  const reader = new BinaryReader(bytes, fileName, true);
  reader.need(PC2_HEADER, 'the header');
  if (String.fromCharCode(...bytes.subarray(0, 12)) !== PC2_SIGNATURE)
    reader.fail('syntax', 'no POINTCACHE2 signature');
  reader.position = 12;
  const version = reader.int32('version');
  if (version !== 1) reader.fail('unsupported', `version ${version}`, 12);
  const pointCount = reader.int32('points');
  const start = reader.float32('start frame');
  const step = reader.float32('sample rate');
  const frameCount = reader.int32('samples');
  checkFrames(reader, frameCount, pointCount, 0);
  const times = Float64Array.from({ length: frameCount }, (_, k) => start + k * step);
  return cacheOf(reader, {
    pointCount,
    frameCount,
    timeUnit: 'frames',
    times,
    frameRate: step > 0 ? 1 / step : Number.NaN,
  });
}

/** LightWave MDD: big endian, a time in seconds for each frame. */
export function readMdd(file: FileBytes, fileName: string): PointCache {
  const bytes = fileBytes(file, fileName);
  const reader = new BinaryReader(bytes, fileName, false);
  const frameCount = reader.int32('frames');
  const pointCount = reader.int32('points');
  checkFrames(reader, frameCount, pointCount, 4);
  const times = Float64Array.from({ length: frameCount }, () => reader.float32('the time of a frame'));
  return cacheOf(reader, { pointCount, frameCount, timeUnit: 'seconds', times, frameRate: evenRate(times) });
}

/** `frames` (3 float64 per point each) as PointCache2: rounded to float32. */
export function writePc2(frames: readonly Float64Array[], start = 0, step = 1): Uint8Array {
  if (!Array.isArray(frames)) {
    throw new InputError('wrong-type', `frames must be a list, not ${describe(frames)}`);
  }
  for (let k = 0; k < frames.length; k++) checkNumbers(`frames[${k}]`, frames[k], frames[0]?.length);
  const pointCount = frames.length > 0 && frames[0].length > 0 ? checkCount('frames[0]', frames[0], 3) : 0;
  const bytes = new Uint8Array(PC2_HEADER + 12 * pointCount * frames.length);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(PC2_SIGNATURE));
  view.setInt32(12, 1, true);
  view.setInt32(16, pointCount, true);
  view.setFloat32(20, start, true);
  view.setFloat32(24, step, true);
  view.setInt32(28, frames.length, true);
  let at = PC2_HEADER;
  frames.forEach((frame, k) => {
    for (const value of frame) {
      if (!Number.isFinite(Math.fround(value))) {
        throw new InputError('out-of-range', `frames[${k}]: ${value} does not fit in float32`);
      }
      view.setFloat32(at, value, true);
      at += 4;
    }
  });
  return bytes;
}

function checkFrames(
  reader: BinaryReader,
  frameCount: number,
  pointCount: number,
  frameHeader: number,
): void {
  if (pointCount < 1 || frameCount < 1) {
    reader.fail('syntax', `${frameCount} frames of ${pointCount} points (wrong byte order?)`, 0);
  }
  reader.checkCount('frames', frameCount, frameHeader + 12 * pointCount);
}

function cacheOf(reader: BinaryReader, header: Omit<PointCache, 'startTime' | 'frame'>): PointCache {
  const { pointCount, frameCount, times } = header;
  const { view, littleEndian, position: firstFrame } = reader;
  return {
    ...header,
    startTime: times[0],
    frame(k, out) {
      if (!(Number.isInteger(k) && k >= 0 && k < frameCount)) {
        throw new InputError('out-of-range', `${reader.fileName}: frame ${k} of ${frameCount}`);
      }
      if (out.length !== 3 * pointCount) {
        throw new InputError(
          'wrong-length',
          `${reader.fileName}: ${out.length} numbers for ${pointCount} points`,
        );
      }
      const start = firstFrame + 12 * pointCount * k;
      for (let i = 0; i < 3 * pointCount; i++) {
        const value = view.getFloat32(start + 4 * i, littleEndian);
        if (!Number.isFinite(value))
          reader.fail('not-finite', `frame ${k}, point ${Math.floor(i / 3)}: ${value}`, start + 4 * i);
        out[i] = value;
      }
      return out;
    },
  };
}

/** Frames per second when the times are evenly spaced to 0.1 %, else NaN. */
function evenRate(times: Float64Array): number {
  if (times.length < 2) return Number.NaN;
  const step = (times[times.length - 1] - times[0]) / (times.length - 1);
  const isEven = times.every((time, k) => Math.abs(time - (times[0] + k * step)) <= 1e-3 * Math.abs(step));
  return isEven && step > 0 ? 1 / step : Number.NaN;
}
