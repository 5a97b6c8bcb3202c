import { clipLabel, formatCount } from '../summary.ts';
import { cssColour } from './dom.ts';
import type { PageData } from './read-payload.ts';
import { worstFrames } from './worst-frames.ts';

const LEFT = 50,
  RIGHT = 10,
  TOP = 30,
  BOTTOM = 18; // pixels around the bars
const WIDEST_BAR = 60;
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

/** The contact counts of a range of frames as bars, clips as bands, the worst frames marked. */
export class Chart {
  readonly #canvas: HTMLCanvasElement;
  readonly #data: PageData;
  #from = 0;
  #to: number; // exclusive
  #selected = 0;
  #hovered = -1;
  #asked = false;
  #colours = new Map<string, string>(); // of the present theme, while drawing

  constructor(canvas: HTMLCanvasElement, data: PageData) {
    this.#canvas = canvas;
    this.#data = data;
    this.#to = data.frames.length;
    new ResizeObserver(() => this.ask()).observe(canvas);
  }

  setRange(from: number, to: number): void {
    this.#from = from;
    this.#to = to;
    this.ask();
  }

  select(frame: number): void {
    this.#selected = frame;
    this.ask();
  }

  hover(frame: number): void {
    if (frame === this.#hovered) return;
    this.#hovered = frame;
    this.ask();
  }

  /** The frame under a horizontal position, in pixels of the canvas; always one of the range. */
  frameAt(x: number): number {
    const share = (x - LEFT) / this.#width;
    const frame = this.#from + Math.floor(share * (this.#to - this.#from));
    return Math.min(this.#to - 1, Math.max(this.#from, frame));
  }

  /** The middle of a frame's bar, in pixels of the canvas. */
  xOf(frame: number): number {
    return LEFT + ((frame - this.#from + 0.5) / (this.#to - this.#from)) * this.#width;
  }

  ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => this.draw());
  }

  draw(): void {
    this.#asked = false;
    const context = this.#canvas.getContext('2d');
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (!context || width === 0 || this.#to <= this.#from) return;
    const ratio = devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    context.font = FONT;
    context.textBaseline = 'middle';
    this.#colours.clear();
    const most = this.#largestCount();
    this.#drawClips(context, height);
    this.#drawScale(context, width, height, most);
    this.#drawBars(context, height, most);
    this.#drawAxis(context, width, height);
    this.#drawShown(context, height);
    this.#drawSelected(context, height);
    this.#drawWorst(context, height, most);
  }

  #colour(name: string): string {
    let found = this.#colours.get(name);
    if (found === undefined) this.#colours.set(name, (found = cssColour(name)));
    return found;
  }

  get #width(): number {
    return Math.max(1, this.#canvas.clientWidth - LEFT - RIGHT);
  }

  #largestCount(): number {
    let most = 0;
    for (let k = this.#from; k < this.#to; k++) most = Math.max(most, this.#data.frames.count[k]);
    return most;
  }

  #clipRuns(): { clip: number; from: number; to: number }[] {
    const { clip } = this.#data.frames;
    const runs: { clip: number; from: number; to: number }[] = [];
    for (let k = this.#from; k < this.#to; k++) {
      const last = runs.at(-1);
      if (last?.clip === clip[k]) last.to = k + 1;
      else runs.push({ clip: clip[k], from: k, to: k + 1 });
    }
    return runs;
  }

  #drawClips(context: CanvasRenderingContext2D, height: number): void {
    const band = this.#colour('--band'),
      text = this.#colour('--muted'),
      line = this.#colour('--line');
    const edge = (frame: number) => LEFT + ((frame - this.#from) / (this.#to - this.#from)) * this.#width;
    const runs = this.#clipRuns();
    runs.forEach(({ clip, from, to }, k) => {
      const x = edge(from),
        w = edge(to) - x;
      if (k % 2 === 0) {
        context.fillStyle = band;
        context.fillRect(x, 0, w, height - BOTTOM);
      }
      if (k > 0) {
        context.fillStyle = line;
        context.fillRect(Math.round(x), 0, 1, height - BOTTOM);
      }
      const name = clipLabel(this.#data.clips[clip] ?? '');
      const label = runs.length === 1 || context.measureText(name).width < w - 10 ? name : '';
      context.fillStyle = text;
      context.textAlign = 'left';
      if (label !== '') context.fillText(label, x + 6, 10);
    });
  }

  #drawScale(context: CanvasRenderingContext2D, width: number, height: number, most: number): void {
    const base = height - BOTTOM;
    context.textAlign = 'right';
    for (const value of most === 0 ? [0] : most === 1 ? [0, 1] : [0, roundedHalf(most), most]) {
      const y = base - (most === 0 ? 0 : (value / most) * (base - TOP));
      context.fillStyle = this.#colour('--line');
      context.fillRect(LEFT, Math.round(y) - (value === 0 ? 0 : 0.5), width - LEFT - RIGHT, 1);
      context.fillStyle = this.#colour('--muted');
      context.fillText(formatCount(value), LEFT - 8, Math.min(y, base - 3));
    }
  }

  /** Where several frames share a pixel, the worst of them shows. */
  #drawBars(context: CanvasRenderingContext2D, height: number, most: number): void {
    const base = height - BOTTOM;
    const slot = this.#width / (this.#to - this.#from);
    const gap = slot > 6 ? Math.min(3, slot * 0.22) : slot > 3 ? 1 : 0;
    const bar = Math.min(WIDEST_BAR, Math.max(1, slot - gap));
    for (const [frame, count] of this.#barFrames(slot)) {
      const lit = this.#hovered === frame || this.#selected === frame;
      if (count === 0 && !lit) continue;
      const tall = count === 0 ? 2 : Math.max(3, (count / most) * (base - TOP));
      const x = slot < 1 ? Math.floor(this.xOf(frame)) : this.xOf(frame) - bar / 2;
      context.fillStyle = this.#colour(count === 0 ? '--bar-none' : '--contact');
      context.globalAlpha = lit ? 1 : 0.78;
      context.fillRect(x, base - tall, bar, tall);
    }
    context.globalAlpha = 1;
    if (most === 0) this.#drawNothing(context, LEFT + this.#width / 2, (TOP + base) / 2);
  }

  #drawNothing(context: CanvasRenderingContext2D, x: number, y: number): void {
    const text =
      this.#from === 0 && this.#to === this.#data.frames.length ? 'No contacts' : 'No contacts in this clip';
    const wide = context.measureText(text).width + 20;
    context.fillStyle = this.#colour('--calm-soft');
    context.beginPath();
    context.roundRect(x - wide / 2, y - 11, wide, 22, 6);
    context.fill();
    context.fillStyle = this.#colour('--calm');
    context.textAlign = 'center';
    context.fillText(text, x, y);
  }

  /** The frames to draw bars for, with their counts: all, or the worst one of each pixel. */
  #barFrames(slot: number): Map<number, number> {
    const { count } = this.#data.frames;
    const result = new Map<number, number>();
    let worst = this.#from;
    for (let k = this.#from; k < this.#to; k++) {
      const next = slot < 1 && Math.floor(this.xOf(k)) === Math.floor(this.xOf(worst));
      if (!next) worst = k;
      else if (count[k] > count[worst]) {
        result.delete(worst);
        worst = k;
      } else continue;
      result.set(worst, count[worst]);
    }
    return result;
  }

  /** Numbers only where they rise: within one clip. */
  #drawAxis(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { index } = this.#data.frames;
    const step = niceStep(((this.#to - this.#from) * 52) / this.#width);
    const numbered = this.#clipRuns().length === 1;
    context.fillStyle = this.#colour('--muted');
    context.textAlign = 'center';
    for (let k = this.#from; numbered && k < this.#to; k++) {
      const x = this.xOf(k);
      const covered = Math.abs(x - this.xOf(this.#selected)) < 26;
      if (index[k] % step === 0 && x < width - 14 && !covered)
        context.fillText(String(index[k]), x, height - 7);
    }
    context.textAlign = 'right';
    if (numbered) context.fillText('frame', LEFT - 8, height - 7);
  }

  /** When not every frame has a picture: dots under those that have. */
  #drawShown(context: CanvasRenderingContext2D, height: number): void {
    const { shown, frames } = this.#data;
    if (shown.length === frames.length) return;
    context.fillStyle = this.#colour('--accent');
    for (const { frame } of shown) {
      if (frame >= this.#from && frame < this.#to) {
        context.fillRect(this.xOf(frame) - 0.75, height - BOTTOM + 1, 1.5, 4);
      }
    }
  }

  #drawWorst(context: CanvasRenderingContext2D, height: number, most: number): void {
    if (most === 0) return;
    const base = height - BOTTOM;
    const { count } = this.#data.frames;
    context.fillStyle = this.#colour('--contact');
    for (const frame of worstFrames(count, this.#from, this.#to)) {
      const x = this.xOf(frame),
        y = base - (count[frame] / most) * (base - TOP) - 4;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x - 4.5, y - 7);
      context.lineTo(x + 4.5, y - 7);
      context.fill();
    }
  }

  /** A line, and the frame's number on the axis. */
  #drawSelected(context: CanvasRenderingContext2D, height: number): void {
    if (this.#selected < this.#from || this.#selected >= this.#to) return;
    const x = this.xOf(this.#selected);
    const text = String(this.#data.frames.index[this.#selected]);
    const wide = context.measureText(text).width + 12;
    context.fillStyle = this.#colour('--accent');
    context.fillRect(x - 1, 18, 2, height - BOTTOM - 18);
    context.beginPath();
    const left = Math.max(LEFT, x - wide / 2);
    context.roundRect(left, height - BOTTOM + 1, wide, BOTTOM - 1, 5);
    context.fill();
    context.fillStyle = this.#colour('--accent-text');
    context.textAlign = 'center';
    context.fillText(text, left + wide / 2, height - 7.5);
  }
}

/** A round number near the middle of the scale. */
function roundedHalf(most: number): number {
  const step = 10 ** Math.floor(Math.log10(most / 2));
  return Math.max(1, Math.round(most / 2 / step) * step);
}

/** The next of 1, 2, 5, 10, 20, 50 … that is at least `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}
