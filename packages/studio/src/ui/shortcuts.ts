import { byId, create } from './dom.ts';

export interface Shortcut {
  readonly keys: readonly string[]; // as KeyboardEvent.key
  readonly label: string; // as people read it
  readonly what: string;
  readonly isEverywhere?: boolean; // also in the editor
  run(event: KeyboardEvent): void;
}

/** Keys that work everywhere but in fields, and the overlay that lists them. */
export class Shortcuts {
  /** Keys do nothing meanwhile, but those of the help. */
  isResting = (): boolean => false;
  readonly #help = byId<HTMLDialogElement>('help');

  constructor(shortcuts: readonly Shortcut[]) {
    const byKey = new Map(
      shortcuts.flatMap((shortcut) => shortcut.keys.map((key) => [key, shortcut] as const)),
    );
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || this.#help.open || isTyping(event)) return;
      const shortcut = byKey.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
      if (shortcut === undefined || (this.isResting() && !shortcut.isEverywhere)) return;
      event.preventDefault();
      shortcut.run(event);
    });
    byId('shortcuts').replaceChildren(
      ...shortcuts.flatMap(({ label, what }) => [
        create('dt', {}, ...label.split(' ').map((key) => create('kbd', {}, key))),
        create('dd', {}, what),
      ]),
    );
    byId('help-button').onclick = () => this.showHelp();
    this.#help.addEventListener('click', ({ target }) => {
      if (target === this.#help) this.#help.close(); // outside of its content
    });
  }

  showHelp(): void {
    this.#help.showModal();
  }
}

/** Fields keep their keys; so do buttons and sliders those they use themselves. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('textarea, select, [contenteditable]')) return true;
  if (target instanceof HTMLInputElement) {
    if (target.type === 'range') return key.startsWith('Arrow') || key === 'Home' || key === 'End';
    return target.type !== 'checkbox' || key === ' ';
  }
  return target.matches('button, summary, a') && (key === ' ' || key === 'Enter');
}
