import { describe, expect, test } from 'vitest';
import { readPly } from '../../src/io/ply.ts';
import { expectInputError } from './expect-input-error.ts';
import { asciiPlySample, ByteWriter, binaryPlySample, POINTS, TRIANGLES, text } from './sample-files.ts';

describe.each([
  ['ascii', asciiPlySample()],
  ['ascii, \\r\\n', text(new TextDecoder().decode(asciiPlySample()).replaceAll('\n', '\r\n'))],
  ['little endian', binaryPlySample(true)],
  ['big endian', binaryPlySample(false)],
  ['inside a larger buffer', withOffset(binaryPlySample(true))],
])('%s', (_, bytes) => {
  test('vertices and fanned faces; other properties, lists and elements are stepped over', () => {
    const mesh = readPly(bytes, 'a.ply');
    expect([...mesh.positions]).toEqual(POINTS);
    expect([...mesh.triangles]).toEqual(TRIANGLES);
    expect(mesh.groups).toEqual([{ object: '', name: '', material: '', firstTriangle: 0, triangleCount: 4 }]);
  });

  test('every shorter file is refused', () => {
    for (let length = 0; length < bytes.length - 2; length++) {
      expect(() => readPly(bytes.slice(0, length), 'a.ply'), `${length} bytes`).toThrow(
        /^a\.ply(:\d+|: byte \d+): /,
      );
    }
  });
});

const TYPES = [
  'char',
  'uchar',
  'short',
  'ushort',
  'int',
  'uint',
  'float',
  'double',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'float32',
  'float64',
];

test.each(TYPES)('coordinates and indices of type %s', (type) => {
  const header = (format: string) =>
    `ply\nformat ${format} 1.0\nelement vertex 3\nproperty ${type} x\nproperty ${type} y\nproperty ${type} z\n` +
    `element face 1\nproperty list ${type.startsWith('float') || type === 'double' ? 'uchar' : type} ${type} vertex_indices\nend_header\n`;
  const bits = Number(
    /\d+$/.exec(type)?.[0] ??
      { char: 8, uchar: 8, short: 16, ushort: 16, int: 32, uint: 32, float: 32, double: 64 }[type],
  );
  for (const littleEndian of [true, false]) {
    const out = new ByteWriter(littleEndian).text(header(`binary_${littleEndian ? 'little' : 'big'}_endian`));
    const isFloat = type.startsWith('float') || type === 'double';
    const put = (...values: number[]) => {
      if (isFloat) bits === 32 ? out.float32(...values) : out.float64(...values);
      else if (bits === 8) out.uint8(...values);
      else if (bits === 16) out.int16(...values);
      else out.int32(...values);
    };
    put(0, 1, 2, 3, 4, 5, 6, 7, 100);
    if (isFloat) out.uint8(3);
    else put(3);
    put(2, 1, 0);
    const mesh = readPly(out.bytes(), 'a.ply');
    expect([...mesh.positions]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 100]);
    expect([...mesh.triangles]).toEqual([2, 1, 0]);
  }
});

test('faces before vertices, and strips', () => {
  const body = '7 0 1 2 3 -1 1 2\n0 0 0 1 0 0 0 1 0 1 1 1\n';
  const bytes = text(
    'ply\nformat ascii 1.0\nelement tristrips 1\nproperty list int int vertex_indices\n' +
      `element vertex 4\nproperty float x\nproperty float y\nproperty float z\nend_header\n${body}`,
  );
  expect([...readPly(bytes, 'a.ply').triangles]).toEqual([0, 1, 2, 2, 1, 3]);
});

test('with \\r line ends the body may start with a \\n byte', () => {
  const out = new ByteWriter().text('ply\rformat binary_little_endian 1.0\relement vertex 1\r');
  out.text('property uchar x\rproperty uchar y\rproperty uchar z\rend_header\r').uint8(10, 13, 32);
  expect([...readPly(out.bytes(), 'a.ply').positions]).toEqual([10, 13, 32]);
});

const HEADER =
  'ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n';
const BINARY = HEADER.replace('ascii', 'binary_little_endian');

test.each([
  ['plx\n', 'syntax', 'a.ply:1: a PLY file starts with the line "ply"'],
  ['ply\nformat ascii 1.0\n', 'truncated', 'a.ply:3: the header has no end_header'],
  ['ply\nformat morse 1.0\n', 'unsupported', 'a.ply:2: format "morse"'],
  ['ply\nelement vertex -1\n', 'syntax', 'a.ply:2: element vertex -1'],
  ['ply\nelement vertex 1\nproperty half x\n', 'unsupported', 'a.ply:3: property type "half"'],
  ['ply\nproperty float x\n', 'syntax', 'a.ply:2: a property before the first element'],
  ['ply\nnonsense\n', 'syntax', 'a.ply:2: expected element, property or end_header, found "nonsense"'],
  ['ply\nelement a 1\nproperty list float int b\n', 'syntax', 'a.ply:3: a list counted by float32'],
  ['ply\nelement a 1\nelement a 1\n', 'syntax', 'a.ply:3: a second element a'],
  [
    'ply\nformat ascii 1.0\nelement vertex 9000000\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n3 0 1 2\n',
    'syntax',
    'element vertex has 0 scalar properties x',
  ],
  ['ply\nend_header\n', 'syntax', 'a.ply:2: the header has no format'],
  [`${HEADER}end_header\n1 nan 3\n`, 'not-finite', 'a.ply:8: "nan"'],
  [
    `${HEADER.replace(' y\n', ' w\n')}end_header\n1 2 3\n`,
    'syntax',
    'element vertex has 0 scalar properties y',
  ],
  [
    `${HEADER}element face 1\nproperty list uchar int vertex_indices\nend_header\n1 2 3\n3 0 0 1\n`,
    'index-out-of-range',
    'a.ply:11: vertex 1, but the file has 1',
  ],
  [
    `${HEADER}element face 1\nproperty int n\nend_header\n1 2 3\n3 0 0 1\n`,
    'syntax',
    'element face has no list vertex_indices',
  ],
  [
    `${HEADER.replace('vertex 1', 'vertex 4000000000')}end_header\n1 2 3\n`,
    'truncated',
    'element vertex: 4000000000, but only 6 bytes follow',
  ],
  [
    `${BINARY.replace('vertex 1', 'vertex 4000000000')}end_header\n............`,
    'truncated',
    'element vertex: 4000000000, but only 12 bytes follow',
  ],
  [
    `${BINARY}element face 1\nproperty list uint int vertex_indices\nend_header\n............~~~~~~~`,
    'truncated',
    'values of a list: 2122219134, but only 3 bytes follow',
  ],
] as const)('%j is refused', (content, code, said) => {
  expectInputError(() => readPly(text(content), 'a.ply'), code, said);
});

test('a binary error names its byte', () => {
  const bytes = new ByteWriter().text(`${BINARY}end_header\n`).float32(1, Number.NaN, 3).bytes();
  expectInputError(
    () => readPly(bytes, 'a.ply'),
    'not-finite',
    `a.ply: byte ${bytes.length - 8}: a coordinate is NaN`,
  );

  const face = `${BINARY}element face 1\nproperty list uchar int vertex_indices\nend_header\n`;
  const outside = new ByteWriter().text(face).float32(1, 2, 3).uint8(3).int32(0, 0, 1).bytes();
  expectInputError(
    () => readPly(outside, 'a.ply'),
    'index-out-of-range',
    `byte ${outside.length - 4}: vertex 1`,
  );
});

test('an element without properties takes no bytes and no time', () => {
  const bytes = text(
    `ply\nformat ascii 1.0\nelement nothing 9000000000000000\n${HEADER.slice(21)}end_header\n1 2 3\n`,
  );
  expect([...readPly(bytes, 'a.ply').positions]).toEqual([1, 2, 3]);
});

function withOffset(bytes: Uint8Array): Uint8Array {
  const larger = new Uint8Array(bytes.length + 14).fill(255);
  larger.set(bytes, 7);
  return larger.subarray(7, 7 + bytes.length);
}
