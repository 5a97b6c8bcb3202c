import { setText } from '../../ui/dom.ts';
import { formatCount, plural } from '../../ui/format.ts';
import type { PoseFrames } from '../engine/correct/posing.ts';
import type { ScannedFrames } from '../engine/correct/scan.ts';
import type { Layout } from '../ui/layout.ts';

const INSET = 9; // pixels on both sides: half the thumb of the slider that lies over the bars
const UNKNOWN = -1;
const AXIS = 16; // pixels for the numbers below
const TOP = 4;

/** Bars of contacts over the frames of a clip, and the frame that is looked at. */
export class ContactStrip {
  readonly #layout: Layout;
  readonly #canvas: HTMLCanvasElement;
  readonly #slider: HTMLInputElement;
  #frames: PoseFrames = { count: 1, fps: 30 };
  #duration = 0;
  #pairs = new Int32Array(1).fill(UNKNOWN);
  #atBind = new Int32Array(1);
  #time = 0;
  #isScanning = false;
  #isDirty = true;

  constructor(layout: Layout, onFrame: (time: number) => void, onScan: (isWanted: boolean) => void) {
    this.#layout = layout;
    this.#canvas = layout.get<HTMLCanvasElement>('bars');
    this.#slider = layout.get<HTMLInputElement>('frame');
    this.#slider.oninput = () => onFrame(this.timeOf(Number(this.#slider.value)));
    layout.get('scan-stop').onclick = () => onScan(!this.#isScanning);
  }

  /** Another clip, of which nothing is known yet. */
  open(frames: PoseFrames, duration: number): void {
    this.#frames = frames;
    this.#duration = duration;
    this.#pairs = new Int32Array(frames.count).fill(UNKNOWN);
    this.#atBind = new Int32Array(frames.count);
    this.#slider.max = String(Math.max(1, frames.count - 1));
    this.begin();
  }

  begin(): void {
    this.#isScanning = true;
    this.#tell();
  }

  take({ first, pairs, atBind }: ScannedFrames): void {
    this.#pairs.set(pairs, first);
    this.#atBind.set(atBind, first);
    this.#tell();
  }

  end(): void {
    this.#isScanning = false;
    this.#tell();
  }

  set time(time: number) {
    this.#time = time;
    const frame = Math.round(time * this.#frames.fps);
    this.#slider.value = String(frame);
    const known = this.#pairs[frame] ?? UNKNOWN;
    const text = known === UNKNOWN ? '' : `, ${plural(known, 'pair')} touch`;
    this.#slider.setAttribute('aria-valuetext', `${time.toFixed(3)} seconds${text}`);
    this.#isDirty = true;
  }

  timeOf(frame: number): number {
    return Math.min(this.#duration, Math.max(0, frame) / this.#frames.fps);
  }

  /** The frame so many further; the nearest with contacts before or after; or that with the most. Undefined: none. */
  find(which: number | 'previous' | 'next' | 'worst'): number | undefined {
    const at = this.#time * this.#frames.fps;
    if (typeof which === 'number')
      return this.timeOf(Math.min(this.#frames.count - 1, Math.round(at) + which));
    let found = -1;
    for (let k = 0; k < this.#frames.count; k++) {
      if (!(this.#contacts(k) > 0)) continue;
      if (which === 'next' && k > at + 1e-3 && found < 0) found = k;
      if (which === 'previous' && k < at - 1e-3) found = k;
      if (which === 'worst' && (found < 0 || this.#contacts(k) > this.#contacts(found))) found = k;
    }
    return found < 0 ? undefined : this.timeOf(found);
  }

  invalidate(): void {
    this.#isDirty = true;
  }

  /** Once per picture. */
  draw(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const context = this.#canvas.getContext('2d');
    if (width === 0 || context === null) return;
    const ratio = Math.min(2, devicePixelRatio);
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    this.#paint(context, width, height);
  }

  #paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const { count, fps } = this.#frames;
    const floor = height - AXIS;
    const most = this.#pairs.reduce((high, pairs) => Math.max(high, pairs), 1);
    const step = (width - 2 * INSET) / Math.max(1, count - 1);
    const x = (frame: number) => INSET + frame * step;
    const bar = Math.max(1, Math.min(10, step - 1));
    const tall = (pairs: number) => (pairs === 0 ? 0 : Math.max(2, ((floor - TOP) * pairs) / most));
    context.fillStyle = colour('--line');
    context.fillRect(INSET, floor, width - 2 * INSET, 1);
    for (let k = 0; k < count; k++) {
      if (this.#pairs[k] === UNKNOWN) continue;
      const left = x(k) - bar / 2;
      context.fillStyle = colour('--calm');
      context.fillRect(left, floor, bar, 2);
      context.fillStyle = colour('--contact');
      context.fillRect(left, floor - tall(this.#pairs[k]), bar, tall(this.#pairs[k]));
      context.fillStyle = colour('--line-strong');
      context.fillRect(left, floor - tall(this.#atBind[k]), bar, tall(this.#atBind[k]));
    }
    const at = x(this.#time * fps);
    context.fillStyle = colour('--surface');
    context.fillRect(at - 3, 0, 6, floor);
    context.fillStyle = colour('--accent');
    context.fillRect(at - 1, 0, 2, floor + 4);
    context.beginPath();
    context.moveTo(at - 5, 0);
    context.lineTo(at + 5, 0);
    context.lineTo(at, 7);
    context.fill();
    this.#label(context, x, floor, colour);
  }

  /** Seconds below the bars. */
  #label(
    context: CanvasRenderingContext2D,
    x: (frame: number) => number,
    floor: number,
    colour: (name: string) => string,
  ): void {
    const { fps } = this.#frames;
    const every = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60].find((s) => x(s * fps) - x(0) > 54) ?? 120;
    context.font = `11px ${colour('--sans')}`;
    context.fillStyle = colour('--muted');
    context.textBaseline = 'bottom';
    for (let k = 0; k * every <= this.#duration + 1e-6; k++) {
      const seconds = k * every;
      context.textAlign = k === 0 ? 'left' : 'center';
      const left = k === 0 ? 1 : x(seconds * fps);
      context.fillText(`${Number(seconds.toFixed(1))} s`, left, floor + AXIS);
    }
  }

  #contacts(frame: number): number {
    return this.#pairs[frame] === UNKNOWN ? 0 : this.#pairs[frame] - this.#atBind[frame];
  }

  #tell(): void {
    const { count } = this.#frames;
    const known = this.#pairs.reduce((sum, pairs) => sum + (pairs === UNKNOWN ? 0 : 1), 0);
    const touching = this.#pairs.reduce((sum, _, k) => sum + (this.#contacts(k) > 0 ? 1 : 0), 0);
    const most = this.#pairs.reduce((high, pairs) => Math.max(high, pairs), 0);
    const some =
      touching === 0
        ? 'nothing touches that does not at bind'
        : `${formatCount(touching)} of ${plural(known, 'frame')} with contacts, up to ${plural(most, 'pair')}`;
    const text = this.#isScanning
      ? `looking at frame ${formatCount(known)} of ${formatCount(count)} …`
      : known < count
        ? `stopped at frame ${formatCount(known)} of ${formatCount(count)}; ${some}`
        : some;
    setText(this.#layout.get('scan-text'), text);
    const stop = this.#layout.get('scan-stop');
    stop.hidden = !this.#isScanning && known === count;
    setText(stop, this.#isScanning ? 'Stop' : 'Look again');
    this.#isDirty = true;
  }
}
