import type { EditedModel } from './model.ts';
import type { Obstacle, ObstacleKind, ObstacleMesh } from './obstacles.ts';

const NAMES: Readonly<Record<ObstacleKind, string>> = {
  ground: 'Ground',
  sphere: 'Sphere',
  capsule: 'Capsule',
  box: 'Box',
  mesh: 'Mesh',
};

/** A new obstacle beside the model, of a size that suits it; the ground lies under its lowest point. */
export function placeObstacle(
  kind: ObstacleKind,
  positions: ArrayLike<number>,
  before: readonly Obstacle[],
  given: { readonly mesh?: ObstacleMesh; readonly name?: string } = {},
): Obstacle {
  const { low, high } = boxOf(positions);
  const size = Math.max(...high.map((x, a) => x - low[a]));
  const middle = high.map((x, a) => (x + low[a]) / 2);
  const beside = [high[0] + 0.25 * size, middle[1], middle[2]];
  const at =
    kind === 'ground'
      ? [middle[0], low[1], middle[2]]
      : kind === 'mesh'
        ? besideOf(given.mesh!, high, middle)
        : beside;
  const id = 1 + Math.max(0, ...before.map((other) => other.id));
  const count = before.filter((other) => other.kind === kind).length;
  return {
    id,
    kind,
    name: given.name ?? (count === 0 ? NAMES[kind] : `${NAMES[kind]} ${count + 1}`),
    matrix: [1, 0, 0, at[0], 0, 1, 0, at[1], 0, 0, 1, at[2]],
    size: {
      ground: [],
      sphere: [0.15 * size],
      capsule: [0.08 * size, 0.2 * size],
      box: [0.12, 0.12, 0.12].map((s) => s * size),
      mesh: [],
    }[kind],
    ...(given.mesh ? { mesh: given.mesh } : {}),
  };
}

/** Low and high corner of all points. */
export function boxOf(positions: ArrayLike<number>): { low: number[]; high: number[] } {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return { low, high };
}

/** Points that triangles use: those inside of a solid do not count. */
export function boxOfModel({ positions, triangles }: Pick<EditedModel, 'positions' | 'triangles'>) {
  const used = new Float64Array(3 * triangles.length);
  triangles.forEach((v, k) => {
    used.set(positions.subarray(3 * v, 3 * v + 3), 3 * k);
  });
  return boxOf(used);
}

/** To the right of the model, on the same height and as far away. */
function besideOf(mesh: ObstacleMesh, high: readonly number[], middle: readonly number[]): number[] {
  const own = boxOfModel(mesh);
  const width = own.high[0] - own.low[0];
  const level = (a: number) => middle[a] - (own.low[a] + own.high[a]) / 2;
  return [high[0] + 0.1 * width - own.low[0], level(1), level(2)];
}
