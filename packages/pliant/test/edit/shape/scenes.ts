import { createShape } from '../../../src/edit/create-shape.ts';
import type { Shape } from '../../../src/edit/shape.ts';
import type { ShapeOptions } from '../../../src/edit/shape-options.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { box, fork, type Soup } from '../../solid/meshes.ts';
import { refined } from '../contact/scenes.ts';

/** A bar along x from −1 to 1, a fifth thick, of some hundred triangles. */
export function barMesh(times = 4): TriangleMesh {
  return refined(box([-1, -0.2, -0.2], [1, 0.2, 0.2]), times);
}

export function createBar(options: ShapeOptions = {}): Promise<Shape> {
  return createShape(barMesh(), { cage: { vertices: 400 }, hierarchy: { manipulators: 12 }, ...options });
}

/** Two prongs, 0.2 apart, and where their tips are. */
export function forkMesh(gap = 0.2): { mesh: TriangleMesh; tips: [number, number]; soup: Soup } {
  const soup = fork(gap, 8);
  return { mesh: refined(soup, 2), tips: soup.tips, soup };
}

export async function createFork(options: ShapeOptions = {}, gap = 0.2) {
  const { mesh, tips } = forkMesh(gap);
  const shape = await createShape(mesh, {
    cage: { vertices: 900 },
    hierarchy: { manipulators: 20 },
    ...options,
  });
  return { shape, mesh, tips };
}

/** The vertex of the surface that is nearest to a place at rest. */
export function vertexNear(mesh: TriangleMesh, x: number, y: number, z: number): number {
  let best = 0,
    least = Infinity;
  const { positions: p } = mesh;
  for (let v = 0; v < mesh.vertexCount; v++) {
    const squared = (p[3 * v] - x) ** 2 + (p[3 * v + 1] - y) ** 2 + (p[3 * v + 2] - z) ** 2;
    if (squared < least) {
      least = squared;
      best = v;
    }
  }
  return mesh.sourceVertex[best];
}

export function diagonalOf({ positions }: TriangleMesh): number {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]));
  return largest;
}

/** Drags both tips of a fork towards each other and beyond, then lets the shape settle. */
export function squeeze(
  shape: Shape,
  mesh: TriangleMesh,
  { by = 0.16, steps = 20, settle = 60 } = {},
): { movements: number[] } {
  const left = shape.addHandle(vertexNear(mesh, 0.1, 0.12, 1)),
    right = shape.addHandle(vertexNear(mesh, 0.9, 0.12, 0.97)),
    base = [vertexNear(mesh, 0, 0, 0), vertexNear(mesh, 1, 0, 0), vertexNear(mesh, 0.5, 0.25, 0)];
  for (const vertex of base) shape.addHandle(vertex);
  const a = left.target,
    b = right.target;
  for (let k = 1; k <= steps; k++) {
    const s = (by * k) / steps;
    left.moveTo([a[0] + s, a[1], a[2]]);
    right.moveTo([b[0] - s, b[1], b[2]]);
    shape.step();
  }
  const movements: number[] = [];
  for (let k = 0; k < settle; k++) movements.push(shape.step().movement);
  return { movements };
}
