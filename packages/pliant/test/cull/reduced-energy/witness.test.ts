import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEngine } from '../../../src/index.ts';
import { selfPairs } from '../../oracles/brute-force.ts';
import { type BlendCase, type BlendPoseNumbers, blendCase, JOINTS, MODES, poseOf } from '../blend-cases.ts';
import { expectNoHits, lying, property, provenPairs, scale, type Tried } from './held-nodes.ts';
import { distance, factorOf, functionsOf, restPoint, solveTransposed, whitened } from './patch-math.ts';

const RUNS = process.env.PLIANT_FULL ? 500 : 20;
const LONG = 600_000;
const CAUGHT = { numRuns: 3000, endOnFailure: true };
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const REST: BlendPoseNumbers = {
  joints: Array.from({ length: JOINTS }, () => IDENTITY).flat(),
  modes: new Array(MODES).fill(0),
};
const skinCase = blendCase.filter(({ kind, mesh }) => kind === 'skin' && mesh.vertexCount > 20);

/**
 * The pose of least energy that lets two corners of a node meet: C F = −ΔX Δψᵀ / ‖Δψ‖² brings them together and nothing
 * smaller does. Undefined where it cannot be posed, as the phantom does not move.
 */
function witnessOf(tried: Tried, node: number, share: number): BlendPoseNumbers | undefined {
  const { certificate, body } = tried;
  const patch = certificate.patchOfNode[node];
  if (patch < 0) return undefined;
  const functions = functionsOf(tried, node);
  const { handles, centre, radius, corners } = functions;
  if (handles.includes(JOINTS)) return undefined;
  const F = factorOf(tried, patch),
    psi = whitened(functions, F);
  const first = body.tree.firstSlot[node];
  const slotOf = new Map([...body.tree.order].map((t, slot) => [t, slot - first]));
  let least = Infinity,
    meeting = [0, 0];
  for (const [s, t] of provenPairs(tried, node, node)) {
    for (let c = 0; c < 9; c++) {
      const i = corners[3 * slotOf.get(s)! + (c % 3)],
        j = corners[3 * slotOf.get(t)! + Math.floor(c / 3)];
      const ratio = distance(restPoint(functions, i), restPoint(functions, j)) / distance(psi[i], psi[j]);
      if (!(ratio < least)) continue;
      least = ratio;
      meeting = [i, j];
    }
  }
  if (least === Infinity) return undefined;
  const [i, j] = meeting;
  const d = psi[i].map((x, f) => x - psi[j][f]);
  const v = solveTransposed(F, d).map((x) => x / d.reduce((sum, y) => sum + y * y, 0));
  const X = restPoint(functions, i).map((x, a) => x - restPoint(functions, j)[a]);
  const joints = [...REST.joints];
  handles.forEach((handle, e) => {
    for (let row = 0; row < 3; row++) {
      let shift = share * -X[row] * v[4 * e + 3] * radius;
      for (let c = 0; c < 3; c++) {
        const change = share * -X[row] * v[4 * e + c];
        joints[12 * handle + 4 * row + c] += change;
        shift -= change * centre[c];
      }
      joints[12 * handle + 4 * row + 3] += shift;
    }
  });
  return { joints, modes: [] };
}

/** Checks the pose of each of a few nodes at some shares of the way to the contact. */
function checkWitnesses(tried: Tried, shares: readonly number[]): number {
  const { body, of } = tried;
  let proofs = 0;
  for (let node = 0; node < Math.min(7, body.tree.nodeCount); node++) {
    for (const share of shares) {
      const witness = witnessOf(tried, node, share);
      if (witness === undefined) break;
      body.setPose(poseOf(of, witness));
      proofs += expectNoHits(tried, selfPairs(of.mesh, body.getLocalPositions()), false);
    }
  }
  return proofs;
}

test('towards the contact of least energy nothing that holds touches', { timeout: LONG }, async () => {
  const engine = await createEngine();
  let proofs = 0;
  const check = (tried: Tried) => void (proofs += checkWitnesses(tried, [0.7, 0.97, 0.9999, 1.01]));
  fc.assert(property(engine, skinCase, check), { numRuns: RUNS });
  expect(proofs).toBeGreaterThan(RUNS);
});

test('… and a ratio that is 1.3 times too large is found out there', { timeout: LONG }, async () => {
  const engine = await createEngine();
  const lie = lying(({ patches }) => {
    scale(patches.least, 1.3);
    scale(patches.leastAcross, 1.3);
  });
  const check = (tried: Tried) => void checkWitnesses(tried, [1.02, 1.1, 1.2]);
  expect(() => fc.assert(property(engine, skinCase, check, lie), CAUGHT)).toThrow('Counterexample');
});

test('that contact is where it is said to be: the energy there is the ratio', async () => {
  const engine = await createEngine();
  let compared = 0;
  const check = (tried: Tried) => {
    const witness = witnessOf(tried, 0, 1);
    const { patches, patchOfNode, proof } = tried.certificate;
    const patch = patchOfNode[0];
    if (witness === undefined || !(patches.least[patch] > 1e-3)) return;
    tried.body.setPose(poseOf(tried.of, witness));
    tried.certificate.begin(false);
    // The best A can only make it smaller, and never smaller than what the certificate allows.
    const { trace } = proof.evaluate(patch);
    expect(Math.sqrt(trace)).toBeGreaterThanOrEqual(patches.least[patch]);
    compared++;
  };
  fc.assert(property(engine, skinCase, check), { numRuns: 2 * RUNS });
  expect(compared).toBeGreaterThan(RUNS / 4);
});

/** Halfway between rest and a pose of a case, or any other share of the way. */
function mixedPose({ start }: BlendCase, share: number): BlendPoseNumbers {
  const mix = (a: readonly number[], b: readonly number[]) => a.map((x, k) => x + share * (b[k] - x));
  return { joints: mix(REST.joints, start.joints), modes: mix(REST.modes, start.modes) };
}

test('just before a proof stops to hold nothing touches yet', { timeout: LONG }, async () => {
  const engine = await createEngine();
  let proofs = 0;
  const check = (tried: Tried) => {
    const { body, certificate, of } = tried;
    const patch = certificate.patchOfNode[0];
    if (patch < 0) return;
    const holdsAt = (share: number) => {
      body.setPose(poseOf(of, mixedPose(of, share)));
      certificate.begin(false);
      return certificate.proof.prove(patch, false) === 2;
    };
    if (!holdsAt(0) || holdsAt(1)) return;
    let low = 0,
      high = 1;
    for (let step = 0; step < 20; step++) {
      if (holdsAt((low + high) / 2)) low = (low + high) / 2;
      else high = (low + high) / 2;
    }
    expect(holdsAt(low)).toBe(true);
    proofs += expectNoHits(tried, selfPairs(of.mesh, body.getLocalPositions()), false);
  };
  fc.assert(property(engine, blendCase, check), { numRuns: 2 * RUNS });
  expect(proofs).toBeGreaterThan(RUNS / 2);
});
