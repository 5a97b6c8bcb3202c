import { type PerspectiveCamera, Spherical, type Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const FLIGHT = 650; // milliseconds

/** The camera with its ways to move: by hand, by keys and by flying. */
export class Rig {
  readonly controls: OrbitControls;
  readonly #camera: PerspectiveCamera;
  #flight: { start: number; from: Vector3[]; to: Vector3[] } | undefined;

  constructor(camera: PerspectiveCamera, element: HTMLElement, onChange: () => void) {
    this.#camera = camera;
    this.controls = new OrbitControls(camera, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', onChange);
    this.controls.addEventListener('start', () => {
      this.#flight = undefined;
    });
  }

  /** Goes on with a flight and with the swing of the last drag; true while anything moves. */
  update(now: number): boolean {
    if (this.#flight) {
      const { start, from, to } = this.#flight;
      const t = Math.min(1, (now - start) / FLIGHT);
      const eased = t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2;
      this.#camera.position.lerpVectors(from[0], to[0], eased);
      this.controls.target.lerpVectors(from[1], to[1], eased);
      if (t === 1) this.#flight = undefined;
    }
    return this.controls.update() || this.#flight !== undefined;
  }

  /** To a place that looks at `target`; at once for those who asked for less motion. */
  flyTo(position: Vector3, target: Vector3, isInstant = false): void {
    if (isInstant || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.#flight = undefined;
      this.#camera.position.copy(position);
      this.controls.target.copy(target);
      this.controls.update();
      return;
    }
    const from = [this.#camera.position.clone(), this.controls.target.clone()];
    this.#flight = { start: performance.now(), from, to: [position.clone(), target.clone()] };
  }

  /** Goes along with something, also in flight. */
  shift(by: Vector3): void {
    for (const place of [this.#camera.position, this.controls.target]) place.add(by);
    for (const place of [...(this.#flight?.from ?? []), ...(this.#flight?.to ?? [])]) place.add(by);
  }

  /** Turns around the target, in radians, and comes closer by a factor. */
  turn(sideways: number, upwards: number, closer = 1): void {
    this.#flight = undefined;
    const { target } = this.controls;
    const way = new Spherical().setFromVector3(this.#camera.position.clone().sub(target));
    way.theta += sideways;
    way.phi = Math.min(Math.PI - 0.05, Math.max(0.05, way.phi - upwards));
    way.radius *= closer;
    this.#camera.position.setFromSpherical(way).add(target);
    this.controls.update();
  }

  /** Position and target, six numbers. */
  get pose(): number[] {
    return [...this.#camera.position.toArray(), ...this.controls.target.toArray()];
  }
}
