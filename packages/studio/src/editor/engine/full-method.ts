import { InputError } from 'pliant';
import type { ContactRow, Shape } from 'pliant/edit';
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

/** A shape during a drag, for the full method to start from. */
interface Sample {
  readonly controls: Float64Array; // positions of the cage
  readonly contacts: readonly ContactRow[]; // those that push
  readonly targets: readonly number[];
}

/**
 * Measures both on the shape as it is, with the contacts that push. It takes seconds for large cages. Undefined without
 * handles: nothing would hold the shape.
 */
export async function measureFull(session: EditorSession): Promise<FullTimes | undefined> {
  if (session.shape.handles.length === 0) return undefined;
  const { shape } = session;
  const [times] = await measureSamples(shape, [sampleOf(shape)]);
  return times;
}

/**
 * Replays the session's recording, and measures at about so many of its steps, evenly spaced. Errors: 'empty' without a
 * recording, or with one that has no handles from the start.
 */
export async function measureRecording(session: EditorSession, count: number): Promise<FullTimes[]> {
  const { recording } = session;
  if (recording === undefined) throw new InputError('empty', 'nothing has been recorded yet');
  session.restore(recording.start);
  if (session.shape.handles.length === 0) {
    throw new InputError('empty', 'the recording has no handles when it begins');
  }
  const samples: Sample[] = [];
  const every = Math.max(1, Math.floor(recording.steps / count));
  session.playThrough(recording, (step) => {
    if (step % every === 0) samples.push(sampleOf(session.shape));
  });
  return measureSamples(session.shape, samples);
}

function sampleOf(shape: Shape): Sample {
  const { cage, handles } = shape;
  const { rows, lambda, controls } = innerOf(shape).solver;
  return {
    controls: controls.slice(),
    contacts: (rows?.toArray() ?? []).filter((_, k) => lambda[k] < 0),
    targets: handles.flatMap(({ held }) => held.map((x, a) => (x - cage.centre[a]) / cage.scale)),
  };
}

/** One step of the full method from each of them, by handles that are on the shape now. */
async function measureSamples(shape: Shape, samples: readonly Sample[]): Promise<FullTimes[]> {
  const { cage, handles } = shape;
  const points = handles.map(({ vertex }) => ({ vertices: [cage.surfaceVertex[vertex]], weights: [1] }));
  const times = samples.map(() => ({ refactor: 0, schur: 0, vertices: cage.tetrahedra.vertexCount }));
  for (const method of ['refactor', 'schur'] as const) {
    const full = new FullShape(cage, innerOf(shape).parts.energy, { method });
    try {
      await full.setHandles(points);
      for (const [k, { controls, contacts, targets }] of samples.entries()) {
        full.positions.set(controls);
        full.setTargets([...targets]);
        const start = performance.now();
        await full.setContacts([...contacts]);
        full.step();
        times[k][method] = performance.now() - start;
      }
    } finally {
      full.dispose();
    }
  }
  return times;
}
