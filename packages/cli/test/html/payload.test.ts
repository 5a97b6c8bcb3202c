import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { deformMesh } from '../../src/html/page/deform.ts';
import { inflateGzip } from '../../src/html/page/inflate.ts';
import { type PageData, readPayload } from '../../src/html/page/read-payload.ts';
import type { ReportData } from '../../src/html/report-data.ts';
import { SHOWN_PAIRS } from '../../src/html/shown-contacts.ts';
import { writePayload } from '../../src/html/write-payload.ts';
import { posedPositions, sampleReport } from './sample-report.ts';

let data: ReportData;
let read: PageData;

beforeAll(async () => {
  data = await sampleReport();
  read = await readPayload(writePayload(data));
});

describe('what is written can be read', () => {
  test('frames, clips, pairs and hits exactly', () => {
    const list = (values: ArrayLike<number>) => Array.from(values);
    expect(read.clips).toEqual(data.clips);
    expect(list(read.frames.count)).toEqual(data.frames.map(({ count }) => count));
    expect(list(read.frames.index)).toEqual(data.frames.map(({ index }) => index));
    expect(list(read.frames.time)).toEqual(data.frames.map(({ time }) => time));
    expect(list(read.frames.clip)).toEqual(data.frames.map(({ clip }) => data.clips.indexOf(clip)));
    expect(list(read.hits)).toEqual(list(data.hits));
    expect(read.shown.map(({ frame }) => frame)).toEqual(data.shown.map(({ frame }) => frame));
    read.shown.forEach(({ pairs, touched }, k) => {
      expect(pairs).toEqual(data.shown[k].pairs);
      expect(touched).toEqual(Uint32Array.from(new Set(data.shown[k].pairs)).sort());
    });
  });

  test('meshes with their names, triangles and regions', () => {
    read.meshes.forEach((mesh, k) => {
      const { name, triangles, regions } = data.meshes[k];
      expect(mesh.name).toBe(name);
      expect(Array.from(mesh.triangles)).toEqual(Array.from(triangles));
      expect(mesh.regionNames).toEqual(regions.names);
      expect(Array.from(mesh.regionOfTriangle)).toEqual(Array.from(regions.ofTriangle));
    });
  });

  test('poses to 1e-4 of the model, with skin, morph targets and world matrix', () => {
    read.shown.forEach((shown, k) => {
      read.meshes.forEach((mesh, m) => {
        const out = new Float32Array(mesh.positions.length);
        deformMesh(mesh, shown.poses[m], shown.world.subarray(12 * m, 12 * m + 12), out, 0);
        const expected = posedPositions(data.meshes[m], data.shown[k].poses[m]);
        const off = out.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i])), 0);
        expect(off).toBeLessThan(3e-4);
      });
    });
  });

  test('point caches', async () => {
    const positions = data.meshes[0].positions.map((value) => 2 * value + 1);
    const shown = data.shown.slice(0, 1).map((frame) => ({
      ...frame,
      poses: [{ world: frame.poses[0].world, positions }, frame.poses[1]],
    }));
    const again = await readPayload(writePayload({ ...data, shown }));
    const unpacked = again.shown[0].poses[0].positions!();
    expect(unpacked).toHaveLength(positions.length);
    expect(Math.max(...unpacked.map((value, k) => Math.abs(value - positions[k])))).toBeLessThan(1e-4);
  });

  test('of very many contacts every touching triangle, and a fair share of the pairs', async () => {
    const pairs = Uint32Array.from({ length: 20_000 }, (_, k) => (k * 7) % data.hits.length);
    const shown = [{ ...data.shown[0], pairs }];
    const again = (await readPayload(writePayload({ ...data, shown }))).shown[0];
    expect(again.truncated).toBe(true);
    expect(again.pairs).toHaveLength(2 * SHOWN_PAIRS);
    expect(again.touched).toEqual(Uint32Array.from(new Set(pairs)).sort());
  });

  test('a mesh without vertices and a report without meshes', async () => {
    const empty = {
      ...data.meshes[0],
      skin: undefined,
      positions: new Float32Array(0),
      triangles: new Uint32Array(0),
      triangleCount: 0,
    };
    const one = await readPayload(writePayload({ ...data, meshes: [empty], shown: [] }));
    expect(one.meshes[0].positions).toHaveLength(0);
    expect((await readPayload(writePayload({ ...data, meshes: [], shown: [] }))).meshes).toEqual([]);
  });
});

test('arrays that several meshes or frames share are stored once', async () => {
  const twice = { ...data, meshes: [data.meshes[0], data.meshes[0]] };
  const size = (report: ReportData) => writePayload({ ...report, shown: [] }).length;
  expect(size(twice) - size({ ...data, meshes: [data.meshes[0]] })).toBeLessThan(400);
});

describe('the unpacker for older browsers', () => {
  test('undoes gzip of anything', () => {
    const text = fc.array(fc.constantFrom('a', 'bb', 'Shoulder', '0', '\n'), { maxLength: 3000 });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 5000 }),
      text.map((words) => new TextEncoder().encode(words.join(''))),
    );
    fc.assert(
      fc.property(bytes, fc.integer({ min: 0, max: 9 }), (plain, level) => {
        expect(inflateGzip(gzipSync(plain, { level }))).toEqual(plain);
      }),
      { numRuns: 200 },
    );
  });

  test('undoes the report itself', () => {
    const packed = Buffer.from(writePayload(data), 'base64');
    expect(inflateGzip(packed).length).toBe(packed.readUInt32LE(packed.length - 4));
  });
});
