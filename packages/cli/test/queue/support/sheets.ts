import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Two wavy sheets of 2 n² triangles that go through each other, another way in every frame. */
export function sheets(n: number, frame: number): string {
  const lines: string[] = [];
  const height = [
    (x: number, y: number) => Math.sin((x * y + frame) / 3),
    (x: number, y: number) => 0.9 * Math.cos((x + 2 * y + 3 * frame) / 5),
  ];
  for (const [sheet, z] of height.entries()) {
    for (let y = 0; y <= n; y++) {
      for (let x = 0; x <= n; x++) lines.push(`v ${x + 0.3 * sheet} ${y + 0.2 * sheet} ${z(x, y)}`);
    }
  }
  for (const first of [1, 1 + (n + 1) ** 2]) {
    const vertex = (x: number, y: number) => first + y * (n + 1) + x;
    for (let y = 0; y < n; y++) {
      for (let x = 0; x < n; x++) {
        lines.push(`f ${vertex(x, y)} ${vertex(x + 1, y)} ${vertex(x + 1, y + 1)}`);
        lines.push(`f ${vertex(x, y)} ${vertex(x + 1, y + 1)} ${vertex(x, y + 1)}`);
      }
    }
  }
  return lines.join('\n');
}

/** A folder of frames. */
export function writeSheets(folder: string, n: number, frames: number): void {
  mkdirSync(folder, { recursive: true });
  for (let k = 0; k < frames; k++) writeFileSync(join(folder, `f${k}.obj`), sheets(n, k));
}
