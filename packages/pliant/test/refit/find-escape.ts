import type { Body } from '../../src/index.ts';

/** The first vertex that a node's box does not hold, as a message; undefined when all are inside. */
export function findEscape(body: Body, swept: boolean): string | undefined {
  const { tree, resident, deformer, engine } = body;
  const bounds = body.getLocalBounds(swept);
  bounds.begin(swept);
  bounds.refitAll();
  for (const end of swept ? ([0, 1] as const) : ([0] as const)) {
    deformer.ensureAll(end);
    const points = deformer.address(end) >>> 3; // may allocate, so before the views are read
    const { f64, u32 } = engine.kernels.memory;
    const { box, stride } = bounds;
    for (let node = 0; node < bounds.boundedNodes; node++) {
      const first = (resident.corners >>> 2) + 3 * tree.firstSlot[node];
      for (let c = first; c < first + 3 * tree.slotCount[node]; c++) {
        for (let k = 0; k < 3; k++) {
          const x = f64[points + 3 * u32[c] + k];
          if (box[stride * node + k] <= x && x <= box[stride * node + 3 + k]) continue;
          return `node ${node}, axis ${k}: ${x} is outside ${box.slice(stride * node, stride * node + 6)}`;
        }
      }
    }
  }
  return undefined;
}
