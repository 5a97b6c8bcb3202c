import { checkObject } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { bytesOf, type FileBytes, fileBytes } from './file-bytes.ts';
import { readGmsh } from './gmsh.ts';
import { type GunzipOptions, gunzip, isGzip } from './gzip.ts';
import { readMedit } from './medit.ts';
import { type MeshFile, meshExtension, type PointCache, type TetFile } from './mesh-file.ts';
import { readObj } from './obj.ts';
import { readOff } from './off.ts';
import { readPly } from './ply.ts';
import { readMdd, readPc2 } from './point-cache.ts';
import { readStl } from './stl.ts';
import { readTetgen } from './tetgen.ts';
import { readVeg } from './veg.ts';
import { readVtk } from './vtk.ts';

export interface ReadMeshOptions extends GunzipOptions {
  /** Bytes of a file in the same folder: the `.ele` of a TetGen `.node`. Default: there is none. */
  readSibling?: (fileName: string) => Promise<Uint8Array>;
}

type Reader = (bytes: Uint8Array, fileName: string) => MeshFile | TetFile;

const READERS: Readonly<Record<string, Reader>> = {
  obj: readObj,
  ply: readPly,
  stl: readStl,
  off: readOff,
  mesh: readMedit,
  msh: readGmsh,
  vtk: readVtk,
  veg: readVeg,
};

/** Reads any of our formats, gzip-compressed or not: by extension, or by content when that is unknown. */
export async function readMesh(
  file: FileBytes,
  fileName: string,
  options: ReadMeshOptions = {},
): Promise<MeshFile | TetFile> {
  const bytes = fileBytes(file, fileName);
  checkObject('options', options);
  const plain = isGzip(bytes) ? await gunzip(bytes, fileName, options) : bytes;
  const extension = meshExtension(fileName);
  if (extension === 'node' || extension === 'ele') return readTetgenPair(plain, fileName, extension, options);
  const known = Object.hasOwn(READERS, extension) ? extension : sniffFormat(plain);
  if (known !== undefined) return READERS[known](plain, fileName);
  throw new InputError('unsupported', `${fileName}: ${unknownFormat(extension)}`);
}

/** Reads a PC2 or MDD point cache, gzip-compressed or not. */
export async function readPointCache(
  file: FileBytes,
  fileName: string,
  options: GunzipOptions = {},
): Promise<PointCache> {
  const bytes = fileBytes(file, fileName);
  const plain = isGzip(bytes) ? await gunzip(bytes, fileName, options) : bytes;
  return meshExtension(fileName) === 'mdd' ? readMdd(plain, fileName) : readPc2(plain, fileName);
}

/** The format (as an extension) that the first bytes show; undefined when they show none. */
export function sniffFormat(file: FileBytes): string | undefined {
  const bytes = bytesOf(file);
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4096)).replace(/^ï»¿/, '');
  if (/^ply\s/.test(start)) return 'ply';
  if (/^# vtk DataFile/i.test(start)) return 'vtk';
  if (/^solid\s/i.test(start) || isBinaryStlLength(bytes)) return 'stl';
  const word = firstWord(start);
  if (/^(ST)?C?N?4?n?OFF/.test(word)) return 'off';
  if (word === '$MeshFormat') return 'msh';
  if (/^MeshVersionFormatted$/i.test(word)) return 'mesh';
  if (/^\*VERTICES$/i.test(word)) return 'veg';
  if (/^(v|vn|vt|f|g|o|s|mtllib|usemtl)$/.test(word)) return 'obj';
  return undefined;
}

async function readTetgenPair(
  bytes: Uint8Array,
  fileName: string,
  extension: 'node' | 'ele',
  options: ReadMeshOptions,
): Promise<TetFile> {
  const other = extension === 'node' ? 'ele' : 'node';
  const plainName = fileName.replace(/\.gz$/i, '');
  const otherName = `${plainName.slice(0, -extension.length)}${other}${fileName.slice(plainName.length)}`;
  if (options.readSibling === undefined) {
    throw new InputError('missing-file', `${fileName}: a TetGen mesh needs ${otherName} as well`);
  }
  const sibling = await options.readSibling(otherName);
  const otherBytes = isGzip(sibling) ? await gunzip(sibling, otherName, options) : sibling;
  return extension === 'node'
    ? readTetgen({ node: bytes, nodeName: fileName, ele: otherBytes, eleName: otherName })
    : readTetgen({ node: otherBytes, nodeName: otherName, ele: bytes, eleName: fileName });
}

function isBinaryStlLength(bytes: Uint8Array): boolean {
  if (bytes.length < 84) return false;
  const facets = new DataView(bytes.buffer, bytes.byteOffset).getUint32(80, true);
  return facets > 0 && bytes.length === 84 + 50 * facets;
}

/** After white space and comments. */
function firstWord(text: string): string {
  for (const line of text.split(/[\r\n]/)) {
    const trimmed = line.trim();
    if (trimmed !== '' && !trimmed.startsWith('#')) return trimmed.split(/\s/, 1)[0];
  }
  return '';
}

function unknownFormat(extension: string): string {
  if (extension === 'glb' || extension === 'gltf') return 'glTF is read by pliant/gltf';
  return 'neither the extension nor the content is of a known mesh format';
}
