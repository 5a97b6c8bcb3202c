import { type FileBytes, fileBytes } from './file-bytes.ts';
import { Uint32List } from './growable.ts';
import { type MeshFile, meshName, singleGroup } from './mesh-file.ts';
import { openPlyBody, type PlyBody } from './ply-body.ts';
import { type PlyElement, type PlyProperty, readPlyHeader, smallestEntry } from './ply-header.ts';

/**
 * PLY, ASCII or binary of either byte order. Positions are the scalars x, y, z of `vertex`,
 * polygons the list `vertex_indices` (or `vertex_index`) of `face`, fanned from their first corner;
 * `tristrips` are expanded. Everything else is skipped.
 */
export function readPly(file: FileBytes, fileName: string): MeshFile {
  const bytes = fileBytes(file, fileName);
  const header = readPlyHeader(bytes, fileName);
  const body = openPlyBody(bytes, fileName, header);
  const vertexCount = header.elements.find(({ name }) => name === 'vertex')?.count ?? 0;
  let positions = new Float64Array(0);
  const triangles = new Uint32List();

  for (const element of header.elements) {
    body.checkCount(
      `element ${element.name}`,
      element.count,
      smallestEntry(element, header.format === 'ascii'),
    );
    if (element.name === 'vertex') positions = readVertices(body, element);
    else if (element.name === 'face') readLists(body, element, vertexCount, triangles, readPolygon);
    else if (element.name === 'tristrips') readLists(body, element, vertexCount, triangles, readStrip);
    else skipElement(body, element);
  }
  return {
    kind: 'triangles',
    name: meshName(fileName),
    positions,
    triangles: triangles.toArray(),
    groups: singleGroup(triangles.length / 3),
  };
}

function skipElement(body: PlyBody, { count, properties }: PlyElement): void {
  if (properties.length === 0) return; // any number of entries take no bytes
  for (let i = 0; i < count; i++) for (const property of properties) skipProperty(body, property);
}

function readVertices(body: PlyBody, { count, properties }: PlyElement): Float64Array<ArrayBuffer> {
  const axes = properties.map(({ name }) => ['x', 'y', 'z'].indexOf(name));
  for (const [axis, letter] of ['x', 'y', 'z'].entries()) {
    const found = properties.filter(({ name }) => name === letter);
    if (found.length !== 1 || found[0].countType !== undefined) {
      body.fail('syntax', `element vertex has ${found.length} scalar properties ${letter}`);
    }
    axes[properties.indexOf(found[0])] = axis;
  }
  const positions = new Float64Array(3 * count);
  for (let v = 0; v < count; v++) {
    for (let i = 0; i < properties.length; i++) {
      if (axes[i] >= 0) positions[3 * v + axes[i]] = body.scalar(properties[i].type);
      else skipProperty(body, properties[i]);
    }
  }
  return positions;
}

type ListReader = (body: PlyBody, list: PlyProperty, vertexCount: number, triangles: Uint32List) => void;

function readLists(
  body: PlyBody,
  { name, count, properties }: PlyElement,
  vertexCount: number,
  triangles: Uint32List,
  readList: ListReader,
): void {
  const list = properties.find(
    (p) => p.countType && (p.name === 'vertex_indices' || p.name === 'vertex_index'),
  );
  if (list === undefined) body.fail('syntax', `element ${name} has no list vertex_indices`);
  for (let i = 0; i < count; i++) {
    for (const property of properties) {
      if (property === list) readList(body, list, vertexCount, triangles);
      else skipProperty(body, property);
    }
  }
}

function readPolygon(body: PlyBody, list: PlyProperty, vertexCount: number, triangles: Uint32List): void {
  const cornerCount = body.listLength(list);
  let first = 0;
  let previous = 0;
  for (let corner = 0; corner < cornerCount; corner++) {
    const index = body.index(list.type, 0, vertexCount);
    if (corner === 0) first = index;
    else if (corner > 1) triangles.push3(first, previous, index);
    previous = index;
  }
}

/** Strips one after the other, parted by −1; every second triangle is turned to keep the side. */
function readStrip(body: PlyBody, list: PlyProperty, vertexCount: number, triangles: Uint32List): void {
  const length = body.listLength(list);
  let corners = 0;
  let a = 0;
  let b = 0;
  for (let i = 0; i < length; i++) {
    const index = body.index(list.type, -1, vertexCount);
    if (index < 0) {
      corners = 0;
      continue;
    }
    if (corners >= 2) {
      if (corners % 2 === 0) triangles.push3(a, b, index);
      else triangles.push3(b, a, index);
    }
    a = b;
    b = index;
    corners++;
  }
}

function skipProperty(body: PlyBody, property: PlyProperty): void {
  body.skipValues(property.type, property.countType ? body.listLength(property) : 1);
}
