import { createTriangleMesh, InputError } from 'pliant';
import type { ShapeObstacle } from 'pliant/edit';
import { createDistanceField, type DistanceField } from 'pliant/solid';

export type ObstacleKind = 'ground' | 'sphere' | 'capsule' | 'box' | 'mesh';

/** Something to push against, as plain data. It stands upright along its own y, and is then moved by `matrix`. */
export interface Obstacle {
  readonly id: number;
  readonly kind: ObstacleKind;
  readonly name: string;
  /** Rotation and translation, row-major 3×4. */
  readonly matrix: readonly number[];
  /** Sphere: radius. Capsule: radius, half of its length. Box: half sides. Ground and mesh: none. */
  readonly size: readonly number[];
  readonly mesh?: ObstacleMesh;
}

/** Never changed: states and projects share it. */
export interface ObstacleMesh {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
}

const SIZES: Readonly<Record<ObstacleKind, number>> = { ground: 0, sphere: 1, capsule: 2, box: 3, mesh: 0 };
const FIELD_RESOLUTION = 72;

/** Distance fields of meshes, as long as somebody holds the mesh: they take long. */
const fields = new WeakMap<ObstacleMesh, DistanceField>();

/** An obstacle as a shape wants it. */
export function shapeObstacleOf(obstacle: Obstacle): ShapeObstacle {
  const { kind, matrix: m, size } = obstacle;
  switch (kind) {
    case 'ground': {
      const normal = [m[1], m[5], m[9]];
      return { kind: 'plane', normal, offset: normal[0] * m[3] + normal[1] * m[7] + normal[2] * m[11] };
    }
    case 'sphere':
      return { kind: 'sphere', centre: [m[3], m[7], m[11]], radius: size[0] };
    case 'capsule': {
      const end = (side: number) => [0, 1, 2].map((a) => m[4 * a + 3] + side * size[1] * m[4 * a + 1]);
      return { kind: 'capsule', a: end(-1), b: end(1), radius: size[0] };
    }
    case 'box':
      return { kind: 'box', halfSize: [...size], matrix: [...m] };
    case 'mesh':
      return { kind: 'mesh', field: fieldOf(obstacle), matrix: [...m] };
  }
}

function fieldOf({ mesh, name }: Obstacle): DistanceField {
  if (mesh === undefined) throw new InputError('empty', `${name}: this obstacle has no surface`);
  let field = fields.get(mesh);
  if (field === undefined) {
    field = createDistanceField(createTriangleMesh({ ...mesh, name }), { resolution: FIELD_RESOLUTION });
    fields.set(mesh, field);
  }
  return field;
}

/** Errors: 'bad-option', for obstacles that come from a file. */
export function checkObstacle(obstacle: Obstacle): void {
  const { kind, matrix, size, name } = Object(obstacle) as Obstacle;
  const isWhole =
    Object.hasOwn(SIZES, kind) &&
    Array.isArray(matrix) &&
    matrix.length === 12 &&
    matrix.every(Number.isFinite) &&
    Array.isArray(size) &&
    size.length === SIZES[kind] &&
    size.every((side) => side > 0);
  if (!isWhole) throw new InputError('bad-option', `obstacle ${String(name)} is not what it should be`);
}
