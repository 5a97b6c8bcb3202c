import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { triangleDistance } from '../../src/narrow/triangle-distance.ts';
import { oracleDistance } from '../oracles/rational.ts';
import { trianglePair } from './triangle-arbitraries.ts';
test('x', () => {
  const out = new Float64Array(6);
  let slow = 0;
  let n = 0;
  fc.assert(fc.property(trianglePair().filter((p) => p.kind !== 'mixed exponents'), ({ points: p, kind }) => {
    n++;
    if (n % 1000 === 0) writeFileSync('/tmp/nb/n.txt', String(n));
    const t = performance.now();
    writeFileSync('/tmp/nb/last.json', JSON.stringify([kind, Array.from(p), 'd']));
    triangleDistance(p, 0, 3, 6, p, 9, 12, 15, out);
    writeFileSync('/tmp/nb/last.json', JSON.stringify([kind, Array.from(p), 'e']));
    triangleDistance(p, 15, 9, 12, p, 3, 0, 6, out);
    writeFileSync('/tmp/nb/last.json', JSON.stringify([kind, Array.from(p), 'o']));
    if (n % 50 === 0) oracleDistance(p.subarray(0, 9), p.subarray(9));
    if (performance.now() - t > slow) { slow = performance.now() - t; console.log(kind, slow, Array.from(p).join()); }
  }), { numRuns: 20000, endOnFailure: true });
});
