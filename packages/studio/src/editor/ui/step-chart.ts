import uPlot from 'uplot';

const LENGTH = 360; // steps
const LOWEST = 0.5; // milliseconds
const DECADES = [1, 10, 100, 1000, 10_000];

/** Milliseconds of the last steps, and of the full method beside them where it has been measured. */
export class StepChart {
  readonly #element: HTMLElement;
  readonly #numbers: number[] = [];
  readonly #times: number[] = [];
  #count = 0;
  #full: number | undefined;
  #plot: uPlot | undefined;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  clear(): void {
    this.#numbers.length = this.#times.length = this.#count = 0;
    this.#full = undefined;
  }

  add(times: readonly number[]): void {
    for (const ms of times) {
      this.#times.push(ms);
      this.#numbers.push(this.#count++);
    }
    const over = this.#times.length - LENGTH;
    if (over > 0) {
      this.#times.splice(0, over);
      this.#numbers.splice(0, over);
    }
  }

  set full(ms: number | undefined) {
    this.#full = ms;
  }

  /** All times of the last steps, in order of length. */
  get sorted(): number[] {
    return [...this.#times].sort((a, b) => a - b);
  }

  show(): void {
    this.#plot?.setData(this.#columns);
  }

  resize(): void {
    this.#plot?.setSize(this.#size);
  }

  /** Colours come from the page's style, so a new theme needs a new chart. */
  restyle(): void {
    this.#plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--muted'),
      font: `11px ${colour('--sans')}`,
      ticks: { show: false },
      grid: { stroke: colour('--line'), width: 1 },
    };
    const points = { show: false };
    const options: uPlot.Options = {
      ...this.#size,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 10, 8, 0],
      scales: {
        x: { time: false },
        y: {
          distr: 3,
          range: (_, __, max) => [LOWEST, 10 ** Math.ceil(Math.log10(Math.max(100, 1.1 * max)))],
        },
      },
      axes: [
        { ...axis, show: false },
        {
          ...axis,
          size: 62,
          splits: (_, __, low, high) => DECADES.filter((ms) => ms >= low && ms <= high),
          values: (_, values) => values.map((v) => (v === null ? '' : `${v} ms`)),
        },
      ],
      series: [
        {},
        { stroke: colour('--traditional'), width: 2, dash: [6, 4], points },
        { stroke: colour('--pliant'), width: 1.5, points },
      ],
    };
    this.#plot = new uPlot(options, this.#columns, this.#element);
  }

  get #columns(): [number[], (number | null)[], number[]] {
    const full = this.#full ?? null;
    const shown = this.#times.map((ms) => Math.max(LOWEST, ms));
    return [this.#numbers, this.#times.map(() => full), shown];
  }

  get #size(): { width: number; height: number } {
    return {
      width: Math.max(50, this.#element.clientWidth),
      height: Math.max(40, this.#element.clientHeight),
    };
  }
}
