export const COLUMNS = 64;
const ROWS = 4;

/** A strip of paper, 64 × 4 squares of two triangles. */
export function createStrip(): { positions: Float64Array; triangles: Uint32Array } {
  const positions: number[] = [],
    triangles: number[] = [];
  for (let i = 0; i <= COLUMNS; i++) {
    for (let j = 0; j <= ROWS; j++) positions.push(i / COLUMNS, 0, j / COLUMNS);
  }
  const at = (i: number, j: number) => i * (ROWS + 1) + j;
  for (let i = 0; i < COLUMNS; i++) {
    for (let j = 0; j < ROWS; j++) {
      const a = at(i, j),
        b = at(i + 1, j),
        c = at(i + 1, j + 1),
        d = at(i, j + 1);
      if ((i + j) % 2 === 0) triangles.push(a, b, d, b, c, d);
      else triangles.push(a, b, c, a, c, d);
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/**
 * Bends the strip without stretching it: `angle` in all, spread around `centre` as a bell of this width (both in lengths of
 * the strip). Fills `pose`, and `line` with x and y of each column.
 */
export function bendStrip(
  angle: number,
  centre: number,
  width: number,
  pose: Float64Array,
  line: Float64Array,
): void {
  const bell = (i: number) => Math.exp(-0.5 * (((i + 0.5) / COLUMNS - centre) / width) ** 2);
  let sum = 0;
  for (let i = 0; i < COLUMNS; i++) sum += bell(i);
  let direction = 0;
  line[0] = line[1] = 0;
  for (let i = 0; i < COLUMNS; i++) {
    const turn = (angle * bell(i)) / sum;
    direction += turn / 2;
    line[2 * i + 2] = line[2 * i] + Math.cos(direction) / COLUMNS;
    line[2 * i + 3] = line[2 * i + 1] + Math.sin(direction) / COLUMNS;
    direction += turn / 2;
  }
  for (let i = 0; i <= COLUMNS; i++) {
    for (let j = 0; j <= ROWS; j++) {
      const o = 3 * (i * (ROWS + 1) + j);
      pose[o] = line[2 * i];
      pose[o + 1] = line[2 * i + 1];
      pose[o + 2] = j / COLUMNS;
    }
  }
}

/** The column in which a triangle lies. */
export function columnOf(triangle: number): number {
  return Math.floor(triangle / (2 * ROWS));
}
