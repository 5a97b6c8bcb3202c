import fc from 'fast-check';
import { expect } from 'vitest';
import {
  prepareReducedEnergyCertificate,
  type ReducedEnergyCertificate,
  type ReducedEnergyCertificateOptions,
} from '../../../src/cull/index.ts';
import { type Body, type Engine, PairBuffer } from '../../../src/index.ts';
import { isLeaf } from '../../../src/tree/tree.ts';
import { shareVertex } from '../../oracles/brute-force.ts';
import { type BlendCase, createBlendBody } from '../blend-cases.ts';

export type Pair = readonly [number, number];

export interface Tried {
  readonly body: Body;
  readonly certificate: ReducedEnergyCertificate;
  readonly of: BlendCase;
}

export const SMALL: ReducedEnergyCertificateOptions = { smallest: 2, across: true, pointsPerFunction: 0 };
export type Prepare = (body: Body, options: ReducedEnergyCertificateOptions) => ReducedEnergyCertificate;

/** A body of each case with a certificate, either metric. */
export function property(
  engine: Engine,
  cases: fc.Arbitrary<BlendCase>,
  check: (tried: Tried) => void,
  prepare: Prepare = prepareReducedEnergyCertificate,
) {
  return fc.property(cases, fc.constantFrom('spread', 'spread', 'bending'), (of, metric) => {
    const body = createBlendBody(engine, of);
    try {
      check({ body, certificate: prepare(body, { ...SMALL, metric }), of });
    } finally {
      body.dispose();
    }
  });
}

/** A certificate with a lie in it. */
export function lying(lie: (certificate: ReducedEnergyCertificate) => void): Prepare {
  return (body, options) => {
    const certificate = prepareReducedEnergyCertificate(body, options);
    lie(certificate);
    return certificate;
  };
}

export function scale(array: Float32Array | Float64Array, factor: number): void {
  for (let k = 0; k < array.length; k++) array[k] *= factor;
}

/** Nothing that touches is below a node that holds, or across one; returns how many proofs there were. */
export function expectNoHits(tried: Tried, hits: readonly Pair[], swept: boolean): number {
  const { body, certificate } = tried;
  const touching = new Set(hits.map(([i, j]) => keyOf(i, j)));
  certificate.begin(swept);
  let proofs = 0;
  for (let node = 0; node < body.tree.nodeCount; node++) {
    const patch = certificate.patchOfNode[node];
    if (patch < 0 || isLeaf(body.tree, node)) continue;
    const proved = certificate.proof.prove(patch, swept);
    if (proved === 0) continue;
    proofs++;
    const child = body.tree.link[node];
    const pairs = proved === 2 ? provenPairs(tried, node, node) : provenPairs(tried, child, child + 1);
    for (const [i, j] of pairs) expect(touching).not.toContain(keyOf(i, j));
  }
  return proofs;
}

/** Triangle pairs between two nodes that a proof is about. */
export function provenPairs({ body, certificate }: Tried, a: number, b: number): Pair[] {
  const left = new PairBuffer();
  certificate.exceptions(a, b, left);
  const exceptions = new Set<string>();
  for (let k = 0; k < left.count; k++) exceptions.add(keyOf(left.data[2 * k], left.data[2 * k + 1]));
  const [first, second] = [trianglesBelow(body, a), trianglesBelow(body, b)];
  return first.flatMap((i) =>
    second
      .filter((j) => (a !== b || i < j) && !shareVertex(body.mesh, i, j) && !exceptions.has(keyOf(i, j)))
      .map((j): Pair => [i, j]),
  );
}

function trianglesBelow({ tree }: Body, node: number): number[] {
  return [...tree.order.subarray(tree.firstSlot[node], tree.firstSlot[node] + tree.slotCount[node])];
}

function keyOf(i: number, j: number): string {
  return `${Math.min(i, j)} ${Math.max(i, j)}`;
}
