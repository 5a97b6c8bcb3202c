import { createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';
import { chooseShownFrames } from '../../src/html/choose-shown-frames.ts';
import type {
  ReportData,
  ReportFrame,
  ReportMesh,
  ReportPose,
  ReportRegionPair,
  ReportShownFrame,
} from '../../src/html/report-data.ts';

export interface SampleOptions {
  /** How far the arm bends: 1 closes it to a ring that goes through itself, 0.3 touches nothing. Default: 1. */
  bend?: number;
  /** Frames per clip. Default: 24. */
  frames?: number;
  /** Frames with pictures. Default: all. */
  shown?: number;
}

const IDENTITY = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
const RINGS = 48,
  SIDES = 20,
  JOINTS = 4,
  LENGTH = 3.2,
  RADIUS = 0.28;

/** An arm with four joints that curls up, and a ball that swells beside it; contacts found by the library. */
export async function sampleReport(options: SampleOptions = {}): Promise<ReportData> {
  const { bend = 1, frames: perClip = 24, shown: limit = 2 * perClip } = options;
  const meshes = [createArm(0), createBall(2 * SIDES * (RINGS - 1))];
  const clips = ['Curl', 'Swell <fast> & "loud"'];
  const plan = clips.flatMap((clip, c) =>
    Array.from({ length: perClip }, (_, index) => ({ clip, c, index, share: index / (perClip - 1) })),
  );
  const poses = plan.map(({ c, share }) => posesAt(c, share, bend));
  const contacts = await findContacts(meshes, poses);
  const frames = plan.map(
    ({ clip, index }, k): ReportFrame => ({ index, clip, time: index / 30, count: contacts[k].length / 2 }),
  );
  return {
    title: 'sample.glb – contacts',
    files: ['sample.glb'],
    state: 'complete',
    settings: [
      { label: 'Frame rate', value: '30 per second' },
      { label: 'Scope', value: 'within and between meshes' },
    ],
    timings: [{ label: 'Check', value: '0.12 s, 400 frames per second' }],
    clips,
    meshes,
    frames,
    shown: chooseShownFrames(frames, limit).map(
      (frame): ReportShownFrame => ({ frame, pairs: contacts[frame], truncated: false, poses: poses[frame] }),
    ),
    regionPairs: countRegions(meshes, contacts),
    hits: countHits(meshes, contacts),
  };
}

function createArm(firstTriangle: number): ReportMesh {
  const positions: number[] = [],
    joints: number[] = [],
    weights: number[] = [];
  for (let ring = 0; ring < RINGS; ring++) {
    const y = (LENGTH * ring) / (RINGS - 1);
    const along = Math.min((y / LENGTH) * JOINTS, JOINTS - 1e-6);
    const near = Math.max(0, Math.floor(along - 0.5)),
      far = Math.min(JOINTS - 1, near + 1);
    const share = Math.min(1, Math.max(0, along - 0.5 - near));
    const radius = RADIUS * (ring === 0 || ring === RINGS - 1 ? 0.6 : 1);
    for (let side = 0; side < SIDES; side++) {
      const angle = (2 * Math.PI * side) / SIDES;
      positions.push(radius * Math.cos(angle), y, radius * Math.sin(angle));
      joints.push(near, far);
      weights.push(1 - share, share);
    }
  }
  const triangles = tubeTriangles();
  const ofTriangle = Uint16Array.from({ length: triangles.length / 3 }, (_, t) =>
    Math.min(JOINTS - 1, Math.floor((JOINTS * t * 3) / triangles.length)),
  );
  const names = ['Shoulder', 'Elbow', 'Wrist <b>', 'Hand & fingers'];
  return {
    name: 'Arm',
    node: 1,
    firstTriangle,
    triangleCount: triangles.length / 3,
    positions: Float32Array.from(positions),
    triangles,
    regions: { names, ofTriangle },
    skin: {
      influences: 2,
      joints: Uint16Array.from(joints),
      weights: Float32Array.from(weights),
      jointNames: names,
    },
  };
}

function tubeTriangles(): Uint32Array {
  const triangles: number[] = [];
  for (let ring = 0; ring < RINGS - 1; ring++) {
    for (let side = 0; side < SIDES; side++) {
      const a = ring * SIDES + side,
        b = ring * SIDES + ((side + 1) % SIDES);
      triangles.push(a, a + SIDES, b, b, a + SIDES, b + SIDES);
    }
  }
  return Uint32Array.from(triangles);
}

/** Rings of a sphere; morph 0 makes it larger. */
function createBall(firstTriangle: number): ReportMesh {
  const positions: number[] = [],
    triangles: number[] = [];
  const rows = 16;
  for (let row = 0; row <= rows; row++) {
    const polar = (Math.PI * row) / rows;
    for (let side = 0; side < SIDES; side++) {
      const angle = (2 * Math.PI * side) / SIDES;
      positions.push(Math.sin(polar) * Math.cos(angle), Math.cos(polar), Math.sin(polar) * Math.sin(angle));
    }
  }
  for (let row = 0; row < rows; row++) {
    for (let side = 0; side < SIDES; side++) {
      const a = row * SIDES + side,
        b = row * SIDES + ((side + 1) % SIDES);
      if (row > 0) triangles.push(a, b, a + SIDES);
      if (row < rows - 1) triangles.push(b, b + SIDES, a + SIDES);
    }
  }
  return {
    name: 'Ball </script>',
    node: 2,
    firstTriangle,
    triangleCount: triangles.length / 3,
    positions: Float32Array.from(positions, (value) => 0.3 * value),
    triangles: Uint32Array.from(triangles),
    regions: { names: [''], ofTriangle: new Uint16Array(triangles.length / 3) },
    morphs: { count: 1, deltas: Float32Array.from(positions, (value) => 0.3 * value) },
  };
}

function posesAt(clip: number, share: number, bend: number): ReportPose[] {
  const swing = Math.sin(Math.PI * share);
  const curl = clip === 0 ? swing * bend : 0.1 * bend;
  const swell = clip === 1 ? swing * bend : 0;
  const joints = new Float32Array(12 * JOINTS);
  let matrix = [...IDENTITY];
  for (let joint = 0; joint < JOINTS; joint++) {
    if (joint > 0) matrix = multiply(matrix, turnAt((LENGTH * joint) / JOINTS, 2.05 * curl));
    joints.set(matrix, 12 * joint);
  }
  const world = Float32Array.of(1, 0, 0, -0.85, 0, 1, 0, 1, 0, 0, 1, 0);
  return [
    { world: IDENTITY, joints },
    { world, morphWeights: Float32Array.of(swell * 1.1) },
  ];
}

/** A turn about the z axis through (0, y, 0). */
function turnAt(y: number, angle: number): number[] {
  const c = Math.cos(angle),
    s = Math.sin(angle);
  return [c, s, 0, -s * y, -s, c, 0, y - c * y, 0, 0, 1, 0];
}

function multiply(a: number[], b: number[]): number[] {
  return Array.from({ length: 12 }, (_, k) => {
    const row = 4 * Math.floor(k / 4),
      column = k % 4;
    const sum = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column];
    return column === 3 ? sum + a[row + 3] : sum;
  });
}

/** World positions, computed here without the page's code. */
export function posedPositions(mesh: ReportMesh, pose: ReportPose): Float64Array {
  const { positions, morphs, skin } = mesh;
  const result = new Float64Array(positions.length);
  for (let v = 0; v < positions.length / 3; v++) {
    let point = [0, 1, 2].map((k) => pose.positions?.[3 * v + k] ?? positions[3 * v + k]);
    for (let m = 0; m < (morphs?.count ?? 0); m++) {
      const weight = pose.morphWeights?.[m] ?? 0;
      point = point.map((value, k) => value + weight * morphs!.deltas[m * positions.length + 3 * v + k]);
    }
    if (skin && pose.joints) {
      const sum = [0, 0, 0];
      for (let i = v * skin.influences; i < (v + 1) * skin.influences; i++) {
        const moved = transform(pose.joints.subarray(12 * skin.joints[i], 12 * skin.joints[i] + 12), point);
        for (let k = 0; k < 3; k++) sum[k] += skin.weights[i] * moved[k];
      }
      point = sum;
    }
    result.set(transform(pose.world, point), 3 * v);
  }
  return result;
}

function transform(m: ArrayLike<number>, [x, y, z]: number[]): number[] {
  return [0, 4, 8].map((row) => m[row] * x + m[row + 1] * y + m[row + 2] * z + m[row + 3]);
}

async function findContacts(meshes: ReportMesh[], poses: ReportPose[][]): Promise<Uint32Array[]> {
  const positionsAt = (frame: ReportPose[]) =>
    joined(meshes.map((mesh, k) => posedPositions(mesh, frame[k])));
  const triangles: number[] = [];
  let vertices = 0;
  for (const mesh of meshes) {
    triangles.push(...Array.from(mesh.triangles, (v) => v + vertices));
    vertices += mesh.positions.length / 3;
  }
  const mesh = createTriangleMesh({
    name: 'sample',
    positions: positionsAt(poses[0]),
    triangles: Uint32Array.from(triangles),
  });
  const engine = await createEngine();
  const body = engine.createFreeBody(mesh);
  const found = poses.map((frame) => {
    body.setPose(positionsAt(frame));
    const report = findSelfCollisions(body);
    return report.pairs.slice(0, 2 * report.pairCount);
  });
  engine.dispose();
  return found;
}

function joined(parts: Float64Array[]): Float64Array {
  return Float64Array.from(parts.flatMap((part) => [...part]));
}

function regionOf(meshes: ReportMesh[], triangle: number): [number, number] {
  const mesh = meshes.findLastIndex(({ firstTriangle }) => firstTriangle <= triangle);
  return [mesh, meshes[mesh].regions.ofTriangle[triangle - meshes[mesh].firstTriangle]];
}

function countRegions(meshes: ReportMesh[], contacts: Uint32Array[]): ReportRegionPair[] {
  const found = new Map<
    string,
    { pair: [[number, number], [number, number]]; frames: Set<number>; pairs: number }
  >();
  contacts.forEach((pairs, frame) => {
    for (let k = 0; k < pairs.length; k += 2) {
      const pair = [regionOf(meshes, pairs[k]), regionOf(meshes, pairs[k + 1])] as [
        [number, number],
        [number, number],
      ];
      const key = pair.map(String).sort().join(' ');
      const entry = found.get(key) ?? { pair, frames: new Set(), pairs: 0 };
      found.set(key, entry);
      entry.frames.add(frame);
      entry.pairs++;
    }
  });
  return [...found.values()].map(({ pair: [a, b], frames, pairs }) => ({
    a,
    b,
    frames: frames.size,
    pairs,
    firstFrame: Math.min(...frames),
  }));
}

function countHits(meshes: ReportMesh[], contacts: Uint32Array[]): Uint32Array {
  const hits = new Uint32Array(meshes.reduce((sum, mesh) => sum + mesh.triangleCount, 0));
  for (const pairs of contacts) for (const triangle of new Set(pairs)) hits[triangle]++;
  return hits;
}
