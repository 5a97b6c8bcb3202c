/*
 * Reads mutated files of every format, and asks about what they hold; then the same for extreme meshes. Runs in a process of
 * its own, which its test ends when memory or time pass a limit: the last label on stdout names the file then. Prints
 * one line of JSON at its end. FUZZ_SEED and FUZZ_FILES (per format) come from the environment.
 */
import { readGltf } from '../../src/gltf/index.ts';
import {
  CollisionReport,
  createEngine,
  createTriangleMesh,
  type Engine,
  findSelfCollisions,
  InputError,
} from '../../src/index.ts';
import { readMesh, readPointCache, writePc2 } from '../../src/io/index.ts';
import { skinnedSquare } from '../gltf/raw-gltf.ts';
import { mutate, Random } from '../io/mutate.ts';
import * as sample from '../io/sample-files.ts';
import { collapsedPositions, EXTREME_MESHES, type ExtremeMesh } from './extreme-meshes.ts';
import { growText } from './grow-text.ts';

const SEED = process.env.FUZZ_SEED ?? '1';
const FILES = Number(process.env.FUZZ_FILES ?? 40);
/** Milliseconds that one file may take; generous, for machines that do other things as well. */
const LONGEST_MS = 20_000;
/** Pairs that are listed: a small file can have any number of contacts. */
const MOST_PAIRS = 1000;
/** Triangles of extreme meshes: at most 2 to this power. */
const LARGEST_POWER = 14;
/** Triangles of meshes that are moved: all pairs of a mesh that collapses touch, and flat meshes need exact arithmetic for each. */
const MOST_MOVING = 80;

const SAMPLES: Readonly<Record<string, readonly (() => Uint8Array)[]>> = {
  obj: [sample.objSample],
  ply: [sample.asciiPlySample, () => sample.binaryPlySample(true), () => sample.binaryPlySample(false)],
  stl: [sample.asciiStlSample, sample.binaryStlSample],
  off: [sample.offSample],
  mesh: [sample.meditSample],
  msh: [sample.gmsh2Sample, sample.binaryGmsh2Sample, sample.gmsh4Sample, sample.binaryGmsh4Sample],
  vtk: [sample.vtkSample, sample.binaryVtkSample, sample.polydataSample],
  veg: [sample.vegSample],
  pc2: [() => writePc2([Float64Array.from(sample.POINTS), Float64Array.from(sample.POINTS)])],
  mdd: [sample.mddSample],
  glb: [() => skinnedSquare().glb()],
  gltf: [() => skinnedSquare().gltf()],
};

const outcome = { files: 0, read: 0, refused: 0, meshes: 0, slowestMs: 0, slowest: '' };
const report = new CollisionReport();

/** Goes through all files and meshes of the seed; throws at the first that is not treated well. */
export async function fuzz(): Promise<void> {
  const engine = await createEngine();
  for (const [format, samples] of Object.entries(SAMPLES)) {
    const random = new Random(`${SEED} ${format}`);
    for (let k = 0; k < FILES; k++) {
      let bytes = samples[k % samples.length]();
      if (random.integer(2) === 0) bytes = growText(bytes, random);
      if (random.integer(3) > 0) bytes = mutate(bytes, random);
      await timed(`${format} ${k}`, () => readAndAsk(engine, format, bytes));
    }
  }
  for (const [name, make] of Object.entries(EXTREME_MESHES)) {
    const random = new Random(`${SEED} ${name}`);
    for (let power = 4; power <= LARGEST_POWER; power += 2) {
      const mesh = make((1 << power) - random.integer(1 << (power - 2)), random);
      await timed(`${name}, ${mesh.triangles.length / 3} triangles`, () => ask(engine, mesh, random));
      outcome.meshes++;
    }
  }
  console.log(JSON.stringify(outcome));
}

async function timed(label: string, work: () => unknown): Promise<void> {
  console.log(label); // the last one that is seen when the process is ended
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  if (ms > outcome.slowestMs) Object.assign(outcome, { slowestMs: ms, slowest: label });
  if (ms > LONGEST_MS) throw new Error(`${label} took ${Math.round(ms)} ms`);
}

async function readAndAsk(engine: Engine, format: string, bytes: Uint8Array): Promise<void> {
  outcome.files++;
  try {
    for (const mesh of await read(format, bytes)) ask(engine, mesh);
    outcome.read++;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (error.message === '' || error.message.length > 400) throw new Error(`message: ${error.message}`);
    outcome.refused++;
  }
}

async function read(format: string, bytes: Uint8Array): Promise<ExtremeMesh[]> {
  const name = `fuzz.${format}`;
  if (format === 'glb' || format === 'gltf') return [...(await readGltf(bytes, name)).meshes];
  if (format === 'pc2' || format === 'mdd') {
    const cache = await readPointCache(bytes, name);
    const out = new Float64Array(3 * cache.pointCount);
    for (let k = 0; k < Math.min(4, cache.frameCount); k++) cache.frame(k, out);
    return [];
  }
  const { positions, triangles } = await readMesh(bytes, name);
  return triangles === undefined ? [] : [{ positions, triangles }];
}

/** A pose, and with `random` also a step into collapse. */
function ask(engine: Engine, source: ExtremeMesh, random?: Random): void {
  const mesh = createTriangleMesh({ positions: source.positions, triangles: source.triangles });
  const body = engine.createFreeBody(mesh);
  try {
    findSelfCollisions(body, { report, maxPairs: MOST_PAIRS });
    if (random === undefined || mesh.triangleCount > MOST_MOVING) return;
    body.setMotion(source.positions, collapsedPositions(source, random));
    findSelfCollisions(body, { report, maxPairs: MOST_PAIRS, continuous: true });
  } finally {
    body.dispose();
  }
}
