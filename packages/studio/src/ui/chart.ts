import uPlot from 'uplot';
import type { History } from '../app/history.ts';
import { byId } from './dom.ts';

const HEADROOM = 3; // of the height that nine tenths of the frames keep below

/** Milliseconds per frame of both methods, as a strip that moves to the left. */
export class Chart {
  readonly #element = byId('chart');
  readonly #cut = byId('chart-cut');
  #plot: uPlot | undefined;
  #ceiling = Number.POSITIVE_INFINITY;

  /** Colours come from the page's style, so a new theme needs a new chart. */
  restyle(history: History): void {
    this.#plot?.destroy();
    this.#fit(history);
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const font = `11px ${colour('--sans')}`;
    const axis = {
      stroke: colour('--muted'),
      font,
      ticks: { show: false },
      grid: { stroke: colour('--line'), width: 1 },
    };
    const points = { show: (plot: uPlot) => plot.data[0].length < 3, size: 5 };
    const options: uPlot.Options = {
      ...this.#size,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 10, 8, 0],
      scales: {
        x: { time: false },
        y: { range: (_, __, max) => [0, Math.max(0.05, Math.min(1.15 * max, this.#ceiling))] },
      },
      axes: [
        { ...axis, show: false },
        { ...axis, size: 56, splits: undefined, values: (_, values) => values.map((v) => `${v} ms`) },
      ],
      series: [
        {},
        {
          stroke: colour('--traditional'),
          fill: colour('--traditional-soft'),
          width: 1.5,
          points,
        },
        { stroke: colour('--pliant'), fill: colour('--pliant-soft'), width: 2, points },
      ],
    };
    this.#plot = new uPlot(options, history.columns, this.#element);
  }

  show(history: History): void {
    this.#fit(history);
    this.#plot?.setData(history.columns);
  }

  resize(): void {
    this.#plot?.setSize(this.#size);
  }

  /** Single peaks, when the computer was busy, must not flatten everything else. */
  #fit({ high, highest }: History): void {
    this.#ceiling = HEADROOM * high;
    this.#cut.hidden = !(highest > this.#ceiling);
  }

  get #size(): { width: number; height: number } {
    return {
      width: Math.max(50, this.#element.clientWidth),
      height: Math.max(40, this.#element.clientHeight),
    };
  }
}
