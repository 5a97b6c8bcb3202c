// Checks many mesh files in one process, with one engine, and prints JSON: which touch themselves, and where.
// node examples/batch-check/main.mjs FILES...   (without files it makes four and checks those)
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CollisionReport, createEngine, createTriangleMesh, findSelfCollisions, InputError } from 'pliant';
import { readMesh, writeObj, writePly, writeStl } from 'pliant/io';
import { createBumpyBall, createCloth, createSpring } from 'pliant/shapes';

const MOST_PAIRS = 5; // listed for each file; all are counted

async function main(files) {
  const engine = await createEngine();
  const report = new CollisionReport();
  const results = [];
  for (const file of files) results.push(await check(engine, file, report));
  engine.dispose();
  const touching = results.filter(({ pairs }) => pairs > 0).length;
  const unreadable = results.filter(({ error }) => error).length;
  console.log(JSON.stringify({ files: results.length, touching, unreadable, results }, undefined, 2));
  return unreadable > 0 ? 2 : touching > 0 ? 1 : 0; // as `pliant check` does
}

/** Never throws for what is wrong with a file: the others are checked all the same. */
async function check(engine, file, report) {
  const name = basename(file);
  let body;
  try {
    const mesh = createTriangleMesh(await readMesh(await readFile(file), name));
    const start = performance.now();
    body = engine.createFreeBody(mesh);
    findSelfCollisions(body, { report });
    const ms = Math.round(10 * (performance.now() - start)) / 10;
    const { boundaryEdges } = mesh.defects;
    const first = report.sortedPairs().slice(0, MOST_PAIRS);
    return {
      name,
      triangles: mesh.triangleCount,
      closed: mesh.isClosed,
      boundaryEdges,
      pairs: report.pairCount,
      first,
      ms,
    };
  } catch (error) {
    if (!(error instanceof InputError) && error.code !== 'ENOENT') throw error;
    return { name, error: error.message };
  } finally {
    body?.dispose(); // its memory serves the next one
  }
}

/** Two that touch themselves, one that does not, and one that is no mesh. */
async function writeSamples(folder) {
  const pose = (shape, time) => {
    const positions = new Float64Array(shape.source.positions.length);
    shape.deform(time, positions);
    return { positions, triangles: shape.source.triangles };
  };
  const samples = {
    'spring.obj': writeObj(pose(createSpring({ triangles: 4000, period: 2 }), 1)),
    'cloth.ply': writePly(pose(createCloth({ triangles: 4000, motion: 'fold', period: 2 }), 1)),
    'ball.stl': writeStl(createBumpyBall({ triangles: 2000 }).source),
    'broken.off': new TextEncoder().encode('OFF\n3 1 0\n0 0 0\n1 0 0\n'),
  };
  for (const [name, bytes] of Object.entries(samples)) await writeFile(join(folder, name), bytes);
  return Object.keys(samples).map((name) => join(folder, name));
}

const files = process.argv.slice(2);
if (files.length > 0) process.exitCode = await main(files);
else {
  const folder = await mkdtemp(join(tmpdir(), 'pliant-batch-'));
  try {
    await main(await writeSamples(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}
