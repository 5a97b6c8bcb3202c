import { Color, DoubleSide, NotEqualStencilFunc, ReplaceStencilOp, ShaderMaterial } from 'three';
import { type Palette, TONES, toneColour } from './palette.ts';

/** Uniforms that all surfaces share; a theme writes into them. */
export interface SharedUniforms {
  readonly sky: { value: Color };
  readonly bounce: { value: Color };
  readonly tones: { value: Color[] };
}

export function createSharedUniforms(): SharedUniforms {
  return {
    sky: { value: new Color() },
    bounce: { value: new Color() },
    tones: { value: Array.from({ length: TONES }, () => new Color()) },
  };
}

export function applyPalette(shared: SharedUniforms, palette: Palette): void {
  shared.sky.value.copy(palette.sky);
  shared.bounce.value.copy(palette.bounce);
  shared.tones.value.forEach((colour, k) => {
    colour.copy(toneColour(palette, k));
  });
}

const VERTEX = /* glsl */ `
  attribute float tone;
  uniform vec3 tones[${TONES}];
  varying vec3 vTone;
  varying vec3 vNormal;
  varying vec3 vEye;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    vTone = tones[int(tone + 0.5)];
    vNormal = mat3(modelMatrix) * normal;
    vEye = cameraPosition - world.xyz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

/** Light from the sky, from the ground and from one lamp over the shoulder. */
export const LIGHT = /* glsl */ `
  uniform vec3 sky;
  uniform vec3 bounce;
  vec3 lit(vec3 colour, vec3 n, vec3 eye) {
    vec3 lamp = normalize(vec3(0.5, 0.75, 0.6));
    vec3 fromAround = mix(bounce, sky, 0.5 + 0.5 * n.y) * 0.5;
    float direct = max(dot(n, lamp), 0.0) * 0.72;
    float gloss = pow(max(dot(n, normalize(lamp + eye)), 0.0), 28.0) * 0.1;
    float rim = pow(1.0 - max(dot(n, eye), 0.0), 4.0) * 0.08;
    return colour * (fromAround + sky * direct) + sky * (gloss + rim);
  }`;

const VARYINGS = /* glsl */ `
  varying vec3 vTone;
  varying vec3 vNormal;
  varying vec3 vEye;
  uniform vec3 colour;
  uniform float opacity;`;

interface SurfaceOptions {
  /** One colour for all; default: that of each body. */
  readonly colour?: Color;
  readonly opacity?: number;
  /** Clear where it is seen from the front, denser towards its outline. */
  readonly isGlass?: boolean;
}

export function createSurface(shared: SharedUniforms, options: SurfaceOptions = {}): ShaderMaterial {
  const { colour, opacity = 1, isGlass = false } = options;
  return new ShaderMaterial({
    uniforms: {
      ...shared,
      colour: { value: colour?.clone() ?? new Color() },
      opacity: { value: opacity },
    },
    vertexShader: VERTEX,
    fragmentShader: /* glsl */ `${LIGHT}${VARYINGS}
      void main() {
        vec3 n = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
        vec3 eye = normalize(vEye);
        vec3 base = ${colour === undefined ? 'vTone' : 'colour'};
        float alpha = ${isGlass ? 'mix(0.15, 0.8, pow(1.0 - abs(dot(n, eye)), 2.0)) * opacity' : 'opacity'};
        gl_FragColor = vec4(lit(base, n, eye), alpha);
        #include <colorspace_fragment>
      }`,
    side: DoubleSide,
    transparent: isGlass || opacity < 1,
    depthWrite: !isGlass,
  });
}

/** A flat colour, on top of everything when `through`. */
export function createFlat(colour: Color, opacity: number, through: boolean): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { colour: { value: colour.clone() }, opacity: { value: opacity } },
    vertexShader: 'void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: /* glsl */ `
      uniform vec3 colour;
      uniform float opacity;
      void main() {
        gl_FragColor = vec4(colour, opacity);
        #include <colorspace_fragment>
      }`,
    side: DoubleSide,
    transparent: opacity < 1 || through,
    depthTest: !through,
    depthWrite: false,
  });
}

/** The same triangles laid flat on the ground, each pixel once. */
export function createShadow(): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { height: { value: 0 }, opacity: { value: 0.2 } },
    vertexShader: /* glsl */ `
      uniform float height;
      void main() {
        float drop = position.y - height;
        vec3 flat_ = vec3(position.x - 0.30 * drop, height, position.z - 0.36 * drop);
        gl_Position = projectionMatrix * viewMatrix * vec4(flat_, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      uniform float opacity;
      void main() { gl_FragColor = vec4(0.0, 0.0, 0.0, opacity); }`,
    side: DoubleSide,
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
    stencilWrite: true,
    stencilRef: 1,
    stencilFunc: NotEqualStencilFunc,
    stencilZPass: ReplaceStencilOp,
  });
}
