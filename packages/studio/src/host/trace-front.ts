import type { Body, Tree } from 'pliant';

const known = new WeakMap<Tree, Uint32Array>();

/**
 * Pairs of nodes that share no vertex while their parents do, two nodes each: where a self-query starts. Pairs of two
 * leaves are left out, for there is nothing below them.
 */
export function staticFront(body: Body): Uint32Array {
  const { tree } = body;
  let front = known.get(tree);
  if (front === undefined) known.set(tree, (front = buildFront(tree, adjacentSlots(body))));
  return front;
}

/** Slots of triangles that share a vertex, smaller first; some pairs come more than once. */
function adjacentSlots({ tree, mesh }: Body): number[] {
  const slotOf = new Uint32Array(tree.order.length);
  tree.order.forEach((triangle, slot) => {
    slotOf[triangle] = slot;
  });
  const { start, list } = mesh.adjacency;
  const pairs: number[] = [];
  for (let v = 0; v < mesh.vertexCount; v++) {
    for (let i = start[v]; i < start[v + 1]; i++) {
      for (let j = i + 1; j < start[v + 1]; j++) {
        const s = slotOf[list[i]],
          t = slotOf[list[j]];
        pairs.push(Math.min(s, t), Math.max(s, t));
      }
    }
  }
  return pairs;
}

function buildFront({ link, slotCount, firstSlot }: Tree, adjacent: number[]): Uint32Array {
  const front: number[] = [];
  const work: { n: number; m: number; list: number[] }[] = [{ n: 0, m: 0, list: adjacent }];
  while (work.length > 0) {
    const { n, m, list } = work.pop()!;
    if (n === m) {
      if (slotCount[n] === 1) continue;
      const left = link[n],
        middle = firstSlot[left + 1];
      const lists: [number[], number[], number[]] = [[], [], []]; // both left, across, both right
      for (let k = 0; k < list.length; k += 2) {
        lists[Number(list[k] >= middle) + Number(list[k + 1] >= middle)].push(list[k], list[k + 1]);
      }
      work.push({ n: left, m: left, list: lists[0] }, { n: left + 1, m: left + 1, list: lists[2] });
      work.push({ n: left, m: left + 1, list: lists[1] });
    } else if (list.length === 0) {
      if (slotCount[n] > 1 || slotCount[m] > 1) front.push(n, m);
    } else if (slotCount[n] > 1 || slotCount[m] > 1) {
      const isLeafN = slotCount[n] === 1,
        isLeafM = slotCount[m] === 1; // the other is opened, or both are
      const lists: number[][] = [[], [], [], []];
      for (let k = 0; k < list.length; k += 2) {
        const isRightN = !isLeafN && list[k] >= firstSlot[link[n] + 1],
          isRightM = !isLeafM && list[k + 1] >= firstSlot[link[m] + 1];
        lists[2 * Number(isRightN) + Number(isRightM)].push(list[k], list[k + 1]);
      }
      for (const i of isLeafN ? [0] : [0, 1]) {
        for (const j of isLeafM ? [0] : [0, 1]) {
          work.push({
            n: isLeafN ? n : link[n] + i,
            m: isLeafM ? m : link[m] + j,
            list: lists[2 * i + j],
          });
        }
      }
    }
  }
  return Uint32Array.from(front);
}
