import { checkNumbers, checkObject, describe, type NumberArray } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { checkOption } from '../shapes/shape.ts';

/** What nodes cannot enter. `friction` is 0 for ice; 1 stops what is pressed on it. Default: 0.5. */
export type Obstacle = PlaneObstacle | BallObstacle;

/** The side of a plane that its normal points to is free: n·x ≥ offset for a unit n. */
export interface PlaneObstacle {
  readonly kind: 'plane';
  normal: NumberArray;
  offset: number;
  friction?: number;
}

/** A ball, or with `hollow` everything outside one: a tank. */
export interface BallObstacle {
  readonly kind: 'ball';
  centre: NumberArray;
  radius: number;
  hollow?: boolean;
  friction?: number;
}

export function checkObstacle(obstacle: Obstacle): void {
  checkObject('obstacle', obstacle);
  checkOption('obstacle.friction', obstacle.friction ?? 0, 0, 1e6);
  if (obstacle.kind === 'plane') {
    checkNumbers('obstacle.normal', obstacle.normal, 3);
    checkOption('obstacle.offset', obstacle.offset, -1e150, 1e150);
    const [x, y, z] = obstacle.normal;
    if (x === 0 && y === 0 && z === 0) throw new InputError('bad-option', 'obstacle.normal is 0');
    return;
  }
  if (obstacle.kind !== 'ball') {
    throw new InputError(
      'bad-option',
      `obstacle.kind must be 'plane' or 'ball', not ${describe((obstacle as { kind: unknown }).kind)}`,
    );
  }
  checkNumbers('obstacle.centre', obstacle.centre, 3);
  checkOption('obstacle.radius', obstacle.radius, 0, 1e150);
}

/**
 * How deep a ball of `radius` around (x, y, z) is in the obstacle, 0 when it is not; the direction out goes to
 * `normal`.
 */
export function findDepth(
  obstacle: Obstacle,
  x: number,
  y: number,
  z: number,
  radius: number,
  normal: Float64Array,
): number {
  if (obstacle.kind === 'plane') {
    const nx = obstacle.normal[0],
      ny = obstacle.normal[1],
      nz = obstacle.normal[2];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    normal[0] = nx / length;
    normal[1] = ny / length;
    normal[2] = nz / length;
    const height = normal[0] * x + normal[1] * y + normal[2] * z - obstacle.offset;
    return Math.max(0, radius - height);
  }
  const dx = x - obstacle.centre[0],
    dy = y - obstacle.centre[1],
    dz = z - obstacle.centre[2];
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const sign = obstacle.hollow ? -1 : 1;
  const depth = obstacle.hollow ? distance + radius - obstacle.radius : obstacle.radius + radius - distance;
  if (depth <= 0) return 0;
  if (distance === 0) {
    normal.fill(0);
    normal[1] = 1; // any direction leads out
  } else {
    normal[0] = (sign * dx) / distance;
    normal[1] = (sign * dy) / distance;
    normal[2] = (sign * dz) / distance;
  }
  return depth;
}
