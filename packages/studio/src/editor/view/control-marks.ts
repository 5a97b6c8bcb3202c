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
  Points,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
} from 'three';
import { createFlat } from '../../view/materials.ts';
import type { ShownControl } from '../engine/protocol.ts';
import { CHOSEN, HANDLE, LEVELS, RIGID } from './colours.ts';

const SIZE = 0.0075; // of the distance to the eye
const MOST_TETHERS = 256;
const MOST_POINTS = 2000;

/** Handles and regions that can be taken hold of, tethers to where they cannot go, and manipulators. */
export class ControlMarks {
  readonly group = new Group();
  readonly #ball = new SphereGeometry(1, 20, 14);
  readonly #cube = new BoxGeometry(1.7, 1.7, 1.7);
  readonly #marks = new Map<number, Mark>();
  readonly #tethers: LineSegments<BufferGeometry, ShaderMaterial>;
  readonly #points: Points<BufferGeometry, ShaderMaterial>;

  constructor() {
    const lines = new BufferGeometry();
    lines.setAttribute('position', dynamic(new Float32Array(6 * MOST_TETHERS), 3));
    this.#tethers = new LineSegments(lines, createFlat(CHOSEN, 0.9, true));
    const points = new BufferGeometry();
    points.setAttribute('position', dynamic(new Float32Array(3 * MOST_POINTS), 3));
    points.setAttribute('level', dynamic(new Float32Array(MOST_POINTS), 1));
    this.#points = new Points(points, createPointMaterial());
    for (const part of [this.#tethers, this.#points]) part.frustumCulled = false;
    this.#tethers.renderOrder = 6;
    this.#points.renderOrder = 5;
    this.group.add(this.#tethers, this.#points);
    this.#tethers.geometry.setDrawRange(0, 0);
    this.#points.geometry.setDrawRange(0, 0);
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

  /** Place and level, four numbers each. */
  showManipulators(manipulators: Float32Array, isShown: boolean): void {
    this.#points.visible = isShown;
    if (!isShown) return;
    const count = Math.min(MOST_POINTS, manipulators.length / 4);
    const { position, level } = this.#points.geometry.attributes as Record<string, BufferAttribute>;
    for (let k = 0; k < count; k++) {
      for (let a = 0; a < 3; a++) position.array[3 * k + a] = manipulators[4 * k + a];
      level.array[k] = manipulators[4 * k + 3];
    }
    position.needsUpdate = level.needsUpdate = true;
    this.#points.geometry.setDrawRange(0, count);
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

function createPointMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { levels: { value: LEVELS } },
    vertexShader: /* glsl */ `
      attribute float level;
      uniform vec3 levels[${LEVELS.length}];
      varying vec3 vColour;
      void main() {
        vColour = levels[int(min(level + 0.5, ${LEVELS.length - 1}.0))];
        gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
        gl_PointSize = level < 0.5 ? 5.0 : 8.0;
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 vColour;
      void main() {
        float r = length(gl_PointCoord - 0.5);
        if (r > 0.5) discard;
        gl_FragColor = vec4(mix(vColour, vec3(1.0), r > 0.36 ? 0.55 : 0.0), 0.95);
        #include <colorspace_fragment>
      }`,
    transparent: true,
    depthTest: false,
    depthWrite: false,
  });
}
