import type { Shape, ShapeOptions } from '../../packages/pliant/src/edit/index.ts';
import { createTriangleMesh, type TriangleMesh } from '../../packages/pliant/src/index.ts';
import {
  createFigure,
  createRabbit,
  createSheet,
  createTentacleBall,
} from '../../packages/pliant/src/shapes/index.ts';

/** A shape to edit and the drag that edits it. */
export interface ShapeScene {
  readonly name: string;
  readonly cageVertices: number;
  readonly manipulators: number;
  readonly options: ShapeOptions;
  createMesh(quick: boolean): TriangleMesh;
  /** Puts handles on the shape, and moves them: `share` of the drag is done, from 0 to 1. */
  begin(shape: Shape, mesh: TriangleMesh): (share: number) => void;
  /** What the issue asks for: ratios of the longest and the average step to the full space, and milliseconds. */
  readonly target: { maximum: number; average: number; milliseconds?: number; schur?: number };
  readonly paper: { maximum: number; average: number };
}

export const SHAPE_SCENES: readonly ShapeScene[] = [
  {
    name: 'figure-10k',
    cageVertices: 10_000,
    manipulators: 43,
    options: {},
    createMesh: (quick) => meshOf(createFigure({ triangles: quick ? 4000 : 30_000 })),
    begin: bringTogether([
      [0, 0.7, 0.5],
      [1, 0.7, 0.5],
    ]),
    target: { maximum: 5, average: 3, milliseconds: 16 },
    paper: { maximum: 5.3, average: 3.9 },
  },
  {
    name: 'rabbit-70k',
    cageVertices: 70_000,
    manipulators: 50,
    options: {},
    createMesh: (quick) => meshOf(createRabbit({ triangles: quick ? 4000 : 60_000 })),
    begin: bringTogether([
      [0.15, 1, 0.5],
      [0.85, 1, 0.5],
    ]),
    target: { maximum: 40, average: 13, milliseconds: 120, schur: 10 },
    paper: { maximum: 96, average: 26 },
  },
  {
    name: 'octopus-85k',
    cageVertices: 85_000,
    manipulators: 50,
    options: {},
    createMesh: (quick) =>
      meshOf(createTentacleBall({ triangles: quick ? 4000 : 60_000, tentacles: 12, length: 1.6 })),
    begin: bringTogether([
      [0.5, 1, 0.5],
      [0.9, 0.8, 0.5],
    ]),
    target: { maximum: 40, average: 10 },
    paper: { maximum: 109, average: 16 },
  },
  {
    name: 'cloth-12k',
    cageVertices: 12_000,
    manipulators: 100,
    options: {
      contact: {
        self: false,
        obstacles: [
          { kind: 'sphere', centre: [0.1, -0.32, 0], radius: 0.3 },
          { kind: 'capsule', a: [-0.4, -0.2, -0.3], b: [-0.4, -0.2, 0.3], radius: 0.15 },
        ],
      },
    },
    createMesh: (quick) => meshOf(createSheet({ cells: quick ? 24 : 90 })),
    begin: lowerCorners,
    target: { maximum: 15, average: 4 },
    paper: { maximum: 27, average: 5.2 },
  },
  {
    name: 'branches-111k',
    cageVertices: 111_000,
    manipulators: 200,
    options: {},
    createMesh: (quick) =>
      meshOf(createTentacleBall({ triangles: quick ? 8000 : 100_000, tentacles: 42, length: 1.5 })),
    begin: bringTogether([
      [0.5, 1, 0.5],
      [0.75, 0.95, 0.5],
      [0.25, 0.95, 0.5],
    ]),
    target: { maximum: 8, average: 2.4 },
    paper: { maximum: 8.5, average: 2.4 },
  },
];

function meshOf({ source }: { source: { positions: Float64Array; triangles: Uint32Array } }): TriangleMesh {
  return createTriangleMesh(source);
}

/** Handles near these places of the box, in shares of its sides, are drawn to their middle; four others stay. */
function bringTogether(places: readonly (readonly number[])[]) {
  return (shape: Shape, mesh: TriangleMesh) => {
    const taken = new Set<number>();
    const handleAt = (place: readonly number[]) => {
      const vertex = nearest(mesh, place);
      if (taken.has(vertex)) return undefined;
      taken.add(vertex);
      return shape.addHandle(vertex);
    };
    const moved = places.map(handleAt).filter((handle) => handle !== undefined);
    for (const place of [
      [0.2, 0, 0.2],
      [0.8, 0, 0.2],
      [0.2, 0, 0.8],
      [0.8, 0, 0.8],
    ]) {
      handleAt(place);
    }
    const from = moved.map(({ target }) => [...target]);
    const middle = [0, 1, 2].map((a) => from.reduce((sum, p) => sum + p[a] / from.length, 0));
    return (share: number) => {
      moved.forEach((handle, k) => {
        handle.moveTo(from[k].map((x, a) => x + 0.97 * share * (middle[a] - x)));
      });
    };
  };
}

/** The corners of a sheet go down, over what is below it. */
function lowerCorners(shape: Shape, mesh: TriangleMesh): (share: number) => void {
  const corners = [
    [0, 1, 0],
    [1, 1, 0],
    [0, 1, 1],
    [1, 1, 1],
  ].map((place) => shape.addHandle(nearest(mesh, place)));
  const from = corners.map(({ target }) => [...target]);
  return (share) => {
    corners.forEach((handle, k) => {
      const [x, y, z] = from[k];
      handle.moveTo([x * (1 - 0.35 * share), y - 0.3 * share, z * (1 - 0.2 * share)]);
    });
  };
}

function nearest(mesh: TriangleMesh, place: readonly number[]): number {
  const { positions: p, vertexCount } = mesh;
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < p.length; i++) {
    low[i % 3] = Math.min(low[i % 3], p[i]);
    high[i % 3] = Math.max(high[i % 3], p[i]);
  }
  let best = 0,
    least = Infinity;
  for (let v = 0; v < vertexCount; v++) {
    let squared = 0;
    for (let a = 0; a < 3; a++) squared += (p[3 * v + a] - low[a] - place[a] * (high[a] - low[a])) ** 2;
    if (squared < least) {
      least = squared;
      best = v;
    }
  }
  return mesh.sourceVertex[best];
}
