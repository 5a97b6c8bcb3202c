import type { SceneDefinition, SceneRequest, Stage } from './scene.ts';

/** Any model: drop a file, or look at one of the shapes that come with the library. */
export const inspector: SceneDefinition = {
  id: 'inspector',
  title: 'Inspector',
  summary: 'Your own model: drop a GLB, OBJ, PLY or a folder of frames',
  takesFiles: true,
  controls: [
    {
      kind: 'choice',
      name: 'shape',
      label: 'Sample shape',
      initial: 'spring',
      choices: [
        ['spring', 'Spring'],
        ['tentacles', 'Tentacle ball'],
        ['cloth', 'Folding cloth'],
        ['knot', 'Torus knot'],
        ['ball', 'Bumpy ball'],
      ],
    },
    {
      kind: 'number',
      name: 'triangles',
      label: 'Triangles',
      initial: 16_000,
      min: 1_000,
      max: 100_000,
      step: 1_000,
    },
  ],
  open: async (request) => (request.files.length > 0 ? openOwnFiles(request) : openSample(request)),
};

const FPS = 30; // as `pliant check` by default

async function openOwnFiles({ engine, files }: SceneRequest): Promise<Stage> {
  const [{ openFiles }, { createFileStage }] = await Promise.all([
    import('../files/open-files.ts'),
    import('../files/file-stage.ts'),
  ]);
  return createFileStage(engine, await openFiles(files), FPS);
}

const PERIOD = 4; // seconds

async function openSample({ engine, values }: SceneRequest): Promise<Stage> {
  const [{ createTriangleMesh }, shapes] = await Promise.all([import('pliant'), import('pliant/shapes')]);
  const { triangles } = values as { triangles: number };
  const options = { triangles, period: PERIOD };
  const create: Record<string, () => import('pliant/shapes').Shape> = {
    spring: () => shapes.createSpring(options),
    tentacles: () => shapes.createTentacleBall(options),
    cloth: () => shapes.createCloth({ ...options, motion: 'fold' }),
    knot: () => shapes.createTorusKnot(options),
    ball: () => shapes.createBumpyBall(options),
  };
  const shape = create[String(values.shape)]();
  const mesh = createTriangleMesh(shape.source);
  const pose = new Float64Array(shape.source.positions.length);
  return {
    files: [shape.source.name],
    meshes: [{ name: shape.source.name, node: null, mesh, sourceTriangles: shape.source.triangles, tone: 0 }],
    clips: [{ name: null, frameCount: PERIOD * FPS }],
    fps: FPS,
    self: true,
    notes: [],
    createCast: () => {
      const body = engine.createFreeBody(mesh).prepare();
      return { bodies: [body], pose: () => body.setPose(pose) };
    },
    goTo: (_, frame) => shape.deform(frame / FPS, pose),
  };
}
