import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine } from '../../../packages/pliant/src/index.ts';
import {
  createSpringDrop,
  encodeWav,
  normaliseSound,
  type SpringDrop,
} from '../../../packages/pliant/src/simulate/index.ts';
import {
  createSpectrum,
  findPeaks,
  shareNear,
} from '../../../packages/pliant/test/simulate/sound/spectrum.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted } from '../bench.ts';
import { type CaseResult, createRow, createTime, notCompared } from '../result.ts';
import { plotSpectrum } from '../spectrum-plot.ts';
import { timeOf, timeOfAsync } from '../stopwatch.ts';

const SAMPLE_RATE = 44_100;
const PEAKS = { full: 40, quick: 10 };
const APART = 4; // between peaks, in what the sound tells apart
const QUICK = { triangles: 1600, turns: 4, latticeVertices: 1000, modes: 12, soundModes: 60, seconds: 1 };
/** Frequencies that are off by these factors show how many peaks would hit by chance. */
const SHIFTS = [0.97, 0.98, 0.99, 1.01, 1.02, 1.03];

/** The clattering spring of SSCC: preparation, motion and sound of a fall, and whether its peaks are its modes. */
export const sound: Bench = {
  name: 'sound',
  summary:
    'a spring falls and clatters: times by part, and the spectrum of its sound (PLIANT_OUT=FOLDER keeps both)',
  cases: ['spring-drop'],
  async run(options) {
    return isWanted('spring-drop', options) ? runSpring(options) : { rows: [], notes: [] };
  },
};

async function runSpring({ quick, log }: BenchOptions): Promise<BenchOutcome> {
  const drop = await createSpringDrop(await createEngine(), {
    ...(quick ? QUICK : {}),
    onProgress: logStages('spring-drop', log),
  });
  log('spring-drop: fall');
  const fall = await timeOfAsync(() => drop.simulate());
  let samples: Float32Array = new Float32Array();
  const rendering = timeOf(() => {
    samples = drop.render();
  });
  drop.dispose();
  const isSound = isSoundOf(drop, samples);
  normaliseSound(samples);

  const { frequencies } = drop.sound;
  const spectrum = createSpectrum(samples, SAMPLE_RATE);
  const { resolution } = spectrum;
  const peaks = findPeaks(spectrum, quick ? PEAKS.quick : PEAKS.full, APART * resolution);
  const byChance = SHIFTS.map((factor) =>
    shareNear(
      peaks,
      frequencies.map((hertz) => factor * hertz),
      resolution,
    ),
  );
  const kept = keep(encodeWav(samples), () => plotSpectrum(spectrum, frequencies, peaks));

  const of: CaseResult = {
    name: 'spring-drop',
    isJudged: !quick,
    pairs: null,
    answersAgree: notCompared(isSound),
  };
  const { lattice, modes, dynamics, sound } = drop.preparation;
  const { seconds } = drop;
  const { surface, modeCount } = drop.body.model;
  const share = shareNear(peaks, frequencies, resolution);
  return {
    rows: [
      createTime(of, 'prepare-lattice-ms', lattice),
      createTime(of, 'prepare-modes-ms', modes),
      createTime(of, 'prepare-dynamics-ms', dynamics),
      createTime(of, 'prepare-sound-ms', sound),
      createTime(of, 'simulation-ms-per-second', fall / seconds),
      createTime(of, 'rendering-ms-per-second', rendering / seconds),
      createRow(of, { metric: 'floor-contacts', better: 'higher', value: drop.floorContacts, unit: '' }),
      createRow(of, { metric: 'self-contacts', better: 'higher', value: drop.selfContacts, unit: '' }),
      createRow(of, { metric: 'modal-peaks', better: 'higher', value: share, unit: '', target: 1 }),
      createRow(of, {
        metric: 'modal-peaks-by-chance',
        better: 'lower',
        value: byChance.reduce((sum, x) => sum + x, 0) / byChance.length,
        unit: '',
      }),
    ],
    notes: [
      `${surface.triangleCount} triangles, ${modeCount} modes move and ${frequencies.length} ring, ` +
        `${frequencies[0].toFixed(1)} to ${frequencies.at(-1)!.toFixed(1)} Hz; ${seconds} s in steps of 1/11025 s`,
      `modal-peaks: share of the ${peaks.length} largest peaks within ${resolution.toFixed(2)} Hz of a mode; by chance: ` +
        `the same with all frequencies off by 1 to 3 %`,
      kept,
    ],
  };
}

function logStages(name: string, log: (line: string) => void): (stage: string) => void {
  let last = '';
  return (stage) => {
    if (stage !== last) log(`${name}: ${stage}`);
    last = stage;
  };
}

/** Finite, silent before the first contact and heard from then on. */
function isSoundOf({ firstContact }: SpringDrop, samples: Float32Array): boolean {
  if (firstContact === undefined || !samples.every(Number.isFinite)) return false;
  return samples.findIndex((x) => x !== 0) === Math.round(firstContact * SAMPLE_RATE);
}

function keep(wav: Uint8Array, plot: () => string): string {
  const folder = process.env.PLIANT_OUT;
  if (folder === undefined || folder === '')
    return 'nothing kept: set PLIANT_OUT to a folder for sound and plot';
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'spring-drop.wav'), wav);
  writeFileSync(join(folder, 'sound-spectrum.svg'), plot());
  return `written: ${join(folder, 'spring-drop.wav')} and sound-spectrum.svg beside it`;
}
