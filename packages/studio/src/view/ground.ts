import { Color, Mesh, PlaneGeometry, ShaderMaterial } from 'three';
import type { Palette } from './palette.ts';

/** A floor with a grid that fades into the background. */
export class Ground {
  readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;

  constructor() {
    const material = new ShaderMaterial({
      uniforms: {
        ground: { value: new Color() },
        grid: { value: new Color() },
        background: { value: new Color() },
        cell: { value: 1 },
        reach: { value: 10 },
      },
      vertexShader: /* glsl */ `
        varying vec3 vWorld;
        varying vec2 vFromCentre;
        void main() {
          vec4 world = modelMatrix * vec4(position, 1.0);
          vWorld = world.xyz;
          vFromCentre = world.xz - modelMatrix[3].xz;
          gl_Position = projectionMatrix * viewMatrix * world;
        }`,
      fragmentShader: /* glsl */ `
        varying vec3 vWorld;
        varying vec2 vFromCentre;
        uniform vec3 ground;
        uniform vec3 grid;
        uniform vec3 background;
        uniform float cell;
        uniform float reach;
        float lines(vec2 at) {
          vec2 width = fwidth(at);
          vec2 near = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
          vec2 line = (1.0 - min(near, 1.0)) * (1.0 - smoothstep(0.2, 0.6, width));
          return max(line.x, line.y);
        }
        void main() {
          float away = length(vFromCentre) / reach;
          float fade = 1.0 - smoothstep(0.25, 1.0, away);
          float line = max(lines(vWorld.xz / cell) * 0.45, lines(vWorld.xz / (5.0 * cell)) * 0.8);
          gl_FragColor = vec4(mix(background, mix(ground, grid, line), fade), 1.0);
          #include <colorspace_fragment>
        }`,
    });
    this.mesh = new Mesh(new PlaneGeometry(2, 2).rotateX(-Math.PI / 2), material);
    this.mesh.renderOrder = -2;
  }

  /** Below the middle of a scene of this size. */
  place(x: number, height: number, z: number, size: number): void {
    const reach = 5 * size;
    this.mesh.position.set(x, height, z);
    this.mesh.scale.setScalar(reach);
    const { uniforms } = this.mesh.material;
    uniforms.reach.value = reach;
    uniforms.cell.value = 10 ** Math.round(Math.log10(size / 8));
  }

  applyPalette({ ground, grid, background }: Palette): void {
    const { uniforms } = this.mesh.material;
    uniforms.ground.value.copy(ground);
    uniforms.grid.value.copy(grid);
    uniforms.background.value.copy(background);
  }
}
