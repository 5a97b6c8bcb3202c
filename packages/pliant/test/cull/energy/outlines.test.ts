import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EnergyCertificate, prepareEnergyCertificate } from '../../../src/cull/index.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findSelfCollisions,
  type TriangleMesh,
} from '../../../src/index.ts';
import { movingSelfPairs, selfPairs } from '../../oracles/brute-force.ts';
import { randomNumbers, roughSheet, tube } from './energy-cases.ts';
import { curl, type Posed, posed, withBody } from './outline-cases.ts';
import { ProgramView } from './program-view.ts';

const RUNS = process.env.PLIANT_FULL ? 400 : 25;
const SIZES = { maxTriangles: 30, minTriangles: 8 };

/** Of contacts, those between triangles that are both in the nodes of an item. */
function contactsIn(
  { tree, resident }: Body,
  certificate: EnergyCertificate,
  item: number,
  contacts: readonly (readonly [number, number, ...number[]])[],
) {
  const nodes = [...certificate.program.nodes.subarray(2 * item, 2 * item + 2)];
  const isIn = (t: number) =>
    nodes.some((node) => {
      const place = resident.slotOfTriangle[t] - tree.firstSlot[node];
      return place >= 0 && place < tree.slotCount[node];
    });
  return contacts.filter(([i, j]) => isIn(i) && isIn(j));
}

/** What outlines prove of a pose, or of a motion. */
function provedBy(engine: Engine, { mesh, poses }: Posed, continuous: boolean) {
  let result = { proved: [] as boolean[], cones: [] as unknown[], items: 0 };
  withBody(engine, mesh, (body) => {
    const certificate = prepareEnergyCertificate(body, SIZES);
    if (continuous) body.setMotion(...poses);
    else body.setPose(poses[0]);
    certificate.begin(continuous);
    certificate.survey();
    const view = new ProgramView(certificate);
    const { outlineItems } = view;
    const proved = outlineItems.map((item) => certificate.program.isSmooth(item));
    const contacts = continuous ? movingSelfPairs(mesh, ...poses) : selfPairs(mesh, body.getLocalPositions());
    outlineItems.forEach((item, k) => {
      if (proved[k]) expect(contactsIn(body, certificate, item, contacts)).toEqual([]);
    });
    result = { proved, cones: view.listCones(), items: outlineItems.length };
  });
  return result;
}

describe.each([false, true])('over a motion: %s', (continuous) => {
  test('what outlines prove does not touch, and both kernels prove the same', async () => {
    const engines = [await createEngine({ kernels: 'wasm' }), await createEngine({ kernels: 'ts' })];
    let held = 0,
      failed = 0;
    fc.assert(
      fc.property(posed, (it) => {
        const [first, second] = engines.map((engine) => provedBy(engine, it, continuous));
        expect(first).toEqual(second);
        held += first.proved.filter(Boolean).length;
        failed += first.items - first.proved.filter(Boolean).length;
      }),
      { numRuns: continuous ? RUNS : 4 * RUNS },
    );
    expect(held).toBeGreaterThan(RUNS);
    expect(failed).toBeGreaterThan(RUNS);
  });
});

test('a strip that is curled up in its plane is proved until its ends meet', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(30, 3, 0.1, 2);
  withBody(engine, mesh, (body) => {
    const certificate = prepareEnergyCertificate(body, SIZES);
    const isProved = (turns: number) => {
      body.setPose(curl(mesh, 30, turns, 0));
      certificate.begin(false);
      certificate.survey();
      return certificate.program.isSmooth(0);
    };
    expect([...certificate.program.nodes.subarray(0, 2)]).toEqual([0, 0]);
    expect([0.1, 0.4, 0.7, 0.9].map(isProved)).toEqual([true, true, true, true]);
    expect([1.02, 1.2, 1.4].map(isProved)).toEqual([false, false, false]);
  });
});

test('half a ball is proved as a whole, and a tube is not', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(24, 24, 0.1, 4);
  withBody(engine, mesh, (body) => {
    const certificate = prepareEnergyCertificate(body);
    const dome = (degrees: number) =>
      mesh.positions.map((_, k) => {
        const [x, y, z] = mesh.positions.subarray(k - (k % 3), k - (k % 3) + 3);
        const a = ((x / 12 - 1) * degrees * Math.PI) / 180,
          b = ((y / 12 - 1) * degrees * Math.PI) / 180;
        return (12 + 0.1 * z) * [Math.sin(a) * Math.cos(b), Math.sin(b), Math.cos(a) * Math.cos(b)][k % 3];
      });
    for (const [degrees, isProved] of [
      [50, true],
      [120, false],
    ] as const) {
      body.setPose(dome(degrees));
      certificate.begin(false);
      certificate.survey();
      expect(certificate.program.isSmooth(0)).toBe(isProved);
    }
  });
  withBody(engine, tube(16, 20, 3), (body) => {
    const items = new ProgramView(prepareEnergyCertificate(body, SIZES)).outlineItems;
    const { nodes } = prepareEnergyCertificate(body, SIZES).program;
    expect(items.length).toBeGreaterThan(0);
    expect(items.map((item) => nodes[2 * item])).not.toContain(0);
  });
});

test('cones that lie are caught, and outlines of something else', async () => {
  const engine = await createEngine();
  const isCaught = (lie: (view: ProgramView, items: number[]) => void) => {
    const mesh = roughSheet(24, 3, 0.2, 7);
    let isWrong = false;
    withBody(engine, mesh, (body) => {
      for (const rise of [0, 0.2]) {
        const pose = curl(mesh, 24, 1.3, rise);
        const rolled = pose.map((_, k) => (rise === 0 ? pose[k] : pose[k - (k % 3) + [2, 1, 0][k % 3]]));
        const certificate = prepareEnergyCertificate(body, SIZES);
        body.setPose(rolled);
        certificate.begin(false);
        certificate.survey();
        const view = new ProgramView(certificate);
        const items = view.outlineItems;
        lie(view, items);
        const contacts = selfPairs(mesh, body.getLocalPositions());
        isWrong ||= items.some(
          (item) =>
            certificate.program.isSmooth(item) && contactsIn(body, certificate, item, contacts).length > 0,
        );
      }
    });
    return isWrong;
  };
  expect(isCaught(() => {})).toBe(false);
  expect(isCaught((view, items) => view.exchangeOutlines(items, items.at(-1)!))).toBe(true);
});

/** The certificate of a mesh in a pose or a motion, as one that looks at all of it. */
function look(engine: Engine, mesh: TriangleMesh, poses: Float64Array[], see: (it: Look) => void): void {
  withBody(engine, mesh, (body) => {
    const certificate = prepareEnergyCertificate(body, SIZES);
    const continuous = poses.length > 1;
    if (continuous) body.setMotion(poses[0], poses[1]);
    else body.setPose(poses[0]);
    certificate.begin(continuous);
    certificate.survey();
    const view = new ProgramView(certificate);
    const contacts = continuous ? movingSelfPairs(mesh, poses[0], poses[1]) : selfPairs(mesh, poses[0]);
    const lies = () =>
      view.outlineItems.filter(
        (item) =>
          certificate.program.isSmooth(item) && contactsIn(body, certificate, item, contacts).length > 0,
      );
    see({ certificate, view, lies, isTouching: contacts.length > 0 });
  });
}

interface Look {
  readonly certificate: EnergyCertificate;
  readonly view: ProgramView;
  /** Items that are proved and have contacts. */
  readonly lies: () => number[];
  readonly isTouching: boolean;
}

test('a cap that is pressed on the sheet it grows from is not proved, though the outline does not cross itself', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(24, 24, 0.05, 3);
  // Out to a brim, back below it, and out again.
  const radius = (r: number) => (r < 6 ? 1.2 * r : r < 9 ? 7.2 - 1.8 * (r - 6) : 1.8 + 1.7 * (r - 9));
  const pose = mesh.positions.map((value, k) => {
    const [x, y] = mesh.positions.subarray(k - (k % 3), k - (k % 3) + 2).map((c) => c - 12);
    const r = Math.hypot(x, y) || 1;
    return k % 3 === 2 ? 0.1 * value : ([x, y][k % 3] * radius(r)) / r;
  });
  look(engine, mesh, [pose], ({ certificate, view, lies, isTouching }) => {
    expect(isTouching).toBe(true);
    expect(certificate.program.isSmooth(0)).toBe(false);
    expect(lies()).toEqual([]);
    view.flattenCones(() => [0, 0, 1]);
    expect(lies()).toContain(0);
    view.flattenCones((patch) => [0, 0, patch % 2 === 0 ? 1 : -1]);
    expect(certificate.program.isSmooth(0)).toBe(false);
  });
});

test('a sheet that is twisted around its middle goes through a point, though it is flat at both ends', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(12, 12, 0, 3);
  const twisted = (turn: number) =>
    mesh.positions.map((value, k) => {
      const [x, y] = mesh.positions.subarray(k - (k % 3), k - (k % 3) + 2).map((c) => c - 6);
      const angle = turn * Math.PI * Math.max(0, 1 - Math.hypot(x, y) / 5.5) ** 0.5;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      return [c * x - s * y, s * x + c * y, value][k % 3];
    });
  look(engine, mesh, [twisted(0), twisted(1.4)], ({ certificate, lies, isTouching }) => {
    expect(isTouching).toBe(true);
    expect(certificate.program.isSmooth(0)).toBe(false);
    expect(lies()).toEqual([]);
  });
  look(engine, mesh, [twisted(0), twisted(0.1)], ({ certificate, isTouching }) => {
    expect(isTouching).toBe(false);
    expect(certificate.program.isSmooth(0)).toBe(true);
  });
});

test('a strip whose ends meet at the end of a motion is not proved', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(30, 3, 0.1, 2);
  for (const [from, to, isProved] of [
    [0.9, 0.96, true],
    [0.96, 1.06, false],
    [1.06, 0.96, false],
  ] as const) {
    const poses = [curl(mesh, 30, from, 0), curl(mesh, 30, to, 0)];
    look(engine, mesh, poses, ({ certificate, lies, isTouching }) => {
      expect(isTouching).toBe(!isProved);
      expect(certificate.program.isSmooth(0)).toBe(isProved);
      expect(lies()).toEqual([]);
    });
  }
});

test('a blister is in no outline where it grows from the sheet, so that it may lie on it', async () => {
  const engine = await createEngine();
  const side = 10;
  const sheet = roughSheet(side, side, 0, 1);
  for (let seed = 0; seed < 16; seed++) {
    const [left, low] = [2 + (seed % 4), 2 + Math.floor(seed / 4)];
    const positions = [...sheet.positions],
      triangles = [...sheet.triangles];
    const points = new Map<number, number>(); // of the sheet, above them those of the blister
    const above = (point: number) => {
      const [x, y] = [point % (side + 1), Math.floor(point / (side + 1))];
      if (x === left || x === left + 4 || y === low || y === low + 4) return point;
      if (!points.has(point)) {
        points.set(point, positions.length / 3);
        positions.push(x, y, 0.3);
      }
      return points.get(point)!;
    };
    for (let t = 0; t < sheet.triangles.length; t += 3) {
      const cell = Math.floor(t / 6);
      const x = (cell % side) - left,
        y = Math.floor(cell / side) - low;
      if (x >= 0 && x < 4 && y >= 0 && y < 4)
        triangles.push(...[...sheet.triangles.subarray(t, t + 3)].map(above));
    }
    const mesh = createTriangleMesh({ positions, triangles });
    const flat = mesh.positions.map((x, k) => (k % 3 === 2 ? 0 : x));
    const odd = listOdd(mesh);
    expect(odd.length).toBeGreaterThanOrEqual(24);
    look(engine, mesh, [flat], ({ certificate, view, lies, isTouching }) => {
      expect(isTouching).toBe(true);
      expect(lies()).toEqual([]);
      const itself = odd.map((t) => [t, t] as const);
      for (const item of view.outlineItems)
        expect(contactsIn(certificate.body, certificate, item, itself)).toEqual([]);
    });
  }
});

/** Triangles with an edge that another one has in the same direction. */
function listOdd({ triangles }: TriangleMesh): number[] {
  const edges = Array.from(triangles, (from, k) => `${from} ${triangles[k % 3 === 2 ? k - 2 : k + 1]}`);
  const count = new Map<string, number>();
  for (const edge of edges) count.set(edge, (count.get(edge) ?? 0) + 1);
  return [...new Set(edges.flatMap((edge, k) => (count.get(edge)! > 1 ? [Math.floor(k / 3)] : [])))];
}

test('fins that lie on a sheet, and tongues across a hole, are not proved', async () => {
  const engine = await createEngine();
  const sheet = roughSheet(12, 12, 0, 1);
  const isCaught = (mesh: TriangleMesh, pose: Float64Array) =>
    look(engine, mesh, [pose], ({ lies, isTouching }) => {
      expect(isTouching).toBe(true);
      expect(lies()).toEqual([]);
    });
  const corner = (x: number, y: number) => 13 * y + x;
  for (let seed = 0; seed < 20; seed++) {
    // A strip of triangles that starts at an edge of the sheet, flat at rest and later on it.
    const [x, y] = [2 + (seed % 7), 2 + (seed % 5)];
    const n = sheet.vertexCount;
    const fin = seed % 2 === 0 ? [corner(x, y), corner(x + 1, y)] : [corner(x + 1, y), corner(x, y)];
    const up = seed % 2 === 0 ? 1 : -1;
    const positions = [...sheet.positions],
      triangles = [...sheet.triangles];
    let rim = fin;
    for (let k = 0; k < 3; k++) {
      const next = rim.map((_, side) => n + 2 * k + side);
      rim.forEach((_, side) => {
        const along = up > 0 ? side : 1 - side;
        positions.push(x + along, y + up * (k + 1), 0.3 * (k + 1));
      });
      triangles.push(rim[0], rim[1], next[0], rim[1], next[1], next[0]);
      rim = next;
    }
    const mesh = createTriangleMesh({ positions, triangles });
    isCaught(
      mesh,
      mesh.positions.map((value, k) => (k % 3 === 2 ? 0 : value)),
    );
  }
  // Cells around a tongue are missing; it is drawn out until it lies on the other side.
  const isMissing = (column: number, row: number) =>
    column >= 3 && column <= 8 && row >= 3 && row <= 8 && !(column <= 6 && row >= 5 && row <= 6);
  const triangles: number[] = [];
  for (let t = 0; t < sheet.triangles.length; t += 3) {
    const cell = Math.floor(t / 6);
    if (!isMissing(cell % 12, Math.floor(cell / 12))) triangles.push(...sheet.triangles.subarray(t, t + 3));
  }
  const holed = createTriangleMesh({ positions: sheet.positions, triangles });
  const drawn = sheet.positions.map((value, k) => {
    const [x, y] = sheet.positions.subarray(k - (k % 3), k - (k % 3) + 2);
    const isTongue = x > 3 && x <= 7 && y >= 5 && y <= 7;
    return k % 3 === 0 && isTongue ? 3 + 2 * (x - 3) : value;
  });
  isCaught(holed, drawn);
});

test('a smooth body is left to outlines once energies fail, and answers stay the same', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(64, 64, 0.05, 1);
  withBody(engine, mesh, (body) => {
    const certificate = prepareEnergyCertificate(body, { maxTriangles: 64, minTriangles: 32 });
    const wave = (height: number) =>
      mesh.positions.map((value, k) =>
        k % 3 === 2 ? value + height * Math.sin(0.35 * mesh.positions[k - 2]) : value,
      );
    for (let k = 0; k < 40; k++) {
      body.setPose(wave(3 + 0.05 * k));
      const report = findSelfCollisions(body, { method: 'batch', certificates: [certificate] });
      const plain = findSelfCollisions(body, { method: 'batch', certificates: [] });
      expect(report.sortedPairs()).toEqual(plain.sortedPairs());
      if (k < 10) continue;
      expect(report.counters.nodePairsTested).toBeLessThan(0.02 * plain.counters.nodePairsTested);
      expect(certificate.program.sums).toBeLessThan(0.25 * certificate.program.smallCount);
      expect(certificate.program.corners).toBeGreaterThan(0);
    }
  });
});

test('what an outline has proved of two parts holds for this pose only', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(24, 12, 0.05, 5);
  const next = randomNumbers(3);
  const noise = mesh.positions.map(next);
  // Rolled up, so that there is no outline of all; with a place where it is crumpled.
  const rolled = (crumpled: number | undefined) =>
    mesh.positions.map((_, k) => {
      const [x, y, z] = mesh.positions.subarray(k - (k % 3), k - (k % 3) + 3);
      const angle = (1.4 * Math.PI * x) / 24;
      const point = [(6 + z) * Math.cos(angle), y, (6 + z) * Math.sin(angle)];
      const isCrumpled = crumpled !== undefined && Math.hypot(x - crumpled, y - 6) < 2.5;
      return point[k % 3] + (isCrumpled ? noise[k] : 0);
    });
  withBody(engine, mesh, (body) => {
    const certificates = [prepareEnergyCertificate(body, { ...SIZES, maxTriangles: 60 })];
    for (const crumpled of [undefined, 5, undefined, 12, 19]) {
      new ProgramView(certificates[0]).preferOutlines();
      certificates[0].rouse();
      body.setPose(rolled(crumpled));
      const report = findSelfCollisions(body, { method: 'batch', certificates });
      expect(report.sortedPairs()).toEqual(selfPairs(mesh, body.getLocalPositions()));
      expect(report.totalCount > 0).toBe(crumpled !== undefined);
      expect(certificates[0].program.corners).toBeGreaterThan(0);
    }
  });
});

test('without outlines there are energies alone', async () => {
  const engine = await createEngine();
  withBody(engine, roughSheet(12, 12, 0.1, 1), (body) => {
    const all = new ProgramView(prepareEnergyCertificate(body, SIZES)),
      alone = new ProgramView(prepareEnergyCertificate(body, { ...SIZES, outlines: false }));
    expect(all.outlineItems.length).toBeGreaterThan(10);
    expect(alone.outlineItems).toEqual([]);
    expect(alone.energyItems.length).toBe(all.energyItems.length);
    expect(() => prepareEnergyCertificate(body, { outlines: 1 as never })).toThrow('outlines must be');
  });
});
