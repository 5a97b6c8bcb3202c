import type { Kernels } from '../kernels/kernels.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { buildStaticFront, type FrontList } from './static-front.ts';
import type { Tree } from './tree.ts';

/**
 * What all bodies of one mesh share, in kernel memory. Triangles are in tree order (slots) and vertices in the
 * order in which the slots first use them, so that neighbours in space are neighbours in memory. Such a vertex
 * is called a *point*. Vertices that no triangle uses have no point.
 */
export class ResidentMesh {
  readonly mesh: TriangleMesh;
  readonly tree: Tree;
  readonly pointCount: number;
  readonly vertexOfPoint: Uint32Array; // welded vertex of each point
  readonly link: number; // addresses from here on; see Kernels for the layouts
  readonly corners: number;
  readonly sourceOfPoint: number;
  users = 0;
  /** What others keep beside the mesh, by name; freed with it. */
  readonly parts = new Map<string, { free(): void }>();
  /** Weights on this mesh that several bodies share. */
  readonly shared: SharedPart[] = [];

  readonly #kernels: Kernels;
  readonly #kept = new Map<{ free(): void }, number>(); // how many keep each
  #front: ResidentFront | undefined;
  #rest = 0;
  #staging = 0;
  #slotOfTriangle: Uint32Array | undefined;

  constructor(kernels: Kernels, mesh: TriangleMesh, tree: Tree) {
    const { memory } = kernels;
    const { triangleCount } = mesh;
    this.#kernels = kernels;
    this.mesh = mesh;
    this.tree = tree;
    const points = 4 * countPoints(mesh);
    // One more corner is readable.
    const pieces = memory.allocateAll(4 * tree.nodeCount, 4 * (3 * triangleCount + 1), points);
    [this.link, this.corners, this.sourceOfPoint] = pieces;
    memory.u32.set(tree.link, this.link >>> 2);
    const vertexOfPoint = numberPoints(mesh, tree, memory.u32, this.corners >>> 2);
    this.pointCount = vertexOfPoint.length;
    this.vertexOfPoint = vertexOfPoint;
    const sources = memory.u32;
    for (let p = 0; p < this.pointCount; p++) {
      sources[(this.sourceOfPoint >>> 2) + p] = mesh.sourceVertex[vertexOfPoint[p]];
    }
  }

  /** The inverse of `tree.order`. */
  get slotOfTriangle(): Uint32Array {
    if (this.#slotOfTriangle === undefined) {
      const { order } = this.tree;
      this.#slotOfTriangle = new Uint32Array(order.length);
      for (let slot = 0; slot < order.length; slot++) this.#slotOfTriangle[order[slot]] = slot;
    }
    return this.#slotOfTriangle;
  }

  /** Rest positions of the points; placed when first asked for, since free bodies never need them. */
  get rest(): number {
    if (this.#rest === 0) {
      const { memory } = this.#kernels;
      this.#rest = memory.allocate(24 * this.pointCount);
      const { f64 } = memory;
      const { positions } = this.mesh;
      for (let p = 0, o = this.#rest >>> 3; p < this.pointCount; p++, o += 3) {
        const v = 3 * this.vertexOfPoint[p];
        f64[o] = positions[v];
        f64[o + 1] = positions[v + 1];
        f64[o + 2] = positions[v + 2];
      }
    }
    return this.#rest;
  }

  /** Room for one pose, vertex by vertex as the caller has them: on the way to the points of a free body. */
  get staging(): number {
    if (this.#staging === 0) this.#staging = this.#kernels.memory.allocate(24 * this.mesh.sourceVertexCount);
    return this.#staging;
  }

  /** The static front; made when first asked for, since pair queries never need it. */
  get front(): ResidentFront {
    this.#front ??= placeFront(this.#kernels, this.tree, this.mesh);
    return this.#front;
  }

  /** Bytes of kernel memory, and of the tree beside it. */
  get bytes(): { resident: number; front: number; tree: number } {
    const { tree, pointCount, mesh } = this;
    const points =
      (this.#rest === 0 ? 4 : 28) * pointCount + (this.#staging === 0 ? 0 : 24) * mesh.sourceVertexCount;
    const front = this.#front;
    const lists = front ? [front.inner, front.leaf] : [];
    return {
      resident: 4 * tree.nodeCount + 12 * mesh.triangleCount + points,
      front: lists.reduce((sum, { list }) => sum + 8 * list.pairCount + 8 * tree.nodeCount, 0),
      tree: 12 * tree.nodeCount + 4 * tree.order.length + 4 * pointCount,
    };
  }

  /** Something whose memory goes with the mesh, or when it has been let go of as often as it was kept. */
  keep(part: { free(): void }): void {
    this.#kept.set(part, (this.#kept.get(part) ?? 0) + 1);
  }

  /** Undoes one `keep`. Does nothing after the mesh has gone. */
  letGo(part: { free(): void }): void {
    const users = this.#kept.get(part);
    if (users === undefined) return;
    if (users > 1) this.#kept.set(part, users - 1);
    else {
      this.#kept.delete(part);
      part.free();
    }
  }

  free(): void {
    const { memory } = this.#kernels;
    const { link, corners, sourceOfPoint } = this;
    for (const address of [link, corners, sourceOfPoint, this.#rest, this.#staging]) memory.free(address);
    if (this.#front) {
      memory.free(this.#front.inner.address);
      memory.free(this.#front.leaf.address);
    }
    for (const part of this.parts.values()) part.free();
    for (const part of this.shared) part.free();
    for (const part of this.#kept.keys()) part.free();
    this.#kept.clear();
    this.parts.clear();
    this.shared.length = 0;
  }
}

/** Something that several bodies of one mesh share. */
export interface SharedPart {
  users: number;
  free(): void;
}

export interface ResidentFront {
  readonly inner: { readonly list: FrontList; readonly address: number };
  readonly leaf: { readonly list: FrontList; readonly address: number };
  /** See StaticFront. */
  readonly isCoarse: boolean;
}

function placeFront(kernels: Kernels, tree: Tree, mesh: TriangleMesh): ResidentFront {
  const { inner, leaf, isCoarse } = buildStaticFront(tree, mesh);
  const [first, second] = kernels.memory.allocateAll(8 * inner.pairCount, 8 * leaf.pairCount);
  return { inner: place(kernels, inner, first), leaf: place(kernels, leaf, second), isCoarse };
}

/** Moves the pairs into kernel memory; the list keeps a view-free shell. */
function place({ memory }: Kernels, list: FrontList, address: number): { list: FrontList; address: number } {
  memory.u32.set(list.pairs, address >>> 2);
  return { list: { ...list, pairs: new Uint32Array(0) }, address };
}

/** Vertices of at least one triangle. */
function countPoints({ adjacency: { start } }: TriangleMesh): number {
  let count = 0;
  for (let v = 0; v + 1 < start.length; v++) if (start[v] < start[v + 1]) count++;
  return count;
}

/** Writes the corners of every slot and returns the vertex of each point. */
function numberPoints(mesh: TriangleMesh, tree: Tree, u32: Uint32Array, corners: number): Uint32Array {
  const pointOf = new Int32Array(mesh.vertexCount).fill(-1);
  const vertexOf = new Uint32Array(mesh.vertexCount);
  let count = 0;
  for (let slot = 0; slot < tree.order.length; slot++) {
    for (let k = 0; k < 3; k++) {
      const v = mesh.triangles[3 * tree.order[slot] + k];
      if (pointOf[v] < 0) {
        pointOf[v] = count;
        vertexOf[count++] = v;
      }
      u32[corners + 3 * slot + k] = pointOf[v];
    }
  }
  u32[corners + 3 * tree.order.length] = 0xffffffff; // nobody's vertex
  return vertexOf.slice(0, count);
}
