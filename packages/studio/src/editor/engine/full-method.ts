import { FullShape } from '../../../../pliant/src/edit/arap/full-shape.ts';
import { innerOf } from './inner-shape.ts';
import type { EditorSession } from './session.ts';

/** How long one step takes when every vertex of the cage is free: the method without reduced functions. */
export interface FullTimes {
  /** The system is factorised anew with the contacts at hand, milliseconds. */
  readonly refactor: number;
  /** The factor of the handles is kept, and every contact solved for. */
  readonly schur: number;
  readonly vertices: number; // of the cage
}

/**
 * Measures both on the shape as it is, with the contacts that push. It takes seconds for large cages. Undefined without
 * handles: nothing would hold the shape.
 */
export async function measureFull({ shape }: EditorSession): Promise<FullTimes | undefined> {
  const { cage, handles } = shape;
  if (handles.length === 0) return undefined;
  const { solver, parts } = innerOf(shape);
  const contacts = (solver.rows?.toArray() ?? []).filter((_, k) => solver.lambda[k] < 0);
  const points = handles.map(({ vertex }) => ({ vertices: [cage.surfaceVertex[vertex]], weights: [1] }));
  const targets = handles.flatMap(({ held }) => held.map((x, a) => (x - cage.centre[a]) / cage.scale));
  const times = { refactor: 0, schur: 0, vertices: cage.tetrahedra.vertexCount };
  for (const method of ['refactor', 'schur'] as const) {
    const full = new FullShape(cage, parts.energy, { method });
    try {
      await full.setHandles(points);
      full.positions.set(solver.controls);
      full.setTargets(targets);
      const start = performance.now();
      await full.setContacts(contacts);
      full.step();
      times[method] = performance.now() - start;
    } finally {
      full.dispose();
    }
  }
  return times;
}
