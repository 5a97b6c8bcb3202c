import type { Random } from '../io/mutate.ts';

/** A mesh as readers hand it over: valid, however odd. */
export interface ExtremeMesh {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
}

type Make = (size: number, random: Random) => ExtremeMesh;

/** Valid topologies and shapes that cost a careless program the square of their size. */
export const EXTREME_MESHES: Readonly<Record<string, Make>> = {
  /** One vertex in all triangles, in a plane: a polygon with many corners. */
  fan: (size) => build(size + 2, (v) => (v === 0 ? [0, 0, 0] : circle(v, size + 1)), fanTriangle, size),
  /** One vertex in all triangles, in space. */
  star: (size, random) =>
    build(
      1 + 2 * size,
      (v) => (v === 0 ? [0, 0, 0] : somewhere(random)),
      (t) => [0, 2 * t + 1, 2 * t + 2],
      size,
    ),
  /** One edge in all triangles. */
  book: (size) =>
    build(
      2 + size,
      (v) => (v < 2 ? [0, 0, v] : circle(v, size, 0.5)),
      (t) => [0, 1, t + 2],
      size,
    ),
  /** One triangle, listed many times. */
  copies: (size) =>
    build(
      3,
      (v) => [v === 1 ? 1 : 0, v === 2 ? 1 : 0, 0],
      () => [0, 1, 2],
      size,
    ),
  /** Copies with vertices of their own, which readers weld or do not. */
  'unwelded copies': (size) =>
    build(3 * size, (v) => [v % 3 === 1 ? 1 : 0, v % 3 === 2 ? 1 : 0, 0], corners, size),
  /** Triangles without area, all in one point. */
  'one point': (size) => build(3 * size, () => [1, 2, 3], corners, size),
  /** Triangles without area, all on one line, one beside the other. */
  'one line': (size) => build(3 * size, (v) => [v, 2 * v, -v], corners, size),
  /** A long strip, folded into layers that nearly touch. */
  zigzag: (size) =>
    build(
      size + 2,
      (v) => [v % 2, Math.abs((v % 128) - 64), 1e-9 * Math.floor(v / 128)],
      (t) => [t, t + 1, t + 2],
      size,
    ),
  /** Long thin triangles that overlap in their boxes and nowhere else. */
  needles: (size) =>
    build(
      3 * size,
      (v) => [
        (v % 3) * 100,
        (v % 3) * 100 + Math.floor(v / 3) * 1e-3,
        (v % 3 === 2 ? 1e-6 : 0) + Math.floor(v / 3) * 1e-4,
      ],
      corners,
      size,
    ),
  /** A mesh of small triangles and a few that are far away: its box says nothing about most of it. */
  'far away': (size, random) => {
    let centre = somewhere(random);
    return build(
      3 * size,
      (v) => {
        if (v < 9) return [1e30, v * 1e29, -1e30];
        if (v % 3 === 0) centre = somewhere(random);
        return somewhere(random).map((x, axis) => centre[axis] + 0.01 * x);
      },
      corners,
      size,
    );
  },
  /** Random triangles on few vertices, many of them neighbours, many in contact: the answer is large, so there are few. */
  crowded: (size, random) => {
    const triangle = () => [random.integer(24), random.integer(24), random.integer(24)];
    return build(24, () => somewhere(random), triangle, Math.min(size, 1500));
  },
};

/** Copies of `mesh` shrunk, flattened or thrown together: the end of a motion that collapses it. */
export function collapsedPositions({ positions }: ExtremeMesh, random: Random): Float64Array {
  const [x, y, z] = random.pick([
    [0, 0, 0],
    [1, 0, 1],
    [1, 0, 0],
    [1e-18, 1e-18, 1e-18],
  ]);
  return positions.map((value, k) => value * [x, y, z][k % 3] + 0.25);
}

function build(
  vertexCount: number,
  place: (v: number) => readonly number[],
  triangle: (t: number) => readonly number[],
  size: number,
): ExtremeMesh {
  const positions = new Float64Array(3 * vertexCount);
  for (let v = 0; v < vertexCount; v++) positions.set(place(v), 3 * v);
  const triangles = new Uint32Array(3 * size);
  for (let t = 0; t < size; t++) triangles.set(triangle(t), 3 * t);
  return { positions, triangles };
}

function corners(t: number): number[] {
  return [3 * t, 3 * t + 1, 3 * t + 2];
}

function fanTriangle(t: number): number[] {
  return [0, t + 1, t + 2];
}

function circle(v: number, count: number, z = 0): [number, number, number] {
  const angle = (2 * Math.PI * v) / count;
  return [Math.cos(angle), Math.sin(angle), z];
}

function somewhere(random: Random): [number, number, number] {
  return [
    random.integer(1 << 20) / (1 << 20),
    random.integer(1 << 20) / (1 << 20),
    random.integer(1 << 20) / (1 << 20),
  ];
}
