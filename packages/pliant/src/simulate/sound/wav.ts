import { checkObject, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';

export interface WavOptions {
  /** Samples per second. Default: 44100. */
  sampleRate?: number;
  /** 'pcm16' rounds to 16 bits and clips beyond −1 … 1; 'float32' keeps every bit. Default: 'pcm16'. */
  format?: 'pcm16' | 'float32';
}

const PCM = 1;
const IEEE_FLOAT = 3;
const LONGEST = 2 ** 32 - 64; // bytes of a chunk, with room for the head

/** A WAV file of one or several channels of equal length. Refuses samples that are not finite, with their address. */
export function encodeWav(
  channels: Float32Array | readonly Float32Array[],
  options: WavOptions = {},
): Uint8Array {
  checkObject('options', options);
  const list = channels instanceof Float32Array ? [channels] : channels;
  const { sampleRate = 44100, format = 'pcm16' } = options;
  checkChannels(list);
  if (!(Number.isInteger(sampleRate) && sampleRate >= 1 && sampleRate <= 768_000)) {
    throw new InputError(
      'bad-option',
      `sampleRate must be a whole number up to 768000, not ${describe(sampleRate)}`,
    );
  }
  if (format !== 'pcm16' && format !== 'float32') {
    throw new InputError('bad-option', `format must be 'pcm16' or 'float32', not ${describe(format)}`);
  }
  const isFloat = format === 'float32';
  const bytes = isFloat ? 4 : 2;
  const frames = list[0].length;
  const dataBytes = frames * list.length * bytes;
  if (dataBytes > LONGEST)
    throw new InputError('too-large', `${dataBytes} bytes of sound do not fit a WAV file`);

  const padded = dataBytes + (dataBytes % 2); // chunks begin at even places
  const head = isFloat ? 58 : 44;
  const file = new Uint8Array(head + padded);
  const view = new DataView(file.buffer);
  writeTag(file, 0, 'RIFF');
  view.setUint32(4, file.length - 8, true);
  writeTag(file, 8, 'WAVEfmt ');
  view.setUint32(16, isFloat ? 18 : 16, true);
  view.setUint16(20, isFloat ? IEEE_FLOAT : PCM, true);
  view.setUint16(22, list.length, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * list.length * bytes, true);
  view.setUint16(32, list.length * bytes, true);
  view.setUint16(34, 8 * bytes, true);
  if (isFloat) {
    // An empty extension, and the number of frames: asked of every format but PCM.
    writeTag(file, 38, 'fact');
    view.setUint32(42, 4, true);
    view.setUint32(46, frames, true);
  }
  writeTag(file, head - 8, 'data');
  view.setUint32(head - 4, dataBytes, true);
  for (let i = 0, o = head; i < frames; i++) {
    for (let c = 0; c < list.length; c++, o += bytes) {
      if (isFloat) view.setFloat32(o, list[c][i], true);
      else view.setInt16(o, Math.round(32767 * Math.max(-1, Math.min(1, list[c][i]))), true);
    }
  }
  return file;
}

/** Scales sound in place so that its largest sample is `peak`; silence stays silent. Returns the factor. */
export function normaliseSound(channels: Float32Array | readonly Float32Array[], peak = 0.9): number {
  const list = channels instanceof Float32Array ? [channels] : channels;
  checkChannels(list);
  let largest = 0;
  for (const channel of list) {
    for (let i = 0; i < channel.length; i++) largest = Math.max(largest, Math.abs(channel[i]));
  }
  if (largest === 0) return 1;
  const factor = peak / largest;
  for (const channel of list) for (let i = 0; i < channel.length; i++) channel[i] *= factor;
  return factor;
}

function checkChannels(list: readonly Float32Array[]): void {
  if (!Array.isArray(list) || list.length === 0) throw new InputError('empty', 'there is no channel');
  if (list.length > 65535)
    throw new InputError('too-large', `${list.length} channels; a WAV file has at most 65535`);
  for (let c = 0; c < list.length; c++) {
    if (!(list[c] instanceof Float32Array)) {
      throw new InputError('wrong-type', `channel ${c} must be a Float32Array, not ${describe(list[c])}`);
    }
    if (list[c].length !== list[0].length) {
      throw new InputError(
        'wrong-length',
        `channel ${c} has ${list[c].length} samples, channel 0 ${list[0].length}`,
      );
    }
    for (let i = 0; i < list[c].length; i++) {
      if (!Number.isFinite(list[c][i]))
        throw new InputError('not-finite', `channel ${c}, sample ${i} is ${list[c][i]}`);
    }
  }
}

function writeTag(file: Uint8Array, offset: number, tag: string): void {
  for (let i = 0; i < tag.length; i++) file[offset + i] = tag.charCodeAt(i);
}
