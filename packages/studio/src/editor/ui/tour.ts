import { create } from '../../ui/dom.ts';

/** Something to try. */
export interface TourStep {
  readonly title: string;
  readonly text: string;
  /** What it is about: the element is marked meanwhile. */
  readonly about?: string;
  /** When it is shown. */
  begin?(): void;
  /** True when it has been done: the tour goes on by itself. Without it somebody has to say so. */
  isDone?(): boolean;
}

const PAUSE = 900; // milliseconds between something done and the next thing

/** Things to try, one after the other, in a card over the picture. */
export class Tour {
  readonly #room: HTMLElement;
  readonly #steps: readonly TourStep[];
  readonly #title = create('strong');
  readonly #text = create('p');
  readonly #count = create('span', { className: 'quiet' });
  readonly #next = create('button', { type: 'button', className: 'button primary' });
  readonly #card: HTMLElement;
  #at = -1;
  #doneAt: number | undefined;

  constructor(room: HTMLElement, steps: readonly TourStep[]) {
    this.#room = room;
    this.#steps = steps;
    const end = create('button', { type: 'button', className: 'button', textContent: 'End tour' });
    end.onclick = () => this.end();
    this.#next.onclick = () => this.#go(this.#at + 1);
    const buttons = create('div', { className: 'buttons' }, this.#count, end, this.#next);
    this.#card = create(
      'div',
      { className: 'tour', role: 'status', hidden: true },
      this.#title,
      this.#text,
      buttons,
    );
    room.append(this.#card);
  }

  get isRunning(): boolean {
    return this.#at >= 0;
  }

  start(): void {
    this.#go(0);
  }

  end(): void {
    this.#mark(false);
    this.#at = -1;
    this.#card.hidden = true;
  }

  /** Now and then: goes on when what was asked for has been done. */
  tick(now: number): void {
    if (!this.isRunning || !this.#steps[this.#at].isDone?.()) return;
    if (this.#doneAt === undefined) {
      this.#doneAt = now;
      this.#card.classList.add('is-done');
    } else if (now - this.#doneAt > PAUSE) this.#go(this.#at + 1);
  }

  #go(step: number): void {
    this.#mark(false);
    if (step >= this.#steps.length) {
      this.end();
      return;
    }
    this.#at = step;
    this.#doneAt = undefined;
    const { title, text } = this.#steps[step];
    const isLast = step === this.#steps.length - 1;
    this.#title.textContent = title;
    this.#text.textContent = text;
    this.#count.textContent = `${step + 1} of ${this.#steps.length}`;
    this.#next.textContent = isLast ? 'Done' : 'Next';
    this.#card.hidden = false;
    this.#card.classList.remove('is-done');
    this.#mark(true);
    this.#steps[step].begin?.();
  }

  #mark(isMarked: boolean): void {
    const { about } = this.#steps[this.#at] ?? {};
    if (about === undefined) return;
    const root = this.#room.ownerDocument;
    for (const element of root.querySelectorAll(about)) element.classList.toggle('is-toured', isMarked);
    if (isMarked) root.querySelector(about)?.scrollIntoView({ block: 'nearest' });
  }
}
