import { beforeAll, describe, expect, test } from 'vitest';
import { restoreEnergyCertificate } from '../../src/cull/energy/energy-certificate.ts';
import {
  type EnergyCertificate,
  prepareEnergyCertificate,
  prepareSubspaceCertificate,
  type SubspaceBall,
  type SubspaceCertificate,
  verifyCertificates,
} from '../../src/cull/index.ts';
import {
  restoreSubspaceCertificate,
  type SubspaceRecord,
} from '../../src/cull/subspace/subspace-certificate.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findSelfCollisions,
} from '../../src/index.ts';
import {
  certificatesFor,
  createRecord,
  readCertificates,
  writeCertificates,
  writeSubspaceCertificate,
} from '../../src/io/index.ts';
import { createCloth, createTorusKnot } from '../../src/shapes/index.ts';

const MODES = 4;

let engine: Engine;
const bodies: Record<'ball' | 'one-sided' | 'box', Body> = {} as never;
const honest: Record<'ball' | 'one-sided' | 'box', SubspaceCertificate> = {} as never;
let cloth: Body, energies: EnergyCertificate;

/** A knot moved by some of its own poses, pierced by a triangle that stays where it is: it touches itself at rest. */
function createKnot(scale: number): Body {
  const knot = createTorusKnot({ triangles: 240 });
  const { positions, triangles } = knot.source;
  const [x, y, z] = positions;
  const pierced = [...positions, x - 0.3, y - 0.2, z, x + 0.3, y + 0.1, z + 0.1, x, y + 0.3, z - 0.1];
  const first = positions.length / 3;
  const displacements = new Float64Array(MODES * pierced.length);
  for (let m = 0; m < MODES; m++) {
    const mode = displacements.subarray(m * pierced.length, m * pierced.length + positions.length);
    knot.deform(0.25 * (m + 1), mode);
    positions.forEach((p, k) => {
      mode[k] = 0.3 * scale * (mode[k] - p);
    });
  }
  const mesh = createTriangleMesh({
    positions: pierced,
    triangles: [...triangles, first, first + 1, first + 2],
  });
  return engine.createModalBody(mesh, { count: MODES, displacements }, { name: 'Knot' });
}

beforeAll(async () => {
  engine = await createEngine();
  for (const gauge of ['ball', 'one-sided', 'box'] as const) {
    bodies[gauge] = createKnot(1);
    honest[gauge] = prepareSubspaceCertificate(bodies[gauge], {
      gauge,
      reach: 6,
      ignoreRestContacts: true,
    });
  }
  cloth = engine.createFreeBody(createTriangleMesh(createCloth({ triangles: 500 }).source), {
    split: 'connected',
  });
  energies = prepareEnergyCertificate(cloth, { minTriangles: 32, maxTriangles: 256 });
});

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Stage {
  readonly body: Body;
  readonly record: SubspaceRecord;
  readonly ball: SubspaceBall;
  readonly random: () => number;
  /** A node, two slots under it that touch at a known gauge, and that gauge. */
  readonly node: number;
  readonly s: number;
  readonly t: number;
  readonly touching: number;
}

/** Entries of the list of pairs that hold two slots, from the first to the smallest. */
function entriesOf({ body, ball: { pairs }, s, t }: Stage): number[] {
  const { firstSlot, slotCount } = body.tree;
  const isBelow = (node: number, slot: number) =>
    slot >= firstSlot[node] && slot < firstSlot[node] + slotCount[node];
  const found: number[] = [];
  for (let k = 0, end = pairs.a.length; k < end; ) {
    const [a, b] = [pairs.a[k], pairs.b[k]];
    const holds = (isBelow(a, s) && isBelow(b, t)) || (isBelow(a, t) && isBelow(b, s));
    if (holds) {
      found.push(k);
      end = pairs.next[k];
    }
    k = holds ? k + 1 : pairs.next[k];
  }
  return found;
}

function changed<T extends Float32Array | Uint32Array>(array: T, change: (copy: T) => void): T {
  const copy = array.slice() as T;
  change(copy);
  return copy;
}

const withBall = ({ record, ball }: Stage, changes: Partial<SubspaceBall>): SubspaceRecord => ({
  ...record,
  balls: [{ ...ball, ...changes }],
});
const withPairs = (stage: Stage, changes: Partial<SubspaceBall['pairs']>): SubspaceRecord =>
  withBall(stage, { pairs: { ...stage.ball.pairs, ...changes } });

/** Each makes a contact get lost at some pose: radii are put beyond a gauge at which triangles are known to touch. */
const FORGERIES: Record<string, (stage: Stage) => SubspaceRecord> = {
  'everything is free of contact': (stage) =>
    withBall(stage, {
      lower: stage.ball.lower.slice().fill(1e30),
      between: stage.ball.between.slice().fill(1e30),
      pairs: { ...stage.ball.pairs, radius: stage.ball.pairs.radius.slice().fill(1e30) },
      limit: 1e30,
    }),
  'the radius of one node is larger': (stage) =>
    withBall(stage, {
      lower: changed(stage.ball.lower, (lower) => {
        lower[stage.node] = stage.touching * (1.04 + stage.random());
      }),
    }),
  'all radii are scaled': (stage) => {
    const factor = (stage.ball.upper[0] / stage.ball.lower[0]) * (1.04 + 0.3 * stage.random());
    return withBall(stage, { lower: stage.ball.lower.map((radius) => radius * factor) });
  },
  'two siblings are apart for longer': (stage) => {
    const { link, firstSlot } = stage.body.tree;
    let node = 0;
    for (;;) {
      const second = link[node] + 1;
      if (stage.s < firstSlot[second] !== stage.t < firstSlot[second]) break;
      node = stage.s < firstSlot[second] ? second - 1 : second;
    }
    return withBall(stage, {
      between: changed(stage.ball.between, (between) => {
        between[link[node]] = stage.touching * (1.04 + stage.random());
      }),
    });
  },
  'the radius of one pair of nodes is larger': (stage) =>
    withPairs(stage, {
      radius: changed(stage.ball.pairs.radius, (radius) => {
        const entries = entriesOf(stage);
        radius[entries[Math.floor(stage.random() * entries.length)]] =
          stage.touching * (1.04 + stage.random());
      }),
    }),
  'a plane between two nodes is invented': (stage) => {
    const stride = stage.ball.pairs.planes.length / stage.ball.pairs.a.length;
    return withPairs(stage, {
      planes: changed(stage.ball.pairs.planes, (planes) => {
        const entry = entriesOf(stage).at(-1)!;
        planes.fill(0, entry * stride, (entry + 1) * stride);
        planes[entry * stride] = 1e6;
      }),
    });
  },
  'a pair of nodes is left out': (stage) => {
    const entry = entriesOf(stage).at(-1)!;
    const other = (entry + 1) % stage.ball.pairs.a.length;
    return withPairs(stage, {
      a: changed(stage.ball.pairs.a, (a) => {
        a[entry] = stage.ball.pairs.a[other];
      }),
      b: changed(stage.ball.pairs.b, (b) => {
        b[entry] = stage.ball.pairs.b[other];
      }),
    });
  },
  'more is known than was looked at': (stage) =>
    withBall(stage, {
      limit: Infinity,
      planeLimit: Infinity,
      lower: stage.ball.lower.map((r) => (r > 5.9 ? 1e6 : r)),
    }),
  'what touches at rest is no exception': (stage) => ({
    ...withPairs(stage, { exceptions: new Uint32Array(0), exceptionAt: new Uint32Array(0) }),
    exceptions: new Uint32Array(0),
  }),
  'one exception is missing': (stage) => ({ ...stage.record, exceptions: stage.record.exceptions.slice(2) }),
  'weights are measured shorter': (stage) => ({
    ...stage.record,
    metric: new Float64Array(MODES).fill(0.2 + 0.2 * stage.random()),
  }),
  'the modes of another body': (stage) => {
    const other = createKnot(0.4); // they move less, so proofs reach further
    const certificate = prepareSubspaceCertificate(other, {
      gauge: stage.record.gauge,
      reach: 6,
      ignoreRestContacts: true,
    });
    const { record } = certificate;
    other.dispose();
    return record;
  },
};

describe('forged subspace certificates', () => {
  test.each(['ball', 'one-sided', 'box'] as const)('an honest one is not refuted: %s', (gauge) => {
    for (let seed = 0; seed < 5; seed++) {
      const found = verifyCertificates(bodies[gauge], [honest[gauge]], { seed });
      expect(found.refutation).toBe(undefined);
      expect(found.nodes).toBeGreaterThan(200);
      expect(found.contacts).toBeGreaterThan(10);
    }
  });

  const names = Object.keys(FORGERIES);
  test.each(names)('%s: found each time', (name) => {
    const each = Math.ceil(84 / names.length);
    for (let k = 0; k < each; k++) {
      const gauge = (['ball', 'one-sided', 'box'] as const)[k % 3];
      const random = randomNumbers(1000 * names.indexOf(name) + k);
      const { record } = honest[gauge];
      const ball = record.balls[0];
      const body = bodies[gauge];
      const known = [...ball.upper.keys()].filter(
        (node) =>
          ball.upper[node] > 0 && ball.upper[node] < 0.9 * ball.limit && body.tree.slotCount[node] > 1,
      );
      const node = known[Math.floor(random() * known.length)];
      const [s, t] = [ball.nearest[2 * node], ball.nearest[2 * node + 1]];
      const stage = { body, record, ball, random, node, s, t, touching: ball.upper[node] };
      const forged = restoreSubspaceCertificate(body, FORGERIES[name](stage));
      const { refutation, pose } = verifyCertificates(body, [forged], { seed: k });
      expect([k, gauge, refutation]).toEqual([k, gauge, expect.any(String)]);
      if (pose) {
        body.setPose(pose); // which is not just words
        expect(findSelfCollisions(body, { certificates: [] }).pairCount).toBeGreaterThan(0);
      }
      forged.dispose();
    }
  });
});

describe('forged energy certificates', () => {
  test('an honest one is not refuted', () => {
    const found = verifyCertificates(cloth, [energies]);
    expect(found.refutation).toBe(undefined);
    expect(found.nodes).toBeGreaterThan(20);
  });

  const change = (
    name: 'self' | 'between',
    forge: (roots: Float32Array, random: () => number) => void,
    seed: number,
  ) => {
    const { sizes, roots } = energies.record;
    const copy = roots[name].slice();
    forge(copy, randomNumbers(seed));
    const forged = restoreEnergyCertificate(cloth, { sizes, roots: { ...roots, [name]: copy } });
    const { refutation } = verifyCertificates(cloth, [forged]);
    forged.dispose();
    return refutation;
  };
  const one = (factor: number) => (roots: Float32Array, random: () => number) => {
    const known = [...roots.keys()].filter((k) => roots[k] > 0);
    roots[known[Math.floor(random() * known.length)]] *= factor;
  };

  test.each<[string, 'self' | 'between', (roots: Float32Array, random: () => number) => void]>([
    ['all limits are raised', 'self', (roots) => roots.set(roots.map((root) => 100 * root))],
    ['the limit of a patch is raised', 'self', one(1.25)],
    ['the limit of a patch is raised a lot', 'self', one(8)],
    ['the limit between two patches is raised', 'between', one(8)],
  ])('%s: found each time', (_, name, forge) => {
    for (let seed = 0; seed < 5; seed++)
      expect([seed, change(name, forge, seed)]).toEqual([seed, expect.any(String)]);
  });
});

test('a file with a forged certificate is refused, unless it is to be believed', () => {
  const body = bodies.ball;
  const { record } = honest.ball;
  const forged = restoreSubspaceCertificate(body, {
    ...record,
    balls: [{ ...record.balls[0], lower: record.balls[0].lower.slice().fill(1e30) }],
  });
  const address = { name: 'Knot', node: null, primitive: null, triangles: body.mesh.triangleCount };
  const bytes = writeCertificates(['knot.obj'], [createRecord(writeSubspaceCertificate(forged), address)]);
  const file = readCertificates(bytes, 'knot.pliant');
  body.setPose([0.5, 0, 0, 0]);
  expect(() => certificatesFor(file, body)).toThrow(
    /^knot\.pliant: the certificate of "Knot" is wrong: triangles \d+ and \d+ touch at .*, but node \d+ is said to be free up to/,
  );
  expect(certificatesFor(file, body, { verify: false })).toHaveLength(1);
  const before = engine.usage.bytes;
  expect(() => certificatesFor(file, body)).toThrow('is wrong');
  expect(engine.usage.bytes).toBe(before); // nothing of it is left
  forged.dispose();
});
