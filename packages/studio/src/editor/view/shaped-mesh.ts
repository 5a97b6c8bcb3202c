import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  Mesh,
  ShaderMaterial,
} from 'three';
import { createShadow, LIGHT, type SharedUniforms } from '../../view/materials.ts';
import type { Palette } from '../../view/palette.ts';
import type { PictureBuffers } from '../engine/picture.ts';
import type { OpenedModel } from '../engine/protocol.ts';
import { HEAT, PINNED, RIGID } from './colours.ts';

/** The shape: one surface whose vertices are tinted where it touches, is held, or has local functions. */
export class ShapedMesh {
  readonly group = new Group();
  readonly #position: BufferAttribute;
  readonly #normal: BufferAttribute;
  readonly #tint: BufferAttribute;
  readonly #surface: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #shadow: Mesh<BufferGeometry, ShaderMaterial>;

  constructor({ index, vertexCount }: OpenedModel, shared: SharedUniforms) {
    const dynamic = (attribute: BufferAttribute) => attribute.setUsage(DynamicDrawUsage);
    this.#position = dynamic(new BufferAttribute(new Float32Array(3 * vertexCount), 3));
    this.#normal = dynamic(new BufferAttribute(new Int16Array(4 * vertexCount), 4, true));
    this.#tint = dynamic(new BufferAttribute(new Uint8Array(4 * vertexCount), 4, true));
    const geometry = new BufferGeometry().setIndex(new BufferAttribute(index, 1));
    geometry.setAttribute('position', this.#position).setAttribute('normal', this.#normal);
    geometry.setAttribute('tint', this.#tint);
    this.#surface = new Mesh(geometry, createTinted(shared));
    this.#shadow = new Mesh(geometry, createShadow());
    this.#shadow.renderOrder = -1;
    for (const part of [this.#shadow, this.#surface]) {
      part.frustumCulled = false;
      part.matrixAutoUpdate = false;
      this.group.add(part);
    }
  }

  /** Shows these arrays themselves; those that were shown before are free again. */
  show({ positions, normals, tints }: PictureBuffers): PictureBuffers {
    const before = {
      positions: this.#position.array as Float32Array,
      normals: this.#normal.array as Int16Array,
      tints: this.#tint.array as Uint8Array,
    };
    this.#position.array = positions;
    this.#normal.array = normals;
    this.#tint.array = tints;
    this.#position.needsUpdate = this.#normal.needsUpdate = this.#tint.needsUpdate = true;
    return before;
  }

  setLooks({ contacts, heat, glass }: { contacts: boolean; heat: boolean; glass: boolean }): void {
    const { uniforms } = this.#surface.material;
    uniforms.showContacts.value = contacts ? 1 : 0;
    uniforms.showHeat.value = heat ? 1 : 0;
    uniforms.opacity.value = glass ? 0.45 : 1;
    this.#surface.material.transparent = glass;
    this.#surface.material.depthWrite = !glass;
  }

  placeShadow(height: number): void {
    this.#shadow.material.uniforms.height.value = height;
  }

  applyPalette({ contact, shadow, tones }: Palette): void {
    const { uniforms } = this.#surface.material;
    uniforms.contact.value.copy(contact);
    uniforms.colour.value.copy(tones[0]);
    this.#shadow.material.uniforms.opacity.value = shadow;
  }

  dispose(): void {
    this.#surface.geometry.dispose();
    this.#surface.material.dispose();
    this.#shadow.material.dispose();
  }
}

function createTinted(shared: SharedUniforms): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: {
      sky: shared.sky,
      bounce: shared.bounce,
      colour: { value: new Color() },
      contact: { value: new Color() },
      pinned: { value: PINNED },
      rigid: { value: RIGID },
      heat: { value: HEAT },
      showContacts: { value: 1 },
      showHeat: { value: 0 },
      opacity: { value: 1 },
    },
    vertexShader: /* glsl */ `
      attribute vec4 tint;
      varying vec4 vTint;
      varying vec3 vNormal;
      varying vec3 vEye;
      void main() {
        vTint = tint;
        vNormal = normal;
        vEye = cameraPosition - position;
        gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: /* glsl */ `${LIGHT}
      varying vec4 vTint;
      varying vec3 vNormal;
      varying vec3 vEye;
      uniform vec3 colour;
      uniform vec3 contact;
      uniform vec3 pinned;
      uniform vec3 rigid;
      uniform vec3 heat[4];
      uniform float showContacts;
      uniform float showHeat;
      uniform float opacity;
      vec3 ramp(float t) {
        float at = clamp(t, 0.0, 1.0) * 3.0;
        return at < 1.0 ? mix(heat[0], heat[1], at)
          : at < 2.0 ? mix(heat[1], heat[2], at - 1.0)
          : mix(heat[2], heat[3], at - 2.0);
      }
      void main() {
        vec3 n = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
        vec3 base = mix(colour, ramp(vTint.y), showHeat * smoothstep(0.02, 0.25, vTint.y));
        base = mix(base, pinned, 0.75 * smoothstep(0.25, 0.75, vTint.z));
        base = mix(base, rigid, 0.75 * smoothstep(0.25, 0.75, vTint.w));
        base = mix(base, contact, showContacts * smoothstep(0.15, 0.7, vTint.x));
        gl_FragColor = vec4(lit(base, n, normalize(vEye)), opacity);
        #include <colorspace_fragment>
      }`,
    side: DoubleSide,
  });
}
