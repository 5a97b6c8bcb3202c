import type { GmshValues } from './gmsh-values.ts';

export interface GmshNodes {
  readonly positions: Float64Array;
  /** Vertex with this tag, or −1. */
  vertexOf(tag: number): number;
}

/** Version 2: a tag and three coordinates each. */
export function readNodes2(values: GmshValues): GmshNodes {
  const count = values.textCount('nodes');
  values.checkCount('nodes', count, 4);
  const tags = new Float64Array(count);
  const positions = new Float64Array(3 * count);
  for (let v = 0; v < count; v++) {
    tags[v] = values.int('a node');
    readPosition(values, positions, v);
  }
  return { positions, vertexOf: tagLookup(values, tags) };
}

/** Version 4.1: blocks of tags followed by coordinates. */
export function readNodes4(values: GmshValues): GmshNodes {
  const blockCount = values.size('node blocks');
  const count = values.size('nodes');
  values.size('smallest tag');
  values.size('largest tag');
  values.checkCount('node blocks', blockCount, 4);
  values.checkCount('nodes', count, 4);
  const tags = new Float64Array(count);
  const positions = new Float64Array(3 * count);

  let v = 0;
  for (let block = 0; block < blockCount; block++) {
    const dimension = values.int('dimension');
    values.int('entity');
    const isParametric = values.int('parametric') !== 0;
    const blockNodes = values.size('nodes of a block');
    if (!(blockNodes >= 0 && blockNodes <= count - v))
      values.fail('syntax', `more nodes than the ${count} announced`);
    if (!(dimension >= 0 && dimension <= 3)) values.fail('syntax', `an entity of dimension ${dimension}`);
    for (let i = 0; i < blockNodes; i++) tags[v + i] = values.size('a tag');
    for (let i = 0; i < blockNodes; i++) {
      readPosition(values, positions, v + i);
      if (isParametric) for (let k = 0; k < dimension; k++) values.real('a parameter');
    }
    v += blockNodes;
  }
  if (v !== count) values.fail('syntax', `${v} nodes, but ${count} announced`);
  return { positions, vertexOf: tagLookup(values, tags) };
}

function readPosition(values: GmshValues, positions: Float64Array, v: number): void {
  positions[3 * v] = values.real('a coordinate');
  positions[3 * v + 1] = values.real('a coordinate');
  positions[3 * v + 2] = values.real('a coordinate');
}

/** Consecutive tags, the usual case, need no table. */
function tagLookup(values: GmshValues, tags: Float64Array): GmshNodes['vertexOf'] {
  const count = tags.length;
  const first = count > 0 ? tags[0] : 0;
  if (tags.every((tag, v) => tag === first + v)) {
    return (tag) => (tag >= first && tag < first + count ? tag - first : -1);
  }
  const vertexOfTag = new Map<number, number>();
  tags.forEach((tag, v) => {
    vertexOfTag.set(tag, v);
  });
  if (vertexOfTag.size < count) values.fail('syntax', 'two nodes with the same tag');
  return (tag) => vertexOfTag.get(tag) ?? -1;
}
