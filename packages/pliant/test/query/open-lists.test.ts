import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Body,
  type Certificate,
  createEngine,
  createTriangleMesh,
  findAnySelfCollision,
  findSelfCollisions,
  findSelfCollisionsAsync,
  type PairBuffer,
  type Tree,
  type TriangleMesh,
} from '../../src/index.ts';
import { modesOn, rolledSheet } from '../cull/subspace/modal-cases.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 20;
const MODES = 4;
const NUMBERS = Array.from({ length: 97 }, (_, k) => Math.sin(1 + 3 * k));
const mesh = createTriangleMesh(rolledSheet(20, 10));

/** Nodes with at most so many triangles, all triangles between them. */
function cutOf({ link, slotCount }: Tree, most: number): number[] {
  const cut: number[] = [];
  const stack = [0];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (slotCount[node] <= most) cut.push(node);
    else stack.push(link[node], link[node] + 1);
  }
  return cut;
}

/** Knows nothing: leaves everything open, as pairs of small nodes. */
function everything(body: Body, most: number): Certificate {
  const cut = cutOf(body.tree, most);
  return {
    tree: body.tree,
    begin: () => {},
    clears: () => false,
    listOpen: (open: PairBuffer) => {
      for (let i = 0; i < cut.length; i++) for (let j = i; j < cut.length; j++) open.push(cut[i], cut[j]);
      return true;
    },
  };
}

/** Modes of which every point lacks one. */
function sparse({ count, displacements }: ReturnType<typeof modesOn>, mesh: TriangleMesh) {
  const values = Float64Array.from(displacements);
  for (let v = 0; v < mesh.vertexCount; v++) {
    const m = v % count;
    values.fill(0, 3 * (m * mesh.vertexCount + v), 3 * (m * mesh.vertexCount + v) + 3);
  }
  return { count, displacements: values };
}

const weights = fc.array(fc.double({ min: -0.6, max: 0.6, noNaN: true }), {
  minLength: MODES,
  maxLength: MODES,
});
const modes = modesOn(mesh, MODES, NUMBERS, true);

describe.each(['wasm', 'ts'] as const)('%s', async (kernels) => {
  const engine = await createEngine({ kernels });
  const bodies = [modes, sparse(modes, mesh)].map((it) => engine.createModalBody(mesh, it));

  test('what is left open is looked at whole: in poses, in motions, until the first hit, with nodes of any size', () => {
    let contacts = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...bodies),
        weights,
        weights,
        fc.boolean(),
        fc.constantFrom(1, 6, 16, 40),
        (body, start, end, continuous, most) => {
          if (continuous) body.setMotion(start, end);
          else body.setPose(start);
          const certificates = [everything(body, most)];
          const truth = findSelfCollisions(body, { method: 'brute-force', continuous, certificates: [] });
          const report = findSelfCollisions(body, { method: 'on-demand', continuous, certificates });
          expect(report.sortedPairs()).toEqual(truth.sortedPairs());
          contacts += truth.pairCount;
          const first = findAnySelfCollision(body, { method: 'on-demand', continuous, certificates });
          expect(first !== undefined).toBe(truth.pairCount > 0);
          if (first) expect(truth.sortedPairs().map(String)).toContain(String(first));
        },
      ),
      { numRuns: RUNS },
    );
    expect(contacts).toBeGreaterThan(0);
  });

  test('two bodies of one mesh that take turns get their own answers', async () => {
    const [first] = bodies,
      second = engine.createModalBody(mesh, modes);
    const poses = [0.5, -0.4].map((s) => NUMBERS.slice(0, MODES).map((x) => s * x));
    for (const most of [4, 16]) {
      const pair = [first, second];
      pair.forEach((body, k) => void body.setPose(poses[k]));
      const truth = pair.map((body) => findSelfCollisions(body, { method: 'brute-force', certificates: [] }));
      expect(truth[0].sortedPairs()).not.toEqual(truth[1].sortedPairs());
      // Pairs of different nodes are asked about: what one has computed covers only part of what the other needs.
      const reports = await Promise.all(
        pair.map((body, k) =>
          findSelfCollisionsAsync(body, {
            method: 'on-demand',
            certificates: [everything(body, k === 0 ? most : 6)],
            slice: 1e-6,
          }),
        ),
      );
      reports.forEach((report, k) => {
        expect(report.sortedPairs()).toEqual(truth[k].sortedPairs());
      });
    }
    second.dispose();
  });

  test('a budget stops it with what is left', () => {
    const [body] = bodies;
    body.setPose(NUMBERS.slice(0, MODES).map((x) => 0.5 * x));
    const truth = findSelfCollisions(body, { method: 'brute-force', certificates: [] }).sortedPairs();
    const certificates = [everything(body, 16)];
    const { order, firstSlot, slotCount } = body.tree;
    const below = (node: number) =>
      new Set(order.subarray(firstSlot[node], firstSlot[node] + slotCount[node]));
    for (const nodePairs of [1, 100, 2000]) {
      const report = findSelfCollisions(body, { method: 'on-demand', certificates, budget: { nodePairs } });
      const found = new Set(report.sortedPairs().map(String));
      const { data, count } = report.unresolved;
      const left = Array.from({ length: count }, (_, k) => [below(data[2 * k]), below(data[2 * k + 1])]);
      for (const [i, j] of truth) {
        const isLeft = left.some(([a, b]) => (a.has(i) && b.has(j)) || (a.has(j) && b.has(i)));
        expect(found.has(`${i},${j}`) || isLeft).toBe(true);
      }
      expect(report.state).toBe('out-of-time');
    }
  });
});
