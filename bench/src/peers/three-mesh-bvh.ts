import { BufferAttribute, BufferGeometry, Matrix4 } from 'three';
import { AVERAGE, CENTER, ExtendedTriangle, MeshBVH, SAH } from 'three-mesh-bvh';
import type { Contender } from '../measure.ts';
import type { Track } from '../scenes.ts';
import { bestTimeOf } from '../stopwatch.ts';

/** How three-mesh-bvh is used. */
export interface PeerConfiguration {
  readonly strategy: 'center' | 'average' | 'sah';
  readonly leafSize: number;
  readonly indirect: boolean;
  /**
   * Which callback of `bvhcast` does the work. 'triangles' is the documented one: it is handed triangles that
   * are already loaded. 'ranges' is more than its users write: our own loop over the triangles of two leaves,
   * which sees every pair of leaves once and loads only what must be tested; a third faster.
   */
  readonly callback: 'triangles' | 'ranges';
}

/**
 * three-mesh-bvh on the same frames: positions are written, `refit`, and `bvhcast` of the tree with itself. It
 * meets every pair twice; those with i ≥ j and those that share a vertex are left aside before its own triangle
 * test. Its answers are float64 arithmetic with tolerances on float32 positions: compared by count only.
 */
export class ThreeMeshBvhPeer implements Contender {
  readonly name: string;
  readonly configuration: PeerConfiguration;
  /** Places in the index of the triangles found, two per pair, and how many pairs. */
  readonly found: number[] = [];

  readonly #bvh: MeshBVH;
  readonly #position: Float32Array;
  readonly #index: Uint32Array;
  readonly #poses: readonly Float32Array[];
  readonly #indirect: Uint32Array | undefined;
  readonly #callbacks: Parameters<MeshBVH['bvhcast']>[2];

  constructor(track: Track, configuration: PeerConfiguration, poses = weldedPoses(track)) {
    const { mesh } = track;
    const { strategy, leafSize, indirect, callback } = configuration;
    this.name = `three-mesh-bvh (${callback})`;
    this.configuration = configuration;
    this.#poses = poses;
    this.#position = Float32Array.from(mesh.positions);
    this.#index = mesh.triangles.slice(); // reordered by the builder unless indirect
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(this.#position, 3));
    geometry.setIndex(new BufferAttribute(this.#index, 1));
    this.#bvh = new MeshBVH(geometry, { strategy: STRATEGIES[strategy], targetLeafSize: leafSize, indirect });
    if (indirect) {
      const { resolveTriangleIndex } = this.#bvh;
      this.#indirect = Uint32Array.from({ length: mesh.triangleCount }, (_, i) => resolveTriangleIndex(i));
    }
    this.#callbacks = callback === 'triangles' ? this.#triangles() : this.#ranges();
  }

  run(frame: number): void {
    this.#position.set(this.#poses[frame]);
    this.#bvh.refit();
    this.found.length = 0;
    this.#bvh.bvhcast(this.#bvh, IDENTITY, this.#callbacks);
  }

  answer(): undefined {
    return undefined;
  }

  get pairCount(): number {
    return this.found.length / 2;
  }

  /** Triangle ids of the mesh, i < j, sorted as ours are. */
  sortedPairs({ mesh }: Track): [number, number][] {
    const original = this.configuration.indirect ? undefined : originalTriangles(mesh.triangles, this.#index);
    const idOf = (k: number) => original?.[k] ?? k;
    const pairs: [number, number][] = [];
    for (let k = 0; k < this.found.length; k += 2) {
      const i = idOf(this.found[k]),
        j = idOf(this.found[k + 1]);
      pairs.push(i < j ? [i, j] : [j, i]);
    }
    return pairs.sort((s, t) => s[0] - t[0] || s[1] - t[1]);
  }

  #triangles(): Parameters<MeshBVH['bvhcast']>[2] {
    const index = this.#index,
      indirect = this.#indirect,
      found = this.found;
    return {
      intersectsTriangles(first, second, i1, i2) {
        const i = indirect ? indirect[i1] : i1,
          j = indirect ? indirect[i2] : i2;
        if (i >= j || shareVertex(index, i, j)) return false;
        if (first.intersectsTriangle(second)) found.push(i, j);
        return false;
      },
    };
  }

  #ranges(): Parameters<MeshBVH['bvhcast']>[2] {
    const index = this.#index,
      position = this.#position,
      indirect = this.#indirect,
      found = this.found;
    const first = new ExtendedTriangle(),
      second = new ExtendedTriangle();
    return {
      intersectsRanges(offset1, count1, offset2, count2) {
        if (offset1 > offset2) return false; // the same two leaves come the other way round as well
        for (let i1 = offset1; i1 < offset1 + count1; i1++) {
          const i = indirect ? indirect[i1] : i1;
          let isLoaded = false;
          for (let i2 = offset1 === offset2 ? i1 + 1 : offset2; i2 < offset2 + count2; i2++) {
            const j = indirect ? indirect[i2] : i2;
            if (shareVertex(index, i, j)) continue;
            if (!isLoaded) loadTriangle(first, index, position, i);
            isLoaded = true;
            loadTriangle(second, index, position, j);
            if (first.intersectsTriangle(second)) found.push(i, j);
          }
        }
        return false;
      },
    };
  }
}

const IDENTITY = new Matrix4();
export const STRATEGIES = { center: CENTER, average: AVERAGE, sah: SAH };

export function shareVertex(index: Uint32Array, i: number, j: number): boolean {
  const a = index[3 * i],
    b = index[3 * i + 1],
    c = index[3 * i + 2];
  const d = index[3 * j],
    e = index[3 * j + 1],
    f = index[3 * j + 2];
  return a === d || a === e || a === f || b === d || b === e || b === f || c === d || c === e || c === f;
}

function loadTriangle(out: ExtendedTriangle, index: Uint32Array, position: Float32Array, t: number): void {
  const a = 3 * index[3 * t],
    b = 3 * index[3 * t + 1],
    c = 3 * index[3 * t + 2];
  out.a.set(position[a], position[a + 1], position[a + 2]);
  out.b.set(position[b], position[b + 1], position[b + 2]);
  out.c.set(position[c], position[c + 1], position[c + 2]);
  out.needsUpdate = true;
}

/** The fastest configuration on a frame in the middle of the track, for one of the callbacks. */
export function chooseConfiguration(
  track: Track,
  callback: PeerConfiguration['callback'],
  leafSizes: readonly number[] = LEAF_SIZES,
): PeerConfiguration {
  const poses = weldedPoses(track);
  const frame = Math.floor(poses.length / 2);
  let best: PeerConfiguration | undefined;
  let bestTime = Infinity;
  const attempt = (configuration: PeerConfiguration) => {
    const peer = new ThreeMeshBvhPeer(track, configuration, poses);
    const time = bestTimeOf(2, () => peer.run(frame));
    if (time < bestTime) {
      bestTime = time;
      best = configuration;
    }
  };
  for (const strategy of ['center', 'average', 'sah'] as const) {
    for (const leafSize of leafSizes) attempt({ strategy, leafSize, indirect: false, callback });
  }
  attempt({ ...best!, indirect: true });
  return best!;
}

const LEAF_SIZES = [1, 2, 4, 10];

export function describeConfiguration({ strategy, leafSize, indirect, callback }: PeerConfiguration): string {
  return `${callback} callback, ${strategy}, leaf size ${leafSize}${indirect ? ', indirect' : ''}`;
}

/** Positions of the welded vertices: of welded vertices the first one counts, as for us. */
function weldedPoses({ mesh, poses }: Track): Float32Array[] {
  return poses.map((pose) => {
    const welded = new Float32Array(3 * mesh.vertexCount);
    for (let v = 0; v < mesh.vertexCount; v++) {
      const source = 3 * mesh.sourceVertex[v];
      welded[3 * v] = pose[source];
      welded[3 * v + 1] = pose[source + 1];
      welded[3 * v + 2] = pose[source + 2];
    }
    return welded;
  });
}

/** Which triangle of the mesh stands at each place of a reordered index. Equal triangles keep their order. */
export function originalTriangles(triangles: Uint32Array, index: Uint32Array): Uint32Array {
  const waiting = new Map<string, number[]>();
  for (let t = triangles.length / 3 - 1; t >= 0; t--) {
    const key = triangles.subarray(3 * t, 3 * t + 3).join();
    const list = waiting.get(key);
    if (list) list.push(t);
    else waiting.set(key, [t]);
  }
  return Uint32Array.from(
    { length: index.length / 3 },
    (_, k) => waiting.get(index.subarray(3 * k, 3 * k + 3).join())!.pop()!,
  );
}
