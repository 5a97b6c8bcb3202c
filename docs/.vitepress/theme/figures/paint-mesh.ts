/** The picture of a small mesh: triangles from back to front, lit from the eye, seen a little from above and the side. */
export class MeshPainter {
  readonly #triangles: Uint32Array;
  readonly #order: Uint32Array;
  readonly #depth: Float64Array; // per triangle
  readonly #light: Float64Array;
  readonly #seen: Float64Array; // x, y and depth per vertex

  constructor(triangles: Uint32Array, vertexCount: number) {
    const count = triangles.length / 3;
    this.#triangles = triangles;
    this.#order = Uint32Array.from({ length: count }, (_, t) => t);
    this.#depth = new Float64Array(count);
    this.#light = new Float64Array(count);
    this.#seen = new Float64Array(3 * vertexCount);
  }

  /** `colours` has one entry per triangle. `size` is how much of the world fits into the picture. */
  paint(
    context: CanvasRenderingContext2D,
    [width, height]: readonly [number, number],
    positions: Float64Array,
    colours: readonly string[],
    size: number,
  ): void {
    const seen = this.#seen;
    this.#look(positions, Math.min(width, height) / size, width / 2, height / 2);
    this.#measure();
    this.#order.sort((s, t) => this.#depth[s] - this.#depth[t]);
    context.lineJoin = 'round';
    for (const t of this.#order) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * this.#triangles[3 * t + k]);
      context.beginPath();
      context.moveTo(seen[a], seen[a + 1]);
      context.lineTo(seen[b], seen[b + 1]);
      context.lineTo(seen[c], seen[c + 1]);
      context.closePath();
      context.fillStyle = context.strokeStyle = `color-mix(in srgb, ${colours[t]} ${this.#light[t]}%, black)`;
      context.lineWidth = 0.6;
      context.fill();
      context.stroke(); // hides the seams
    }
  }

  #look(positions: Float64Array, scale: number, x0: number, y0: number): void {
    const turn = 0.5,
      tilt = 0.35;
    const cosTurn = Math.cos(turn),
      sinTurn = Math.sin(turn),
      cosTilt = Math.cos(tilt),
      sinTilt = Math.sin(tilt);
    for (let o = 0; o < this.#seen.length; o += 3) {
      const x = positions[o] * cosTurn - positions[o + 2] * sinTurn;
      const back = positions[o] * sinTurn + positions[o + 2] * cosTurn;
      const y = positions[o + 1] * cosTilt - back * sinTilt;
      this.#seen[o] = x0 + scale * x;
      this.#seen[o + 1] = y0 - scale * y;
      this.#seen[o + 2] = scale * (positions[o + 1] * sinTilt + back * cosTilt);
    }
  }

  /** How far each triangle is towards the eye, and how squarely it faces it, from 45 to 100. */
  #measure(): void {
    const p = this.#seen;
    for (let t = 0; t < this.#depth.length; t++) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * this.#triangles[3 * t + k]);
      this.#depth[t] = p[a + 2] + p[b + 2] + p[c + 2];
      const ux = p[b] - p[a],
        uy = p[b + 1] - p[a + 1],
        uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a],
        vy = p[c + 1] - p[a + 1],
        vz = p[c + 2] - p[a + 2];
      const nx = uy * vz - uz * vy,
        ny = uz * vx - ux * vz,
        nz = ux * vy - uy * vx;
      this.#light[t] = Math.round(45 + (55 * Math.abs(nz)) / (Math.hypot(nx, ny, nz) || 1));
    }
  }
}
