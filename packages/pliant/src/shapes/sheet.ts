import { bendPoint } from './bend.ts';
import {
  checkCount,
  checkOption,
  createShape,
  type MotionOptions,
  motionOf,
  type Shape,
  swing,
} from './shape.ts';

export interface SheetOptions extends MotionOptions {
  /** Squares along each side. Default: 60. */
  cells?: number;
  /** Default: 1. */
  size?: number;
  /** Default: 0.018. */
  thickness?: number;
}

/**
 * A square sheet that has a thickness, so that it is solid: in the plane y = 0 around the origin, closed. Motion: it
 * bends about z; it never touches itself.
 */
export function createSheet(options: SheetOptions = {}): Shape {
  const { amplitude, period } = motionOf(options);
  const { cells = 60, size = 1, thickness = 0.018 } = options;
  checkCount('cells', cells, 1, 2000);
  checkOption('size', size, 1e-6, 1e6);
  checkOption('thickness', thickness, 1e-9, 1e6);
  const side = cells + 1;
  const rest: number[] = [];
  for (const y of [-thickness / 2, thickness / 2]) {
    for (let i = 0; i < side; i++) {
      for (let j = 0; j < side; j++) rest.push(size * (i / cells - 0.5), y, size * (j / cells - 0.5));
    }
  }
  return createShape('sheet', createTriangles(cells), rest.length / 3, (time, out) => {
    const curvature = (Math.min(2, amplitude * swing(time, period)) * 1.2) / size;
    for (let o = 0; o < out.length; o += 3) {
      // Its own x becomes the axis that bends, towards +y.
      scratch[0] = rest[o + 1];
      scratch[1] = rest[o];
      bendPoint(scratch, 0, curvature);
      out[o] = scratch[1];
      out[o + 1] = scratch[0];
      out[o + 2] = rest[o + 2];
    }
  });
}

const scratch = new Float64Array(2);

function createTriangles(cells: number): Uint32Array {
  const side = cells + 1;
  const triangles: number[] = [];
  const low = (i: number, j: number) => i * side + j,
    high = (i: number, j: number) => side * side + i * side + j;
  const quad = (a: number, b: number, c: number, d: number) => triangles.push(a, b, c, a, c, d);
  for (let i = 0; i < cells; i++) {
    for (let j = 0; j < cells; j++) {
      quad(high(i, j), high(i, j + 1), high(i + 1, j + 1), high(i + 1, j));
      quad(low(i, j), low(i + 1, j), low(i + 1, j + 1), low(i, j + 1));
    }
  }
  for (let k = 0; k < cells; k++) {
    quad(low(k, 0), high(k, 0), high(k + 1, 0), low(k + 1, 0));
    quad(low(k + 1, cells), high(k + 1, cells), high(k, cells), low(k, cells));
    quad(low(0, k + 1), high(0, k + 1), high(0, k), low(0, k));
    quad(low(cells, k), high(cells, k), high(cells, k + 1), low(cells, k + 1));
  }
  return Uint32Array.from(triangles);
}
