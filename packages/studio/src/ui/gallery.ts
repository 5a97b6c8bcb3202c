import type { SceneDefinition } from '../scenes/scene.ts';
import { byId, create } from './dom.ts';

/** The list of scenes. */
export class Gallery {
  readonly #buttons = new Map<string, HTMLButtonElement>();

  constructor(
    scenes: readonly SceneDefinition[],
    editor: { readonly id: string; readonly key: string; readonly title: string; readonly summary: string },
    onChoose: (id: string) => void,
  ) {
    const list = byId('gallery');
    const entries = [...scenes.map((scene, k) => ({ ...scene, key: String(k + 1) })), editor];
    for (const { id, key, title, summary } of entries) {
      const button = create(
        'button',
        { type: 'button', className: 'scene', onclick: () => onChoose(id) },
        create('span', { className: 'scene-key', ariaHidden: 'true' }, key),
        create('span', { className: 'scene-title' }, title),
        create('span', { className: 'scene-summary' }, summary),
      );
      button.dataset.scene = id;
      this.#buttons.set(id, button);
      list.append(create('li', {}, button));
    }
  }

  /** Marks the scene that is shown; `isLoading` while it is being built. */
  mark(id: string, isLoading: boolean): void {
    for (const [other, button] of this.#buttons) {
      if (other === id) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
      button.ariaBusy = String(other === id && isLoading);
    }
  }
}
