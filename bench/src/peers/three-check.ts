import { BufferAttribute, BufferGeometry, Matrix4, type Mesh, type Skeleton, type SkinnedMesh } from 'three';
import { MeshBVH, StaticGeometryGenerator } from 'three-mesh-bvh';
import { originalTriangles, type PeerConfiguration, STRATEGIES, shareVertex } from './three-mesh-bvh.ts';

export type CheckConfiguration = Pick<PeerConfiguration, 'strategy' | 'leafSize'>;

/** One node's mesh as the peer gets it. */
export interface PeerMesh {
  /** Vertices of the file that were welded are one here; places in the list of all vertices. */
  readonly index: Uint32Array;
  readonly positions: Float32Array; // at rest; written anew each frame where there are no `objects`
  readonly objects?: readonly Mesh[]; // one per primitive; none where positions are written
  readonly firstTriangle: number; // among all meshes of the scene
}

/**
 * The whole check of a frame as users of three.js and three-mesh-bvh write it: `StaticGeometryGenerator` bakes each
 * node's mesh as it stands, `refit`, `bvhcast` of every tree with itself and with every other one. Positions are all
 * it bakes. As with us, a mesh that keeps its shape is held against itself only once.
 */
export class ThreeCheck {
  readonly #items: Item[];
  readonly #skeletons: ReadonlySet<Skeleton>;
  readonly #triangleCount: number;
  readonly #keys: number[] = []; // i × triangleCount + j

  constructor(meshes: readonly PeerMesh[], triangleCount: number, configuration: CheckConfiguration) {
    this.#triangleCount = triangleCount;
    this.#items = meshes.map((mesh) => createItem(mesh, configuration));
    const objects = meshes.flatMap((mesh) => mesh.objects ?? []);
    this.#skeletons = new Set(objects.filter(isSkinned).map(({ skeleton }) => skeleton));
  }

  /** To be called when the scene stands as it is to be checked. Sorted pairs, as keys. */
  run(written: readonly (Float32Array | undefined)[]): Float64Array {
    const items = this.#items;
    this.#keys.length = 0;
    for (const skeleton of this.#skeletons) skeleton.update(); // as a renderer does; or nothing seems to have moved
    items.forEach((item, m) => {
      const { generator, geometry, bvh } = item;
      if (generator) generator.generate(geometry);
      else if (written[m]) (geometry.attributes.position.array as Float32Array).set(written[m]);
      bvh.refit();
    });
    items.forEach((item, m) => {
      for (const key of this.#findSelf(item)) this.#keys.push(key);
      for (let other = m + 1; other < items.length; other++) this.#findBetween(item, items[other]);
    });
    return Float64Array.from(this.#keys).sort();
  }

  #findSelf(item: Item): readonly number[] {
    if (item.keptSelf) return item.keptSelf;
    const { bvh, index, ids } = item;
    const found: number[] = [];
    const count = this.#triangleCount;
    bvh.bvhcast(bvh, IDENTITY, {
      intersectsTriangles(first, second, i, j) {
        if (i >= j || shareVertex(index, i, j)) return false;
        if (first.intersectsTriangle(second)) found.push(keyOf(ids[i], ids[j], count));
        return false;
      },
    });
    if (item.keepsShape) item.keptSelf = found;
    return found;
  }

  #findBetween(a: Item, b: Item): void {
    const keys = this.#keys;
    const count = this.#triangleCount;
    a.bvh.bvhcast(b.bvh, IDENTITY, {
      intersectsTriangles(first, second, i, j) {
        if (first.intersectsTriangle(second)) keys.push(keyOf(a.ids[i], b.ids[j], count));
        return false;
      },
    });
  }
}

interface Item {
  readonly generator: StaticGeometryGenerator | undefined;
  readonly geometry: BufferGeometry; // what is baked into
  readonly bvh: MeshBVH;
  readonly index: Uint32Array;
  readonly ids: Uint32Array; // of the triangles in the order of the tree
  readonly keepsShape: boolean;
  keptSelf: readonly number[] | undefined;
}

const IDENTITY = new Matrix4();

function createItem(mesh: PeerMesh, { strategy, leafSize }: CheckConfiguration): Item {
  const { positions, objects, firstTriangle } = mesh;
  const generator = objects && createGenerator(objects);
  const geometry = generator ? generator.generate() : new BufferGeometry();
  if (!generator) geometry.setAttribute('position', new BufferAttribute(positions.slice(), 3));
  const { position } = geometry.attributes;
  if (position.count !== positions.length / 3) {
    throw new Error(`three.js has ${position.count} vertices, not ${positions.length / 3}`);
  }
  const index = mesh.index.slice(); // reordered by the builder
  const welded = new BufferGeometry().setAttribute('position', position); // the same array
  welded.setIndex(new BufferAttribute(index, 1));
  const bvh = new MeshBVH(welded, { strategy: STRATEGIES[strategy], targetLeafSize: leafSize });
  const ids = originalTriangles(mesh.index, index).map((id) => id + firstTriangle);
  const keepsShape = objects?.every((object) => !isSkinned(object) && !object.morphTargetInfluences) ?? false;
  return { generator, geometry, bvh, index, ids, keepsShape, keptSelf: undefined };
}

function isSkinned(object: Mesh): object is SkinnedMesh {
  return 'isSkinnedMesh' in object;
}

function createGenerator(objects: readonly Mesh[]): StaticGeometryGenerator {
  const generator = new StaticGeometryGenerator([...objects]);
  generator.attributes = ['position'];
  generator.useGroups = false;
  return generator;
}

export function keyOf(i: number, j: number, triangleCount: number): number {
  return i < j ? i * triangleCount + j : j * triangleCount + i;
}
