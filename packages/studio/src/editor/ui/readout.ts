import { setText } from '../../ui/dom.ts';
import { formatCount, formatMilliseconds, formatRatio, plural } from '../../ui/format.ts';
import type { FullTimes } from '../engine/full-method.ts';
import type { EditorFrame } from '../engine/protocol.ts';
import type { Layout } from './layout.ts';
import { StepChart } from './step-chart.ts';

const MEASURE = 'Measure the full method';

/** Numbers about steps: how long they take, beside the full method, and what they had to do. */
export class Readout {
  readonly chart: StepChart;
  /** The full method, where it has been measured. */
  full: FullTimes | undefined;
  readonly #layout: Layout;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.chart = new StepChart(layout.get('chart'));
  }

  clear(): void {
    const { get } = this.#layout;
    this.chart.clear();
    this.showFull(undefined);
    for (const id of ['step', 'step-high']) setText(get(id), '–');
    setText(get('contacts'), '0');
    setText(get('figures'), '');
  }

  /** `high` is the main thread's time, milliseconds; `size` that of the model. */
  show(frame: EditorFrame | undefined, size: number, high: number | undefined): void {
    const { get } = this.#layout;
    const { sorted } = this.chart;
    this.chart.show();
    if (sorted.length > 0) {
      const median = sorted[sorted.length >> 1];
      setText(get('step'), median < 10 ? median.toFixed(1) : median.toFixed(0));
      setText(get('step-high'), formatMilliseconds(sorted[Math.floor(0.95 * sorted.length)]));
    }
    setText(get('main-thread'), high === undefined ? '' : `main thread ${high.toFixed(1)} ms`);
    if (frame === undefined) return;
    const { replay, isAtRest, figures } = frame;
    const status = replay ? `replay, step ${replay[0]} of ${replay[1]}` : isAtRest ? 'at rest' : 'moving';
    setText(get('status'), status);
    if (figures) this.#showFigures(figures, size, frame.measured?.crossingPairs ?? 0);
  }

  #showFigures(figures: NonNullable<EditorFrame['figures']>, size: number, crossing: number): void {
    const { get } = this.#layout;
    const { pushing, columns, groups, depth, isKept } = figures;
    setText(get('contacts'), formatCount(pushing));
    get('contacts').classList.toggle('none', pushing === 0);
    setText(get('contacts-label'), pushing === 1 ? 'contact pushes' : 'contacts push');
    const percent = (100 * Math.max(0, depth)) / size;
    const deep = percent >= 0.005 ? `, ${percent.toFixed(2)} % deep` : '';
    const kept = isKept ? ', no shape was found: the last one stays' : '';
    const crossed = crossing > 0 ? `; ${plural(crossing, 'pair')} of triangles cross` : '';
    get('figures').classList.toggle('bad', crossing > 0);
    setText(
      get('figures'),
      `${columns} functions, groups by level ${groups.join(' / ')}${deep}${kept}${crossed}`,
    );
  }

  beginMeasuring(): void {
    this.#layout.get<HTMLButtonElement>('measure').disabled = true;
    setText(this.#layout.get('measure'), 'Measuring …');
  }

  endMeasuring(): void {
    this.#layout.get<HTMLButtonElement>('measure').disabled = false;
    setText(this.#layout.get('measure'), MEASURE);
  }

  showFull(times: FullTimes | undefined): void {
    const { get } = this.#layout;
    this.full = times;
    this.endMeasuring();
    this.chart.full = times?.refactor;
    const { sorted } = this.chart;
    if (times === undefined || sorted.length === 0) {
      setText(get('full'), '–');
      return;
    }
    const ratio = times.refactor / sorted[sorted.length >> 1];
    setText(get('full'), `${formatMilliseconds(times.refactor)}, ${formatRatio(ratio)}`);
    get('full').title = `With its factor kept and contacts solved for: ${formatMilliseconds(times.schur)}`;
  }
}
