import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prepareEnergyCertificate } from '../../../src/cull/index.ts';
import {
  createEngine,
  createTriangleMesh,
  findSelfCollisions,
  type TriangleMesh,
} from '../../../src/index.ts';
import type { Kernels } from '../../../src/kernels/kernels.ts';
import { withExtra } from '../../../src/kernels/with-extra.ts';
import { setFrame } from '../../../src/refit/quantised-boxes.ts';
import { amount, deform, randomNumbers, roughSheet, smallMesh, tube } from './energy-cases.ts';
import { ProgramView } from './program-view.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 8;
const engines = [await createEngine({ kernels: 'wasm' }), await createEngine({ kernels: 'ts' })];
const SIZES = { maxTriangles: 60, minTriangles: 12 };

/** Poses and motions that bring far parts together, too. */
const mesh: fc.Arbitrary<TriangleMesh> = fc.oneof(
  smallMesh,
  fc.nat().map((seed) => tube(10, 14, seed)),
  fc.nat().map((seed) => roughSheet(14, 14, 0.2, seed)),
);

test('the Gram of patches together is never above the sum of their loose ones; that of their Grams often is', () => {
  const [engine] = engines;
  let above = 0;
  fc.assert(
    fc.property(mesh, fc.nat(), amount, (shape, seed, size) => {
      const body = engine.createFreeBody(shape, { split: 'connected' });
      try {
        const certificate = prepareEnergyCertificate(body, SIZES);
        const { program } = certificate;
        body.setPose(deform(shape, seed, size));
        certificate.begin(false);
        certificate.survey();
        const view = new ProgramView(certificate);
        view.useExact();
        const next = randomNumbers(seed);
        for (const item of view.energyItems) {
          const parts = view.smallPatchesOf(item);
          program.isCalm(item);
          const { f64 } = engine.kernels.memory;
          const total = (of: (patch: number) => number) => (k: number) =>
            parts.reduce((sum, patch) => sum + f64[of(patch) + k], 0);
          const o = view.gramOfItem(item);
          const whole = (k: number) => f64[o + k];
          for (let k = 0; k < 20; k++) {
            const v = [next(), next(), next()];
            const exact = quadratic(whole, v);
            const room = 1e-9 * Math.abs(exact) + 1e-20;
            expect(
              quadratic(
                total((p) => view.looseOf(p)),
                v,
              ),
            ).toBeGreaterThanOrEqual(exact - room);
            if (
              quadratic(
                total((p) => view.gramOf(p)),
                v,
              ) <
              exact - room
            )
              above++;
          }
        }
      } finally {
        body.dispose();
      }
    }),
    { numRuns: RUNS },
  );
  expect(above).toBeGreaterThan(RUNS);
});

/** vᵀ C v, C the Gram of Lx. */
function quadratic(gram: (k: number) => number, [x, y, z]: readonly number[]): number {
  const squares = gram(0) * x * x + gram(3) * y * y + gram(7) * z * z;
  return squares + 2 * (gram(1) * x * y + gram(4) * x * z + gram(5) * y * z);
}

interface Question {
  readonly shape: TriangleMesh;
  readonly poses: readonly [Float64Array, Float64Array];
  readonly continuous: boolean;
}

const question: fc.Arbitrary<Question> = fc
  .record({ shape: mesh, seed: fc.nat(), size: amount, other: amount, continuous: fc.boolean() })
  .map(({ shape, seed, size, other, continuous }) => ({
    shape,
    poses:
      seed % 2 === 0
        ? [deform(shape, seed, size), deform(shape, seed, other)]
        : [poke(shape, seed), poke(shape, seed + 1)],
    continuous,
  }));

/** At rest but for one vertex, which is pulled to another: contacts where all around is calm. */
function poke({ positions, vertexCount }: TriangleMesh, seed: number): Float64Array {
  const next = randomNumbers(seed);
  const pick = () => 3 * Math.floor(((next() + 1) / 2) * vertexCount);
  const pose = positions.slice(),
    from = pick(),
    to = pick();
  for (let k = 0; k < 3; k++) pose[from + k] = positions[to + k] + 0.3 * next();
  return pose;
}

/** Pairs found with boxes of open parts only, and without certificates. */
function ask(engine: (typeof engines)[number], { shape, poses, continuous }: Question): [string, string] {
  const body = engine.createFreeBody(shape, { split: 'connected' });
  try {
    const certificates = [prepareEnergyCertificate(body, SIZES)];
    certificates[0].rouse(); // on meshes this small it would rest
    if (continuous) body.setMotion(...poses);
    else body.setPose(poses[0]);
    const answers = [certificates, []].map((list) => {
      const options = { method: 'batch' as const, certificates: list, continuous };
      return JSON.stringify([...findSelfCollisions(body, options).sortedPairs()]);
    });
    return [answers[0], answers[1]];
  } finally {
    body.dispose();
  }
}

test('what is found with boxes of open parts only is all there is', () => {
  fc.assert(
    fc.property(question, fc.constantFrom(...engines), (it, engine) => {
      const [found, expected] = ask(engine, it);
      expect(found).toBe(expected);
    }),
    { numRuns: 3 * RUNS },
  );
});

const few = fc.integer({ min: -3, max: 3 });
const many = fc.integer({ min: -(2 ** 17), max: 2 ** 17 });
const far = fc.integer({ min: -(2 ** 41), max: 2 ** 41 });

/**
 * A small quad with a hollow pyramid over it, whose tip is in the middle of the quad, or a little above: a plane across the
 * line of their centres has all of the quad in it. No number is rounded here, but products are.
 */
const pyramid = fc
  .record({
    up: fc.tuple(many, many, many),
    turns: fc.tuple(fc.tuple(few, few, few), fc.tuple(few, few, few)),
    middle: fc.tuple(far, far, far),
    motion: fc.constantFrom('none', 'leaves', 'arrives'),
  })
  .map(({ up, turns, middle, motion }) => {
    const across = turns.map(([x, y, z]) => [
      up[1] * z - up[2] * y,
      up[2] * x - up[0] * z,
      up[0] * y - up[1] * x,
    ]);
    const at = (height: number, a: number, b: number) =>
      middle.map((x, k) => x + height * up[k] + a * across[0][k] + b * across[1][k]);
    const quad = [at(0, 1, 0), at(0, 0, 1), at(0, -1, 0), at(0, 0, -1)];
    const place = (tip: number, rim: number) =>
      Float64Array.from(
        [
          ...quad,
          at(tip, 0, 0),
          at(rim, 128, 128),
          at(rim, -128, 128),
          at(rim, -128, -128),
          at(rim, 128, -128),
        ].flat(),
      );
    const triangles = Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 4, 7, 8, 4, 8, 5);
    const shape = { positions: place(512, 1024), triangles };
    return { shape, touching: place(0, 256), above: place(1, 256), lifted: place(256, 512), motion };
  });

test('planes between patches leave those alone that only just touch', () => {
  let apart = 0;
  fc.assert(
    fc.property(pyramid, fc.constantFrom(...engines), (it, engine) => {
      const areas = [0, 1, 2].map(
        (k) => it.touching[k] !== it.touching[6 + k] || it.touching[3 + k] !== it.touching[9 + k],
      );
      fc.pre(areas.some(Boolean));
      const shape = createTriangleMesh(it.shape);
      const body = engine.createFreeBody(shape, { split: 'connected' });
      const certificate = prepareEnergyCertificate(body, { minTriangles: 4, maxTriangles: 4 });
      const find = (pose: Float64Array) => {
        if (it.motion === 'leaves') body.setMotion(pose, it.lifted);
        else if (it.motion === 'arrives') body.setMotion(it.lifted, pose);
        else body.setPose(pose);
        certificate.rouse();
        const continuous = it.motion !== 'none';
        return findSelfCollisions(body, { method: 'batch', certificates: [certificate], continuous })
          .pairCount;
      };
      expect(find(it.touching)).toBe(8);
      expect(find(it.above)).toBe(0);
      apart += Number(certificate.program.openCount === 0);
      body.dispose();
    }),
    { numRuns: 25 * RUNS },
  );
  expect(apart).toBeGreaterThan(8 * RUNS);
});

test.each([
  ['pairs of patches that are left', [26]],
  ['ranges of the front that are left', [14, 15]],
])('losing %s is noticed', (_, fields) => {
  const [engine] = engines;
  const kernels = withExtra(engine.kernels);
  const { listCalm } = kernels;
  kernels.listCalm = (header) => {
    listCalm(header);
    for (const field of fields) kernels.memory.u32[(header >>> 2) + field] = 0;
  };
  let lost = 0;
  try {
    for (let seed = 0; seed < 60 && lost === 0; seed++) {
      const shape = seed % 2 === 0 ? tube(10, 14, seed) : roughSheet(14, 14, 0.2, seed);
      const pose = poke(shape, seed);
      const [found, expected] = ask(engine, { shape, poses: [pose, pose], continuous: false });
      if (found !== expected) lost++;
    }
  } finally {
    kernels.listCalm = listCalm;
  }
  expect(lost).toBeGreaterThan(0);
});

test('boxes of nodes above are no smaller than they would be, those below marked patches the same, in both kernels', () => {
  fc.assert(
    fc.property(question, (it) => {
      const all = engines.map((engine) => {
        const body = engine.createFreeBody(it.shape, { split: 'connected' });
        const certificate = prepareEnergyCertificate(body, SIZES);
        if (it.continuous) body.setMotion(...it.poses);
        else body.setPose(it.poses[0]);
        certificate.begin(it.continuous);
        const frame = new Float64Array(6);
        setFrame(boxOf(it), frame);
        const { memory } = engine.kernels;
        const scratch = createScratch(engine.kernels);
        const { nodeCount } = body.tree;
        const vertexBoxes = memory.allocate(16 * body.resident.pointCount);
        const parts = body.boxStore.acquireBlank(body.deformer, it.continuous);
        certificate.survey();
        memory.u8.fill(0, parts.address, parts.address + 16 * nodeCount);
        certificate.program.list(parts.address, parts.stride, frame);
        certificate.program.fitParts(vertexBoxes);
        const full = body.boxStore.acquire(body.deformer, frame, it.continuous, scratch);
        const lanes = (address: number) => [
          ...new Int16Array(memory.buffer as ArrayBuffer, address, 8 * nodeCount),
        ];
        const fitted = lanes(parts.address),
          exact = lanes(full.address);
        for (let k = 0; k < fitted.length; k++) expect(fitted[k]).toBeLessThanOrEqual(exact[k]);
        const { program } = certificate;
        const { innerRanges, innerCount, leafRanges, leafCount, openPairs, openCount } = program;
        const listed = [innerRanges, leafRanges, openPairs].map((at, k) => [
          ...memory.u32.subarray(at, at + 2 * [innerCount, leafCount, program.hasRoom ? openCount : 0][k]),
        ]);
        const marked = new ProgramView(certificate).listMarked();
        const { link } = body.tree;
        const stack = marked.map((patch) => program.smallNodes[patch]).filter((node) => link[node] < 2 ** 31);
        while (stack.length > 0) {
          const child = link[stack.pop()!];
          expect(fitted.slice(8 * child, 8 * child + 16)).toEqual(exact.slice(8 * child, 8 * child + 16));
          for (const node of [child, child + 1]) if (link[node] < 2 ** 31) stack.push(node);
        }
        memory.free(vertexBoxes);
        body.dispose();
        return { fitted, listed, marked };
      });
      expect(all[0].marked).toEqual(all[1].marked);
      expect(all[0].listed).toEqual(all[1].listed);
      expect(all[0].fitted).toEqual(all[1].fitted);
    }),
    { numRuns: RUNS },
  );
});

/** Of both poses. */
function boxOf({ poses }: Question): Float64Array {
  const box = new Float64Array([1, 1, 1, -1, -1, -1].map((x) => x * Infinity));
  for (const pose of poses) {
    pose.forEach((x, k) => {
      box[k % 3] = Math.min(box[k % 3], x);
      box[3 + (k % 3)] = Math.max(box[3 + (k % 3)], x);
    });
  }
  return box;
}

function createScratch({ memory }: Kernels) {
  return { frame: memory.allocate(48), vertexBoxes: (count: number) => memory.allocate(16 * count) };
}
