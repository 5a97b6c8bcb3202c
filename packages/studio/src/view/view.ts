import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  Mesh,
  PerspectiveCamera,
  Scene,
  type ShaderMaterial,
  Vector3,
  WebGLRenderer,
} from 'three';
import type { FrameResult, OpenedScene } from '../host/protocol.ts';
import { Bodies } from './bodies.ts';
import { BoxLines } from './box-lines.ts';
import { Ground } from './ground.ts';
import { applyPalette, createFlat, createSharedUniforms } from './materials.ts';
import { PALETTES, type Theme } from './palette.ts';
import { Rig } from './rig.ts';

/** What is drawn of a frame. */
export interface Looks {
  readonly glass: boolean;
  readonly contacts: boolean;
  readonly curves: boolean;
  readonly boxes: boolean;
  readonly boxLevel: number; // −1: all
  readonly culling: boolean;
}

/** The picture. It is drawn when something has changed, never more often than the screen. */
export class View {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(38, 1, 0.01, 100);
  readonly #rig: Rig;
  readonly #ground = new Ground();
  readonly #boxes = new BoxLines();
  readonly #picked: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #shared = createSharedUniforms();
  readonly #extent = new Box3();
  readonly #followed = new Vector3(); // where the bodies were in the first picture
  readonly #at = new Vector3(); // … and are now
  #bodies: Bodies | undefined;
  #theme: Theme = 'light';
  #pair: readonly [number, number] | undefined;
  #mustFit = false;
  #isDirty = true;

  /** Throws where there is no WebGL 2. */
  constructor(canvas: HTMLCanvasElement, onMove: () => void) {
    this.#renderer = new WebGLRenderer({
      canvas,
      antialias: true,
      stencil: true,
      powerPreference: 'high-performance',
    });
    this.#rig = new Rig(this.#camera, canvas, () => {
      this.#isDirty = true;
      onMove();
    });
    canvas.addEventListener('webglcontextrestored', () => {
      this.#isDirty = true;
    });
    const pair = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(18), 3));
    this.#picked = new Mesh(pair, createFlat(PALETTES.light.picked, 0.92, true));
    this.#picked.frustumCulled = false;
    this.#picked.visible = false;
    this.#picked.renderOrder = 5;
    this.#scene.add(this.#ground.mesh, this.#boxes.lines, this.#picked);
    this.#boxes.lines.visible = false;
  }

  open(scene: OpenedScene): void {
    if (this.#bodies) {
      this.#scene.remove(this.#bodies.group);
      this.#bodies.dispose();
    }
    this.#bodies = new Bodies(scene, this.#shared);
    this.#bodies.group.visible = false; // until its first frame
    this.#scene.add(this.#bodies.group);
    this.#pair = undefined;
    this.#mustFit = true;
    this.setTheme(this.#theme);
  }

  showFrame(result: FrameResult, looks: Looks): void {
    const bodies = this.#bodies;
    if (bodies === undefined || result.positions.length !== bodies.positions.length) return;
    bodies.showFrame(result);
    bodies.group.visible = true;
    if (result.trace) this.#boxes.show(result.trace.boxes, looks.boxLevel, bodies.scene.levels);
    if (this.#mustFit) this.#settle(bodies.scene);
    if (bodies.scene.follows) this.#follow();
    this.setLooks(looks, result.trace !== undefined, result.curves !== undefined);
    this.#showPair();
  }

  setLooks(
    { glass, contacts, curves, boxes, boxLevel, culling }: Looks,
    hasTrace: boolean,
    hasCurves: boolean,
  ): void {
    this.#bodies?.showGlass(glass);
    this.#bodies?.showContacts(contacts);
    this.#bodies?.showCurves(curves && hasCurves);
    this.#bodies?.showCulling(culling && hasTrace);
    this.#boxes.lines.visible = boxes && hasTrace;
    this.#boxes.showLevel(boxLevel);
    this.#isDirty = true;
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    const palette = PALETTES[theme];
    this.#scene.background = palette.background;
    applyPalette(this.#shared, palette);
    this.#ground.applyPalette(palette);
    this.#bodies?.applyPalette(palette);
    this.#picked.material.uniforms.colour.value.copy(palette.picked);
    this.#isDirty = true;
  }

  resize(width: number, height: number): void {
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / Math.max(1, height);
    this.#camera.updateProjectionMatrix();
    this.#isDirty = true;
  }

  /** Draws if anything has changed. */
  render(now: number): void {
    if (this.#rig.update(now)) this.#isDirty = true;
    if (!this.#isDirty) return;
    this.#isDirty = false;
    this.#renderer.render(this.#scene, this.#camera);
  }

  /** Everything in the picture, from the scene's own direction. */
  fit(isInstant = false): void {
    if (this.#bodies === undefined) return;
    const { scene } = this.#bodies;
    const outlook = new Vector3(...scene.outlook).normalize();
    const middle = this.#extent.getCenter(new Vector3());
    const distance = scene.margin * this.#distanceFor(outlook, middle);
    const centre = middle.add(this.#drift());
    this.#rig.flyTo(centre.clone().addScaledVector(outlook, distance), centre, isInstant);
    this.#isDirty = true;
  }

  /** From where every point of the outline is in the picture. */
  #distanceFor(outlook: Vector3, centre: Vector3): number {
    const right = new Vector3(outlook.z, 0, -outlook.x).normalize();
    const up = new Vector3().crossVectors(outlook, right);
    const tangent = Math.tan((this.#camera.fov * Math.PI) / 360);
    const { outline } = this.#bodies!.scene;
    const way = new Vector3();
    let distance = 0;
    for (let o = 0; o < outline.length; o += 3) {
      way.fromArray(outline, o).sub(centre);
      const high = Math.abs(way.dot(up)) / tangent,
        wide = Math.abs(way.dot(right)) / (tangent * this.#camera.aspect);
      distance = Math.max(distance, way.dot(outlook) + Math.max(high, wide));
    }
    return distance;
  }

  /** Marks a pair of triangles; undefined marks none. */
  pick(pair: readonly [number, number] | undefined, flies: boolean): void {
    this.#pair = pair;
    this.#showPair();
    if (pair && flies) this.#flyToPair();
    this.#isDirty = true;
  }

  turn(sideways: number, upwards: number, closer = 1): void {
    this.#rig.turn(sideways, upwards, closer);
    this.#isDirty = true;
  }

  /** Position and target, six numbers; relative to what the camera follows. */
  get pose(): number[] {
    const drift = this.#drift().toArray();
    return this.#rig.pose.map((x, k) => x - drift[k % 3]);
  }

  set pose(numbers: readonly number[]) {
    const [x, y, z, ...target] = numbers;
    const drift = this.#drift();
    this.#rig.flyTo(new Vector3(x, y, z).add(drift), new Vector3(...target).add(drift), true);
    this.#isDirty = true;
  }

  /** The picture as a PNG. */
  async screenshot(): Promise<Blob> {
    this.#renderer.render(this.#scene, this.#camera); // what was drawn before may be gone
    return new Promise((resolve, reject) => {
      this.#renderer.domElement.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))));
    });
  }

  /** Camera range and ground for the first frame of a scene. */
  #settle(scene: OpenedScene): void {
    this.#mustFit = false;
    this.#extent.setFromArray(scene.outline);
    this.#at.copy(this.#followed.copy(this.#middleOf(scene.outline)));
    const size = this.#extent.getSize(new Vector3()).length() || 1;
    const centre = this.#extent.getCenter(new Vector3());
    this.#camera.near = size / 500;
    this.#camera.far = size * 60;
    this.#camera.updateProjectionMatrix();
    this.#rig.controls.minDistance = size / 200;
    this.#rig.controls.maxDistance = size * 12;
    const { y } = this.#extent.min;
    this.#ground.place(centre.x, y, centre.z, size);
    this.#ground.mesh.visible = !scene.floats;
    this.#bodies!.placeShadow(y, !scene.floats);
    this.fit(true);
  }

  /** How far the bodies have gone since the first picture; nothing where the camera stays. */
  #drift(): Vector3 {
    return this.#bodies?.scene.follows ? this.#at.clone().sub(this.#followed) : new Vector3();
  }

  #follow(): void {
    const before = this.#at.clone();
    this.#at.copy(this.#middleOf(this.#bodies!.positions));
    this.#rig.shift(this.#at.clone().sub(before));
  }

  /** About the middle of the bodies, on the ground plane: heads that nod do not shake the camera. */
  #middleOf(positions: Float32Array): Vector3 {
    const step = 3 * Math.max(1, Math.floor(positions.length / 3 / 256));
    let x = 0,
      z = 0,
      count = 0;
    for (let o = 0; o < positions.length; o += step, count++) {
      x += positions[o];
      z += positions[o + 2];
    }
    return new Vector3(x / count, 0, z / count);
  }

  #showPair(): void {
    this.#picked.visible = this.#pair !== undefined;
    if (this.#pair === undefined || this.#bodies === undefined) return;
    const attribute = this.#picked.geometry.attributes.position as BufferAttribute;
    attribute.array.set(this.#pair.flatMap((triangle) => this.#bodies!.cornersOf(triangle)));
    attribute.needsUpdate = true;
  }

  #flyToPair(): void {
    const box = new Box3().setFromArray(this.#picked.geometry.attributes.position.array);
    const target = box.getCenter(new Vector3());
    const scene = this.#extent.getSize(new Vector3()).length();
    const distance = Math.max(12 * box.getSize(new Vector3()).length(), 0.25 * scene);
    const way = this.#camera.position.clone().sub(this.#rig.controls.target).setLength(distance);
    this.#rig.flyTo(target.clone().add(way), target);
  }
}
