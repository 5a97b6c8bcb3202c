import { prepareEnergyCertificate } from '../../src/cull/index.ts';
import {
  type Certificate,
  CollisionReport,
  createEngine,
  createTriangleMesh,
  findAnyCollision,
  findCollisions,
  findSelfCollisions,
} from '../../src/index.ts';

/** Runs in a child process with --expose-gc and a young generation that does not fill up: see memory.test.ts. */
declare const gc: () => void;

const QUERIES = 1000;
const PORTIONS = 10;
const MOST_ROUNDS = 12;
/** Bytes below which no further round is needed. */
const STEADY = 16;
const portions = new Float64Array(PORTIONS);
/** Keeps the last result alive, so that nothing is optimised away. */
export let sink: unknown;
const TILTED = [1, 0, 0, 0.5, 0, 0.8, -0.6, 0.25, 0, 0.6, 0.8, 0.125];

export async function measureAll(): Promise<Record<string, { perQuery: number; pairs: number }>> {
  const engine = await createEngine();
  const sheet = createTriangleMesh(wavySheet(14, 0.11));
  const flat = createTriangleMesh(wavySheet(14, 0));
  const [body, rigid, other] = [
    engine.createFreeBody(sheet),
    engine.createRigidBody(sheet),
    engine.createRigidBody(flat),
  ];
  const poses = [sheet.positions.slice(), sheet.positions.map((x, i) => (i % 3 === 2 ? 1.01 * x : x))];
  const matrices = [Float64Array.from(TILTED), Float64Array.from(TILTED, (x) => x + 0.001)];
  other.setPose(TILTED);
  const moving = engine.createFreeBody(createTriangleMesh(wavySheet(3, 0.11)));
  moving.setMotion(
    moving.mesh.positions,
    moving.mesh.positions.map((x) => x * 1.01 + 0.001),
  );
  const report = new CollisionReport();
  const silent: Certificate = { tree: rigid.tree, begin: () => {}, clears: () => false };
  const certificates = [silent];
  const calm = engine.createFreeBody(flat, { split: 'connected' });
  const calmPoses = [flat.positions, flat.positions.map((x, i) => (i % 3 === 2 ? 1.01 * x : x))];
  const energies = [prepareEnergyCertificate(calm, { minTriangles: 32 })];
  const options = (extra: object) => ({ report, ...extra }); // made once, as a careful caller would

  const batch = options({ method: 'batch' }),
    onDemand = options({ method: 'on-demand' });
  const depthFirst = options({ method: 'depth-first' }),
    auto = options({});
  const certified = options({ method: 'batch', certificates });
  const continuous = options({ method: 'batch', continuous: true });
  const energetic = options({ method: 'batch', certificates: energies });
  let k = 0;
  const cases: Record<string, () => unknown> = {
    'control: nothing': () => undefined,
    'control: one small object': () => ({ k: k++ }),
    'self batch': () => findSelfCollisions(body, batch),
    'self on-demand': () => findSelfCollisions(rigid, onDemand),
    'self depth-first': () => findSelfCollisions(body, depthFirst),
    'self with a certificate': () => findSelfCollisions(rigid, certified),
    'pair batch': () => findCollisions(body, other, batch),
    'pair on-demand': () => findCollisions(rigid, other, onDemand),
    'pair depth-first': () => findCollisions(body, other, depthFirst),
    'pair auto': () => findCollisions(rigid, other, auto),
    'self batch, posed anew': () => {
      body.setPose(poses[k++ & 1]);
      return findSelfCollisions(body, batch);
    },
    'self with energies, posed anew': () => {
      calm.setPose(calmPoses[k++ & 1]);
      return findSelfCollisions(calm, energetic);
    },
    'rigid pair, posed anew': () => {
      other.setPose(matrices[k++ & 1]);
      return findCollisions(rigid, other, auto);
    },
    'first hit': () => findAnyCollision(rigid, other, auto),
    'self continuous': () => findSelfCollisions(moving, continuous),
    'self continuous, going on': () => {
      body.moveTo(poses[k++ & 1]);
      return findSelfCollisions(body, continuous);
    },
  };
  measure(cases['control: nothing']); // compiles the measure itself
  const results: Record<string, { perQuery: number; pairs: number }> = {};
  for (const [name, run] of Object.entries(cases)) {
    results[name] = { perQuery: measure(run), pairs: report.pairCount };
  }
  return results;
}

/**
 * Bytes per query, over 1,000 of them after as many to warm up; the least of several rounds, so that what compiling
 * leaves behind does not count as the engine's, however late a busy machine gets round to it. A round is the median
 * of its portions: a collection that comes in between all the same spoils one of them only.
 */
function measure(run: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < MOST_ROUNDS && least > STEADY; round++) {
    for (let i = 0; i < QUERIES; i++) sink = run();
    gc();
    let before = process.memoryUsage().heapUsed;
    for (let k = 0; k < PORTIONS; k++) {
      for (let i = 0; i < QUERIES / PORTIONS; i++) sink = run();
      const after = process.memoryUsage().heapUsed;
      portions[k] = ((after - before) * PORTIONS) / QUERIES;
      before = after;
    }
    least = Math.min(least, portions.sort()[PORTIONS >> 1]);
  }
  return least;
}

/** A sheet in waves so steep that its triangles meet, off the lattice so that no exact arithmetic is needed. */
function wavySheet(side: number, bend: number): { positions: number[]; triangles: number[] } {
  const positions: number[] = [],
    triangles: number[] = [];
  for (let y = 0; y <= side; y++) {
    for (let x = 0; x <= side; x++) {
      const u = Math.sin(12.9898 * x + 78.233 * y),
        v = Math.sin(39.3468 * x + 11.135 * y);
      positions.push(x + 7 * bend * u, y + 7 * bend * v, 9 * bend * Math.sin(4.7 * u + 3.1 * v) + 0.001 * u);
    }
  }
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const a = (side + 1) * y + x;
      triangles.push(a, a + 1, a + side + 1, a + 1, a + side + 2, a + side + 1);
    }
  }
  return { positions, triangles };
}
