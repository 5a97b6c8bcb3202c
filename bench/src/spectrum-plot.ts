import type { Peak, Spectrum } from '../../packages/pliant/test/simulate/sound/spectrum.ts';

const WIDTH = 960;
const LEFT = 52;
const RIGHT = 24;
const INNER = WIDTH - LEFT - RIGHT;
const DEEPEST = -80; // decibels below the largest peak

/** One plot: a range of frequencies, and where it stands. */
interface Panel {
  readonly title: string;
  readonly low: number;
  readonly high: number;
  readonly top: number;
  readonly height: number;
  readonly grid: number; // hertz between labels
}

/**
 * The spectrum of a sound as an SVG, all of it and a part in which single modes can be told apart; modes are ticks
 * below or lines behind it, the largest peaks are dots. Small, and readable on light and dark pages.
 */
export function plotSpectrum(spectrum: Spectrum, frequencies: Float64Array, peaks: readonly Peak[]): string {
  const end = 500 * Math.ceil((1.1 * frequencies[frequencies.length - 1]) / 500);
  const zoom = zoomAround(peaks[0].hertz, frequencies);
  const all: Panel = {
    title: `The whole spectrum. Ticks: ${frequencies.length} modal frequencies; dots: the ${peaks.length} largest peaks`,
    low: 0,
    high: end,
    top: 34,
    height: 230,
    grid: 500,
  };
  const part: Panel = {
    title: `${zoom.low} to ${zoom.high} Hz. Lines: modal frequencies`,
    ...zoom,
    top: 350,
    height: 230,
    grid: niceStep((zoom.high - zoom.low) / 10),
  };
  const loudest = peaks[0].magnitude;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} 626" role="img" aria-label="Spectrum of a falling spring with its modal frequencies">
<style>
  svg { --page: #ffffff; --ink: #24292f; --faint: #d0d7de; --line: #0b6bcb; --mode: #c2410c }
  @media (prefers-color-scheme: dark) { svg { --page: #0d1117; --ink: #d7dde4; --faint: #343b44; --line: #6cb6ff; --mode: #ffa657 } }
  text { font: 13px system-ui, sans-serif; fill: var(--ink) } .end { text-anchor: end } .mid { text-anchor: middle }
  path { fill: none } .faint { stroke: var(--faint) } .mode { stroke: var(--mode); stroke-width: 1 }
  .line { stroke: var(--line); stroke-width: 1.2; stroke-linejoin: round } .dot { fill: var(--mode) }
</style>
<rect width="${WIDTH}" height="626" fill="var(--page)"/>
${drawPanel(all, spectrum, loudest)}
<path class="mode" d="${frequencies.reduce((d, f) => `${d}M${x(all, f)} ${all.top + all.height}v9`, '')}"/>
${drawDots(all, peaks, loudest)}
<path class="mode" stroke-dasharray="3 3" d="${within(part, frequencies).reduce((d, f) => `${d}M${x(part, f)} ${part.top}v${part.height + 9}`, '')}"/>
${drawPanel(part, spectrum, loudest)}
${drawDots(part, peaks, loudest)}
</svg>
`;
}

/** A range of round numbers around a frequency, with about a dozen modes in it. */
function zoomAround(hertz: number, frequencies: Float64Array): { low: number; high: number } {
  const reach = frequencies.map((f) => Math.abs(f - hertz)).sort()[Math.min(13, frequencies.length - 1)];
  return { low: 10 * Math.floor((hertz - reach) / 10), high: 10 * Math.ceil((hertz + reach) / 10) };
}

function niceStep(wanted: number): number {
  const unit = 10 ** Math.floor(Math.log10(wanted));
  return unit * [1, 2, 5, 10].find((factor) => factor * unit >= wanted)!;
}

function within({ low, high }: Panel, frequencies: Float64Array): Float64Array {
  return frequencies.filter((f) => f >= low && f <= high);
}

function x({ low, high }: Panel, hertz: number): string {
  return (LEFT + (INNER * (hertz - low)) / (high - low)).toFixed(1);
}

function y({ top, height }: Panel, magnitude: number, loudest: number): string {
  const decibels = Math.max(DEEPEST, 20 * Math.log10(magnitude / loudest));
  return (top + (height * decibels) / DEEPEST).toFixed(1);
}

function drawPanel(panel: Panel, spectrum: Spectrum, loudest: number): string {
  const { title, low, high, top, height, grid } = panel;
  const lines: string[] = [`<text x="${LEFT}" y="${top - 12}">${title}</text>`];
  for (let decibels = 0; decibels >= DEEPEST; decibels -= 20) {
    const at = top + (height * decibels) / DEEPEST;
    lines.push(
      `<path class="faint" d="M${LEFT} ${at}h${INNER}"/><text class="end" x="${LEFT - 8}" y="${at + 4}">${decibels === 0 ? '0 dB' : `−${-decibels}`}</text>`,
    );
  }
  for (let hertz = grid * Math.ceil(low / grid); hertz <= high; hertz += grid) {
    lines.push(`<text class="mid" x="${x(panel, hertz)}" y="${top + height + 25}">${hertz}</text>`);
  }
  lines.push(`<text class="end" x="${WIDTH - RIGHT}" y="${top + height + 42}">Hz</text>`);
  lines.push(`<path class="line" d="${drawCurve(panel, spectrum, loudest)}"/>`);
  return lines.join('\n');
}

/** The largest magnitude of each column of the picture. */
function drawCurve(panel: Panel, { magnitudes, step }: Spectrum, loudest: number): string {
  const { low, high } = panel;
  const points: string[] = [];
  let last = -1;
  for (let column = 0; column < INNER; column++) {
    const from = Math.ceil((low + ((high - low) * column) / INNER) / step),
      to = Math.ceil((low + ((high - low) * (column + 1)) / INNER) / step);
    for (let k = from, most = -1; k < to; k++) {
      if (magnitudes[k] > most) {
        most = magnitudes[k];
        last = k;
      }
    }
    if (last >= from) points.push(`${x(panel, last * step)} ${y(panel, magnitudes[last], loudest)}`);
  }
  return `M${points.join('L')}`;
}

function drawDots(panel: Panel, peaks: readonly Peak[], loudest: number): string {
  const { low, high } = panel;
  return peaks
    .filter(({ hertz }) => hertz >= low && hertz <= high)
    .map(
      ({ hertz, magnitude }) =>
        `<circle class="dot" cx="${x(panel, hertz)}" cy="${y(panel, magnitude, loudest)}" r="2.5"/>`,
    )
    .join('');
}
