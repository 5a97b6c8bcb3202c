import { heatColours } from '../heat-ramp.ts';
import type { Camera } from './camera.ts';
import { Dots } from './dots.ts';
import type { Model, Vec3 } from './model.ts';
import { Program } from './program.ts';
import { GROUND_FRAGMENT, GROUND_VERTEX, PART, SURFACE_FRAGMENT, SURFACE_VERTEX } from './shaders.ts';

export interface ViewLook {
  heat: boolean;
  seeThrough: boolean;
  edges: boolean;
}

type BufferName = 'position' | 'normal' | 'paint';

/** How triangles are marked in `View.setMarks`. */
export const MARK = { none: 0, touches: 1, chosen: 2 } as const;

/** Draws a model with WebGL 2. Throws when there is none. */
export class View {
  readonly look: ViewLook = { heat: false, seeThrough: false, edges: false };
  readonly canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  readonly #model: Model;
  readonly #camera: Camera;
  readonly #surface: Program;
  readonly #ground: Program;
  readonly #dots: Dots;
  readonly #buffers: Record<BufferName, WebGLBuffer>;
  readonly #array: WebGLVertexArrayObject;
  readonly #paint: Uint8Array<ArrayBuffer>; // 4 per corner: mark, heat
  #choice = false;
  #centre: Vec3 = [0, 0, 0];
  #radius = 1;
  #floor = 0;
  #colours = { solid: [0.6, 0.6, 0.6], grid: [0.5, 0.5, 0.5] };
  #asked = 0;

  constructor(canvas: HTMLCanvasElement, model: Model, camera: Camera) {
    const gl = canvas.getContext('webgl2', {
      antialias: true,
      alpha: true,
      stencil: true,
      preserveDrawingBuffer: true,
    });
    if (!gl) throw new Error('WebGL 2 is not available');
    this.canvas = canvas;
    this.#gl = gl;
    this.#model = model;
    this.#camera = camera;
    this.#surface = new Program(gl, SURFACE_VERTEX, SURFACE_FRAGMENT);
    this.#ground = new Program(gl, GROUND_VERTEX, GROUND_FRAGMENT);
    this.#dots = new Dots(gl, model);
    this.#paint = new Uint8Array(4 * model.corners.length);
    this.#buffers = { position: gl.createBuffer(), normal: gl.createBuffer(), paint: gl.createBuffer() };
    this.#array = gl.createVertexArray();
    this.#describeArrays();
    new ResizeObserver(() => this.ask()).observe(canvas);
  }

  #describeArrays(): void {
    const gl = this.#gl;
    gl.bindVertexArray(this.#array);
    const describe = (name: BufferName, size: number, type: number, stride: number) => {
      const at = gl.getAttribLocation(this.#surface.program, name);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers[name]);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, type, type !== gl.FLOAT, stride, 0);
    };
    describe('position', 3, gl.FLOAT, 12);
    describe('normal', 3, gl.BYTE, 4);
    describe('paint', 4, gl.UNSIGNED_BYTE, 4);
    gl.bindVertexArray(null);
  }

  /** The model has taken another pose. `box` is around it. */
  setPose({ low, high }: { low: Vec3; high: Vec3 }): void {
    this.#centre = low.map((value, k) => (value + high[k]) / 2) as Vec3;
    this.#radius = Math.hypot(...low.map((value, k) => high[k] - value)) / 2 || 1;
    this.#floor = low[1];
    this.#upload('position', this.#model.cornerPositions);
    this.#upload('normal', this.#model.cornerNormals);
    this.ask();
  }

  /** `MARK` per triangle, and heat per triangle in 0…255. `choice`: some are chosen, so others step back. */
  setMarks(marks: Uint8Array, heat: Uint8Array, choice: boolean): void {
    for (let corner = 0, o = 0; o < this.#paint.length; corner++, o += 4) {
      const triangle = Math.floor(corner / 3);
      this.#paint[o] = marks[triangle];
      this.#paint[o + 1] = heat[triangle];
    }
    this.#choice = choice;
    this.#upload('paint', this.#paint);
    this.#dots.set(marks, heat);
    this.ask();
  }

  setColours(solid: number[], grid: number[]): void {
    this.#colours = { solid, grid };
    this.ask();
  }

  get radius(): number {
    return this.#radius;
  }

  get centre(): Vec3 {
    return this.#centre;
  }

  /** Draws before the next picture of the screen; asked twice, draws once. */
  ask(): void {
    if (this.#asked === 0) this.#asked = requestAnimationFrame((now) => this.#draw(now));
  }

  /** Draws at once, for printing. */
  drawNow(): void {
    cancelAnimationFrame(this.#asked);
    this.#draw(performance.now());
  }

  #upload(name: BufferName, data: ArrayBufferView<ArrayBufferLike>): void {
    const gl = this.#gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers[name]);
    gl.bufferData(gl.ARRAY_BUFFER, data as ArrayBufferView<ArrayBuffer>, gl.DYNAMIC_DRAW);
  }

  #draw(now: number): void {
    this.#asked = 0;
    if (this.#gl.isContextLost()) return;
    this.#resize();
    this.#camera.advance(now);
    const gl = this.#gl;
    const toClip = this.#camera.matrix(this.#centre, this.#radius * 3);
    gl.clearColor(0, 0, 0, 0);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.#drawGround(toClip);
    this.#drawSurface(toClip);
    this.#dots.draw(toClip, this.#camera.height, this.look.heat, this.#choice);
    if (this.#camera.isFlying) this.ask();
  }

  #resize(): void {
    const { canvas } = this;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    this.#camera.aspect = width / height;
    this.#gl.viewport(0, 0, width, height);
  }

  #drawGround(toClip: Float32Array): void {
    const gl = this.#gl;
    const { uniforms } = this.#ground;
    this.#ground.use();
    gl.uniformMatrix4fv(uniforms.toClip, false, toClip);
    gl.uniform4f(uniforms.ground, this.#centre[0], this.#floor, this.#centre[2], this.#radius * 2.2);
    gl.uniform1f(uniforms.cell, roundStep(this.#radius * 0.4));
    gl.uniform3fv(uniforms.tint, this.#colours.grid);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  #drawSurface(toClip: Float32Array): void {
    const gl = this.#gl;
    const { uniforms } = this.#surface;
    const [right, up, back] = this.#camera.axes;
    this.#surface.use();
    gl.bindVertexArray(this.#array);
    gl.uniformMatrix4fv(uniforms.toClip, false, toClip);
    gl.uniform3fv(uniforms.eye, this.#camera.eye);
    gl.uniform3fv(uniforms.right, right);
    gl.uniform3fv(uniforms.up, up);
    gl.uniform3fv(uniforms.back, back);
    gl.uniform3fv(uniforms.solid, this.#colours.solid);
    gl.uniform3fv(uniforms.ramp, heatColours());
    gl.uniform1i(uniforms.heat, Number(this.look.heat));
    gl.uniform1i(uniforms.edges, Number(this.look.edges));
    gl.uniform1i(uniforms.choice, Number(this.#choice));
    gl.uniform1f(uniforms.pixel, Math.min(2, devicePixelRatio || 1));
    const draw = (part: number, solid: boolean, depth: number) => {
      gl.uniform1i(uniforms.part, part);
      if (solid) gl.disable(gl.BLEND);
      else gl.enable(gl.BLEND);
      gl.depthMask(solid);
      gl.depthFunc(depth);
      gl.drawArrays(gl.TRIANGLES, 0, this.#model.corners.length);
    };
    if (this.look.seeThrough) {
      draw(PART.marked, true, gl.LESS);
      draw(PART.glass, false, gl.LESS);
    } else {
      draw(PART.all, true, gl.LESS);
      this.#drawHidden(draw);
    }
    gl.depthFunc(gl.LESS);
    gl.bindVertexArray(null);
  }

  /** Marked triangles behind others shine through: once, however many there are, and not onto marked ones. */
  #drawHidden(draw: (part: number, solid: boolean, depth: number) => void): void {
    const gl = this.#gl;
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.colorMask(false, false, false, false);
    draw(PART.marked, false, gl.EQUAL);
    gl.colorMask(true, true, true, true);
    draw(PART.hidden, false, gl.GREATER);
    gl.disable(gl.STENCIL_TEST);
  }
}

/** The largest of 1, 2, 5, 10, 20 … times a power of ten that is at most `most`. */
function roundStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}
