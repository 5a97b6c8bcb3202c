/** Boxes as files, small enough that their modes take no time. */

const CUBE = [0, 1, 3, 2, 4, 5, 7, 6]; // corners by bits x, y, z are 0 … 7; this walks both squares

/** An OBJ of boxes [x, y, z, width, height, depth] with 12 triangles each, turned outwards. */
export function boxesObj(...boxes: readonly (readonly number[])[]): string {
  const lines: string[] = [];
  boxes.forEach(([x, y, z, width, height, depth], k) => {
    for (let corner = 0; corner < 8; corner++) {
      const at = [x + (corner & 1) * width, y + ((corner >> 1) & 1) * height, z + (corner >> 2) * depth];
      lines.push(`v ${at.join(' ')}`);
    }
    const v = (c: number) => 8 * k + CUBE[c] + 1;
    const quads = [
      [0, 3, 2, 1],
      [4, 5, 6, 7],
      [0, 1, 5, 4],
      [1, 2, 6, 5],
      [2, 3, 7, 6],
      [3, 0, 4, 7],
    ];
    for (const [a, b, c, d] of quads) {
      lines.push(`f ${v(a)} ${v(b)} ${v(c)}`, `f ${v(a)} ${v(c)} ${v(d)}`);
    }
  });
  return `${lines.join('\n')}\n`;
}

/** A bar of unit cubes along x, each cut into six tetrahedra. */
export function barTetrahedra(length: number): { positions: number[][]; tetrahedra: number[][] } {
  const positions: number[][] = [];
  for (let x = 0; x <= length; x++) for (let k = 0; k < 4; k++) positions.push([x, k & 1, k >> 1]);
  const tetrahedra: number[][] = [];
  for (let x = 0; x < length; x++) {
    const corner = (dx: number, dy: number, dz: number) => 4 * (x + dx) + dy + 2 * dz;
    for (const [a, b] of [
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 2],
      [2, 0],
      [2, 1],
    ]) {
      const one = [0, 0, 0],
        two = [0, 0, 0];
      one[a] = two[a] = two[b] = 1;
      const path = [
        corner(0, 0, 0),
        corner(one[0], one[1], one[2]),
        corner(two[0], two[1], two[2]),
        corner(1, 1, 1),
      ];
      tetrahedra.push((b - a + 3) % 3 === 1 ? path : [path[0], path[2], path[1], path[3]]);
    }
  }
  return { positions, tetrahedra };
}

/** As a MEDIT `.mesh`. */
export function meditMesh({ positions, tetrahedra }: ReturnType<typeof barTetrahedra>): string {
  return [
    'MeshVersionFormatted 2\nDimension 3\nVertices',
    positions.length,
    ...positions.map((at) => `${at.join(' ')} 0`),
    'Tetrahedra',
    tetrahedra.length,
    ...tetrahedra.map((corners) => `${corners.map((v) => v + 1).join(' ')} 0`),
    'End\n',
  ].join('\n');
}
