import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findSelfCollisions,
  type TriangleMesh,
} from '../../src/index.ts';
import { readMesh, readPc2 } from '../../src/io/index.ts';
import { isDegenerate } from '../../src/mesh/defects.ts';
import { createTetrahedralMesh } from '../../src/mesh/tetrahedral-mesh.ts';
import { hasSharedData, sharedFile } from '../io/shared-data.ts';
import { readGltfSoup } from './gltf-topology.ts';

type Pair = [number, number];

/** Lists and counts by CGAL's exact predicates: ../shared/data/README.md, section Truth. */
interface FileTruth {
  readonly triangles: number;
  readonly weldedUsedVertices: number;
  readonly selfIntersectingPairs?: number;
  readonly selfIntersectingPairsPerFrame?: number[];
  readonly pairs?: string;
}

interface BakedTruth {
  readonly source: string;
  readonly pairs: Pair[][];
}

const FULL = process.env.PLIANT_FULL !== undefined;
const files = hasSharedData ? readJson<{ files: Record<string, FileTruth> }>('truth/summary.json').files : {};
const meshes = Object.entries(files).filter(
  ([, { selfIntersectingPairs }]) => selfIntersectingPairs !== undefined,
);
const isGltf = ([path]: [string, FileTruth]) => /\.(glb|gltf)$/.test(path);
const BAKED = ['AnimatedMorphSphere', 'CesiumMan', 'Fox-Run', 'Horse', 'RobotExpressive-Dance'];

/**
 * Coplanar parts, posed by matrices: the count hangs on the last bits of the pose, and the collector's are not
 * known. (5197 and 5210 by two orders of the same sums; the list says 5135.)
 */
const UNSETTLED: Record<string, number> = { 'skinned/KayKit_Knight.glb': 100 };

const WAYS = [
  ['wasm', 'batch'],
  ['wasm', 'depth-first'],
  ['ts', 'batch'],
  ['ts', 'depth-first'],
] as const;

describe.skipIf(!hasSharedData)('pairs of real meshes are those of the truth lists', () => {
  const engines = {} as Record<'wasm' | 'ts', Engine>;
  const total = { meshes: 0, frames: 0, pairs: 0, answers: 0 };

  beforeAll(async () => {
    engines.wasm = await createEngine({ kernels: 'wasm' });
    engines.ts = await createEngine({ kernels: 'ts' });
  });
  afterAll(() => {
    const { meshes: count, frames, pairs, answers } = total;
    console.log(`truth: ${count} meshes, ${frames} frames, ${pairs} pairs; ${answers} answers compared`);
  });

  test('there are lists', () => {
    expect(meshes.length).toBe(47);
    expect(meshes.filter(([, { pairs }]) => pairs !== undefined).length).toBe(10);
  });

  test.each(meshes.filter((entry) => !isGltf(entry)))('%s', async (path, truth) => {
    const mesh = createTriangleMesh({ ...(await readSurface(path)), name: path });
    expect(mesh.triangleCount).toBe(truth.triangles);
    const expected = truth.pairs === undefined ? undefined : readJson<{ pairs: Pair[] }>(truth.pairs).pairs;
    expectMesh(mesh, truth.selfIntersectingPairs!, expected);
  });

  test.each(meshes.filter(isGltf))('%s in its default pose', async (path, truth) => {
    const mesh = createTriangleMesh({ ...(await readGltfSoup(path)), name: path });
    expect(mesh.triangleCount).toBe(truth.triangles);
    expect(mesh.vertexCount - mesh.defects.unusedVertices).toBe(truth.weldedUsedVertices);
    if (path in UNSETTLED) {
      const [pairs] = answersFor(mesh);
      expect(Math.abs(pairs.length - truth.selfIntersectingPairs!)).toBeLessThan(UNSETTLED[path]);
    } else expectMesh(mesh, truth.selfIntersectingPairs!, undefined);
  });

  test('sequences/kick_unfixed, every frame', async () => {
    const lists = readJson<{ pairsByFrame: Record<number, Pair[]> }>(
      'truth/pairs/kick_unfixed.pc2.json',
    ).pairsByFrame;
    await expectSequence('sequences/kick_unfixed', FULL ? 1 : 4, (frame) => lists[frame]);
  });

  test('sequences/tshirt_iter0', async () => {
    await expectSequence('sequences/tshirt_iter0', FULL ? 1 : 10, () => undefined);
  });

  test.each(BAKED)('baked/%s', async (name) => {
    const { source, pairs } = readJson<BakedTruth>(`baked/${name}.json`);
    const soup = await readGltfSoup(source);
    const cache = readPc2(sharedFile(`baked/${name}.pc2`), name);
    expect(cache.pointCount).toBe(soup.positions.length / 3);
    expect(cache.frameCount).toBe(pairs.length);
    const mesh = createTriangleMesh({ ...soup, name, weld: false });
    const bodies = createBodies(mesh);
    const pose = new Float64Array(soup.positions.length);
    for (let k = 0; k < cache.frameCount; k++) {
      cache.frame(k, pose);
      for (const [kernels, method] of WAYS) {
        bodies[kernels].setPose(pose);
        expect(comparable(bodies[kernels], mesh, pose, method), `frame ${k}, ${kernels} ${method}`).toEqual(
          pairs[k],
        );
        total.answers++;
      }
      total.frames++;
      total.pairs += pairs[k].length;
    }
    disposeAll(bodies);
  });

  function expectMesh(mesh: TriangleMesh, count: number, expected: Pair[] | undefined): void {
    const answers = answersFor(mesh);
    for (const pairs of answers) {
      expect(pairs.length).toBe(count);
      expect(pairs).toEqual(expected ?? answers[0]);
    }
    total.meshes++;
    total.pairs += count;
  }

  function answersFor(mesh: TriangleMesh): Pair[][] {
    const bodies = createBodies(mesh);
    const ways = FULL || mesh.triangleCount < 20_000 ? WAYS : WAYS.slice(0, 3);
    const answers = ways.map(([kernels, method]) =>
      comparable(bodies[kernels], mesh, mesh.positions, method),
    );
    disposeAll(bodies);
    const rigid = engines.wasm.createRigidBody(mesh);
    answers.push(comparable(rigid, mesh, mesh.positions, 'on-demand'));
    rigid.dispose();
    total.answers += answers.length;
    return answers;
  }

  /** Every frame in batch with wasm; every `step`-th, and those with a list, in all ways. */
  async function expectSequence(
    path: string,
    step: number,
    listOf: (frame: number) => Pair[] | undefined,
  ): Promise<void> {
    const surface = await readSurface(`${path}.obj`);
    const counts = files[`${path}.pc2`].selfIntersectingPairsPerFrame!;
    const cache = readPc2(sharedFile(`${path}.pc2`), path);
    expect([cache.frameCount, cache.pointCount]).toEqual([counts.length, surface.positions.length / 3]);
    const mesh = createTriangleMesh({ ...surface, name: path, weld: false });
    const bodies = createBodies(mesh);
    const pose = new Float64Array(surface.positions.length);
    for (let k = 0; k < cache.frameCount; k++) {
      cache.frame(k, pose);
      const list = listOf(k);
      const ways = k % step === 0 || list !== undefined ? WAYS : WAYS.slice(0, 1);
      let first: Pair[] | undefined;
      for (const [kernels, method] of ways) {
        bodies[kernels].setPose(pose);
        const found = comparable(bodies[kernels], mesh, pose, method);
        first ??= found;
        expect(found.length, `frame ${k}, ${kernels} ${method}`).toBe(counts[k]);
        expect(found, `frame ${k}, ${kernels} ${method}`).toEqual(list ?? first);
        total.answers++;
      }
      total.frames++;
      total.pairs += counts[k];
    }
    disposeAll(bodies);
  }

  function createBodies(mesh: TriangleMesh): Record<'wasm' | 'ts', Body> {
    return { wasm: engines.wasm.createFreeBody(mesh), ts: engines.ts.createFreeBody(mesh) };
  }
});

/** What the lists speak of: no exactly collinear faces, and no faces with a corner in the same place. */
function comparable(
  body: Body,
  { triangles }: TriangleMesh,
  positions: Float64Array,
  method: 'batch' | 'depth-first' | 'on-demand',
): Pair[] {
  const report = findSelfCollisions(body, { method });
  expect(report.method).toBe(method);
  return report.sortedPairs().filter(([i, j]) => {
    if (isDegenerate(positions, triangles, i) || isDegenerate(positions, triangles, j)) return false;
    const place = (t: number, c: number) => {
      const o = 3 * triangles[3 * t + c];
      return `${positions[o] + 0},${positions[o + 1] + 0},${positions[o + 2] + 0}`;
    };
    const places = [place(i, 0), place(i, 1), place(i, 2)];
    return ![0, 1, 2].some((c) => places.includes(place(j, c)));
  });
}

function disposeAll(bodies: Record<string, Body>): void {
  for (const body of Object.values(bodies)) body.dispose();
}

/** The triangles of a file, or the boundary of its tetrahedra. */
async function readSurface(path: string): Promise<{ positions: Float64Array; triangles: Uint32Array }> {
  const readSibling = async (name: string) => sharedFile(name);
  const file = await readMesh(sharedFile(path), path, { readSibling });
  if (file.kind === 'triangles') return file;
  const { positions, boundaryTriangles } = createTetrahedralMesh(file);
  return { positions, triangles: boundaryTriangles };
}

function readJson<T>(path: string): T {
  return JSON.parse(new TextDecoder().decode(sharedFile(path))) as T;
}
