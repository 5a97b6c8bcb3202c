/** A sheet of 2 n² triangles, bent more and more until it has been pushed through itself. */
export function positionsOf(n: number, amount: number): Float32Array {
  const positions: number[] = [];
  for (let y = 0; y <= n; y++) {
    for (let x = 0; x <= n; x++) {
      const angle = Math.max(1e-6, amount) * (7 / n) * x;
      const radius = n / Math.max(1e-6, 7 * amount);
      positions.push(radius * Math.sin(angle), y, radius * (1 - Math.cos(angle)) + 0.02 * ((x * y) % 5));
    }
  }
  return Float32Array.from(positions);
}

export function objOf(n: number, positions: Float32Array): string {
  const lines: string[] = [];
  for (let v = 0; v < positions.length; v += 3) lines.push(`v ${positions.subarray(v, v + 3).join(' ')}`);
  const vertex = (x: number, y: number) => y * (n + 1) + x + 1;
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      lines.push(`f ${vertex(x, y)} ${vertex(x + 1, y)} ${vertex(x + 1, y + 1)}`);
      lines.push(`f ${vertex(x, y)} ${vertex(x + 1, y + 1)} ${vertex(x, y + 1)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
