// A deforming mesh, checked for self-collision in every frame by the fast method and by the classical one.
// node examples/demo.mjs --help
import { parseArgs } from 'node:util';
import { CollisionReport, createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';
import { createBumpyBall, createCloth, createSpring, createTorusKnot } from 'pliant/shapes';

const SHAPES = { spring: createSpring, knot: createTorusKnot, ball: createBumpyBall, cloth: createCloth };
const PERIOD = 2; // seconds from rest through the largest deformation and back
const WARM_UP = 10; // frames before the clock counts, as in a program that has been running for a moment
const HELP = `Usage: npm run demo -- [options]

Deforms a procedural mesh and finds, frame by frame, every pair of its triangles that touch.

  --shape NAME      ${Object.keys(SHAPES).join(', ')} (default: spring)
  --triangles N     about how many triangles, 100 to 2,000,000 (default: 16000)
  --frames N        how many frames, 1 to 10,000 (default: 24)
  --help            this text

Every frame is computed twice, each time from a fresh pose: "batch" is Pliant's fast path, "depth-first" the
classical walk down a tree of boxes, also in WebAssembly. Times cover taking over the pose, refitting the boxes
and finding the pairs. The two answers are compared, and a difference ends the demo.
`;

async function main() {
  const { shapeName, triangles, frames } = readOptions();
  const shape = SHAPES[shapeName]({ triangles, period: PERIOD });
  const mesh = createTriangleMesh(shape.source);
  const engine = await createEngine();
  const start = performance.now();
  const batch = createRunner(engine, mesh, 'batch');
  const prepareMs = performance.now() - start;
  const depthFirst = createRunner(engine, mesh, 'depth-first');
  const pose = new Float64Array(shape.source.positions.length);
  const timeOf = (frame) => (PERIOD * (frame + 0.5)) / frames;

  printHeading(mesh, engine, prepareMs, frames);
  for (let k = 0; k < WARM_UP; k++) {
    shape.deform((PERIOD * (k + 0.5)) / WARM_UP, pose);
    batch(pose);
    depthFirst(pose);
  }
  const rows = [];
  for (let frame = 0; frame < frames; frame++) {
    shape.deform(timeOf(frame), pose); // the motion itself is not part of the measured times
    rows.push({ frame, time: timeOf(frame), batch: batch(pose), depthFirst: depthFirst(pose) });
    checkEqual(rows[frame]);
    printRow(rows[frame]);
  }
  printSummary(rows);
  engine.dispose();
}

/** A body of its own for each method: nothing that one computes for a pose helps the other. */
function createRunner(engine, mesh, method) {
  const body = engine.createFreeBody(mesh).prepare();
  const report = new CollisionReport();
  return (pose) => {
    const start = performance.now();
    body.setPose(pose);
    findSelfCollisions(body, { method, report });
    const ms = performance.now() - start;
    const { nodePairsTested, trianglePairsTested } = report.counters;
    const pairs = report.pairs.slice(0, 2 * report.pairCount);
    return { ms, pairCount: report.pairCount, pairs, nodePairsTested, trianglePairsTested };
  };
}

function checkEqual({ frame, batch, depthFirst }) {
  const equal =
    batch.pairCount === depthFirst.pairCount && batch.pairs.every((id, k) => id === depthFirst.pairs[k]);
  if (!equal) throw new Error(`frame ${frame}: the two methods found different pairs; this is a bug`);
}

const COLUMNS = [
  ['', 'frame', 5],
  ['', 'time', 9],
  ['touching', 'pairs', 10],
  ['box tests', 'batch', 13],
  ['', 'depth-first', 13],
  ['triangle', 'tests', 12],
  ['time', 'batch', 11],
  ['', 'depth-first', 13],
  ['', 'speed-up', 10],
];

function printHeading(mesh, engine, prepareMs, frames) {
  const closed = mesh.isClosed ? ', closed' : '';
  console.log(bold(`Self-collision of a deforming ${mesh.name}`));
  console.log(
    `  mesh      ${count(mesh.triangleCount)} triangles, ${count(mesh.vertexCount)} vertices${closed}`,
  );
  console.log(`  prepared  in ${milliseconds(prepareMs)}, ${engine.kernels.name} kernels`);
  console.log(`  motion    ${count(frames)} frames over ${PERIOD} s\n`);
  console.log(dim(alignRow(COLUMNS.map(([above]) => above)).trimEnd()));
  console.log(dim(alignRow(COLUMNS.map(([, title]) => title))));
}

function printRow({ frame, time, batch, depthFirst }) {
  const line = alignRow([
    count(frame),
    `${time.toFixed(2)} s`,
    count(batch.pairCount),
    count(batch.nodePairsTested),
    count(depthFirst.nodePairsTested),
    count(batch.trianglePairsTested),
    milliseconds(batch.ms),
    milliseconds(depthFirst.ms),
    ratio(depthFirst.ms / batch.ms),
  ]);
  console.log(batch.pairCount > 0 ? bold(line) : line);
}

function printSummary(rows) {
  const touching = rows.filter((row) => row.batch.pairCount > 0).length;
  const pairs = sum(rows.map((row) => row.batch.pairCount));
  const batchMs = rows.map((row) => row.batch.ms);
  const depthFirstMs = rows.map((row) => row.depthFirst.ms);
  console.log(`\n${count(touching)} of ${count(rows.length)} frames touch, ${count(pairs)} pairs in all;`);
  console.log('both methods found the same pairs in every frame.\n');
  console.log(dim(alignSummary('', 'median', 'slowest', 'all frames')));
  console.log(alignSummary('batch', ...statistics(batchMs)));
  console.log(alignSummary('depth-first', ...statistics(depthFirstMs)));
  console.log(bold(`speed-up    ${ratio(sum(depthFirstMs) / sum(batchMs)).padStart(12)} over all frames`));
}

function statistics(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const median = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
  return [median, sorted.at(-1), sum(times)].map(milliseconds);
}

function alignRow(cells) {
  return cells.map((cell, k) => cell.padStart(COLUMNS[k][2])).join('');
}

function alignSummary(name, ...cells) {
  return name.padEnd(12) + cells.map((cell) => cell.padStart(12)).join('');
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function count(value) {
  return value.toLocaleString('en');
}

function milliseconds(ms) {
  return `${ms.toFixed(ms < 100 ? 2 : 0)} ms`;
}

function ratio(value) {
  return `${value.toFixed(1)}x`;
}

function bold(text) {
  return style(text, 1);
}

function dim(text) {
  return style(text, 2);
}

/** Plain text in files and pipes. */
function style(text, code) {
  const wanted = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return wanted ? `\x1b[${code}m${text}\x1b[0m` : text;
}

/** Ends the program for `--help` and for what it does not understand. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        shape: { type: 'string', default: 'spring' },
        triangles: { type: 'string', default: '16000' },
        frames: { type: 'string', default: '24' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      process.exit(0);
    }
    if (!Object.hasOwn(SHAPES, values.shape)) throw new Error(`there is no shape '${values.shape}'`);
    return {
      shapeName: values.shape,
      triangles: wholeNumber('--triangles', values.triangles, 100, 2_000_000),
      frames: wholeNumber('--frames', values.frames, 1, 10_000),
    };
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

function wholeNumber(name, text, low, high) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= low && value <= high) return value;
  throw new Error(`${name} must be a whole number from ${low} to ${high}, not '${text}'`);
}

await main();
