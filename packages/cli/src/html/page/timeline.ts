import { clipLabel, formatTime, plural } from '../summary.ts';
import { Chart } from './chart.ts';
import { byId, make } from './dom.ts';
import type { PageData } from './read-payload.ts';

const PLAY = '<path d="M7 4v16l13-8z"/>';
const PAUSE = '<path d="M6 4h4v16H6zM14 4h4v16h-4z"/>';
const SLOWEST = 0.5,
  FASTEST = 1 / 60; // seconds per picture while playing

/**
 * Chooses among the frames that have a picture: by mouse, touch, keyboard, buttons and playing. `changed` is told
 * the index into `shown`.
 */
export class Timeline {
  readonly #data: PageData;
  readonly #chart: Chart;
  readonly #slider = byId('chart');
  readonly #changed: (shown: number) => void;
  #at = 0; // index into `shown`
  #clip = -1; // −1: all
  #timer = 0;

  constructor(data: PageData, changed: (shown: number) => void) {
    this.#data = data;
    this.#changed = changed;
    byId('time').hidden = data.frames.length === 0;
    this.#chart = new Chart(byId('bars') as HTMLCanvasElement, data);
    this.#addPointer();
    this.#addKeys();
    this.#addButtons();
  }

  get at(): number {
    return this.#at;
  }

  redraw(): void {
    this.#chart.draw();
  }

  /** The shown frame nearest to `frame`, in the same clip if that has any. */
  nearest(frame: number): number {
    const { shown, frames } = this.#data;
    let best = 0,
      least = Infinity;
    shown.forEach((candidate, k) => {
      const other = frames.clip[candidate.frame] === frames.clip[frame] ? 0 : 1e9;
      const distance = Math.abs(candidate.frame - frame) + other;
      if (distance < least) {
        least = distance;
        best = k;
      }
    });
    return best;
  }

  goTo(at: number): void {
    const { shown, frames } = this.#data;
    if (shown.length === 0) return;
    this.#at = Math.min(shown.length - 1, Math.max(0, at));
    const frame = shown[this.#at].frame;
    if (this.#clip >= 0 && frames.clip[frame] !== this.#clip) this.#showClip(-1);
    this.#chart.select(frame);
    this.#describe(frame);
    this.#changed(this.#at);
  }

  #describe(frame: number): void {
    const { frames, clips } = this.#data;
    const count = frames.count[frame];
    const clip = clipLabel(clips[frames.clip[frame]] ?? '');
    const parts = [
      make('strong', '', `Frame ${frames.index[frame]}`),
      ` ${clip === '' ? '' : `of ${clip} `}at ${formatTime(frames.time[frame])}: `,
      make('span', count > 0 ? 'count' : 'count none', count > 0 ? plural(count, 'contact') : 'no contact'),
    ];
    const now = byId('now');
    now.setAttribute('aria-live', this.#timer ? 'off' : 'polite');
    now.replaceChildren(...parts);
    this.#slider.setAttribute('aria-valuemax', String(this.#data.shown.length - 1));
    this.#slider.setAttribute('aria-valuenow', String(this.#at));
    this.#slider.setAttribute('aria-valuetext', now.textContent ?? '');
  }

  #addPointer(): void {
    const tip = byId('tip');
    const frameUnder = (event: PointerEvent) =>
      this.#chart.frameAt(event.clientX - this.#slider.getBoundingClientRect().left);
    const scrub = (event: PointerEvent) => {
      const at = this.nearest(frameUnder(event));
      if (at !== this.#at) this.goTo(at);
    };
    this.#slider.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.#slider.setPointerCapture(event.pointerId);
      this.pause();
      scrub(event);
    });
    this.#slider.addEventListener('pointermove', (event) => {
      if (this.#slider.hasPointerCapture(event.pointerId)) scrub(event);
      const frame = frameUnder(event);
      this.#chart.hover(frame);
      tip.textContent = this.#tipText(frame);
      tip.hidden = false;
      const room = this.#slider.clientWidth - tip.offsetWidth;
      tip.style.left = `${Math.max(0, Math.min(room, this.#chart.xOf(frame) - tip.offsetWidth / 2))}px`;
    });
    this.#slider.addEventListener('pointerleave', () => {
      this.#chart.hover(-1);
      tip.hidden = true;
    });
  }

  #tipText(frame: number): string {
    const { frames, clips, shown } = this.#data;
    const clip = clipLabel(clips[frames.clip[frame]] ?? '');
    const count = frames.count[frame];
    const place = `${clip === '' ? 'Frame' : `${clip}, frame`} ${frames.index[frame]}`;
    const near = shown.length > 0 ? shown[this.nearest(frame)].frame : frame;
    const picture = near === frame ? '' : ` (picture: frame ${frames.index[near]})`;
    return `${place}: ${count > 0 ? plural(count, 'contact') : 'no contact'}${picture}`;
  }

  #addKeys(): void {
    document.addEventListener('keydown', (event) => {
      const target = event.target as HTMLElement;
      const elsewhere = target.closest('button, select, a, .panel, .scroll, [role=tab], #view');
      if (event.ctrlKey || event.metaKey || event.altKey || elsewhere) return;
      if (!this.#pressed(event.key)) return;
      event.preventDefault();
    });
  }

  #pressed(key: string): boolean {
    if (key === ' ') {
      this.#togglePlay();
      return true;
    }
    const ahead = Math.max(1, Math.round(this.#data.shown.length / 10));
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageUp: ahead,
      PageDown: -ahead,
      Home: -Infinity,
      End: Infinity,
    };
    const onSlider = document.activeElement === this.#slider;
    const step = steps[key];
    if (step === undefined || (!onSlider && !['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)))
      return false;
    this.#step(step);
    return true;
  }

  #addButtons(): void {
    const on = (id: string, action: () => void) => byId(id).addEventListener('click', action);
    on('back', () => this.#step(-1));
    on('forward', () => this.#step(1));
    on('previous', () => this.#goToContact(-1));
    on('next', () => this.#goToContact(1));
    on('play', () => this.#togglePlay());
    const hasContacts = this.#data.shown.some(({ frame }) => this.#data.frames.count[frame] > 0);
    for (const id of ['previous', 'next']) byId<HTMLButtonElement>(id).disabled = !hasContacts;
    for (const id of ['back', 'forward', 'play']) {
      byId<HTMLButtonElement>(id).disabled = this.#data.shown.length < 2;
    }
    document.getElementById('clip')?.addEventListener('change', (event) => {
      const { value } = event.target as HTMLSelectElement;
      this.pause();
      this.#showClip(value === '' ? -1 : Number(value));
    });
  }

  /** Within the clip, if only one is looked at. */
  #step(by: number): void {
    const { shown, frames } = this.#data;
    const isHere = ({ frame }: { frame: number }) => this.#clip < 0 || frames.clip[frame] === this.#clip;
    const first = shown.findIndex(isHere),
      last = shown.findLastIndex(isHere);
    this.pause();
    this.goTo(Math.min(last, Math.max(first, this.#at + by)));
  }

  /** Around the end, too: the first one follows the last one. */
  #goToContact(direction: 1 | -1): void {
    const { shown, frames } = this.#data;
    this.pause();
    for (let k = 1; k <= shown.length; k++) {
      const at = (this.#at + direction * k + shown.length * 2) % shown.length;
      if (frames.count[shown[at].frame] === 0) continue;
      this.goTo(at);
      return;
    }
  }

  /** Restricts the chart, and playing, to one clip. Goes to its worst frame when the present one is elsewhere. */
  #showClip(clip: number): void {
    const { frames, shown } = this.#data;
    this.#clip = clip;
    const select = byId<HTMLSelectElement>('clip');
    if (select) select.value = clip < 0 ? '' : String(clip);
    let from = 0,
      to = frames.length;
    if (clip >= 0) {
      while (from < to && frames.clip[from] !== clip) from++;
      while (to > from && frames.clip[to - 1] !== clip) to--;
    }
    if (from === to) {
      this.#showClip(-1); // the check stopped before this clip
      return;
    }
    this.#chart.setRange(from, to);
    if (shown.length === 0 || clip < 0 || frames.clip[shown[this.#at].frame] === clip) return;
    let worst = from;
    for (let k = from; k < to; k++) if (frames.count[k] > frames.count[worst]) worst = k;
    this.goTo(this.nearest(worst));
  }

  #togglePlay(): void {
    if (this.#timer) this.pause();
    else if (this.#data.shown.length > 1) {
      this.#setPlayButton(true);
      this.#playOn();
    }
  }

  pause(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#setPlayButton(false);
    this.#describe(this.#data.shown[this.#at].frame);
  }

  #setPlayButton(playing: boolean): void {
    const button = byId('play');
    button.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    button.title = playing ? 'Pause (space)' : 'Play (space)';
    button.firstElementChild!.innerHTML = playing ? PAUSE : PLAY;
  }

  /** At the speed of the clips, as far as frames in between are missing with pauses. Starts again at the end. */
  #playOn(): void {
    const { shown, frames } = this.#data;
    let next = (this.#at + 1) % shown.length;
    if (this.#clip >= 0 && frames.clip[shown[next].frame] !== this.#clip) {
      next = shown.findIndex(({ frame }) => frames.clip[frame] === this.#clip);
    }
    const step = frames.time[shown[next].frame] - frames.time[shown[this.#at].frame];
    const pause = step > 0 ? Math.max(FASTEST, Math.min(SLOWEST, step)) : SLOWEST / 2;
    this.#timer = window.setTimeout(() => {
      this.goTo(next);
      this.#playOn();
    }, pause * 1000);
  }
}
