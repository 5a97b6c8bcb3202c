import { heatColours } from '../heat-ramp.ts';
import type { Model } from './model.ts';
import { Program } from './program.ts';
import { DOT_FRAGMENT, DOT_VERTEX } from './shaders.ts';

const NUMBERS = 6; // per dot: place, size, mark, heat

/** Dots over marked triangles that would be smaller than a few pixels: also a tiny contact can be found. */
export class Dots {
  readonly #gl: WebGL2RenderingContext;
  readonly #model: Model;
  readonly #program: Program;
  readonly #buffer: WebGLBuffer;
  readonly #array: WebGLVertexArrayObject;
  #count = 0;

  constructor(gl: WebGL2RenderingContext, model: Model) {
    this.#gl = gl;
    this.#model = model;
    this.#program = new Program(gl, DOT_VERTEX, DOT_FRAGMENT);
    this.#buffer = gl.createBuffer();
    this.#array = gl.createVertexArray();
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    const describe = (name: string, size: number, offset: number) => {
      const at = gl.getAttribLocation(this.#program.program, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, 4 * NUMBERS, 4 * offset);
    };
    describe('place', 4, 0);
    describe('mark', 2, 4);
    gl.bindVertexArray(null);
  }

  /** `MARK` and heat (0…255) per triangle, in the model's present pose. */
  set(marks: Uint8Array, heat: Uint8Array): void {
    const marked = [...marks.keys()].filter((t) => marks[t] > 0 || heat[t] > 0);
    const data = new Float32Array(NUMBERS * marked.length);
    marked.forEach((t, k) => {
      data.set(this.#model.centreOf(t), NUMBERS * k);
      data.set([this.#model.sizeOf(t), marks[t], heat[t] / 255], NUMBERS * k + 3);
    });
    this.#count = marked.length;
    this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, this.#buffer);
    this.#gl.bufferData(this.#gl.ARRAY_BUFFER, data, this.#gl.DYNAMIC_DRAW);
  }

  /** `height`: of the picture, at distance 1. */
  draw(toClip: Float32Array, height: number, heat: boolean, choice: boolean): void {
    if (this.#count === 0) return;
    const gl = this.#gl;
    const { uniforms } = this.#program;
    this.#program.use();
    gl.bindVertexArray(this.#array);
    gl.uniformMatrix4fv(uniforms.toClip, false, toClip);
    gl.uniform3fv(uniforms.ramp, heatColours());
    gl.uniform1i(uniforms.heat, Number(heat));
    gl.uniform1i(uniforms.choice, Number(choice));
    gl.uniform1f(uniforms.pixels, gl.drawingBufferHeight / height);
    gl.uniform1f(uniforms.pixel, Math.min(2, devicePixelRatio || 1));
    gl.enable(gl.BLEND);
    gl.disable(gl.DEPTH_TEST);
    gl.drawArrays(gl.POINTS, 0, this.#count);
    gl.enable(gl.DEPTH_TEST);
    gl.bindVertexArray(null);
  }
}
