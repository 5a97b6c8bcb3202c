import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../../src/mesh/input-error.ts';
import { encodeWav, normaliseSound } from '../../../src/simulate/sound/wav.ts';

interface Wav {
  format: number;
  channels: number;
  sampleRate: number;
  byteRate: number;
  blockAlign: number;
  bits: number;
  frames: number | undefined; // of the fact chunk
  samples: number[][];
}

/** Written from the format's description, chunk by chunk. */
function decodeWav(file: Uint8Array): Wav {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const tag = (o: number) => String.fromCharCode(...file.subarray(o, o + 4));
  expect([tag(0), tag(8), view.getUint32(4, true)]).toEqual(['RIFF', 'WAVE', file.length - 8]);
  const chunks = new Map<string, number>();
  let o = 12;
  while (o < file.length) {
    chunks.set(tag(o), o + 8);
    const size = view.getUint32(o + 4, true);
    o += 8 + size + (size % 2);
  }
  expect(o).toBe(file.length);
  const fmt = chunks.get('fmt ')!,
    data = chunks.get('data')!,
    fact = chunks.get('fact');
  const channels = view.getUint16(fmt + 2, true),
    bits = view.getUint16(fmt + 14, true);
  const count = view.getUint32(data - 4, true) / (bits / 8) / channels;
  const read = (i: number) =>
    bits === 16 ? view.getInt16(data + 2 * i, true) : view.getFloat32(data + 4 * i, true);
  return {
    format: view.getUint16(fmt, true),
    channels,
    sampleRate: view.getUint32(fmt + 4, true),
    byteRate: view.getUint32(fmt + 8, true),
    blockAlign: view.getUint16(fmt + 12, true),
    bits,
    frames: fact === undefined ? undefined : view.getUint32(fact, true),
    samples: Array.from({ length: channels }, (_, c) =>
      Array.from({ length: count }, (_, i) => read(i * channels + c)),
    ),
  };
}

const channel = (length: number) =>
  fc.array(fc.float({ min: -2, max: 2, noNaN: true }), { minLength: length, maxLength: length });
const sound = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 20 }))
  .chain(([channels, length]) => fc.array(channel(length), { minLength: channels, maxLength: channels }));

test('a reader finds in a float file what was written', () => {
  fc.assert(
    fc.property(sound, fc.integer({ min: 8000, max: 96000 }), (channels, sampleRate) => {
      const wav = decodeWav(
        encodeWav(
          channels.map((c) => Float32Array.from(c)),
          { sampleRate, format: 'float32' },
        ),
      );
      expect([wav.format, wav.channels, wav.sampleRate, wav.bits]).toEqual([
        3,
        channels.length,
        sampleRate,
        32,
      ]);
      expect([wav.byteRate, wav.blockAlign]).toEqual([sampleRate * 4 * channels.length, 4 * channels.length]);
      expect(wav.frames).toBe(channels[0].length);
      expect(wav.samples).toEqual(channels);
    }),
  );
});

test('and in a file of 16 bits the rounded and clipped samples', () => {
  fc.assert(
    fc.property(sound, (channels) => {
      const wav = decodeWav(encodeWav(channels.map((c) => Float32Array.from(c))));
      expect([wav.format, wav.channels, wav.sampleRate, wav.bits]).toEqual([1, channels.length, 44100, 16]);
      expect([wav.byteRate, wav.blockAlign]).toEqual([44100 * 2 * channels.length, 2 * channels.length]);
      wav.samples.forEach((list, c) => {
        list.forEach((x, i) => {
          expect(Math.abs(x - 32767 * Math.max(-1, Math.min(1, channels[c][i])))).toBeLessThanOrEqual(0.5);
        });
      });
    }),
  );
});

test('the head of a small file, byte by byte', () => {
  const file = encodeWav(Float32Array.of(0, 1, -1), { sampleRate: 8000 });
  const text = (s: string) => [...s].map((c) => c.charCodeAt(0));
  expect([...file]).toEqual([
    ...text('RIFF'),
    ...[42, 0, 0, 0],
    ...text('WAVEfmt '),
    ...[16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0],
    ...text('data'),
    ...[6, 0, 0, 0],
    ...[0, 0, 0xff, 0x7f, 0x01, 0x80],
  ]);
});

test('sound is scaled to its peak, silence is left alone', () => {
  const left = Float32Array.of(0.5, -2),
    right = Float32Array.of(1, 0);
  expect(normaliseSound([left, right], 1)).toBe(0.5);
  expect([...left, ...right]).toEqual([0.25, -1, 0.5, 0]);
  expect(normaliseSound(new Float32Array(3))).toBe(1);
});

test('senseless input is refused', () => {
  const rows: [() => unknown, string][] = [
    [() => encodeWav([]), 'empty'],
    [() => encodeWav([[1]] as never), 'wrong-type'],
    [() => encodeWav([new Float32Array(1), new Float32Array(2)]), 'wrong-length'],
    [() => encodeWav(Float32Array.of(0, NaN)), 'not-finite'],
    [() => encodeWav(new Float32Array(1), { sampleRate: 0.5 }), 'bad-option'],
    [() => encodeWav(new Float32Array(1), { format: 'mp3' as never }), 'bad-option'],
  ];
  for (const [attempt, code] of rows) {
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(expect.objectContaining({ code }));
  }
  expect(() => encodeWav(Float32Array.of(0, NaN))).toThrow(/channel 0, sample 1/);
});
