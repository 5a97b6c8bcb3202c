import GUI from 'lil-gui';
import type { Control, ControlValue, ControlValues } from '../scenes/scene.ts';
import type { Looks } from '../view/view.ts';
import { byId } from './dom.ts';

const ABOUT_WALK =
  'Where the traditional walk down the trees went in this frame. It is repeated for the picture, and not timed.';

/** What can be changed about the picture and about the scene. */
export class Settings {
  readonly looks: { -readonly [Name in keyof Looks]: Looks[Name] };
  readonly #gui: GUI;
  #sceneFolder: GUI | undefined;
  readonly #onValues: (values: ControlValues) => void;

  constructor(looks: Looks, onLooks: () => void, onValues: (values: ControlValues) => void) {
    this.looks = { ...looks };
    this.#onValues = onValues;
    this.#gui = new GUI({ container: byId('settings'), title: 'Settings' });
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
    for (const control of controls) addControl(folder, edited, control);
    folder.onFinishChange(() => this.#onValues({ ...edited }));
  }
}

function addControl(folder: GUI, values: Record<string, ControlValue>, control: Control): void {
  if (control.kind === 'number') {
    folder.add(values, control.name, control.min, control.max, control.step).name(control.label);
  } else if (control.kind === 'choice') {
    const choices = Object.fromEntries(control.choices.map(([value, label]) => [label, value]));
    folder.add(values, control.name, choices).name(control.label);
  } else folder.add(values, control.name).name(control.label);
}
