import GUI, { type Controller } from 'lil-gui';
import type { Control, ControlValue, ControlValues, ValueControl } from '../scenes/scene.ts';
import type { Looks } from '../view/view.ts';
import { byId } from './dom.ts';

const ABOUT_WALK =
  'Where the traditional walk down the trees went in this frame. It is repeated for the picture, and not timed.';

/** What controls of a scene do. */
export interface SceneActions {
  /** The scene anew, with these values. */
  build(values: ControlValues): void;
  /** A live control has another value. */
  adjust(values: ControlValues, control: Control): void;
  start(): void;
}

/** What can be changed about the picture and about the scene. */
export class Settings {
  readonly looks: { -readonly [Name in keyof Looks]: Looks[Name] };
  readonly #gui: GUI;
  #sceneFolder: GUI | undefined;
  readonly #actions: SceneActions;

  constructor(looks: Looks, onLooks: () => void, actions: SceneActions) {
    this.looks = { ...looks };
    this.#actions = actions;
    this.#gui = new GUI({ container: byId('settings'), title: 'Settings', injectStyles: false });
    const view = this.#gui.addFolder('Picture');
    view.add(this.looks, 'contacts').name('Touching triangles');
    view.add(this.looks, 'glass').name('See through bodies');
    view.add(this.looks, 'curves').name('Intersection curves');
    const walk = [
      view.add(this.looks, 'culling').name('Walk: tree levels'),
      view.add(this.looks, 'boxes').name('Walk: boxes'),
      view.add(this.looks, 'boxLevel', -1, 24, 1).name('Box level (−1: all)'),
    ];
    for (const { domElement } of walk) domElement.title = ABOUT_WALK;
    view.onChange(onLooks);
  }

  /** Changes one look, as a key does. */
  toggle(name: 'contacts' | 'glass' | 'curves' | 'culling' | 'boxes'): void {
    const controller = this.#gui.controllersRecursive().find(({ property }) => property === name);
    controller?.setValue(!this.looks[name]);
  }

  /** Controls of the scene, above those of the picture; none for files. */
  open(controls: readonly Control[], values: ControlValues): void {
    this.#sceneFolder?.destroy();
    this.#sceneFolder = undefined;
    if (controls.length === 0) return;
    const folder = (this.#sceneFolder = this.#gui.addFolder('Scene'));
    this.#gui.$children.prepend(folder.domElement);
    const edited: Record<string, ControlValue> = { ...values };
    for (const control of controls) {
      if (control.kind === 'start') {
        folder.add({ start: () => this.#actions.start() }, 'start').name(control.label);
        continue;
      }
      const shown = addControl(folder, edited, control).name(control.label);
      if (control.live) shown.onChange(() => this.#actions.adjust({ ...edited }, control));
      else shown.onFinishChange(() => this.#actions.build({ ...edited }));
    }
  }
}

function addControl(folder: GUI, values: Record<string, ControlValue>, control: ValueControl): Controller {
  if (control.kind === 'number') {
    return folder.add(values, control.name, control.min, control.max, control.step);
  }
  if (control.kind === 'flag') return folder.add(values, control.name);
  const choices = Object.fromEntries(control.choices.map(([value, label]) => [label, value]));
  return folder.add(values, control.name, choices);
}
