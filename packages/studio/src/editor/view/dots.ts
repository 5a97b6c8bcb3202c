import { BufferAttribute, BufferGeometry, type Color, DynamicDrawUsage, Points, ShaderMaterial } from 'three';

const MOST = 2000;

/** Dots that are seen through everything, each in the colour of its kind. */
export class Dots {
  readonly points: Points<BufferGeometry, ShaderMaterial>;
  readonly #place: BufferAttribute;
  readonly #kind: BufferAttribute;

  /** `sizes` in pixels, by kind, as are `colours`; further kinds are like the last. */
  constructor(colours: readonly Color[], sizes: readonly number[]) {
    this.#place = new BufferAttribute(new Float32Array(3 * MOST), 3).setUsage(DynamicDrawUsage);
    this.#kind = new BufferAttribute(new Float32Array(MOST), 1).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry()
      .setAttribute('position', this.#place)
      .setAttribute('kind', this.#kind);
    geometry.setDrawRange(0, 0);
    this.points = new Points(geometry, createMaterial(colours, sizes));
    this.points.frustumCulled = false;
    this.points.renderOrder = 5;
  }

  set colours(colours: readonly Color[]) {
    this.points.material.uniforms.colours.value = colours;
  }

  /** Records of `length` numbers each: first the place; `kindAt` says which one is the kind, if any does. */
  show(records: Float32Array, length: number, kindAt?: number): void {
    const count = Math.min(MOST, records.length / length);
    for (let k = 0; k < count; k++) {
      for (let a = 0; a < 3; a++) this.#place.array[3 * k + a] = records[length * k + a];
      this.#kind.array[k] = kindAt === undefined ? 0 : records[length * k + kindAt];
    }
    this.#place.needsUpdate = this.#kind.needsUpdate = true;
    this.points.geometry.setDrawRange(0, count);
  }
}

function createMaterial(colours: readonly Color[], sizes: readonly number[]): ShaderMaterial {
  const count = colours.length;
  return new ShaderMaterial({
    uniforms: { colours: { value: colours }, sizes: { value: sizes } },
    vertexShader: /* glsl */ `
      attribute float kind;
      uniform vec3 colours[${count}];
      uniform float sizes[${count}];
      varying vec3 vColour;
      void main() {
        int k = int(min(kind + 0.5, ${count - 1}.0));
        vColour = colours[k];
        gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
        gl_PointSize = sizes[k];
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
