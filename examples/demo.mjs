// A deforming mesh, checked for self-collision in every frame by the fast method and by the classical one.
// node examples/demo.mjs --help
import { parseArgs } from 'node:util';
import { CollisionReport, createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';
import { createBumpyBall, createCloth, createSpring, createTorusKnot } from 'pliant/shapes';

const SHAPES = { spring: createSpring, knot: createTorusKnot, ball: createBumpyBall, cloth: createCloth };
const PERIOD = 2; // seconds from rest through the largest deformation and back
const WARM_UP = 12; // frames before the clock starts, as in any program that has run for a moment
const HELP = `Usage: npm start -- [options]

Deforms a procedural mesh and finds, frame by frame, every pair of its triangles that touch.

  --shape NAME      ${Object.keys(SHAPES).join(', ')} (default: spring)
  --triangles N     about how many triangles, 100 to 2000000 (default: 16000)
  --frames N        how many frames, 1 to 10000 (default: 24)
  --help            this text

Each frame is computed twice, with a fresh pose: "batch" is Pliant's fast path, "depth-first" the classical
walk down a tree of boxes, compiled from the same language. Times cover taking over the pose, refitting the
boxes and finding the pairs; both answers are compared.
`;

await main();

async function main() {
  const options = readOptions();
  if (options === undefined) return;
  const { shapeName, triangles, frames } = options;
  const shape = SHAPES[shapeName]({ triangles, period: PERIOD });
  const mesh = createTriangleMesh(shape.source);
  const engine = await createEngine();
  const prepareStart = performance.now();
  const batch = createRunner(engine, mesh, 'batch');
  const prepareMs = performance.now() - prepareStart;
  const depthFirst = createRunner(engine, mesh, 'depth-first');
  const pose = new Float64Array(3 * shape.source.positions.length);

  printHeading(mesh, engine, prepareMs, frames);
  warmUp(shape, [batch, depthFirst]);
  const rows = [];
  for (let frame = 0; frame < frames; frame++) {
    rows.push(runFrame(shape, frame, frames, batch, depthFirst));
    printRow(rows.at(-1));
  }
  printSummary(rows);
  void pose;
  engine.dispose();
}
