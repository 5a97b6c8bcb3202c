import {
  BufferAttribute,
  type Color,
  DynamicDrawUsage,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineSegments,
  ShaderMaterial,
} from 'three';
import { MOST_BOXES } from '../host/protocol.ts';
import { levelColour } from './palette.ts';

const MOST_LEVELS = 64;
const EDGES = [0, 1, 0, 2, 0, 4, 1, 3, 1, 5, 2, 3, 2, 6, 3, 7, 4, 5, 4, 6, 5, 7, 6, 7];

/** Bounding boxes as thin frames, coloured by level; any number in one draw call. */
export class BoxLines {
  readonly lines: LineSegments<InstancedBufferGeometry, ShaderMaterial>;
  readonly #buffer = new InstancedInterleavedBuffer(new Float32Array(7 * MOST_BOXES), 7).setUsage(
    DynamicDrawUsage,
  );
  #levels = 0;

  constructor() {
    const geometry = new InstancedBufferGeometry();
    const corners = EDGES.flatMap((k) => [k & 1, (k >> 1) & 1, k >> 2]);
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(corners), 3));
    geometry.setAttribute('low', new InterleavedBufferAttribute(this.#buffer, 3, 0));
    geometry.setAttribute('high', new InterleavedBufferAttribute(this.#buffer, 3, 3));
    geometry.setAttribute('level', new InterleavedBufferAttribute(this.#buffer, 1, 6));
    geometry.instanceCount = 0;
    const material = new ShaderMaterial({
      uniforms: { colours: { value: levelColours(1) }, only: { value: -1 }, opacity: { value: 0.6 } },
      vertexShader: /* glsl */ `
        attribute vec3 low;
        attribute vec3 high;
        attribute float level;
        uniform vec3 colours[${MOST_LEVELS}];
        uniform float only;
        varying vec3 vColour;
        void main() {
          vColour = colours[int(level + 0.5)];
          vec4 at = projectionMatrix * viewMatrix * vec4(mix(low, high, position), 1.0);
          gl_Position = only < 0.0 || abs(only - level) < 0.5 ? at : vec4(2.0, 2.0, 2.0, 1.0);
        }`,
      fragmentShader: /* glsl */ `
        varying vec3 vColour;
        uniform float opacity;
        void main() {
          gl_FragColor = vec4(vColour, opacity);
          #include <colorspace_fragment>
        }`,
      transparent: true,
      depthWrite: false,
    });
    this.lines = new LineSegments(geometry, material);
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 0.5; // below the contacts, which are what it is about
  }

  /** Seven numbers per box: low, high, level. `only` shows a single level, −1 all. */
  show(boxes: Float32Array, only: number, levels: number): void {
    const { geometry, material } = this.lines;
    const length = Math.min(boxes.length, this.#buffer.array.length);
    (this.#buffer.array as Float32Array).set(boxes.subarray(0, length));
    this.#buffer.clearUpdateRanges();
    this.#buffer.addUpdateRange(0, length);
    this.#buffer.needsUpdate = true;
    geometry.instanceCount = length / 7;
    this.showLevel(only);
    material.uniforms.opacity.value = Math.min(0.8, Math.max(0.12, 18 / Math.sqrt(length / 7 + 1)));
    if (levels === this.#levels) return;
    this.#levels = levels;
    material.uniforms.colours.value = levelColours(levels);
  }
  showLevel(only: number): void {
    this.lines.material.uniforms.only.value = only;
  }
}

function levelColours(levels: number): Color[] {
  return Array.from({ length: MOST_LEVELS }, (_, level) => levelColour(level, levels));
}
