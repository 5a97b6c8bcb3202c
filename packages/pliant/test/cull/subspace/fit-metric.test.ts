import { expect, test } from 'vitest';
import { denseCholesky } from '../../../src/algebra/dense/cholesky.ts';
import {
  fitMetric,
  fitMetricAsync,
  prepareSubspaceCertificate,
  prepareSubspaceCertificateAsync,
} from '../../../src/cull/index.ts';
import { restoreSubspaceCertificate } from '../../../src/cull/subspace/subspace-certificate.ts';
import {
  createEngine,
  createTaskPool,
  createTriangleMesh,
  findSelfCollisions,
  type Modes,
} from '../../../src/index.ts';
import { readSubspaceCertificate, writeSubspaceCertificate } from '../../../src/io/index.ts';
import { createSpring } from '../../../src/shapes/index.ts';
import { createRandom } from '../../../src/shapes/random.ts';
import { expectInputError } from '../../io/expect-input-error.ts';
import { inlineWorkers } from '../../worker/inline-worker.ts';
import { smoothModes } from './smooth-modes.ts';

const engine = await createEngine();
const mesh = createTriangleMesh(createSpring({ triangles: 500, turns: 2 }).source);
const COUNT = 8;
/** How far poses go: in some directions twice as far as in others. */
const METRIC = Float64Array.from({ length: COUNT }, (_, m) => (m % 2 === 0 ? 1 : 4));

/** The last one moves everything alike: it brings nothing together. */
function createModes(): Modes {
  const displacements = Float64Array.from(smoothModes(mesh, COUNT).displacements);
  for (let o = 0; o < 3 * mesh.vertexCount; o++) {
    displacements[3 * (COUNT - 1) * mesh.vertexCount + o] = o % 3 === 1 ? 1 : 0;
  }
  return { count: COUNT, displacements };
}

const body = engine.createModalBody(mesh, createModes());
const random = createRandom(3);
const draw = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** As likely in one direction as in the other, measured by METRIC. */
const directions = Array.from({ length: 400 }, () => Array.from(METRIC, (w) => draw() / Math.sqrt(w)));

test('more poses are within the radius of the body than with the metric that was given', () => {
  const plain = prepareSubspaceCertificate(body, { metric: METRIC, reach: 1e-3 }),
    fitted = prepareSubspaceCertificate(body, { metric: fitMetric(body, { metric: METRIC }), reach: 1e-3 });
  // The radius of the whole body, in both.
  const [{ upper: plainRadius }] = prepareSubspaceCertificate(body, { metric: METRIC }).balls,
    [{ upper: fittedRadius }] = prepareSubspaceCertificate(body, { metric: METRIC, fit: true }).balls;
  // How far one can go in each direction until the gauge is the radius.
  const far = (certificate: typeof plain, radius: number) => {
    const lengths = directions.map((q) => {
      body.setPose(q.map((x) => 1e-3 * x));
      return (1e-3 * radius) / certificate.gaugeOfPose();
    });
    return lengths.sort((x, y) => x - y)[lengths.length / 2];
  };
  expect(far(fitted, fittedRadius[0])).toBeGreaterThan(1.3 * far(plain, plainRadius[0]));
});

test('it is a metric, the same each time, in slices too; what brings nothing together hardly counts', async () => {
  const metric = fitMetric(body, { metric: METRIC });
  expect(denseCholesky(metric.slice(), COUNT)).toBeDefined();
  expect(await fitMetricAsync(body, { metric: METRIC, slice: 0.1 })).toEqual(metric);
  const diagonal = Array.from({ length: COUNT }, (_, m) => metric[m * (COUNT + 1)]);
  expect(diagonal[COUNT - 1]).toBeLessThan(0.1 * Math.max(...diagonal));
});

test('answers are those of the plain tree, however far poses go, at rest and in motion', () => {
  const certificate = prepareSubspaceCertificate(body, { metric: METRIC, fit: true });
  const [{ limit, planeLimit, upper }] = certificate.balls;
  expect(planeLimit).not.toBe(limit);
  const seen = { open: 0, contacts: 0 };
  let before = new Float64Array(COUNT);
  for (const [k, direction] of directions.entries()) {
    const q = Float64Array.from(direction);
    body.setPose(q);
    const factor = (upper[0] * (0.5 + 3 * random())) / certificate.gaugeOfPose();
    q.forEach((x, m) => {
      q[m] = factor * x;
    });
    if (k % 3 === 2) body.setMotion(before, q);
    else body.setPose(q);
    const continuous = k % 3 === 2;
    const plain = findSelfCollisions(body, { certificates: [], continuous }).sortedPairs();
    expect(findSelfCollisions(body, { certificates: [certificate], continuous }).sortedPairs()).toEqual(
      plain,
    );
    if (certificate.gaugeOfPose() > upper[0] && certificate.gaugeOfPose() < limit) seen.open++;
    if (plain.length > 0) seen.contacts++;
    before = q;
  }
  expect(Math.min(seen.open, seen.contacts)).toBeGreaterThan(20);
});

test('planes that are read in other units than they were made in are found out', () => {
  const certificate = prepareSubspaceCertificate(body, { metric: METRIC, fit: true });
  const lying = restoreSubspaceCertificate(body, {
    ...certificate.record,
    planeMetric: certificate.record.planeMetric.map((w) => w / 9),
  });
  let missed = 0;
  for (const direction of directions) {
    body.setPose(direction);
    const factor = (certificate.balls[0].upper[0] * (1 + random())) / certificate.gaugeOfPose();
    body.setPose(direction.map((x) => factor * x));
    const { pairCount } = findSelfCollisions(body, { certificates: [] });
    if (findSelfCollisions(body, { certificates: [lying] }).pairCount < pairCount) missed++;
  }
  expect(missed).toBeGreaterThan(0);
});

test('the same from workers, from parts and from a file; parts of another effort are refused', async () => {
  const options = { metric: METRIC, fit: true };
  const certificate = prepareSubspaceCertificate(body, options);
  const parts: Uint8Array[] = [];
  const pool = await createTaskPool({ threads: 2, createWorker: inlineWorkers().createWorker });
  const shares: number[] = [];
  const together = await prepareSubspaceCertificateAsync(body, {
    ...options,
    pool,
    onPart: (part) => parts.push(part),
    onProgress: (share) => shares.push(share),
  });
  pool.dispose();
  expect(together.record).toEqual(certificate.record);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect([shares[0] < 0.2, shares.at(-1)! > 0.99]).toEqual([true, true]);
  expect(prepareSubspaceCertificate(body, { ...options, parts }).record).toEqual(certificate.record);
  const stored = readSubspaceCertificate(writeSubspaceCertificate(certificate), 'stored', body);
  expect(stored.record).toEqual(certificate.record);
  expectInputError(
    () => prepareSubspaceCertificate(body, { ...options, parts, effort: 4 }),
    'mismatch',
    'parts[0]',
  );
});

/** A floor, and a ramp above it whose higher end falls: it overtakes the lower one, which is near the plane between them. */
function createRamp() {
  const positions = [
    0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 1, 0.1, 0.9, 1, 0.9,
  ];
  const triangles = [0, 1, 2, 1, 3, 2, 4, 5, 6, 5, 7, 6];
  const falling = positions.map((_, o) => (o % 3 === 1 && o > 18 ? -1 : 0)),
    together = positions.map((_, o) => (o % 3 === 1 ? 1 : 0));
  const displacements = [...falling, ...together];
  return engine.createModalBody(createTriangleMesh({ positions, triangles }), { count: 2, displacements });
}

test('planes have a gauge of their own, at both ends of a motion', () => {
  const ramp = createRamp();
  for (const unit of [1e-4, 1, 1e4]) {
    const certificates = [prepareSubspaceCertificate(ramp, { reach: 2, planeMetric: [unit, unit] })];
    ramp.setPose([1.05, 0]);
    expect(findSelfCollisions(ramp, { certificates }).pairCount).toBe(3);
    for (const [start, end] of [
      [0, 1.05],
      [1.05, 0],
    ]) {
      ramp.setMotion([start, 0], [end, 0]);
      expect(findSelfCollisions(ramp, { certificates, continuous: true }).pairCount).toBe(3);
    }
  }
});

test('planes that are believed further than they were made for are found out', () => {
  const ramp = createRamp();
  // In the units of planes the second mode is so short that they are made for hardly any pose of the first.
  const certificate = prepareSubspaceCertificate(ramp, { reach: 2, planeMetric: [1, 1e-6] });
  const { record } = certificate;
  expect(record.balls[0].planeLimit).toBeLessThan(0.1);
  const lying = restoreSubspaceCertificate(ramp, {
    ...record,
    balls: record.balls.map((ball) => ({ ...ball, planeLimit: Infinity })),
  });
  ramp.setPose([1.05, 0]);
  const [honest, lie] = [certificate, lying].map(
    (one) => findSelfCollisions(ramp, { certificates: [one] }).pairCount,
  );
  expect(honest).toBe(findSelfCollisions(ramp, { certificates: [] }).pairCount);
  expect(lie).toBeLessThan(honest);
});

test('it is for balls', () => {
  expectInputError(() => prepareSubspaceCertificate(body, { gauge: 'box', fit: true }), 'bad-option', 'fit');
  expectInputError(
    () => prepareSubspaceCertificate(body, { gauge: 'one-sided', planeMetric: METRIC }),
    'bad-option',
    'planeMetric',
  );
  expectInputError(
    () => prepareSubspaceCertificate(body, { planeMetric: METRIC.map((w) => -w) }),
    'bad-option',
    'planeMetric[0]',
  );
});
