import type { GmshNodes } from './gmsh-nodes.ts';
import type { GmshValues } from './gmsh-values.ts';
import { SolidElements } from './solid-elements.ts';

const TRIANGLE = 2;
const QUADRANGLE = 3;
const TETRAHEDRON = 4;
/** Nodes of the types that are kept, and of points (15) and lines of any order, which are skipped. */
const NODES_OF_TYPE: Readonly<Record<number, number>> = {
  1: 2,
  2: 3,
  3: 4,
  4: 4,
  8: 3,
  15: 1,
  26: 4,
  27: 5,
  28: 6,
};
const REFUSED: Readonly<Record<number, string>> = {
  5: 'a hexahedron',
  6: 'a prism',
  7: 'a pyramid',
  9: 'a curved triangle',
  10: 'a curved quadrangle',
  11: 'a curved tetrahedron',
};

/** Version 2. ASCII: tag, type, its tags, nodes each; binary: blocks of one type. */
export function readElements2(values: GmshValues, nodes: GmshNodes): SolidElements {
  const count = values.textCount('elements');
  values.checkCount('elements', count, 4);
  const elements = new SolidElements();
  let read = 0;
  while (read < count) {
    if (!values.isBinary) values.int('a tag');
    const type = values.int('an element type');
    const blockElements = values.isBinary ? values.int('elements of a block') : 1;
    const tagCount = values.int('tags of an element');
    if (!(blockElements >= 1 && blockElements <= count - read)) {
      values.fail('syntax', `a block of ${blockElements} elements where ${count - read} are left`);
    }
    if (!(tagCount >= 0 && tagCount <= 1000)) values.fail('syntax', `an element with ${tagCount} tags`);
    for (let i = 0; i < blockElements; i++) {
      if (values.isBinary) values.int('a tag');
      for (let k = 0; k < tagCount; k++) values.int('a tag');
      readElement(type, () => values.int('a node'), values, nodes, elements);
    }
    read += blockElements;
  }
  return elements;
}

/** Version 4.1: blocks of one type. */
export function readElements4(values: GmshValues, nodes: GmshNodes): SolidElements {
  const blockCount = values.size('element blocks');
  const count = values.size('elements');
  values.size('smallest tag');
  values.size('largest tag');
  values.checkCount('element blocks', blockCount, 4);
  values.checkCount('elements', count, 2);
  const elements = new SolidElements();
  let read = 0;
  for (let block = 0; block < blockCount; block++) {
    values.int('dimension');
    values.int('entity');
    const type = values.int('an element type');
    const blockElements = values.size('elements of a block');
    if (!(blockElements >= 0 && blockElements <= count - read)) {
      values.fail('syntax', `a block of ${blockElements} elements where ${count - read} are left`);
    }
    for (let i = 0; i < blockElements; i++) {
      values.size('a tag');
      readElement(type, () => values.size('a node'), values, nodes, elements);
    }
    read += blockElements;
  }
  if (read !== count) values.fail('syntax', `${read} elements, but ${count} announced`);
  return elements;
}

/** One element: its nodes come from `nextTag`. */
function readElement(
  type: number,
  nextTag: () => number,
  values: GmshValues,
  nodes: GmshNodes,
  elements: SolidElements,
): void {
  const nodeCount = NODES_OF_TYPE[type];
  if (nodeCount === undefined) values.fail('unsupported', REFUSED[type] ?? `an element of type ${type}`);
  const corners = [0, 0, 0, 0, 0, 0];
  const isKept = type === TRIANGLE || type === QUADRANGLE || type === TETRAHEDRON;
  for (let i = 0; i < nodeCount; i++) corners[i] = isKept ? vertexOf(nextTag(), values, nodes) : nextTag();
  if (type === TETRAHEDRON) elements.addTetrahedron(corners);
  else if (isKept) elements.addPolygon(corners, 0, nodeCount);
}

function vertexOf(tag: number, values: GmshValues, nodes: GmshNodes): number {
  const vertex = nodes.vertexOf(tag);
  if (vertex < 0) values.fail('index-out-of-range', `an element uses node ${tag}, which is not in $Nodes`);
  return vertex;
}
