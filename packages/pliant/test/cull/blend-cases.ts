import fc from 'fast-check';
import { type Body, createTriangleMesh, type Engine, type TriangleMesh } from '../../src/index.ts';
import { grid, matrix, triangleSoup } from '../arbitraries.ts';

export const JOINTS = 3;
export const MODES = 2;

/** Everything that makes a blended body, and two poses of it. */
export interface BlendCase {
  readonly mesh: TriangleMesh;
  readonly kind: 'skin' | 'modes' | 'skin-modes';
  readonly weights: readonly number[];
  readonly displacements: readonly number[];
  readonly start: BlendPoseNumbers;
  readonly end: BlendPoseNumbers;
}

export interface BlendPoseNumbers {
  readonly joints: readonly number[];
  readonly modes: readonly number[];
}

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const signed = fc.double({ min: -1, max: 1, noNaN: true });
const list = <T>(of: fc.Arbitrary<T>, length: number) =>
  fc.array(of, { minLength: length, maxLength: length });

/** Strips and sheets, rolled up until they nearly meet. */
const rolled = fc
  .tuple(fc.integer({ min: 4, max: 12 }), fc.integer({ min: 1, max: 3 }), unit)
  .map(([columns, rows, roll]) => rolledGrid(columns, rows, roll));
const soup = triangleSoup(30).map((source) => createTriangleMesh(source));

function rolledGrid(columns: number, rows: number, roll: number): TriangleMesh {
  const { positions, triangles } = grid(columns, rows);
  const angle = (Math.max(1e-3, roll) * 1.9 * Math.PI) / columns;
  for (let v = 0; v < positions.length; v += 3) {
    const x = positions[v];
    positions[v] = Math.sin(angle * x) / angle;
    positions[v + 2] = (1 - Math.cos(angle * x)) / angle;
    // Off the lattice: a motion in one plane takes exact arithmetic, and long.
    for (let k = 0; k < 3; k++) positions[v + k] += 0.02 * Math.sin(12.9898 * (v + k) + 78.233 * roll);
  }
  return createTriangleMesh({ positions, triangles });
}

/** Smooth along x; the same everywhere; not adding up to 1; of any sign; anything. */
function weightsFor({ positions, vertexCount }: TriangleMesh): fc.Arbitrary<number[]> {
  const smooth = (scale: number, power: number) =>
    Array.from({ length: vertexCount }, (_, v) => {
      const s = Math.min(1, Math.max(0, (positions[3 * v] - 0.5) / 4)) ** power;
      return [(1 - s) * scale, s * (1 - s / 2) * scale, (s * s * scale) / 2];
    }).flat();
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(1, 1, 0.9, 1.7), fc.constantFrom(1, 2))
        .map(([s, p]) => smooth(s, p)),
    },
    {
      weight: 1,
      arbitrary: list(unit, JOINTS).map((w) => Array.from({ length: vertexCount }, () => w).flat()),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(list(signed, JOINTS * vertexCount), unit)
        .map(([noise, size]) => smooth(1, 1).map((w, k) => w + size * noise[k] * 0.1)),
    },
    { weight: 1, arbitrary: list(signed, JOINTS * vertexCount) },
  );
}

/** Noise, or a shear with some noise on it. */
function displacementsFor({ positions, vertexCount }: TriangleMesh): fc.Arbitrary<number[]> {
  const amount = fc.constantFrom(0, 0.01, 0.1, 1);
  return fc
    .tuple(list(signed, 3 * MODES * vertexCount), amount, amount)
    .map(([noise, size, shear]) =>
      noise.map(
        (x, k) => size * x + shear * positions[3 * (Math.floor(k / 3) % vertexCount) + ((k + 1) % 3)],
      ),
    );
}

/** A turn about an axis through a place on the strip, mirrored or scaled now and then. */
const turn = fc
  .record({
    angle: fc.double({ min: -3.2, max: 3.2, noNaN: true }),
    axis: fc.nat(2),
    place: unit,
    scale: fc.constantFrom(1, 1, 1, -1, 0.01, 100),
  })
  .map(({ angle, axis, place, scale }) => {
    const c = scale * Math.cos(angle),
      s = scale * Math.sin(angle);
    const i = (axis + 1) % 3,
      j = (axis + 2) % 3;
    const m = new Array<number>(12).fill(0);
    m[5 * axis] = scale;
    m[5 * i] = m[5 * j] = c;
    m[4 * i + j] = -s;
    m[4 * j + i] = s;
    const x = 6 * place; // stays where it is
    m[3] = x - m[0] * x;
    m[7] = -m[4] * x;
    m[11] = -m[8] * x;
    return m;
  });

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const near = list(signed, 12).map((d) => IDENTITY.map((x, k) => x + 0.02 * d[k]));
/** A plane, a line or a point: everything below is flat. */
const singular = fc
  .tuple(list(signed, 12), fc.nat(2))
  .map(([m, row]) => m.map((x, k) => (k >> 2 === row ? 0 : x)));
const nearSingular = singular.map((m) => m.map((x, k) => (x === 0 && k % 4 !== 3 ? 1e-9 * (k + 1) : x)));
const huge = near.map((m) => m.map((x, k) => (k % 4 === 3 ? x + 1e9 : x)));
const handle = fc.oneof(
  { weight: 6, arbitrary: turn },
  { weight: 4, arbitrary: near },
  { weight: 1, arbitrary: matrix },
  { weight: 1, arbitrary: singular },
  { weight: 1, arbitrary: nearSingular },
  { weight: 1, arbitrary: huge },
);
const calmHandles = list(near, JOINTS).map((m) => m.flat());
const handles = fc.oneof(
  { weight: 2, arbitrary: calmHandles },
  { weight: 3, arbitrary: list(handle, JOINTS).map((m) => m.flat()) },
  { weight: 1, arbitrary: handle.map((m) => [...m, ...m, ...m]) },
);
const pose: fc.Arbitrary<BlendPoseNumbers> = fc.record({
  joints: handles,
  modes: list(
    fc.oneof(
      signed,
      signed.map((x) => 10 * x),
      fc.constant(0),
    ),
    MODES,
  ),
});

/** Strips, sheets and triangles anywhere, in poses of all kinds. */
export const blendCase = fc
  .oneof({ weight: 4, arbitrary: rolled }, { weight: 1, arbitrary: soup })
  .chain(caseOf);
/** No triangles anywhere: what they do over a motion takes too long to find out. */
export const movingCase = rolled.chain(caseOf);

function caseOf(mesh: TriangleMesh): fc.Arbitrary<BlendCase> {
  return fc
    .record({
      kind: fc.constantFrom('skin', 'skin', 'modes', 'skin-modes'),
      weights: weightsFor(mesh),
      displacements: displacementsFor(mesh),
      start: pose,
      end: pose,
      share: fc.constantFrom(1, 1, 0.1),
    })
    .map(({ start, end, share, ...rest }) => ({
      mesh,
      ...rest,
      start,
      end: { joints: mix(start.joints, end.joints, share), modes: mix(start.modes, end.modes, share) },
    }));
}

function mix(a: readonly number[], b: readonly number[], share: number): number[] {
  return a.map((x, k) => x + share * (b[k] - x));
}

export function createBlendBody(engine: Engine, { mesh, kind, weights, displacements }: BlendCase): Body {
  const source = Uint32Array.from({ length: mesh.sourceVertexCount }, (_, v) => mesh.weldedVertex[v]);
  const spread = (values: readonly number[], size: number) =>
    [...source].flatMap((v) => values.slice(size * v, size * v + size));
  const skin = {
    jointCount: JOINTS,
    influences: JOINTS,
    joints: Array.from({ length: JOINTS * source.length }, (_, k) => k % JOINTS),
    weights: spread(weights, JOINTS),
  };
  const stride = displacements.length / MODES;
  const modes = {
    count: MODES,
    displacements: Array.from({ length: MODES }, (_, m) =>
      spread(displacements.slice(m * stride, (m + 1) * stride), 3),
    ).flat(),
  };
  if (kind === 'modes') return engine.createModalBody(mesh, modes);
  return engine.createSkinnedBody(mesh, skin, kind === 'skin' ? {} : { modes });
}

export function poseOf({ kind }: Pick<BlendCase, 'kind'>, { joints, modes }: BlendPoseNumbers) {
  if (kind === 'skin') return joints;
  return kind === 'modes' ? modes : { joints, modes };
}
