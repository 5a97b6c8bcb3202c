import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDmat } from '../../src/io/dmat.ts';
import { readGmsh } from '../../src/io/gmsh.ts';
import { readInterp } from '../../src/io/interp.ts';
import { readMedit } from '../../src/io/medit.ts';
import { readObj } from '../../src/io/obj.ts';
import { readOff } from '../../src/io/off.ts';
import { readPly } from '../../src/io/ply.ts';
import { readMdd, readPc2, writePc2 } from '../../src/io/point-cache.ts';
import { readMesh } from '../../src/io/read-mesh.ts';
import { readStl } from '../../src/io/stl.ts';
import { readTetgen } from '../../src/io/tetgen.ts';
import { readTgf } from '../../src/io/tgf.ts';
import { readVeg } from '../../src/io/veg.ts';
import { readVtk } from '../../src/io/vtk.ts';
import { InputError } from '../../src/mesh/input-error.ts';
import { mutate, Random } from './mutate.ts';
import * as sample from './sample-files.ts';
import { hasSharedData, sharedFile } from './shared-data.ts';

const FILES = process.env.PLIANT_FULL ? 20_000 : 500; // per format
const LONGEST_MS = 2000;
const LARGE_EVERY = 50; // real files of a megabyte take their turn less often

type Arrays = { positions: Float64Array; triangles?: Uint32Array; tetrahedra?: Uint32Array };
type Read = (bytes: Uint8Array, fileName: string) => unknown;

interface Format {
  read: Read;
  samples: Uint8Array[];
  real?: string[]; // small files of the shared data
  large?: string[];
}

const readNode: Read = (node) => readTetgen({ node, nodeName: 'a', ele: sample.eleSample(), eleName: 'a' });
const readEle: Read = (ele) => readTetgen({ node: sample.nodeSample(), nodeName: 'a', ele, eleName: 'a' });
const readFrames =
  (read: typeof readPc2): Read =>
  (bytes, fileName) => {
    const cache = read(bytes, fileName);
    const out = new Float64Array(3 * cache.pointCount);
    for (let k = 0; k < Math.min(4, cache.frameCount); k++) cache.frame(k, out);
  };
const pc2 = () => writePc2([Float64Array.from(sample.POINTS), Float64Array.from(sample.POINTS)]);

const FORMATS: Record<string, Format> = {
  obj: {
    read: readObj,
    samples: [sample.objSample()],
    real: ['sequences/tshirt_iter0.obj'],
    large: ['static/cloth100.obj'],
  },
  ply: {
    read: readPly,
    samples: [sample.asciiPlySample(), sample.binaryPlySample(true), sample.binaryPlySample(false)],
    real: ['selfx/cube_with_fold.ply', 'selfx/two-cubes-far.ply', 'selfx/thick-cloth/t0.ply'],
  },
  stl: { read: readStl, samples: [sample.asciiStlSample(), sample.binaryStlSample()] },
  off: { read: readOff, samples: [sample.offSample()], real: ['selfx/cow.off'] },
  medit: { read: readMedit, samples: [sample.meditSample()], large: ['tet/hand/hand.mesh'] },
  gmsh2: { read: readGmsh, samples: [sample.gmsh2Sample(), sample.binaryGmsh2Sample()] },
  gmsh4: {
    read: readGmsh,
    samples: [sample.gmsh4Sample(), sample.binaryGmsh4Sample()],
    large: ['tet/bunny.msh'],
  },
  node: {
    read: readNode,
    samples: [sample.nodeSample(0), sample.nodeSample(1)],
    real: ['tet/armadillo_4k.node'],
  },
  ele: { read: readEle, samples: [sample.eleSample(0), sample.eleSample(1)], real: ['tet/armadillo_4k.ele'] },
  vtk: {
    read: readVtk,
    samples: [
      sample.vtkSample(),
      sample.binaryVtkSample(),
      sample.vtk5Sample(false),
      sample.vtk5Sample(true),
      sample.polydataSample(),
    ],
    large: ['tet/octopus_11K.vtk'],
  },
  veg: { read: readVeg, samples: [sample.vegSample()], real: ['tet/asianDragon/asianDragon.veg'] },
  pc2: { read: readFrames(readPc2), samples: [pc2()], real: ['baked/Horse.pc2'] },
  mdd: { read: readFrames(readMdd), samples: [sample.mddSample()] },
  dmat: {
    read: readDmat,
    samples: [new sample.ByteWriter().text('0 0\n2 3\n').float64(1, 2, 3, 4, 5, 6).bytes()],
    real: ['tet/hand/hand-pose.dmat'],
  },
  tgf: {
    read: readTgf,
    samples: [sample.text('1 0 0 0\n2 1 1 1\n#\n1 2\n')],
    real: ['skinned-dmat/arm.tgf'],
  },
  interp: {
    read: readInterp,
    samples: [sample.text('0 9 0.5 8 0.25 7 0.25 6 0\n')],
    large: ['tet/asianDragon/asianDragon.interp'],
  },
};

/** Typed arrays asked for during a parse, in bytes: the largest one. */
let largestArray = 0;
const originals = { Float64Array, Uint32Array, Uint8Array };

beforeAll(() => {
  for (const [name, original] of Object.entries(originals)) {
    const spy: unknown = new Proxy(original, {
      construct(target, args, newTarget): object {
        if (typeof args[0] === 'number')
          largestArray = Math.max(largestArray, args[0] * original.BYTES_PER_ELEMENT);
        return Reflect.construct(target, args, newTarget === spy ? target : newTarget);
      },
    });
    Object.assign(globalThis, { [name]: spy });
  }
});

afterAll(() => {
  Object.assign(globalThis, originals);
});

describe.each(Object.entries(FORMATS))('%s', (name, { read, samples, real = [], large = [] }) => {
  test(`${FILES} mutated files are read or refused, quickly and in little memory`, () => {
    const random = new Random(name);
    const small = [...samples, ...(hasSharedData ? real.map(sharedFile) : [])];
    const big = hasSharedData ? large.map(sharedFile) : [];
    let refused = 0;
    for (let i = 0; i < FILES; i++) {
      const from = big.length > 0 && i % LARGE_EVERY === 0 ? big : small;
      const bytes = mutate(from[i % from.length], random);
      if (!survives(read, bytes, `${name} ${i}`)) refused++;
    }
    expect(refused).toBeGreaterThan(0.1 * FILES); // the mutations bite
    expect(refused).toBeLessThan(FILES); // and not all are fatal
  });
});

test(`${FILES} mutated gzip files are read or refused`, async () => {
  const random = new Random('gzip');
  const packed = new Uint8Array(gzipSync(sample.objSample()));
  let refused = 0;
  for (let i = 0; i < FILES; i++) {
    const bytes = mutate(packed, random);
    const error = await readMesh(bytes, 'fuzz.obj').then(
      () => undefined,
      (caught: unknown) => caught,
    );
    if (error === undefined) continue;
    expectRefusal(error, `gzip ${i}`);
    refused++;
  }
  expect(refused).toBeGreaterThan(0.5 * FILES);
});

test('a parser that throws something else, returns rubbish or takes too much fails that test', () => {
  const bytes = sample.objSample();
  const sound = { positions: new Float64Array(3), triangles: Uint32Array.of(0, 0, 0) };
  expect(survives(() => sound, bytes, 'x')).toBe(true);
  expect(() =>
    survives(
      () => {
        throw new RangeError('x');
      },
      bytes,
      'x',
    ),
  ).toThrow('RangeError');
  expect(() => survives(() => ({ ...sound, triangles: Uint32Array.of(0, 0, 1) }), bytes, 'x')).toThrow(
    'corner',
  );
  expect(() =>
    survives(() => ({ ...sound, positions: Float64Array.of(0, Number.NaN, 0) }), bytes, 'x'),
  ).toThrow('finite');
  expect(() => survives(() => new Float64Array(1e7), bytes, 'x')).toThrow('memory');
});

/** True when read, false when refused as it should; throws for anything else. */
function survives(read: Read, bytes: Uint8Array, label: string): boolean {
  largestArray = 0;
  const start = performance.now();
  let isRead = true;
  try {
    checkArrays(read(bytes, 'fuzz.file'), label);
  } catch (error) {
    expectRefusal(error, label);
    isRead = false;
  }
  expect(performance.now() - start, `${label}: milliseconds`).toBeLessThan(LONGEST_MS);
  expect(largestArray, `${label}: bytes of memory at once`).toBeLessThan(40 * bytes.length + 4096);
  return isRead;
}

function expectRefusal(error: unknown, label: string): void {
  if (!(error instanceof InputError))
    throw new Error(`${label}: ${error instanceof Error ? error.stack : error}`);
  if (/[\r\n]/.test(error.message) || error.message.length > 300)
    throw new Error(`${label}: ${error.message}`);
}

function checkArrays(result: unknown, label: string): void {
  const { positions, triangles, tetrahedra } = (result ?? {}) as Partial<Arrays>;
  if (positions === undefined) return;
  if (!positions.every(Number.isFinite)) throw new Error(`${label}: a position is not finite`);
  for (const corners of [triangles, tetrahedra]) {
    if (corners?.some((v) => 3 * v >= positions.length)) throw new Error(`${label}: a corner out of range`);
  }
}
