import type { EditorPage, Spot } from './editor-page.ts';

/** Places of an example, as scores of x, y, z: the vertex with the highest is meant. */
interface Places {
  /** These stay. */
  readonly hold: readonly string[];
  /** Dragged to the other one in the picture; then pushed away from the eye, where they would pass one another. */
  readonly drag: readonly [from: string, to: string];
  readonly push?: boolean;
  /** So many times as far. */
  readonly beyond?: number;
  readonly facing?: number;
  /** Keys that turn the picture before anything else. */
  readonly turns?: readonly [key: string, times: number];
}

const CORNER = '9*y-9*(Math.abs(x)>0.58||Math.abs(z)>0.58)';

const PLACES: Readonly<Record<string, Places>> = {
  rabbit: {
    hold: ['-y+z', '-y-z+x', 'y-3*Math.abs(x+0.2)'],
    drag: ['y-3*Math.abs(x-0.2)', 'y-3*Math.abs(x+0.2)'],
    beyond: 1.3,
    turns: ['ArrowLeft', 3],
  },
  hand: {
    hold: ['x-9*(y>0.3)', '-x-9*(y>0.3)', '-x+0.1*y', 'y-20*Math.abs(x-0.077)'],
    drag: ['y-20*Math.abs(x-0.226)', 'y-20*Math.abs(x-0.077)'],
    beyond: 1.3,
    turns: ['ArrowLeft', 3],
  },
  octopus: { hold: ['y', '-x', 'x-z'], drag: ['z+0.4*x', 'z-9*Math.abs(y-0.6)-9*Math.abs(x)'], push: true },
  tree: {
    hold: ['-y+x', '-y-x', '-Math.hypot(x,y-0.7,z-0.56)'],
    drag: ['-Math.hypot(x-0.21,y-0.86,z-0.47)', '-Math.hypot(x-0.05,y-0.65,z-0.5)'],
    beyond: 1.3,
  },
  cloth: {
    hold: [`${CORNER}-x-z`, `${CORNER}+x-z`, `${CORNER}-x+z`],
    drag: [`${CORNER}+x+z`, ''],
    facing: 0.3,
    turns: ['ArrowUp', 3],
  },
};

/** A drag of an example that is open, and ends with a contact. */
export class ExampleDrag {
  /** What is taken back afterwards, first. */
  readonly lastGesture: 'drag' | 'nudge';
  readonly #editor: EditorPage;
  readonly #places: Places;
  #from!: Spot;

  constructor(editor: EditorPage, example: string) {
    this.#editor = editor;
    this.#places = PLACES[example];
    this.lastGesture = this.#places.push ? 'nudge' : 'drag';
  }

  /** Handles, and the gizmo out of the way; at rest afterwards. */
  async prepare(): Promise<void> {
    const { page } = this.#editor;
    const { hold, drag, facing, turns: [key, times] = ['', 0] } = this.#places;
    await page.evaluate(() => {
      if (pliantEditor.panel.looks.gizmo) pliantEditor.panel.toggle('gizmo');
    });
    await page.locator('#edit-view').focus();
    for (let k = 0; k < times; k++) await page.keyboard.press(key);
    await page.waitForTimeout(100 * times);
    for (const score of hold) await this.#editor.addHandle(score, facing);
    this.#from = await this.#editor.addHandle(drag[0], facing);
    await this.#editor.rest();
  }

  /** Until something touches; it still moves then. */
  async run(moves?: number): Promise<void> {
    const from = this.#from;
    const { drag, beyond = 1, push } = this.#places;
    const to = drag[1] === '' ? { x: from.x - 90, y: from.y + 170 } : await this.#editor.spot(drag[1]);
    const along = (a: number, b: number) => a + beyond * (b - a);
    await this.#editor.drag(from, { x: along(from.x, to.x), y: along(from.y, to.y) }, moves);
    if (push) await this.#editor.pushUntilTouching();
    else await this.#editor.touching();
  }
}
