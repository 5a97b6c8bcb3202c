import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EnergyCertificate, prepareEnergyCertificate } from '../../../src/cull/index.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findAnySelfCollision,
  findSelfCollisions,
  type TriangleMesh,
} from '../../../src/index.ts';
import { gridWithPose, triangleSoup } from '../../arbitraries.ts';
import { movingSelfPairs, selfPairs } from '../../oracles/brute-force.ts';
import { splitRule } from '../../tree/split-rules.ts';
import { amount, deform, smallMesh } from './energy-cases.ts';
import { ProgramView } from './program-view.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 20;
const KERNELS = ['wasm', 'ts'] as const;
const SIZES = { maxTriangles: 60, minTriangles: 8 };

/** Contacts in a part of the body that a proof speaks of, less its exceptions. */
function contactsIn(
  { tree, resident }: Body,
  certificate: EnergyCertificate,
  item: number,
  contacts: readonly (readonly [number, number, ...number[]])[],
) {
  const { slotOfTriangle } = resident;
  const [a, b] = certificate.program.nodes.subarray(2 * item, 2 * item + 2);
  const isUnder = (node: number, t: number) =>
    slotOfTriangle[t] >= tree.firstSlot[node] &&
    slotOfTriangle[t] < tree.firstSlot[node] + tree.slotCount[node];
  const left: number[] = [];
  certificate.exceptions(a, b, {
    push: (i: number, j: number) => left.push(Math.min(i, j), Math.max(i, j)),
  } as never);
  return contacts.filter(([i, j]) => {
    for (let k = 0; k < left.length; k += 2) if (left[k] === i && left[k + 1] === j) return false;
    return (isUnder(a, i) && isUnder(b, j)) || (isUnder(a, j) && isUnder(b, i));
  });
}

/** Every proof that holds is true; returns how many hold. */
function expectSound(
  body: Body,
  certificate: EnergyCertificate,
  contacts: readonly (readonly [number, number, ...number[]])[],
): number {
  let held = 0;
  for (let item = 0; item < certificate.program.itemCount; item++) {
    if (!certificate.program.isCalm(item)) continue;
    held++;
    expect(contactsIn(body, certificate, item, contacts)).toEqual([]);
  }
  return held;
}

/** Rows are summed when somebody asks. */
function evaluate(certificate: EnergyCertificate, swept: boolean): void {
  certificate.begin(swept);
  for (let node = 0; node < certificate.tree.nodeCount; node++) certificate.clears(node, node);
}

const SPLIT = { split: 'connected' } as const;

function withBody(engine: Engine, mesh: TriangleMesh, check: (body: Body) => void): void {
  const body = engine.createFreeBody(mesh, SPLIT);
  try {
    check(body);
  } finally {
    body.dispose();
  }
}

describe.each(KERNELS)('%s kernels', (kernels) => {
  test('what is proved does not touch, in random deformed frames', async () => {
    const engine = await createEngine({ kernels });
    let held = 0,
      touching = 0;
    fc.assert(
      fc.property(
        smallMesh,
        fc.array(fc.tuple(fc.nat(), amount), { minLength: 8, maxLength: 8 }),
        (mesh, frames) => {
          withBody(engine, mesh, (body) => {
            const certificate = prepareEnergyCertificate(body, SIZES);
            for (const [seed, size] of frames) {
              body.setPose(deform(mesh, seed, size));
              evaluate(certificate, false);
              const contacts = selfPairs(mesh, body.getLocalPositions());
              held += expectSound(body, certificate, contacts);
              touching += contacts.length > 0 ? 1 : 0;
            }
          });
        },
      ),
      { numRuns: RUNS },
    );
    expect(held).toBeGreaterThan(20 * RUNS);
    expect(touching).toBeGreaterThan(RUNS / 10);
  });

  test('… nor while it moves', async () => {
    const engine = await createEngine({ kernels });
    let held = 0;
    fc.assert(
      fc.property(smallMesh, fc.nat(), amount, amount, (mesh, seed, first, second) => {
        withBody(engine, mesh, (body) => {
          const certificate = prepareEnergyCertificate(body, SIZES);
          const start = deform(mesh, seed, first),
            end = deform(mesh, seed, second);
          body.setMotion(start, end);
          evaluate(certificate, true);
          held += expectSound(body, certificate, movingSelfPairs(mesh, start, end));
        });
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
    expect(held).toBeGreaterThan(0);
  });

  test('queries find what brute force finds, whatever the mesh, its tree and the method', async () => {
    const engine = await createEngine({ kernels });
    const posed = fc.oneof(
      triangleSoup(60).map((source) => ({ source, pose: Float64Array.from(source.positions as number[]) })),
      gridWithPose(6),
      fc.tuple(smallMesh, fc.nat(), amount).map(([mesh, seed, size]) => ({
        source: { positions: mesh.positions, triangles: mesh.triangles },
        pose: deform(mesh, seed, size),
      })),
    );
    const split = fc.oneof(splitRule, fc.constant('connected' as const));
    fc.assert(
      fc.property(posed, split, ({ source, pose }, rule) => {
        const mesh = createTriangleMesh(source);
        const body = engine.createFreeBody(mesh, { split: rule });
        try {
          const certificates = [prepareEnergyCertificate(body, { maxTriangles: 40, minTriangles: 6 })];
          const parts = [1, 0.3, 0, 0.05, 0.6, 0.1, 1];
          for (const [k, part] of parts.entries()) {
            if (k > 2) new ProgramView(certificates[0]).preferOutlines();
            body.setPose(pose.map((x, k) => part * x + (1 - part) * (source.positions[k] as number)));
            const expected = selfPairs(mesh, body.getLocalPositions());
            for (const method of ['auto', 'batch', 'on-demand'] as const) {
              certificates[0].rouse(); // on meshes this small it would rest
              expect(findSelfCollisions(body, { method, certificates }).sortedPairs()).toEqual(expected);
              expect(findAnySelfCollision(body, { method, certificates }) !== undefined).toBe(
                expected.length > 0,
              );
            }
          }
        } finally {
          body.dispose();
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('… and over a motion', async () => {
    const engine = await createEngine({ kernels });
    fc.assert(
      fc.property(smallMesh, fc.nat(), amount, amount, (mesh, seed, first, second) => {
        withBody(engine, mesh, (body) => {
          const certificates = [prepareEnergyCertificate(body, SIZES)];
          const start = deform(mesh, seed, first),
            end = deform(mesh, seed + 1, second);
          body.setMotion(start, end);
          const expected = movingSelfPairs(mesh, start, end).map(([i, j]) => [i, j]);
          for (const prefersOutlines of [false, true]) {
            if (prefersOutlines) new ProgramView(certificates[0]).preferOutlines();
            for (const method of ['batch', 'on-demand'] as const) {
              certificates[0].rouse();
              body.setMotion(start, end);
              const report = findSelfCollisions(body, { method, certificates, continuous: true });
              expect(report.sortedPairs()).toEqual(expected);
            }
          }
        });
      }),
      { numRuns: Math.ceil(RUNS / 8) },
    );
  });
});

test('limits that are too large are caught', async () => {
  const engine = await createEngine();
  expect(() =>
    fc.assert(
      fc.property(smallMesh, fc.nat(), amount, (mesh, seed, size) => {
        withBody(engine, mesh, (body) => {
          const certificate = prepareEnergyCertificate(body, SIZES);
          new ProgramView(certificate).scaleLimits(4);
          body.setPose(deform(mesh, seed, size));
          evaluate(certificate, false);
          expectSound(body, certificate, selfPairs(mesh, body.getLocalPositions()));
        });
      }),
      { numRuns: 2000, endOnFailure: true },
    ),
  ).toThrow('Counterexample');
});
