import GUI, { type Controller } from 'lil-gui';
import type { Clusters, EditorSettings } from '../engine/edits.ts';
import { DEFAULT_RESOLUTION, DEFAULT_SETTINGS } from '../engine/edits.ts';
import type { EditorState, OpenedModel } from '../engine/protocol.ts';
import type { EditorLooks } from '../view/editor-view.ts';

export interface PanelActions {
  prepare(resolution: number): void;
  settings(settings: EditorSettings): void;
  clusters(clusters: Clusters): void;
  looks(looks: EditorLooks): void;
}

const CLUSTERS: Readonly<Record<string, Clusters>> = {
  'By size': 'auto',
  'None: one per vertex': 'off',
  'Cells of level 1': 1,
  'Cells of level 2': 2,
  'Cells of level 3': 3,
};

/** Sliders and switches. */
export class Panel {
  readonly looks: { -readonly [Name in keyof EditorLooks]: boolean } = {
    contacts: true,
    levels: false,
    heat: false,
    glass: false,
    gizmo: true,
  };
  readonly #gui: GUI;
  readonly #values = { ...DEFAULT_SETTINGS, resolution: DEFAULT_RESOLUTION, clusters: 'auto' as Clusters };
  readonly #resolution: Controller;
  readonly #clusters: Controller;

  constructor(container: HTMLElement, actions: PanelActions) {
    this.#gui = new GUI({ container, title: 'Settings', injectStyles: false });
    const shape = this.#gui.addFolder('Shape');
    const values = this.#values;
    const send = () => {
      const { maxLevel, damping, self } = values;
      actions.settings({ maxLevel, damping, self });
    };
    this.#resolution = shape.add(values, 'resolution', 500, 40_000, 500).name('Resolution: cage');
    this.#resolution.onFinishChange((resolution: number) => actions.prepare(resolution));
    this.#resolution.domElement.title =
      'Vertices of the tetrahedra around the shape. Changing it prepares the shape anew.';
    shape.add(values, 'maxLevel', 0, 5, 1).name('Maximum level').onChange(send);
    shape.add(values, 'damping', 0, 1, 0.05).name('Static damping').onChange(send);
    this.#clusters = shape.add(values, 'clusters', CLUSTERS).name('Clusters').onChange(actions.clusters);
    shape.add(values, 'self').name('Touches itself').onChange(send);
    const picture = this.#gui.addFolder('Picture');
    picture.add(this.looks, 'contacts').name('Contacts');
    picture.add(this.looks, 'levels').name('Manipulators by level');
    picture.add(this.looks, 'heat').name('Functions as heat');
    picture.add(this.looks, 'glass').name('See through');
    picture.add(this.looks, 'gizmo').name('Gizmo');
    picture.onChange(() => actions.looks({ ...this.looks }));
  }

  toggle(name: keyof EditorLooks): void {
    const found = this.#gui.controllersRecursive().find(({ property }) => property === name);
    found?.setValue(!this.looks[name]);
  }

  showModel({ resolution, hasOwnTetrahedra, kind }: OpenedModel): void {
    this.#values.resolution = resolution;
    this.#resolution.enable(!hasOwnTetrahedra);
    this.#clusters.enable(kind === 'shape');
    this.#update();
  }

  showState({ settings, clusters }: EditorState): void {
    Object.assign(this.#values, settings, { clusters });
    this.#update();
  }

  #update(): void {
    for (const controller of this.#gui.controllersRecursive()) controller.updateDisplay();
  }
}
