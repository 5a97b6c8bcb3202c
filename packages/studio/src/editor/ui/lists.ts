import { create } from '../../ui/dom.ts';
import type { ShownControl, ShownObstacle } from '../engine/protocol.ts';

const NAMES = { handle: 'Handle', pin: 'Pinned', rigid: 'Rigid' } as const;
const SIZE_LABELS: Readonly<Record<ShownObstacle['kind'], readonly string[]>> = {
  ground: [],
  sphere: ['Radius'],
  capsule: ['Radius', 'Half length'],
  box: ['Half width', 'Half height', 'Half depth'],
  mesh: [],
};

export interface ListActions {
  choose(id: number, isMore: boolean): void;
  remove(id: number): void;
}

/** A list of things to choose and to remove; it is built anew only when they have changed. */
export class PickList {
  readonly #list: HTMLElement;
  readonly #actions: ListActions;
  #shown = '';

  constructor(list: HTMLElement, actions: ListActions) {
    this.#list = list;
    this.#actions = actions;
  }

  show(items: readonly { id: number; text: string; kind: string }[], chosen: ReadonlySet<number>): void {
    const key = JSON.stringify(items);
    if (key !== this.#shown) {
      this.#shown = key;
      this.#build(items);
    }
    for (const button of this.#list.querySelectorAll<HTMLButtonElement>('button[data-id]')) {
      const isChosen = String(chosen.has(Number(button.dataset.id)));
      if (button.getAttribute('aria-pressed') !== isChosen) button.setAttribute('aria-pressed', isChosen);
    }
  }

  #build(items: readonly { id: number; text: string; kind: string }[]): void {
    this.#list.replaceChildren(
      ...items.map(({ id, text, kind }) => {
        const choose = create(
          'button',
          { type: 'button', onclick: (event) => this.#actions.choose(id, event.shiftKey) },
          create('span', { className: `swatch ${kind}` }),
          text,
        );
        choose.dataset.id = String(id);
        const remove = create('button', {
          type: 'button',
          className: 'close',
          ariaLabel: `Remove ${text}`,
          textContent: '×',
          onclick: () => this.#actions.remove(id),
        });
        return create('li', {}, choose, remove);
      }),
    );
  }
}

export function itemsOfControls(controls: readonly ShownControl[]) {
  return controls.map(({ id, kind, count, isHold }) => ({
    id,
    kind: kind === 'pin' ? 'pinned' : kind,
    text: isHold
      ? `Held: far from contacts, ${count} vertices`
      : `${NAMES[kind]} ${id}${kind === 'handle' ? '' : `, ${count} vertices`}`,
  }));
}

/** Fields for the sides of an obstacle. */
export class SizeFields {
  readonly #element: HTMLElement;
  readonly #onChange: (size: number[]) => void;
  #shown = '';

  constructor(element: HTMLElement, onChange: (size: number[]) => void) {
    this.#element = element;
    this.#onChange = onChange;
  }

  show(obstacle: ShownObstacle | undefined): void {
    const key = obstacle === undefined ? '' : `${obstacle.id} ${obstacle.size.join()}`;
    if (key === this.#shown) return;
    this.#shown = key;
    this.#element.hidden = obstacle === undefined || obstacle.size.length === 0;
    if (obstacle === undefined) return;
    const size = [...obstacle.size];
    this.#element.replaceChildren(
      ...SIZE_LABELS[obstacle.kind].map((label, k) => {
        const input = create('input', {
          type: 'number',
          min: '0',
          step: 'any',
          value: String(Number(size[k].toPrecision(4))),
        });
        input.onchange = () => {
          const value = Number(input.value);
          if (!(value > 0)) return;
          size[k] = value;
          this.#shown = `${obstacle.id} ${size.join()}`;
          this.#onChange([...size]);
        };
        return create('label', {}, `${label} `, input);
      }),
    );
  }
}
