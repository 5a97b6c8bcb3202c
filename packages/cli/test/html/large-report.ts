import { chooseShownFrames, shownFramesLimit } from '../../src/html/choose-shown-frames.ts';
import type { ReportData, ReportMesh } from '../../src/html/report-data.ts';

const MESHES = 15,
  TRIANGLES = 500,
  JOINTS = 41,
  FRAMES = 2800,
  CONTACTS = 6000;

/** As large as KayKit_Knight with all its clips, but of numbers that compress badly. */
export function largeReport(): ReportData {
  const random = createRandom(7);
  const meshes = Array.from({ length: MESHES }, (_, k) => createMesh(k, random));
  const frames = Array.from({ length: FRAMES }, (_, k) => ({
    index: k % 40,
    clip: `clip ${Math.floor(k / 40)}`,
    time: (k % 40) / 30,
    count: CONTACTS + Math.floor(1000 * random()),
  }));
  const world = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  const shown = chooseShownFrames(frames, shownFramesLimit(meshes)).map((frame) => {
    const joints = Float32Array.from({ length: 12 * JOINTS }, random); // one skeleton moves all meshes
    const ids = Uint32Array.from({ length: 2 * frames[frame].count }, () =>
      Math.floor(random() * MESHES * TRIANGLES),
    );
    return { frame, pairs: ids, truncated: false, poses: meshes.map(() => ({ world, joints })) };
  });
  return {
    title: 'large',
    files: ['large.glb'],
    state: 'complete',
    settings: [],
    timings: [],
    clips: [...new Set(frames.map(({ clip }) => clip))],
    meshes,
    frames,
    shown,
    regionPairs: [],
    hits: Uint32Array.from({ length: MESHES * TRIANGLES }, () => Math.floor(FRAMES * random())),
  };
}

function createMesh(k: number, random: () => number): ReportMesh {
  const vertices = TRIANGLES;
  const names = Array.from({ length: JOINTS }, (_, joint) => `joint ${joint}`);
  return {
    name: `mesh ${k}`,
    node: k,
    firstTriangle: k * TRIANGLES,
    triangleCount: TRIANGLES,
    positions: Float32Array.from({ length: 3 * vertices }, random),
    triangles: Uint32Array.from({ length: 3 * TRIANGLES }, () => Math.floor(vertices * random())),
    regions: {
      names,
      ofTriangle: Uint16Array.from({ length: TRIANGLES }, () => Math.floor(JOINTS * random())),
    },
    skin: {
      influences: 4,
      joints: Uint16Array.from({ length: 4 * vertices }, () => Math.floor(JOINTS * random())),
      weights: Float32Array.from({ length: 4 * vertices }, random),
      jointNames: names,
    },
  };
}

/** Seeded, in [0, 1): mulberry32. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
