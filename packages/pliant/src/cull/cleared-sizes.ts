import { checkMade, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { ROOT } from '../tree/tree.ts';
import type { Certificate } from './certificate.ts';

/**
 * How much of a body a certificate clears in its pose, for pictures: of each triangle, how many triangles the largest
 * part has that holds it and cannot touch itself; 0 where there is none. Goes into `out`, which is returned.
 *
 * Certificates that rest when they did not pay say here what they could have proved. They begin anew by that, so ask one
 * that no query uses, such as `certificate.forBody(body)`.
 */
export function clearedSizes(certificate: Certificate, out?: Uint32Array): Uint32Array {
  checkMade('certificate', certificate, 'a function that prepares it', 'tree', 'clears');
  const { link, firstSlot, slotCount, order } = certificate.tree;
  const sizes = out === undefined ? new Uint32Array(order.length) : out;
  if (!(sizes instanceof Uint32Array) || sizes.length !== order.length) {
    throw new InputError(
      'wrong-length',
      `out must be a Uint32Array of ${order.length} numbers, not ${describe(sizes)}`,
    );
  }
  const smallest = Math.max(2, certificate.smallest ?? 2);
  (certificate as { rouse?: () => void }).rouse?.();
  certificate.begin(false);
  sizes.fill(0);
  const stack = [ROOT];
  while (stack.length > 0) {
    const node = stack.pop()!;
    const count = slotCount[node];
    if (count < smallest) continue;
    if (!certificate.clears(node, node)) {
      stack.push(link[node] + 1, link[node]);
      continue;
    }
    const first = firstSlot[node];
    for (let slot = first; slot < first + count; slot++) sizes[order[slot]] = count;
  }
  return sizes;
}
