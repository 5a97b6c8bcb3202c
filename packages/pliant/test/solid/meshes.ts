import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { createGeodesicSphere } from '../../src/shapes/geodesic-sphere.ts';

/** Triangles that can be put together before they become a mesh. */
export interface Soup {
  positions: number[];
  triangles: number[];
}

export function meshOf(...soups: Soup[]): TriangleMesh {
  const positions: number[] = [],
    triangles: number[] = [];
  for (const soup of soups) {
    const first = positions.length / 3;
    positions.push(...soup.positions);
    triangles.push(...soup.triangles.map((v) => v + first));
  }
  return createTriangleMesh({ positions, triangles });
}

export function ball(frequency: number, radius: number, centre = [0, 0, 0]): Soup {
  const { positions, triangles } = createGeodesicSphere(frequency);
  return {
    positions: Array.from(positions, (x, i) => centre[i % 3] + radius * x),
    triangles: Array.from(triangles),
  };
}

export function box(low: readonly number[], high: readonly number[]): Soup {
  const positions: number[] = [];
  for (let c = 0; c < 8; c++) for (let k = 0; k < 3; k++) positions.push((c >> k) & 1 ? high[k] : low[k]);
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return { positions, triangles: quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]) };
}

export function torus(radius: number, tube: number, n: number, m: number): Soup {
  const positions: number[] = [],
    triangles: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      const u = (2 * Math.PI * i) / n,
        v = (2 * Math.PI * j) / m;
      const r = radius + tube * Math.cos(v);
      positions.push(r * Math.cos(u), r * Math.sin(u), tube * Math.sin(v));
      const a = i * m + j,
        b = ((i + 1) % n) * m + j,
        c = ((i + 1) % n) * m + ((j + 1) % m),
        d = i * m + ((j + 1) % m);
      triangles.push(a, b, c, a, c, d);
    }
  }
  return { positions, triangles };
}

/** A soup with every triangle turned round. */
export function insideOut({ positions, triangles }: Soup): Soup {
  const turned = triangles.slice();
  for (let t = 0; t < turned.length; t += 3) [turned[t + 1], turned[t + 2]] = [turned[t + 2], turned[t + 1]];
  return { positions, triangles: turned };
}

/** The tips of a fork: source vertices at the inner upper corners of its prongs. */
export interface Fork extends Soup {
  tips: [number, number];
}

/**
 * A slab of the unit square with a slot of width `gap` from the top down to a quarter: two prongs. The walls of the
 * slot share no vertices but those at its bottom, so that they stay apart at gap 0; the right prong is shorter.
 */
export function fork(gap: number, rows = 12): Fork {
  const left = 0.5 - gap / 2,
    right = 0.5 + gap / 2;
  const bottom = 0.25,
    thickness = 0.25;
  const rise = (top: number, bend: number, i: number) => bottom + (top - bottom) * (i / rows) ** bend;
  const outline: [number, number][] = []; // per side of the slab
  const add = (x: number, z: number) => outline.push([x, z]) - 1;
  const corner0 = add(0, 0),
    corner1 = add(1, 0);
  const column = (x: number, top: number, bend: number) =>
    Array.from({ length: rows + 1 }, (_, i) => add(x, rise(top, bend, i)));
  const outerLeft = column(0, 1, 1),
    innerLeft = column(left, 1, 1),
    innerRight = column(right, 0.97, 1.13),
    outerRight = column(1, 0.97, 1.13);
  const count = outline.length;
  const positions = [0, thickness].flatMap((y) => outline.flatMap(([x, z]) => [x, y, z]));
  const triangles: number[] = [];
  const cap = (a: number, b: number, c: number) => {
    triangles.push(a, b, c, a + count, c + count, b + count); // seen from −y counter-clockwise, and the far side
  };
  const wall = (a: number, b: number) => triangles.push(a, a + count, b, b, a + count, b + count); // solid left of a→b
  const strip = (l: number[], r: number[]) => {
    for (let i = 0; i < rows; i++) {
      cap(l[i], r[i], r[i + 1]);
      cap(l[i], r[i + 1], l[i + 1]);
    }
    wall(r[rows], l[rows]);
  };
  strip(outerLeft, innerLeft);
  strip(innerRight, outerRight);
  for (let i = 0; i < rows; i++) {
    wall(outerLeft[i + 1], outerLeft[i]);
    wall(innerLeft[i], innerLeft[i + 1]);
    wall(innerRight[i + 1], innerRight[i]);
    wall(outerRight[i], outerRight[i + 1]);
  }
  wall(outerLeft[0], corner0);
  wall(corner0, corner1);
  wall(corner1, outerRight[0]);
  wall(innerRight[0], innerLeft[0]);
  cap(corner0, innerLeft[0], outerLeft[0]);
  cap(corner0, innerRight[0], innerLeft[0]);
  cap(corner0, corner1, innerRight[0]);
  cap(corner1, outerRight[0], innerRight[0]);
  return { positions, triangles, tips: [innerLeft[rows], innerRight[rows]] };
}
