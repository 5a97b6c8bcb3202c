import { createTriangleMesh, type TriangleMesh } from 'pliant';
import { type GaugeKind, prepareSubspaceCertificateAsync, type SubspaceCertificate } from 'pliant/cull';
import { createFace } from 'pliant/shapes';
import { CertifiedCasts } from './certified-cast.ts';
import { CertifiedWay, wayRows } from './certified-way.ts';
import { nameOf } from './drop-model.ts';
import { type Lease, Prepared, stageOn } from './prepared.ts';
import type { FactRow, SceneRequest, Stage } from './scene.ts';
import { wayOf } from './way-controls.ts';

const FPS = 60;
const WEIGHTS = 1;
const LIMIT = 2;

/** Expressions of clip 0, one after the other: which morph targets, by index, and how far. */
// biome-ignore format: one to a line
const EXPRESSIONS: readonly (readonly (readonly [morph: number, weight: number])[])[] = [
  [[3, 1], [4, 1]], // blinks
  [[1, 0.8]],
  [[0, 1]],
  [[2, 0.9], [5, 0.6]],
  [[6, 0.9], [0, 0.5]],
  [[7, 1], [5, 1]],
  [[3, 1], [2, 0.5]], // winks
];
const PER_EXPRESSION = 60; // frames

/** Clip 0: expressions. Clip 1: weights as the sliders say. Clip 2: the way to the limit of the certificate. */
export async function createFaceStage(request: SceneRequest): Promise<Stage> {
  return stageOn(await prepareFace(request), (face) => createStage(request, face));
}

function createStage(request: SceneRequest, { mesh, modes, names, certificate }: PreparedFace): Stage {
  const { engine } = request;
  const way = new CertifiedWay(certificate);
  const pose = new Float64Array(modes.count);
  const shared = { engine, mesh, modes, certificate, poses: [pose] };
  let values = request.values;
  let clip = 0;
  const rows = (): FactRow[] => {
    const { lower, upper } = certificate.balls[0];
    const shown = names.map((name, m) => `${name} ${pose[m].toFixed(2)}`).filter((_, m) => pose[m] > 0.005);
    const most = Number.isFinite(upper[0]) ? `, at most ${upper[0].toFixed(3)}` : '';
    return [
      ['Certified radius', `${lower[0].toFixed(3)}${most}`, 'Beyond the second number a contact is known'],
      ['Weights', shown.join(', ') || 'none'],
      ...(clip === LIMIT ? wayRows(way, values) : []),
    ];
  };
  const casts = new CertifiedCasts(shared, values.certificate === true, rows);
  return {
    ...casts.stageParts((next) => {
      values = next;
    }),
    files: ['face'],
    meshes: [{ name: 'face', node: null, mesh, sourceTriangles: mesh.triangles, tone: 0 }],
    clips: [
      { name: 'acting', frameCount: PER_EXPRESSION * EXPRESSIONS.length },
      { name: 'sliders', frameCount: 1 },
      { name: 'to the limit', frameCount: 1 },
    ],
    fps: FPS,
    outlook: [0.25, 0.05, 1],
    floats: true,
    goTo: (wanted, frame) => {
      clip = wanted;
      if (clip === LIMIT) way.place(wayOf(values), Number(values.amplitude), pose);
      else if (clip === WEIGHTS) for (let m = 0; m < pose.length; m++) pose[m] = Number(values[`w${m + 1}`]);
      else express(frame, pose);
    },
  };
}

/** Comes and goes smoothly. */
function express(frame: number, pose: Float64Array): void {
  const phase = (frame % PER_EXPRESSION) / PER_EXPRESSION;
  const strength = (1 - Math.cos(2 * Math.PI * phase)) / 2;
  pose.fill(0);
  const expression = EXPRESSIONS[Math.floor(frame / PER_EXPRESSION) % EXPRESSIONS.length];
  for (const [morph, weight] of expression) pose[morph] = weight * strength;
}

interface PreparedFace {
  readonly mesh: TriangleMesh;
  readonly modes: { readonly count: number; readonly displacements: Float64Array };
  readonly names: readonly string[];
  readonly certificate: SubspaceCertificate;
}

const faces = new Prepared<PreparedFace>(({ certificate }) => certificate.body.dispose());

function prepareFace({ engine, values, onProgress, signal }: SceneRequest): Promise<Lease<PreparedFace>> {
  return faces.lease(engine, `${values.gauge} ${values.triangles}`, async () => {
    const { source, morphs, morphNames: names } = createFace({ triangles: Number(values.triangles) });
    const mesh = createTriangleMesh(source);
    const modes = { count: names.length, displacements: morphs };
    const body = engine.createModalBody(mesh, modes);
    try {
      const certificate = await prepareSubspaceCertificateAsync(body, {
        gauge: values.gauge as GaugeKind,
        signal,
        slice: 30,
        onProgress: (share) => onProgress?.(nameOf('certificate'), share),
      });
      return { mesh, modes, names, certificate };
    } catch (error) {
      body.dispose();
      throw error;
    }
  });
}
