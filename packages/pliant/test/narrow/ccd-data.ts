import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Labelled queries of one file; query i has 12 coordinates at 12 i of `start` and of `end`. */
export interface LabelledQueries {
  readonly name: string;
  readonly kind: 'vf' | 'ee';
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly labels: readonly boolean[];
}

const folder = process.env.PLIANT_DATA ?? join(import.meta.dirname, '../../../../../shared/data');
const ccd = join(folder, 'ccd');

/** Without the data there is nothing to check, unless somebody said where it must be. */
export const hasCcdData = existsSync(ccd) || process.env.PLIANT_DATA !== undefined;

export function readAllQueries(): LabelledQueries[] {
  const samples = readdirSync(join(ccd, 'sample-queries'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((scene) => readSampleScene(scene.name));
  const scalable = [readScalable('armadillo-rollers', 326), readScalable('cloth-funnel', 227)].flat();
  return [...samples, ...scalable];
}

function readSampleScene(scene: string): LabelledQueries[] {
  return (['vertex-face', 'edge-edge'] as const).flatMap((name) => {
    const path = join(ccd, 'sample-queries', scene, name);
    const files = readdirSync(path).filter((file) => file.endsWith('.csv'));
    return files.map((file) => {
      const kind = name === 'vertex-face' ? 'vf' : 'ee';
      return parseQueries(`${scene}/${name}/${file}`, kind, readFileSync(join(path, file), 'utf8'));
    });
  });
}

/** Eight rows per query: four points at the start, four at the end; xn, xd, yn, yd, zn, zd, label. */
function parseQueries(name: string, kind: 'vf' | 'ee', text: string): LabelledQueries {
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number));
  const count = rows.length / 8;
  const start = new Float64Array(12 * count);
  const end = new Float64Array(12 * count);
  rows.forEach((row, r) => {
    const o = 12 * Math.floor(r / 8) + 3 * (r % 4);
    const out = r % 8 < 4 ? start : end;
    for (let axis = 0; axis < 3; axis++) out[o + axis] = row[2 * axis] / row[2 * axis + 1]; // exact
  });
  return { name, kind, start, end, labels: Array.from({ length: count }, (_, q) => rows[8 * q][6] === 1) };
}

/** The two frames of a step and the candidate boxes: vertex i is i, edge e is nV + e, face f is nV + nE + f. */
function readScalable(scene: string, step: number): LabelledQueries[] {
  const path = join(ccd, 'scalable', scene);
  const first = readPly(join(path, 'frames', `${step}.ply`));
  const second = readPly(join(path, 'frames', `${step + 1}.ply`));
  const vertexCount = first.positions.length / 3;
  const edges = edgesOf(first.faces);
  return (['vf', 'ee'] as const).map((kind) => {
    const boxes: [number, number][] = JSON.parse(
      readFileSync(join(path, 'boxes', `${step}${kind}.json`), 'utf8'),
    );
    const labels: boolean[] = JSON.parse(
      readFileSync(join(path, 'mma_bool', `${step}${kind}_mma_bool.json`), 'utf8'),
    );
    const start = new Float64Array(12 * boxes.length);
    const end = new Float64Array(12 * boxes.length);
    boxes.forEach(([a, b], q) => {
      const corners =
        kind === 'vf'
          ? [a, ...first.faces[b - vertexCount - edges.length]]
          : [...edges[a - vertexCount], ...edges[b - vertexCount]];
      corners.forEach((v, i) => {
        start.set(first.positions.subarray(3 * v, 3 * v + 3), 12 * q + 3 * i);
        end.set(second.positions.subarray(3 * v, 3 * v + 3), 12 * q + 3 * i);
      });
    });
    return { name: `${scene}/${step}${kind}`, kind, start, end, labels };
  });
}

/** Unique (min, max) pairs sorted by max, then by min: the order of igl::edges. */
function edgesOf(faces: readonly number[][]): [number, number][] {
  const unique = new Map<string, [number, number]>();
  for (const [a, b, c] of faces) {
    for (const [i, j] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      unique.set(`${Math.min(i, j)} ${Math.max(i, j)}`, [Math.min(i, j), Math.max(i, j)]);
    }
  }
  return [...unique.values()].sort((p, q) => p[1] - q[1] || p[0] - q[0]);
}

/** Binary little-endian, double x, y, z and a uchar-counted list of int32 per face. */
function readPly(path: string): { positions: Float64Array; faces: number[][] } {
  const file = readFileSync(path);
  const headerEnd = file.indexOf('end_header\n') + 'end_header\n'.length;
  const header = file.toString('latin1', 0, headerEnd);
  const vertexCount = Number(/element vertex (\d+)/.exec(header)![1]);
  const faceCount = Number(/element face (\d+)/.exec(header)![1]);
  const positions = Float64Array.from({ length: 3 * vertexCount }, (_, i) =>
    file.readDoubleLE(headerEnd + 8 * i),
  );
  const firstFace = headerEnd + 24 * vertexCount;
  const faces = Array.from({ length: faceCount }, (_, f) =>
    [0, 1, 2].map((i) => file.readInt32LE(firstFace + 13 * f + 1 + 4 * i)),
  );
  return { positions, faces };
}
