import { createVertexTriangles, type VertexTriangles } from './adjacency.ts';
import {
  checkArray,
  checkCoordinates,
  checkCount,
  checkIndices,
  checkNumbers,
  checkObject,
  describe,
  meshAddress,
  type NumberArray,
} from './check-input.ts';
import { findComponents } from './components.ts';
import {
  countDegenerateTriangles,
  countDuplicateTriangles,
  countEdges,
  countUnusedVertices,
  type MeshDefects,
} from './defects.ts';
import { InputError } from './input-error.ts';
import { keepVertices, type VertexAttribute, weldVertices } from './weld.ts';

export type { VertexTriangles } from './adjacency.ts';
export type { MeshDefects } from './defects.ts';
export type { VertexAttribute } from './weld.ts';

/**
 * Triangles in their rest shape. Only `createTriangleMesh` makes one: it checks everything once, and
 * behind it the arrays are trusted.
 *
 * Vertices are *welded*: source vertices with equal rest position (and equal `attributes`) are one.
 * Triangle ids are those of the source; degenerate and duplicate triangles keep theirs.
 */
export interface TriangleMesh {
  readonly name: string;
  readonly vertexCount: number; // after welding
  readonly triangleCount: number;
  readonly positions: Float64Array; // 3 per welded vertex; −0 is stored as 0
  readonly triangles: Uint32Array; // 3 welded vertices per triangle
  readonly sourceVertexCount: number;
  readonly weldedVertex: Uint32Array; // source vertex -> welded vertex
  readonly sourceVertex: Uint32Array; // welded vertex -> the first source vertex welded into it
  readonly adjacency: VertexTriangles;
  readonly edgeCount: number; // between distinct welded vertices
  readonly componentCount: number;
  readonly component: Uint32Array; // per triangle; triangles that share a vertex share a component
  readonly isClosed: boolean; // every edge has two triangles, which run along it in opposite directions
  readonly defects: MeshDefects;
}

/** Plain arrays; they are copied, so the caller may change or reuse them afterwards. */
export interface TriangleMeshSource {
  /** x, y, z per vertex. */
  positions: NumberArray;
  /** Three vertices per triangle. */
  triangles: NumberArray;
  /** Appears in messages. Default: ''. */
  name?: string;
  /** What must be equal, beside the position, before two vertices are welded. Default: none. */
  attributes?: readonly VertexAttribute[];
  /** False keeps equal vertices apart; triangles then neighbour only by index. Default: true. */
  weld?: boolean;
}

/**
 * Checks the source and prepares what every query needs. Throws InputError with an address; at most 2^26
 * vertices and 2^26 triangles, coordinates up to 2^300.
 */
export function createTriangleMesh(source: TriangleMeshSource): TriangleMesh {
  const checked = checkSource(source);
  const { name, attributes } = checked;
  const sourcePositions = copyWithoutNegativeZero(checked.positions);
  const sourceVertexCount = sourcePositions.length / 3;
  const { weldedVertex, sourceVertex } = checked.weld
    ? weldVertices(sourcePositions, attributes)
    : keepVertices(sourceVertexCount);
  const vertexCount = sourceVertex.length;
  const positions = vertexCount < sourceVertexCount ? gather(sourcePositions, sourceVertex) : sourcePositions;
  const triangles = Uint32Array.from(checked.triangles as ArrayLike<number>);
  for (let i = 0; i < triangles.length; i++) triangles[i] = weldedVertex[triangles[i]];

  const adjacency = createVertexTriangles(triangles, vertexCount);
  const { edges, ...edgeDefects } = countEdges(triangles, adjacency);
  const { boundaryEdges, nonManifoldEdges, flippedEdges } = edgeDefects;
  return {
    name,
    vertexCount,
    triangleCount: triangles.length / 3,
    positions,
    triangles,
    sourceVertexCount,
    weldedVertex,
    sourceVertex,
    adjacency,
    edgeCount: edges,
    ...findComponents(triangles, vertexCount),
    isClosed: edges > 0 && boundaryEdges + nonManifoldEdges + flippedEdges === 0,
    defects: {
      ...edgeDefects,
      duplicateTriangles: countDuplicateTriangles(triangles),
      degenerateTriangles: countDegenerateTriangles(positions, triangles),
      unusedVertices: countUnusedVertices(adjacency),
      weldedVertices: sourceVertexCount - vertexCount,
    },
  };
}

/** Lengths before contents: a sparse array of a billion holes is refused without a walk. */
function checkSource(source: TriangleMeshSource): Required<TriangleMeshSource> {
  checkObject('the mesh source', source);
  const { positions, triangles, name = '', attributes = [], weld = true } = source;
  const where = meshAddress(name);
  checkArray(`${where}positions`, positions);
  const vertexCount = checkCount(`${where}positions`, positions, 3);
  checkArray(`${where}triangles`, triangles);
  checkCount(`${where}triangles`, triangles, 3);
  checkCoordinates(`${where}positions`, positions);
  checkIndices(where, 'triangle', 3, triangles, vertexCount);
  checkAttributes(where, attributes, vertexCount);
  if (typeof weld !== 'boolean') {
    throw new InputError('wrong-type', `${where}weld must be true or false, not ${describe(weld)}`);
  }
  return { positions, triangles, name, attributes, weld };
}

function checkAttributes(where: string, attributes: unknown, vertexCount: number): void {
  if (!Array.isArray(attributes)) {
    throw new InputError('wrong-type', `${where}attributes must be an array, not ${describe(attributes)}`);
  }
  for (let i = 0; i < attributes.length; i++) {
    checkObject(`${where}attributes[${i}]`, attributes[i]);
    const { data, itemSize, name } = attributes[i] as Partial<VertexAttribute>;
    const what = `${where}${typeof name === 'string' && name !== '' ? name : `attributes[${i}]`}`;
    if (typeof itemSize !== 'number' || !Number.isInteger(itemSize) || itemSize < 1) {
      throw new InputError(
        'wrong-type',
        `${what}: itemSize must be a positive integer, not ${describe(itemSize)}`,
      );
    }
    checkNumbers(what, data, itemSize * vertexCount);
  }
}

/** Equal numbers then have equal bits. */
function copyWithoutNegativeZero(values: NumberArray): Float64Array {
  const copy = Float64Array.from(values as ArrayLike<number>);
  for (let i = 0; i < copy.length; i++) copy[i] += 0;
  return copy;
}

function gather(positions: Float64Array, vertices: Uint32Array): Float64Array {
  const gathered = new Float64Array(3 * vertices.length);
  for (let v = 0; v < vertices.length; v++) {
    const o = 3 * vertices[v];
    gathered[3 * v] = positions[o];
    gathered[3 * v + 1] = positions[o + 1];
    gathered[3 * v + 2] = positions[o + 2];
  }
  return gathered;
}
