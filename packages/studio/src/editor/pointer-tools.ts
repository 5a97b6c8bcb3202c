import type { Vector3 } from 'three';
import type { Command } from './engine/protocol.ts';
import type { Gestures } from './gestures.ts';
import type { EditorView } from './view/editor-view.ts';

export type Tool = 'handle' | 'pin' | 'rigid';
export type Outline = 'box' | 'lasso';

const NEAR_MOUSE = 14; // pixels
const NEAR_FINGER = 28;
const CLICK = 5; // pixels that a click may slip
const FINEST = 4; // pixels between two corners of a lasso

/** What pointers do on the picture: choose, drag, add, outline. Turning it is left to the camera's controls. */
export class PointerTools {
  tool: Tool = 'handle';
  outline: Outline = 'box';
  /** Outlines reach the far side as well. */
  isThrough = false;
  /** Clicks add to what is chosen: for those who have no Shift key. */
  isMore = false;
  /** Nothing can be taken hold of: pointers only turn the picture. */
  isResting = false;
  readonly #stage: HTMLElement;
  readonly #view: EditorView;
  readonly #gestures: Gestures;
  readonly #send: (command: Command) => void;
  readonly #sketch: SVGPolygonElement;
  #pressed: { x: number; y: number; id: number } | undefined;
  #behind: number | undefined; // the obstacle where a handle is to be added
  #drag: { from: Vector3; hasBegun: boolean } | undefined;
  #corners: number[] | undefined; // of the outline, in pixels

  constructor(stage: HTMLElement, view: EditorView, gestures: Gestures, send: (command: Command) => void) {
    this.#stage = stage;
    this.#view = view;
    this.#gestures = gestures;
    this.#send = send;
    this.#sketch = createSketch(stage);
    const canvas = stage.querySelector('canvas')!;
    // Before the camera's controls hear of it.
    stage.addEventListener('pointerdown', (event) => event.target === canvas && this.#down(event), true);
    stage.addEventListener('pointermove', (event) => this.#move(event), true);
    for (const type of ['pointerup', 'pointercancel'] as const) {
      stage.addEventListener(type, (event) => this.#up(event), true);
    }
  }

  /** The last click met nothing of the shape: perhaps an obstacle. */
  takeMiss(): void {
    this.#gestures.chooseObstacle(this.#behind);
    this.#behind = undefined;
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary || this.#view.gizmo.axis !== null) return;
    this.#stage.querySelector('canvas')!.focus({ preventScroll: true });
    if (this.isResting) return;
    const [x, y] = this.#place(event);
    this.#pressed = { x: event.clientX, y: event.clientY, id: event.pointerId };
    if (this.tool !== 'handle') {
      this.#corners = this.#pixels(event);
      this.#hold(event);
      return;
    }
    const near = event.pointerType === 'mouse' ? NEAR_MOUSE : NEAR_FINGER;
    const id = this.#view.controlAt(x, y, near);
    if (id === undefined) return;
    const isMore = event.shiftKey || this.isMore;
    if (isMore || !this.#gestures.chosen.has(id)) this.#gestures.choose(id, isMore);
    const place = this.#view.placeOfControl(id);
    if (!place || !this.#gestures.chosen.has(id)) return;
    if (event.pointerType !== 'mouse') this.#view.holdAt(undefined); // else the gizmo, under the same finger, moves it too
    this.#drag = { from: place, hasBegun: false };
    this.#hold(event);
  }

  #move(event: PointerEvent): void {
    if (event.pointerId !== this.#pressed?.id) return;
    if (this.#corners) this.#sketchTo(event);
    if (!this.#drag) return;
    const slipped = Math.hypot(event.clientX - this.#pressed.x, event.clientY - this.#pressed.y);
    if (!this.#drag.hasBegun && slipped < CLICK) return;
    if (!this.#drag.hasBegun) this.#gestures.begin('drag');
    this.#drag.hasBegun = true;
    const to = this.#view.onViewPlane(...this.#place(event), this.#drag.from);
    if (to) this.#gestures.shift(to.sub(this.#drag.from));
  }

  #up(event: PointerEvent): void {
    if (event.pointerId !== this.#pressed?.id) return;
    const { x, y } = this.#pressed;
    const isClick = Math.hypot(event.clientX - x, event.clientY - y) < CLICK && event.type === 'pointerup';
    if (this.#corners) this.#finishOutline(event.type === 'pointerup');
    else if (this.#drag?.hasBegun) this.#gestures.end();
    else if (!this.#drag && isClick) this.addAt(...this.#place(event));
    if (this.#drag || this.tool !== 'handle') this.#view.rig.controls.enabled = true;
    this.#drag = undefined;
    this.#pressed = undefined;
  }

  /** A handle where the shape is seen at a place of the picture. */
  addAt(x: number, y: number): void {
    if (this.isResting) return;
    const { ray, obstacle } = this.#view.rayThrough(x, y);
    this.#behind = obstacle?.id;
    this.#send({
      type: 'add-handle-at',
      origin: ray.origin.toArray(),
      direction: ray.direction.toArray(),
      within: obstacle?.distance,
    });
  }

  /** From now on this pointer is ours. */
  #hold(event: PointerEvent): void {
    this.#view.rig.controls.enabled = false;
    this.#stage.querySelector('canvas')!.setPointerCapture(event.pointerId);
  }

  #sketchTo(event: PointerEvent): void {
    const [x, y] = this.#pixels(event);
    const corners = this.#corners!;
    if (this.outline === 'box') {
      const [left, top] = corners;
      this.#corners = [left, top, x, top, x, y, left, y];
    } else if (Math.hypot(x - corners.at(-2)!, y - corners.at(-1)!) >= FINEST) corners.push(x, y);
    this.#sketch.setAttribute('points', this.#corners!.join(' '));
  }

  #finishOutline(isWanted: boolean): void {
    const corners = this.#corners!;
    this.#corners = undefined;
    this.#sketch.setAttribute('points', '');
    if (!isWanted || corners.length < 6 || this.tool === 'handle') return;
    const { clientWidth, clientHeight } = this.#stage;
    const polygon = corners.map((at, k) =>
      k % 2 === 0 ? (2 * at) / clientWidth - 1 : 1 - (2 * at) / clientHeight,
    );
    const matrix = this.#view.pictureMatrix;
    this.#send({ type: 'add-region', kind: this.tool, polygon, matrix, through: this.isThrough });
  }

  #pixels({ clientX, clientY }: PointerEvent): [number, number] {
    const { left, top } = this.#stage.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  /** From −1 to 1, up being positive. */
  #place(event: PointerEvent): [number, number] {
    const [x, y] = this.#pixels(event);
    return [(2 * x) / this.#stage.clientWidth - 1, 1 - (2 * y) / this.#stage.clientHeight];
  }
}

function createSketch(stage: HTMLElement): SVGPolygonElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.classList.add('sketch');
  svg.setAttribute('aria-hidden', 'true');
  const polygon = document.createElementNS(space, 'polygon');
  svg.append(polygon);
  stage.append(svg);
  return polygon;
}
