import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  type Color,
  DynamicDrawUsage,
  Group,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type PerspectiveCamera,
  type ShaderMaterial,
  SphereGeometry,
  Vector3,
} from 'three';
import { createFlat } from '../../view/materials.ts';
import type { Palette } from '../../view/palette.ts';
import type { ShownControl } from '../engine/protocol.ts';
import { CHOSEN, HANDLE, LEVELS, RIGID } from './colours.ts';
import { Dots } from './dots.ts';

const SIZE = 0.0075; // of the distance to the eye
const MOST_TETHERS = 256;

/** Handles and regions that can be taken hold of, tethers to where they cannot go, manipulators, and contacts that push. */
export class ControlMarks {
  readonly group = new Group();
  readonly #ball = new SphereGeometry(1, 20, 14);
  readonly #cube = new BoxGeometry(1.7, 1.7, 1.7);
  readonly #marks = new Map<number, Mark>();
  readonly #tethers: LineSegments<BufferGeometry, ShaderMaterial>;
  readonly #manipulators = new Dots(LEVELS, [5, 8, 8, 8]);
  readonly #contacts = new Dots([CHOSEN], [7]); // the palette says in which red

  constructor() {
    const lines = new BufferGeometry();
    lines.setAttribute('position', dynamic(new Float32Array(6 * MOST_TETHERS), 3));
    this.#tethers = new LineSegments(lines, createFlat(CHOSEN, 0.9, true));
    this.#tethers.frustumCulled = false;
    this.#tethers.renderOrder = 6;
    this.#tethers.geometry.setDrawRange(0, 0);
    this.group.add(this.#tethers, this.#manipulators.points, this.#contacts.points);
  }

  showControls(controls: readonly ShownControl[], places: (control: ShownControl) => Vector3): void {
    const left = new Set(this.#marks.keys());
    const tethers = this.#tethers.geometry.attributes.position as BufferAttribute;
    let count = 0;
    for (const control of controls) {
      if (control.kind === 'pin') continue;
      left.delete(control.id);
      let mark = this.#marks.get(control.id);
      if (!mark) {
        mark = new Mark(
          control.kind === 'handle' ? this.#ball : this.#cube,
          control.kind === 'handle' ? HANDLE : RIGID,
        );
        this.#marks.set(control.id, mark);
        this.group.add(mark.group);
      }
      mark.group.position.copy(places(control));
      if (control.held && control.target && count < MOST_TETHERS) {
        tethers.array.set([...control.held, ...mark.group.position.toArray()], 6 * count++);
      }
    }
    for (const id of left) {
      this.#marks.get(id)!.dispose();
      this.group.remove(this.#marks.get(id)!.group);
      this.#marks.delete(id);
    }
    tethers.needsUpdate = true;
    this.#tethers.geometry.setDrawRange(0, 2 * count);
  }

  showChosen(chosen: ReadonlySet<number>): void {
    for (const [id, mark] of this.#marks) mark.choose(chosen.has(id));
  }

  /** Manipulators: place and level, four numbers each. Contacts: place and direction, six. */
  showDots({ manipulators, contacts }: { manipulators: Float32Array; contacts: Float32Array }): void {
    this.#manipulators.show(manipulators, 4, 3);
    this.#contacts.show(contacts, 6);
  }

  setLooks({ levels, contacts }: { levels: boolean; contacts: boolean }): void {
    this.#manipulators.points.visible = levels;
    this.#contacts.points.visible = contacts;
  }

  applyPalette({ contact }: Palette): void {
    this.#contacts.colours = [contact];
  }

  /** Marks are as large as fingers and pointers need them, from everywhere. */
  fit(camera: PerspectiveCamera): void {
    for (const { group } of this.#marks.values()) {
      group.scale.setScalar(SIZE * group.position.distanceTo(camera.position));
    }
  }

  /** The mark nearest to a place in the picture, and how far away it is there, in units of half its height. */
  nearest(x: number, y: number, camera: PerspectiveCamera): { id: number; distance: number } | undefined {
    let best: { id: number; distance: number } | undefined;
    const at = new Vector3();
    for (const [id, { group }] of this.#marks) {
      at.copy(group.position).project(camera);
      if (at.z > 1) continue; // behind the eye
      const distance = Math.hypot((at.x - x) * camera.aspect, at.y - y);
      if (best === undefined || distance < best.distance) best = { id, distance };
    }
    return best;
  }

  placeOf(id: number): Vector3 | undefined {
    return this.#marks.get(id)?.group.position;
  }
}

/** A mark that is also seen, fainter, through what is before it. */
class Mark {
  readonly group = new Group();
  readonly #front: MeshBasicMaterial;
  readonly #behind: MeshBasicMaterial;
  readonly #colour: Color;

  constructor(geometry: BufferGeometry, colour: Color) {
    this.#colour = colour;
    this.#front = new MeshBasicMaterial({ color: colour });
    this.#behind = new MeshBasicMaterial({
      color: colour,
      transparent: true,
      opacity: 0.45,
      depthTest: false,
    });
    const ghost = new Mesh(geometry, this.#behind),
      solid = new Mesh(geometry, this.#front);
    ghost.renderOrder = 7;
    solid.renderOrder = 8;
    this.group.add(ghost, solid);
  }

  choose(isChosen: boolean): void {
    for (const material of [this.#front, this.#behind]) material.color.copy(isChosen ? CHOSEN : this.#colour);
  }

  dispose(): void {
    this.#front.dispose();
    this.#behind.dispose();
  }
}

function dynamic(array: Float32Array, size: number): BufferAttribute {
  return new BufferAttribute(array, size).setUsage(DynamicDrawUsage);
}
