import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  findAllCollisions,
  findCollisions,
  findSelfCollisions,
  type TriangleMesh,
} from '../../src/index.ts';
import { createTorusKnot } from '../../src/shapes/index.ts';
import { grid } from '../arbitraries.ts';

const SHEET = createTriangleMesh(grid(224, 224)); // 100,352 triangles
const KNOT = createTriangleMesh(createTorusKnot({ triangles: 100_000 }).source);
const TILTED = [1, 0, 0, 0.5, 0, 0.8, -0.6, 0.25, 0, 0.6, 0.8, 0.125];

/** Bytes of typed arrays an object holds, private ones aside. */
function arrayBytes(holder: object): number {
  return Object.values(holder).reduce(
    (sum, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 0),
    0,
  );
}

/** Kernel memory of a body's own, beside the mesh it shares: everything but the resident mesh and the scratch. */
describe.each([
  ['a sheet', SHEET],
  ['a torus knot', KNOT],
])('%s of 100,000 triangles', (name, mesh: TriangleMesh) => {
  test('batch takes at most 250 bytes per triangle, on-demand at most 130 more', async () => {
    const engine = await createEngine();
    const warm = engine.createFreeBody(createTriangleMesh(grid(2, 2)));
    findSelfCollisions(warm);
    warm.dispose();
    const scratch = engine.usage.bytes; // of the query under way; it is the engine's, and stated apart

    const body = engine.createFreeBody(mesh);
    findSelfCollisions(body, { method: 'batch' });
    const vertexBoxes = 16 * body.resident.pointCount - 16 * 9; // scratch again, grown to this mesh
    const kernel = engine.usage.bytes - scratch - vertexBoxes;
    const { front, tree } = body.resident.bytes;
    const frontRanges =
      front - 8 * (body.resident.front.inner.list.pairCount + body.resident.front.leaf.list.pairCount);
    const batch = (kernel + tree + frontRanges) / mesh.triangleCount;
    // The reckoning above, from the objects themselves.
    const treeBytes = arrayBytes(body.tree) + body.resident.vertexOfPoint.byteLength;
    const { inner, leaf } = body.resident.front;
    const rangeBytes = arrayBytes(inner.list) + arrayBytes(leaf.list);
    expect(Math.abs(treeBytes - tree)).toBeLessThan(0.05 * treeBytes + 4 * body.tree.nodeCount + 4096);
    expect(rangeBytes).toBe(frontRanges);

    const before = engine.usage.bytes;
    findSelfCollisions(body, { method: 'on-demand' });
    const local = arrayBytes(body.getLocalBounds(false)) + engine.usage.bytes - before;
    body.setWorldMatrix(TILTED);
    const other = engine.createRigidBody(createTriangleMesh(grid(2, 2)));
    findCollisions(body, other, { method: 'on-demand' });
    // Boxes and stamps per node, points and stamps per point; stamps are private.
    const world =
      arrayBytes(body.getWorldBounds(false)) +
      4 * body.getWorldBounds(false).boundedNodes +
      (24 + 4) * body.resident.pointCount;
    const onDemand = (local + world) / mesh.triangleCount;

    console.log(
      `memory, ${name}: batch ${batch.toFixed(1)} B/triangle (front ${(front / mesh.triangleCount).toFixed(1)}), ` +
        `on-demand + ${onDemand.toFixed(1)}; scratch ${(scratch / 1e6).toFixed(2)} MB + ${(vertexBoxes / mesh.triangleCount).toFixed(1)} B/triangle`,
    );
    expect(batch).toBeLessThanOrEqual(250);
    expect(onDemand).toBeLessThanOrEqual(130);
    engine.dispose();
  });
});

describe.each(['wasm', 'ts'] as const)('%s kernels', (kernels) => {
  test('what is disposed of is given back, however often', async () => {
    const engine = await createEngine({ kernels });
    const small = createTriangleMesh(grid(5, 5));
    const pose = small.positions.map((x, i) => (i % 3 === 2 ? Math.sin(i) : x));
    const cycle = () => {
      const bodies: Body[] = [
        engine.createFreeBody(small),
        engine.createRigidBody(small),
        engine.createFreeBody(small, { split: (_, __, count) => count >> 1 }),
        engine.createRigidBody(createTriangleMesh(grid(3, 3))),
      ];
      bodies[0].setMotion(pose, small.positions);
      bodies[1].setMotion(TILTED, TILTED);
      bodies[2].setPose(pose);
      bodies[2].setWorldMatrix(TILTED);
      for (const method of ['batch', 'on-demand', 'depth-first', 'brute-force', 'auto'] as const) {
        findSelfCollisions(bodies[0], { method });
        findCollisions(bodies[1], bodies[2], { method });
        findAllCollisions(bodies, { method, self: true });
      }
      findCollisions(bodies[0], bodies[1], {
        method: 'on-demand',
        continuous: true,
        budget: { nodePairs: 50 },
      });
      for (const body of bodies) body.dispose();
    };
    cycle();
    const { bytes, bodies } = engine.usage;
    const room = engine.kernels.memory.buffer.byteLength;
    expect(bodies).toBe(0);
    for (let k = 0; k < 30; k++) cycle();
    expect(engine.usage).toEqual({ bodies: 0, bytes });
    expect(engine.kernels.memory.buffer.byteLength).toBe(room); // no creeping by fragments either
    engine.dispose();
    expect(engine.usage.bytes).toBe(0);
  });

  test('a body that could not be made leaves nothing behind', async () => {
    const engine = await createEngine({ kernels });
    const small = createTriangleMesh(grid(3, 3));
    const before = engine.usage;
    const bang = () => {
      throw new Error('bang');
    };
    expect(() => engine.createFreeBody(small, { split: bang })).toThrow('bang');
    expect(() => engine.createRigidBody({} as TriangleMesh)).toThrow();
    expect(engine.usage).toEqual(before);
  });

  test('the mesh stays as long as one body uses it', async () => {
    const engine = await createEngine({ kernels });
    const small = createTriangleMesh(grid(6, 6));
    const [a, b] = [engine.createFreeBody(small), engine.createFreeBody(small)];
    const both = engine.usage.bytes;
    a.dispose();
    const one = engine.usage.bytes;
    expect(one).toBeLessThan(both);
    expect(findSelfCollisions(b).pairCount).toBe(0);
    a.dispose(); // twice does nothing
    b.dispose();
    b.dispose();
    expect(engine.usage.bodies).toBe(0);
  });
});

describe('steady state: a query in a loop with a reused report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-memory-'));
  const bundle = join(folder, 'pliant.mjs'),
    script = join(folder, 'measure.mjs');
  let measured: Record<string, { perQuery: number; pairs: number }>;

  beforeAll(async () => {
    const entry = fileURLToPath(new URL('./steady-state.ts', import.meta.url));
    const build = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' });
    await build.write({ file: bundle, format: 'esm', codeSplitting: false });
    await build.close();
    writeFileSync(
      script,
      `import { measureAll } from ${JSON.stringify(bundle)};\nconsole.log(JSON.stringify(await measureAll()));\n`,
    );
    const flags = ['--expose-gc', '--max-semi-space-size=64', '--min-semi-space-size=64'];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script], { timeout: 110_000 });
    measured = JSON.parse(stdout);
    const figures = Object.entries(measured).map(([name, { perQuery }]) => `${name} ${perQuery.toFixed(1)}`);
    console.log(`bytes allocated per query: ${figures.join(', ')}`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the measure notices an allocation', () => {
    expect(measured['control: one small object'].perQuery).toBeGreaterThan(15);
    expect(measured['control: nothing'].perQuery).toBeLessThan(4);
  });

  test.each([
    'self batch',
    'self on-demand',
    'self depth-first',
    'self with a certificate',
    'self with energies, posed anew',
    'pair batch',
    'pair on-demand',
    'pair depth-first',
    'pair auto',
    'self batch, posed anew',
    'rigid pair, posed anew',
    'self continuous',
    'self continuous, going on',
    'first hit',
  ])('%s: under 64 bytes', (name) => {
    expect(measured[name].perQuery).toBeLessThan(64);
  });

  test('the queries measured do find something', () => {
    expect(measured['self batch'].pairs).toBeGreaterThan(20);
    expect(measured['pair batch'].pairs).toBeGreaterThan(20);
  });
});
