/** Two triangles per cell of a grid of points, row after row, with diagonals that alternate like a chessboard. */
export function gridTriangles(columns: number, rows: number): Uint32Array {
  const triangles = new Uint32Array(6 * columns * rows);
  let o = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const a = row * (columns + 1) + column,
        b = a + 1,
        c = a + columns + 1,
        d = c + 1;
      triangles.set((row + column) % 2 === 0 ? [a, c, d, a, d, b] : [a, c, b, b, c, d], o);
      o += 6;
    }
  }
  return triangles;
}
