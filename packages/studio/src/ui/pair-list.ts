import type { FrameResult, OpenedScene } from '../host/protocol.ts';
import { byId, create } from './dom.ts';
import { formatCount } from './format.ts';

const MOST_ROWS = 100;
const MOST_WHILE_PLAYING = 12; // as many as can be seen; they are gone before anyone scrolls

/** Touching pairs of the frame; choosing one flies to it. */
export class PairList {
  readonly #list = byId('pairs');
  readonly #more = byId('pairs-more');
  readonly #onChoose: (pair: readonly [number, number]) => void;
  #scene: OpenedScene | undefined;
  #pairs = new Uint32Array(0);
  #chosen = '';

  constructor(onChoose: (pair: readonly [number, number]) => void) {
    this.#onChoose = onChoose;
    this.#list.addEventListener('click', ({ target }) => {
      const row = (target as Element).closest<HTMLElement>('button');
      if (row) this.#choose(Number(row.dataset.pair));
    });
  }

  open(scene: OpenedScene): void {
    this.#scene = scene;
    this.forget();
    this.#list.replaceChildren();
  }

  /** No pair is marked any longer. */
  forget(): void {
    this.#chosen = '';
  }

  show({ pairs, pairCount }: FrameResult, isPlaying: boolean): void {
    const count = Math.min(isPlaying ? MOST_WHILE_PLAYING : MOST_ROWS, pairs.length / 2);
    if (haveEqualNumbers(pairs, this.#pairs) && this.#list.childElementCount === count) return;
    this.#pairs = pairs.slice();
    const hadFocus = this.#list.contains(document.activeElement);
    this.#list.replaceChildren(...Array.from({ length: count }, (_, k) => this.#row(k)));
    if (hadFocus) (this.#list.querySelector('button') ?? byId('view')).focus();
    const rest = pairCount - count;
    this.#more.textContent =
      pairCount === 0 ? 'Nothing touches in this frame.' : rest > 0 ? `and ${formatCount(rest)} more` : '';
  }

  /** The next pair of the frame, or the one before. */
  step(by: 1 | -1): void {
    const count = this.#pairs.length / 2;
    if (count === 0) return;
    const at = [...Array(count).keys()].findIndex((k) => this.#key(k) === this.#chosen);
    this.#choose(at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count);
  }

  #choose(k: number): void {
    this.#chosen = this.#key(k);
    for (const row of this.#list.querySelectorAll('button')) {
      const isChosen = Number(row.dataset.pair) === k;
      row.ariaPressed = String(isChosen);
      if (isChosen) row.scrollIntoView({ block: 'nearest' });
    }
    this.#onChoose([this.#pairs[2 * k], this.#pairs[2 * k + 1]]);
  }

  #key(k: number): string {
    return `${this.#pairs[2 * k]} ${this.#pairs[2 * k + 1]}`;
  }

  #row(k: number): HTMLElement {
    const button = create('button', { type: 'button', ariaPressed: String(this.#key(k) === this.#chosen) });
    button.dataset.pair = String(k);
    button.append(this.#label(this.#pairs[2 * k]), ' ', create('span', { className: 'with' }, '×'), ' ');
    button.append(this.#label(this.#pairs[2 * k + 1]));
    return create('li', {}, button);
  }

  #label(triangle: number): HTMLElement {
    const { meshes } = this.#scene!;
    const mesh = meshes.findLast(({ firstTriangle }) => firstTriangle <= triangle)!;
    const name = meshes.length > 1 ? `${mesh.name} ` : '';
    return create('span', {}, name, create('b', {}, formatCount(triangle - mesh.firstTriangle)));
  }
}

function haveEqualNumbers(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}
