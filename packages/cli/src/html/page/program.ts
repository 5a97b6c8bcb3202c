/** Shaders, linked, with the places of their uniforms. */
export class Program {
  readonly program: WebGLProgram;
  readonly uniforms: Record<string, WebGLUniformLocation | null> = {};
  readonly #gl: WebGL2RenderingContext;

  constructor(gl: WebGL2RenderingContext, vertex: string, fragment: string) {
    this.#gl = gl;
    this.program = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(this.program, shader);
    }
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) {
      const shaders = gl.getAttachedShaders(this.program) ?? [];
      throw new Error(shaders.map((shader) => gl.getShaderInfoLog(shader)).join('\n'));
    }
    const count = gl.getProgramParameter(this.program, gl.ACTIVE_UNIFORMS) as number;
    for (let k = 0; k < count; k++) {
      const name = gl.getActiveUniform(this.program, k)!.name;
      this.uniforms[name.replace('[0]', '')] = gl.getUniformLocation(this.program, name);
    }
  }

  use(): void {
    this.#gl.useProgram(this.program);
  }
}
