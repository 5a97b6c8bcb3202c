import { createCage } from '../../../src/edit/cage.ts';
import type { Cage } from '../../../src/edit/types.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { createTriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { ball, fork, meshOf, type Soup } from '../../solid/meshes.ts';

/** A pose of a cage and of its surface. */
export interface CagePose {
  readonly controls: Float64Array;
  readonly positions: Float64Array;
}

/** Moves every vertex of the cage, given as three numbers at rest; `part` is that of its tetrahedra. */
export function poseCage(
  cage: Cage,
  move: (x: number, y: number, z: number, part: number) => readonly number[],
): CagePose {
  const { positions: rest, tetrahedra } = cage.tetrahedra;
  const part = new Uint32Array(rest.length / 3);
  for (let i = 0; i < tetrahedra.length; i++) part[tetrahedra[i]] = cage.component[Math.trunc(i / 4)];
  const controls = new Float64Array(rest.length);
  for (let v = 0; v < part.length; v++) {
    controls.set(move(rest[3 * v], rest[3 * v + 1], rest[3 * v + 2], part[v]), 3 * v);
  }
  return { controls, positions: surfaceOf(cage, controls) };
}

export function surfaceOf({ surface, embedding }: Cage, controls: Float64Array): Float64Array {
  const { controls: corners, weights } = embedding;
  return Float64Array.from({ length: 3 * surface.vertexCount }, (_, i) => {
    const v = Math.trunc(i / 3);
    let sum = 0;
    for (let j = 4 * v; j < 4 * v + 4; j++) sum += weights[j] * controls[3 * corners[j] + (i % 3)];
    return sum;
  });
}

/** Four triangles for every one, `times` times. */
export function refined(soup: Soup, times: number): TriangleMesh {
  let { positions, triangles } = soup;
  for (let k = 0; k < times; k++) {
    const middles = new Map<string, number>();
    const points = positions.slice();
    const next: number[] = [];
    const middle = (a: number, b: number) => {
      const key = `${Math.min(a, b)},${Math.max(a, b)}`;
      let m = middles.get(key);
      if (m === undefined) {
        m = points.length / 3;
        for (let j = 0; j < 3; j++) points.push((points[3 * a + j] + points[3 * b + j]) / 2);
        middles.set(key, m);
      }
      return m;
    };
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = triangles.slice(t, t + 3);
      const d = middle(a, b),
        e = middle(b, c),
        f = middle(c, a);
      next.push(a, d, f, d, b, e, f, e, c, d, e, f);
    }
    positions = points;
    triangles = next;
  }
  return createTriangleMesh({ positions, triangles });
}

/** A fork whose prongs can be pressed together: x across, z along them, between −1/2 and 1/2. */
export function forkCage(gap = 0.2, cellSize = 0.08, times = 1): Cage {
  return createCage(refined(fork(gap, 8), times), { cellSize });
}

/** Bends both prongs of a fork towards each other; at `amount` 1 each tip comes to the middle of the gap and 0.1 on. */
export function squeezed(cage: Cage, amount: number, gap = 0.2): CagePose {
  return poseCage(cage, (x, y, z) => {
    const up = Math.max(0, (z + 0.25) / 0.75);
    return [x - Math.sign(x) * amount * (gap / 2 + 0.1) * up * up, y, z];
  });
}

/** Two balls of radius 1/4 that lie 1/11 apart along x, as two parts of one cage. */
export function twoBalls(frequency = 6, cellSize = 0.1): Cage {
  const apart = meshOf(ball(frequency, 0.25, [-0.3, 0, 0]), ball(frequency, 0.25, [0.3, 0, 0]));
  return createCage(apart, { cellSize, attach: false });
}

/** The right one of two balls moved to the left by dx, and by dy. */
export function pushedBalls(cage: Cage, dx: number, dy = 0): CagePose {
  const { embedding, surface, component } = cage;
  let right = 0;
  for (let v = 0; v < surface.vertexCount; v++) {
    if (surface.positions[3 * v] > 0.2) right = component[embedding.tetrahedron[v]];
  }
  return poseCage(cage, (x, y, z, part) => (part === right ? [x - dx, y + dy, z] : [x, y, z]));
}

/** A bar along x, an upright diamond in section, with `count` lengths; turned, it lies along y. */
function bar(isTurned: boolean, middle: number, count = 3): Soup {
  const positions: number[] = [],
    triangles: number[] = [];
  const ring = [
    [0, 0.12],
    [-0.12, 0],
    [0, -0.12],
    [0.12, 0],
  ];
  for (let i = 0; i <= count; i++) {
    for (const [side, up] of ring) {
      const along = i / count - 0.5;
      positions.push(...(isTurned ? [-side, along] : [along, side]), middle + up);
    }
  }
  const quad = (a: number, b: number, c: number, d: number) => triangles.push(a, b, c, a, c, d);
  quad(0, 1, 2, 3);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 4; k++)
      quad(4 * i + k, 4 * i + 4 + k, 4 * i + 4 + ((k + 1) % 4), 4 * i + ((k + 1) % 4));
  }
  quad(4 * count + 3, 4 * count + 2, 4 * count + 1, 4 * count);
  return { positions, triangles };
}

/** Two bars across each other, 0.06 apart: the ridge of the lower one, part 0 or 1, faces the keel of the upper one. */
export function crossedBars(): Cage {
  return createCage(meshOf(bar(false, -0.15), bar(true, 0.15)), { cellSize: 0.1, attach: false });
}

/** The upper bar moved down. */
export function loweredBar(cage: Cage, by: number): CagePose {
  const { embedding, surface, component } = cage;
  let upper = 0;
  for (let v = 0; v < surface.vertexCount; v++) {
    if (surface.positions[3 * v + 2] > 0.2) upper = component[embedding.tetrahedron[v]];
  }
  return poseCage(cage, (x, y, z, part) => [x, y, part === upper ? z - by : z]);
}
