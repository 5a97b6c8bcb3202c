import {
  type Matrix4,
  Object3D,
  PerspectiveCamera,
  Plane,
  Quaternion,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { Ground } from '../../view/ground.ts';
import { applyPalette, createSharedUniforms } from '../../view/materials.ts';
import { PALETTES, type Theme } from '../../view/palette.ts';
import { Rig } from '../../view/rig.ts';
import type { PictureBuffers } from '../engine/picture.ts';
import type { EditorFrame, EditorState, OpenedModel, ShownControl } from '../engine/protocol.ts';
import { ControlMarks } from './control-marks.ts';
import { matrixOf, ObstacleMeshes } from './obstacle-meshes.ts';
import { ShapedMesh } from './shaped-mesh.ts';

export interface EditorLooks {
  readonly contacts: boolean;
  readonly levels: boolean;
  readonly heat: boolean;
  readonly glass: boolean;
  readonly gizmo: boolean;
}

const ROOM = 1.12; // around the model, for handles and tools
const OUTLOOK = new Vector3(0.45, 0.3, 1).normalize();

/** The picture of the editor. It is drawn when something has changed. */
export class EditorView {
  readonly camera = new PerspectiveCamera(36, 1, 0.01, 100);
  readonly rig: Rig;
  readonly gizmo: TransformControls;
  /** What the gizmo moves. */
  readonly held = new Object3D();
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #shared = createSharedUniforms();
  readonly #ground = new Ground();
  readonly #marks = new ControlMarks();
  readonly #obstacles: ObstacleMeshes;
  readonly #caster = new Raycaster();
  #mesh: ShapedMesh | undefined;
  #model: OpenedModel | undefined;
  #shownTicket = -1; // of buffers that go back to the worker
  #theme: Theme = 'light';
  #looks: EditorLooks;
  #isDirty = true;

  /** Throws where there is no WebGL 2. */
  constructor(canvas: HTMLCanvasElement, looks: EditorLooks) {
    this.#looks = looks;
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, stencil: true });
    this.rig = new Rig(this.camera, canvas, () => this.invalidate());
    this.gizmo = new TransformControls(this.camera, canvas);
    this.gizmo.size = 0.75;
    this.gizmo.addEventListener('change', () => this.invalidate());
    this.gizmo.addEventListener('dragging-changed', ({ value }) => {
      this.rig.controls.enabled = !value;
    });
    this.#obstacles = new ObstacleMeshes(this.#shared);
    const helper = this.gizmo.getHelper();
    this.#scene.add(this.#ground.mesh, this.#obstacles.group, this.#marks.group, this.held, helper);
    canvas.addEventListener('webglcontextrestored', () => this.invalidate());
  }

  invalidate(): void {
    this.#isDirty = true;
  }

  /** `keepsCamera`: it is looked at from where the one before was. */
  open(model: OpenedModel, keepsCamera = false): void {
    if (this.#mesh) {
      this.#scene.remove(this.#mesh.group);
      this.#mesh.dispose();
    }
    this.#model = model;
    this.#mesh = new ShapedMesh(model, this.#shared);
    this.#mesh.group.visible = false; // until its first picture
    this.#scene.add(this.#mesh.group);
    this.#obstacles.clear();
    this.#obstacles.size = this.size;
    const { x, z } = this.#middle;
    const low = model.low[1];
    this.#ground.place(x, low, z, this.size);
    this.#mesh.placeShadow(low);
    this.camera.near = this.size / 300;
    this.camera.far = this.size * 60;
    this.camera.updateProjectionMatrix();
    this.rig.controls.minDistance = this.size / 50;
    this.rig.controls.maxDistance = this.size * 10;
    this.setTheme(this.#theme);
    this.setLooks(this.#looks);
    if (!keepsCamera) this.fit(true);
  }

  /** Takes the picture's buffers, and gives those back that were shown before, if they came from the worker. */
  show(
    { buffers, manipulators, contacts, controls, ticket }: EditorFrame,
    places: (control: ShownControl) => Vector3,
  ): PictureBuffers | undefined {
    const before = this.#mesh!.show(buffers);
    const isOurs = this.#shownTicket === ticket;
    this.#shownTicket = ticket;
    this.#mesh!.group.visible = true;
    this.showControls(controls, places);
    this.#marks.showDots({ manipulators, contacts });
    return isOurs ? before : undefined;
  }

  showControls(controls: readonly ShownControl[], places: (control: ShownControl) => Vector3): void {
    this.#marks.showControls(controls, places);
    this.invalidate();
  }

  showChosen(chosen: ReadonlySet<number>): void {
    this.#marks.showChosen(chosen);
    this.invalidate();
  }

  showObstacles(
    { obstacles, meshes }: Pick<EditorState, 'obstacles' | 'meshes'>,
    chosen: number | undefined,
  ): void {
    this.#obstacles.show(obstacles, meshes, chosen);
    this.invalidate();
  }

  placeObstacle(id: number, matrix: Matrix4): void {
    this.#obstacles.place(id, matrix);
    this.invalidate();
  }

  setLooks(looks: EditorLooks): void {
    this.#looks = looks;
    this.#mesh?.setLooks(looks);
    this.#marks.setLooks(looks);
    this.invalidate();
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    const palette = PALETTES[theme];
    this.#scene.background = palette.background;
    applyPalette(this.#shared, palette);
    this.#ground.applyPalette(palette);
    this.#mesh?.applyPalette(palette);
    this.#marks.applyPalette(palette);
    this.invalidate();
  }

  resize(width: number, height: number): void {
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  render(now: number): void {
    if (this.rig.update(now)) this.#isDirty = true;
    if (!this.#isDirty) return;
    this.#isDirty = false;
    this.#marks.fit(this.camera);
    this.#renderer.render(this.#scene, this.camera);
  }

  /** All of the model in the picture. */
  fit(isInstant = false): void {
    if (this.#model === undefined) return;
    const { low, high } = this.#model;
    const right = new Vector3(OUTLOOK.z, 0, -OUTLOOK.x).normalize();
    const up = new Vector3().crossVectors(OUTLOOK, right);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const at = [0, 1, 2].map((a) => ((corner >> a) & 1 ? high : low)[a]);
      const way = new Vector3(...at).sub(this.#middle);
      const tall = Math.abs(way.dot(up)) / tangent,
        wide = Math.abs(way.dot(right)) / (tangent * this.camera.aspect);
      distance = Math.max(distance, way.dot(OUTLOOK) + ROOM * Math.max(tall, wide));
    }
    const target = this.#middle;
    this.rig.flyTo(target.clone().addScaledVector(OUTLOOK, distance), target, isInstant);
    this.invalidate();
  }

  /** The longest side of the model. */
  get size(): number {
    const { low, high } = this.#model ?? { low: [0, 0, 0], high: [1, 1, 1] };
    return Math.max(...high.map((x, a) => x - low[a])) || 1;
  }

  get #middle(): Vector3 {
    const { low, high } = this.#model!;
    return new Vector3(...low).add(new Vector3(...high)).multiplyScalar(0.5);
  }

  /** Puts the gizmo somewhere; undefined takes it away. */
  holdAt(place: Vector3 | undefined, turn = new Quaternion()): void {
    if (place === undefined || !this.#looks.gizmo) this.gizmo.detach();
    else {
      this.held.position.copy(place);
      this.held.quaternion.copy(turn);
      this.held.scale.setScalar(1);
      this.held.updateMatrixWorld();
      if (this.gizmo.object !== this.held) this.gizmo.attach(this.held);
    }
    this.invalidate();
  }

  /** The control under a pointer, within so many pixels. */
  controlAt(x: number, y: number, within: number): number | undefined {
    const height = this.#renderer.domElement.clientHeight;
    const found = this.#marks.nearest(x, y, this.camera);
    return found && (found.distance * height) / 2 <= within ? found.id : undefined;
  }

  placeOfControl(id: number): Vector3 | undefined {
    return this.#marks.placeOf(id)?.clone();
  }

  /** From the eye through a place of the picture, and the first obstacle that it meets. */
  rayThrough(x: number, y: number) {
    this.camera.updateMatrixWorld();
    this.#caster.setFromCamera(new Vector2(x, y), this.camera);
    const { ray } = this.#caster;
    return { ray, obstacle: this.#obstacles.pick(ray) };
  }

  /** Where the ray through a place of the picture meets the plane through `point` that faces the eye. */
  onViewPlane(x: number, y: number, point: Vector3): Vector3 | undefined {
    const { ray } = this.rayThrough(x, y);
    const normal = this.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, point);
    return ray.intersectPlane(plane, new Vector3()) ?? undefined;
  }

  /** Right, up and away from the eye. */
  get axes(): [Vector3, Vector3, Vector3] {
    this.camera.updateMatrixWorld();
    const [right, up, back] = [new Vector3(), new Vector3(), new Vector3()];
    this.camera.matrixWorld.extractBasis(right, up, back);
    return [right, up, back.negate()];
  }

  /** Takes points to the picture, column-major 4×4. */
  get pictureMatrix(): number[] {
    this.camera.updateMatrixWorld();
    return this.camera.projectionMatrix.clone().multiply(this.camera.matrixWorldInverse).toArray();
  }

  async screenshot(): Promise<Blob> {
    this.#renderer.render(this.#scene, this.camera); // what was drawn before may be gone
    return new Promise((resolve, reject) => {
      this.#renderer.domElement.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))));
    });
  }
}

/** Where a control is to be drawn, when nothing else is known. */
export function placeOf({ target, centre, matrix }: ShownControl): Vector3 {
  if (target) return new Vector3(...target);
  const place = new Vector3(...(centre ?? [0, 0, 0]));
  return matrix ? place.applyMatrix4(matrixOf(matrix)) : place;
}
