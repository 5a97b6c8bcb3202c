/** A ring with a gap, and the two ways in which it is bent. */
export interface OpenRing {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
  readonly modes: { count: number; displacements: Float64Array };
}

const ALONG = 40;
const AROUND = 10;
const OPENING = 0.5; // half of the gap, in radians
const THICKNESS = 0.16;

/**
 * The first mode closes the gap, the second moves its ends apart sideways. Both grow with the square of the distance from
 * the middle of the ring, as the bending of a rod does.
 */
export function createOpenRing(): OpenRing {
  const points: number[] = [],
    closing: number[] = [],
    sideways: number[] = [];
  const angleAt = (k: number) => OPENING + ((2 * Math.PI - 2 * OPENING) * k) / ALONG;
  const add = (angle: number, x: number, y: number, z: number) => {
    points.push(x, y, z);
    const way = (angle - Math.PI) / (Math.PI - OPENING);
    const bent = way * Math.abs(way); // below 0: the upper arm
    closing.push(0, bent, 0);
    sideways.push(0, 0, -bent);
  };
  for (let k = 0; k <= ALONG; k++) {
    const angle = angleAt(k);
    for (let i = 0; i < AROUND; i++) {
      const turn = (2 * Math.PI * i) / AROUND;
      const radius = 1 + THICKNESS * Math.cos(turn);
      add(angle, radius * Math.cos(angle), radius * Math.sin(angle), THICKNESS * Math.sin(turn));
    }
  }
  for (const angle of [angleAt(0), angleAt(ALONG)]) add(angle, Math.cos(angle), Math.sin(angle), 0);
  const displacements = Float64Array.from([...closing, ...sideways]);
  return {
    positions: Float64Array.from(points),
    triangles: listTriangles(),
    modes: { count: 2, displacements },
  };
}

function listTriangles(): Uint32Array {
  const triangles: number[] = [];
  const at = (k: number, i: number) => k * AROUND + (i % AROUND);
  for (let i = 0; i < AROUND; i++) {
    for (let k = 0; k < ALONG; k++) {
      triangles.push(at(k, i), at(k, i + 1), at(k + 1, i));
      triangles.push(at(k, i + 1), at(k + 1, i + 1), at(k + 1, i));
    }
    const first = (ALONG + 1) * AROUND;
    triangles.push(first, at(0, i + 1), at(0, i), first + 1, at(ALONG, i), at(ALONG, i + 1));
  }
  return Uint32Array.from(triangles);
}
