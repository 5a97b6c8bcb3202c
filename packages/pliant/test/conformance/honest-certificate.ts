import type { Certificate, PairBuffer, Tree } from '../../src/index.ts';

export type Pair = readonly [number, number];

export interface CertificateStyle {
  /** Leaves out up to this many contacts per proof, and says so. */
  exceptions: number;
  /** Offers `filter`. */
  filters: boolean;
  /** Is silent about every n-th question; 0: always answers. */
  silence: number;
}

/**
 * A proof by brute force: clears what the truth says is clear. With exceptions it also clears what has a few
 * contacts, and lists those together with some pairs that turn out not to touch, or to be neighbours.
 */
export function honest(
  tree: Tree,
  contacts: readonly Pair[],
  { exceptions, filters, silence }: CertificateStyle,
): Certificate {
  const slotOf = new Uint32Array(tree.order.length);
  tree.order.forEach((t, slot) => {
    slotOf[t] = slot;
  });
  const isUnder = (node: number, t: number) =>
    slotOf[t] >= tree.firstSlot[node] && slotOf[t] < tree.firstSlot[node] + tree.slotCount[node];
  const below = (a: number, b: number) =>
    contacts.filter(([i, j]) => (isUnder(a, i) && isUnder(b, j)) || (isUnder(a, j) && isUnder(b, i)));
  let begun = false,
    asked = 0;
  const clears = (a: number, b: number) => {
    if (!begun) throw new Error('asked before begin');
    if (silence > 0 && ++asked % silence === 0) return false;
    return below(a, b).length <= exceptions;
  };
  const listExceptions = (a: number, b: number, out: PairBuffer) => {
    for (const [i, j] of below(a, b)) out.push(i, j);
    if (a === b && tree.slotCount[a] > 1)
      out.push(tree.order[tree.firstSlot[a]], tree.order[tree.firstSlot[a] + 1]);
  };
  return {
    tree,
    begin: () => {
      begun = true;
    },
    clears,
    ...(exceptions > 0 && { exceptions: withoutDecoys(listExceptions) }),
    ...(filters && {
      filter: (nodes: Uint32Array, first: number, count: number, out: PairBuffer) => {
        let kept = first;
        for (let o = first; o < first + 2 * count; o += 2) {
          const a = nodes[o],
            b = nodes[o + 1];
          if (clears(a, b)) {
            if (exceptions > 0) for (const [i, j] of below(a, b)) out.push(i, j);
            continue;
          }
          nodes[kept++] = a;
          nodes[kept++] = b;
        }
        return (kept - first) / 2;
      },
    }),
  };

  /** The extra pair may be a real contact, and then it is listed already: a proof lists each once. */
  function withoutDecoys(list: typeof listExceptions): typeof listExceptions {
    return (a, b, out) => {
      const from = out.count;
      list(a, b, out);
      const seen = new Set<string>();
      let kept = from;
      for (let k = from; k < out.count; k++) {
        const i = out.data[2 * k],
          j = out.data[2 * k + 1];
        const key = `${Math.min(i, j)} ${Math.max(i, j)}`;
        if (seen.has(key)) continue;
        seen.add(key);
        out.data[2 * kept] = i;
        out.data[2 * kept++ + 1] = j;
      }
      out.count = kept;
    };
  }
}
