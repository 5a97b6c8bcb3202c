import { describe, expect, test } from 'vitest';
import {
  prepareBlendCertificate,
  prepareEnergyCertificate,
  prepareReducedEnergyCertificate,
  prepareSubspaceCertificate,
} from '../../src/cull/index.ts';
import {
  type Body,
  type Certificate,
  createEngine,
  createTriangleMesh,
  type Engine,
  findSelfCollisions,
  InputError,
} from '../../src/index.ts';
import { grid } from '../arbitraries.ts';

const SHEET = createTriangleMesh(grid(7, 7));
/** Two modes that bend the sheet, and its vertices when it is bent by both. */
const MODES = {
  count: 2,
  displacements: Float64Array.from({ length: 2 * SHEET.positions.length }, (_, k) =>
    k % 3 === 2 ? Math.sin(0.05 * k) : 0,
  ),
};
const BENT = SHEET.positions.map((x, k) => (k % 3 === 2 ? 0.1 * Math.sin(k) : x));

type Prepared = Certificate & { dispose(): void; forBody?(body: Body): Prepared };

interface Kind {
  create(engine: Engine): Body;
  prepare(body: Body): Prepared;
  pose: ArrayLike<number>;
}

const free = (engine: Engine) => engine.createFreeBody(SHEET, { split: 'connected' });
const modal = (engine: Engine) => engine.createModalBody(SHEET, MODES);

const KINDS: Record<string, Kind> = {
  subspace: {
    create: modal,
    prepare: (body) => prepareSubspaceCertificate(body, { reach: 2 }),
    pose: [0.1, 0],
  },
  energy: {
    create: free,
    prepare: (body) => prepareEnergyCertificate(body, { minTriangles: 32 }),
    pose: BENT,
  },
  blend: {
    create: modal,
    prepare: (body) => prepareBlendCertificate(body, { smallest: 24 }),
    pose: [0.1, 0],
  },
  'reduced-energy': {
    create: modal,
    prepare: (body) => prepareReducedEnergyCertificate(body, { smallest: 24 }),
    pose: [0.1, 0],
  },
};

const code = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof InputError) return error.code;
    throw error;
  }
  return 'none';
};

describe.each(Object.entries(KINDS))('%s certificates', (_, { create, prepare, pose }) => {
  test('replaced on a living body 50 times, they take no more memory than one', async () => {
    const engine = await createEngine();
    const body = create(engine);
    const replace = () => {
      const [old] = body.certificates as Prepared[];
      body.setCertificates([prepare(body)]);
      old?.dispose();
      body.setPose(pose);
      findSelfCollisions(body);
      body.setMotion(pose, pose);
      findSelfCollisions(body, { continuous: true });
    };
    replace();
    replace();
    const { bytes } = engine.usage;
    const room = engine.kernels.memory.buffer.byteLength;
    for (let k = 0; k < 50; k++) replace();
    expect(engine.usage.bytes).toBe(bytes);
    expect(engine.kernels.memory.buffer.byteLength).toBe(room);
    body.dispose();
    engine.dispose();
    expect(engine.usage.bytes).toBe(0);
  });

  test('go with their body, whether it has them set or not', async () => {
    const engine = await createEngine();
    const keeper = create(engine);
    findSelfCollisions(keeper);
    const cycle = () => {
      const body = create(engine);
      const certificate = prepare(body);
      prepare(body);
      body.setCertificates([certificate]);
      findSelfCollisions(body);
      body.dispose();
      expect(code(() => certificate.begin(false))).toBe('disposed');
      certificate.dispose(); // the memory is gone already
    };
    cycle();
    const { bytes } = engine.usage;
    for (let k = 0; k < 5; k++) cycle();
    expect(engine.usage.bytes).toBe(bytes);
    engine.dispose();
  });

  test('are refused once they are disposed of, and the body does without', async () => {
    const engine = await createEngine();
    const body = create(engine);
    body.setPose(pose);
    const [certificate, other] = [prepare(body), prepare(body)];
    body.setCertificates([certificate, other], 'asked for');
    const before = findSelfCollisions(body).pairCount;
    certificate.dispose();
    certificate.dispose();
    expect(certificate.isDisposed).toBe(true);
    expect(body.certificates).toEqual([other]);
    expect(code(() => body.setCertificates([certificate]))).toBe('disposed');
    expect(code(() => findSelfCollisions(body, { certificates: [certificate] }))).toBe('disposed');
    expect(code(() => certificate.begin(false))).toBe('disposed');
    expect(certificate.clears(0, 0)).toBe(false);
    if (certificate.forBody) expect(code(() => certificate.forBody!(create(engine)))).toBe('disposed');
    expect(findSelfCollisions(body).pairCount).toBe(before);
    engine.dispose();
    other.dispose(); // after the engine: nothing to do
  });

  test('cannot be disposed of while a query uses them', async () => {
    const engine = await createEngine();
    const body = create(engine);
    const certificate = prepare(body);
    let found = '';
    const asking: Certificate = {
      tree: body.tree,
      begin: () => {
        found = code(() => certificate.dispose());
      },
      clears: () => false,
    };
    findSelfCollisions(body, { certificates: [asking, certificate] });
    expect(found).toBe('busy');
    expect(certificate.isDisposed).toBe(false);
    engine.dispose();
  });

  test('of two bodies of one mesh end one after the other', async () => {
    const engine = await createEngine();
    const [a, b] = [create(engine), create(engine)];
    findSelfCollisions(a);
    const first = prepare(a);
    if (!first.forBody) return engine.dispose();
    const second = first.forBody(b);
    first.dispose();
    b.setCertificates([second]);
    b.setPose(pose);
    const certified = findSelfCollisions(b).sortedPairs();
    expect(certified).toEqual(findSelfCollisions(b, { certificates: [] }).sortedPairs());
    const withSecond = engine.usage.bytes;
    second.dispose();
    expect(engine.usage.bytes).toBeLessThan(withSecond);
    engine.dispose();
  });
});
