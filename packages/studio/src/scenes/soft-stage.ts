import type { Engine } from 'pliant';
import type { SoftScene } from 'pliant/simulate';
import type { Cast, Stage } from './scene.ts';

const FPS = 60;
const SETTLE = 30; // frames before the first one: bodies fall into place

/** A simulation on a stage: frame k follows from frame k − 1; frame 0 starts it anew. */
export function createSoftStage(
  engine: Engine,
  create: () => SoftScene,
  look: Pick<Stage, 'outlook' | 'floats' | 'margin'>,
): Stage {
  let scene = create();
  let at = -1;
  return {
    files: [scene.name],
    meshes: scene.bodies.map(({ mesh }, k) => ({
      name: `${scene.name} ${k + 1}`,
      node: null,
      mesh,
      sourceTriangles: mesh.triangles,
      tone: k % 8,
    })),
    clips: [{ name: null, frameCount: Number.POSITIVE_INFINITY }],
    fps: FPS,
    self: false,
    ...look,
    notes: [],
    createCast: (): Cast => {
      const bodies = scene.bodies.map(({ mesh, meshless }) => engine.createMeshlessBody(mesh, meshless));
      return {
        bodies,
        pose: () => {
          for (let k = 0; k < bodies.length; k++) bodies[k].setPose(scene.bodies[k].pose);
        },
      };
    },
    goTo: (_, frame) => {
      if (frame < at || at < 0) {
        if (at > 0) scene = create();
        for (let k = 0; k < SETTLE; k++) scene.step(1 / FPS);
        at = 0;
      }
      for (; at < frame; at++) scene.step(1 / FPS);
    },
  };
}
