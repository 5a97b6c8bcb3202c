import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EnergyCertificate, prepareEnergyCertificate } from '../../../src/cull/index.ts';
import { type Body, createEngine, findSelfCollisions } from '../../../src/index.ts';
import { amount, deform, smallMesh } from './energy-cases.ts';
import { ProgramView, type Sums } from './program-view.ts';

const RUNS = process.env.PLIANT_FULL ? 500 : 40;
const sumsOfAKind = fc.constantFrom<Sums>('exact', 'loose');
const SIZES = { minTriangles: 6, maxTriangles: 60 };

/** What the body does, whether somebody asks about the start alone before, and whether sums are compared: that makes all. */
const step = fc.record({
  kind: fc.constantFrom('goes on', 'goes on', 'goes on', 'jumps', 'starts there', 'stands', 'is not asked'),
  looks: fc.boolean(),
  compares: fc.constantFrom(true, true, false),
  seed: fc.nat(),
  amount,
});

/** What is proved, and the Grams at both ends that were summed for it. */
function gramsOf(certificate: EnergyCertificate, { engine }: Body, sums: Sums): number[][] {
  const { f64 } = engine.kernels.memory;
  const view = new ProgramView(certificate);
  return Array.from({ length: certificate.proofs }, (_, item) => {
    const isCalm = certificate.program.isCalm(item);
    const ends = view.gramsOfItem(item, sums);
    return [Number(isCalm), ...ends.flatMap((o) => [...f64.subarray(o, o + 16)])];
  });
}

describe.each(['wasm', 'ts'] as const)('%s kernels', (kernels) => {
  test('energies at the end of one motion are those at the start of the next, to the bit', async () => {
    const engine = await createEngine({ kernels });
    let carried = 0;
    fc.assert(
      fc.property(
        smallMesh,
        fc.array(step, { minLength: 4, maxLength: 8 }),
        sumsOfAKind,
        (mesh, steps, sums) => {
          const [body, fresh] = [0, 1].map(() => engine.createFreeBody(mesh, { split: 'connected' }));
          const certificate = prepareEnergyCertificate(body, SIZES);
          const other = certificate.forBody(fresh);
          if (sums === 'exact') for (const one of [certificate, other]) new ProgramView(one).useExact();
          let last = mesh.positions;
          for (const { kind, looks, compares, seed, amount: size } of steps) {
            const end = deform(mesh, seed, size);
            const start = kind === 'jumps' ? deform(mesh, seed + 1, size) : last;
            last = end;
            if (kind === 'stands') {
              body.setPose(end);
              continue;
            }
            if (kind === 'jumps' || kind === 'starts there') body.setMotion(start, end);
            else body.moveTo(end);
            fresh.setMotion(start, end);
            if (kind === 'is not asked') continue;
            certificate.rouse();
            other.rouse();
            if (looks) {
              expect(findSelfCollisions(body, { certificates: [certificate] }).sortedPairs()).toEqual(
                findSelfCollisions(fresh, { method: 'brute-force', certificates: [] }).sortedPairs(),
              );
            }
            const query = { method: 'batch', continuous: true } as const;
            const found = findSelfCollisions(body, { ...query, certificates: [certificate] });
            const expected = findSelfCollisions(fresh, { ...query, certificates: [] });
            expect(found.sortedPairs()).toEqual(expected.sortedPairs());
            if (!compares) continue;
            certificate.survey(); // also when it rests
            carried += Number(new ProgramView(certificate).goesOn);
            other.begin(true);
            other.survey();
            expect(gramsOf(certificate, body, sums)).toEqual(gramsOf(other, fresh, sums));
          }
          body.dispose();
          fresh.dispose();
        },
      ),
      { numRuns: RUNS },
    );
    expect(carried).toBeGreaterThan(RUNS / 10);
  });

  test('… which a start that is not the last end would show', async () => {
    const engine = await createEngine({ kernels });
    const [mesh] = fc.sample(smallMesh, { numRuns: 1, seed: 3 });
    const [body, fresh] = [0, 1].map(() => engine.createFreeBody(mesh, { split: 'connected' }));
    const certificate = prepareEnergyCertificate(body, SIZES);
    const other = certificate.forBody(fresh);
    const [a, b, c, d] = [1, 2, 3, 4].map((seed) => deform(mesh, seed, 0.1));
    const query = { method: 'batch', continuous: true, certificates: [certificate] } as const;
    body.setMotion(a, b);
    findSelfCollisions(body, query);
    body.setMotion(c, d);
    (body.deformer as { continuedEpoch?: number }).continuedEpoch = body.deformer.epoch - 1; // a lie
    findSelfCollisions(body, query);
    fresh.setMotion(c, d);
    other.begin(true);
    other.survey();
    expect(gramsOf(certificate, body, 'loose')).not.toEqual(gramsOf(other, fresh, 'loose'));
  });
});

test('a pose that is refused leaves the motion as it was', async () => {
  const engine = await createEngine();
  const [mesh] = fc.sample(smallMesh, { numRuns: 1, seed: 3 });
  const body = engine.createFreeBody(mesh);
  const end = deform(mesh, 1, 0.1);
  const bad = end.slice();
  bad[4] = Number.NaN;
  body.setMotion(mesh.positions, end);
  const { epoch } = body.deformer;
  for (const refused of [
    () => body.setMotion(bad, mesh.positions),
    () => body.setMotion(mesh.positions, bad),
    () => body.moveTo(bad),
    () => body.setPose(bad),
  ]) {
    expect(refused).toThrow(/4/);
    expect(body.deformer.epoch).toBe(epoch);
    expect(body.getLocalPositions()).toEqual(mesh.positions);
  }
  body.moveTo(mesh.positions);
  expect(body.deformer.continuedEpoch).toBe(epoch);
  expect(body.getLocalPositions()).toEqual(end);
});
