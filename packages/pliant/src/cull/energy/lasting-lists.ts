import { LEAF } from '../../kernels/kernels.ts';
import type { KernelMemory } from '../../kernels/memory.ts';
import type { Tree } from '../../tree/tree.ts';
import type { EnergyData } from './energy-data.ts';
import type { EnergyList } from './energy-items.ts';
import { NONE } from './energy-patches.ts';

/** Addresses of what no pose changes: programs of all bodies of a mesh have it in common. */
export interface LastingLists {
  /** What patches and items share, and outlines. */
  readonly shared: number;
  readonly pairShared: number;
  readonly outlines: number;
  /** Fields of the header, with the rows of all small patches among them. */
  readonly fields: Readonly<
    Record<
      | 'allRows'
      | 'rests'
      | 'rowCounts'
      | 'firstRows'
      | 'firstFaces'
      | 'smallNodes'
      | 'segments'
      | 'coarse'
      | 'patchOf'
      | 'upper'
      | 'upperCount',
      number
    >
  >;
  /** Bytes of kernel memory. */
  readonly bytes: number;
  free(): void;
}

export function writeLastingLists(
  memory: KernelMemory,
  tree: Tree,
  data: EnergyData,
  { segments, coarse }: EnergyList,
): LastingLists {
  const { patches } = data;
  const pieces: number[] = [];
  let bytes = 0;
  const take = (size: number) => {
    const address = memory.allocate(size);
    pieces.push(address);
    bytes += size;
    return address;
  };
  const put = (values: Uint32Array | Float64Array) => {
    const address = take(values.byteLength);
    memory.u8.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), address);
    return address;
  };
  const allRows = take(patches.rows.byteLength);
  memory.u8.set(new Uint8Array(patches.rows), allRows);
  const { corners, faces, firstFace } = data.outlines.takeLists();
  const padded = new Uint32Array(corners.length + 1); // one is read after the last
  padded.set(corners);
  const firstOfFaces = put(faces);
  const smallNodes = patches.node.slice(0, patches.smallCount);
  const { patchOf, upper } = listUpperNodes(tree.link, smallNodes);
  const segmentWords = segments.flatMap(({ range, coarse: pairs, patches: below }) => [
    ...range,
    ...pairs,
    ...below,
  ]);
  const addresses = {
    shared: put(patches.shared),
    pairShared: put(data.pairShared),
    outlines: put(padded),
    fields: {
      allRows,
      rests: put(patches.restSlots),
      rowCounts: put(patches.rowCounts),
      firstRows: put(patches.rowStart.map((start) => allRows + start)),
      firstFaces: put(firstFace.map((first) => firstOfFaces + 4 * first)),
      smallNodes: put(smallNodes),
      segments: put(Uint32Array.from(segmentWords)),
      coarse: put(Uint32Array.from(coarse)),
      patchOf: put(patchOf),
      upper: put(Uint32Array.from(upper)),
      upperCount: upper.length,
    },
  };
  const free = () => {
    for (const address of pieces.splice(0)) memory.free(address);
  };
  return { ...addresses, bytes, free };
}

/** Of each node up to the last one that is needed: its small patch, or NONE; and the nodes above, children first. */
function listUpperNodes(
  link: Uint32Array,
  smallNodes: Uint32Array,
): { patchOf: Uint32Array; upper: number[] } {
  const last = smallNodes.reduce((most, node) => Math.max(most, node), 0);
  const patchOf = new Uint32Array(last + 1).fill(NONE);
  smallNodes.forEach((node, patch) => {
    patchOf[node] = patch;
  });
  const upper: number[] = [];
  const stack = [0];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (patchOf[node] !== NONE || link[node] >= LEAF) continue;
    upper.push(node);
    stack.push(link[node], link[node] + 1);
  }
  return { patchOf, upper: upper.sort((m, n) => n - m) };
}
