import type { StepReport } from 'pliant/edit';
import { describeCorrected } from './correct/describe.ts';
import type { EditedModel } from './model.ts';
import type { Obstacle, ObstacleMesh } from './obstacles.ts';
import { boxOf, boxOfModel } from './place-obstacle.ts';
import type {
  EditorState,
  Figures,
  OpenedModel,
  ShownControl,
  ShownMesh,
  ShownObstacle,
} from './protocol.ts';
import type { EditorSession } from './session.ts';

/** Surfaces of obstacles are sent once, and have a key from then on. */
export class MeshKeys {
  #keys = new Map<ObstacleMesh, number>();

  clear(): void {
    this.#keys.clear();
  }

  /** The key, and the surface when it has none yet. */
  keyOf(mesh: ObstacleMesh): { key: number; unseen?: ShownMesh } {
    const known = this.#keys.get(mesh);
    if (known !== undefined) return { key: known };
    const key = this.#keys.size;
    this.#keys.set(mesh, key);
    const unseen = { key, positions: Float32Array.from(mesh.positions), triangles: mesh.triangles };
    return { key, unseen };
  }
}

export function describeModel(
  { model, shape, resolution, obstacles, corrected }: EditorSession,
  drawn: Pick<OpenedModel, 'ticket' | 'index' | 'vertexCount' | 'example' | 'isRestored'>,
): OpenedModel {
  const { cage, basis, report } = shape;
  return {
    ...drawn,
    kind: corrected ? 'correction' : 'shape',
    name: model.name,
    triangles: model.triangles.length / 3,
    cageVertices: cage.tetrahedra.vertexCount,
    tetrahedra: cage.tetrahedra.tetrahedra.length / 4,
    levels: basis.levels,
    resolution,
    hasOwnTetrahedra: model.tetrahedra !== undefined,
    ...boxOfAll(model, obstacles),
    notes: [...(report?.repairs ?? []), ...(report?.warnings ?? []), ...(corrected?.correction.notes ?? [])],
    ...(corrected && describeCorrected(corrected)),
  };
}

/** Around the model and the surfaces that stand beside it. */
function boxOfAll(model: EditedModel, obstacles: readonly Obstacle[]): { low: number[]; high: number[] } {
  const boxes = [boxOfModel(model)];
  for (const { mesh, matrix: m } of obstacles) {
    if (mesh === undefined) continue;
    const { low, high } = boxOfModel(mesh);
    const corners = Array.from({ length: 8 }, (_, k) => [0, 1, 2].map((a) => ((k >> a) & 1 ? high : low)[a]));
    const placed = corners.flatMap(([x, y, z]) =>
      [0, 1, 2].map((a) => m[4 * a] * x + m[4 * a + 1] * y + m[4 * a + 2] * z + m[4 * a + 3]),
    );
    boxes.push(boxOf(placed));
  }
  return boxOf(boxes.flatMap(({ low, high }) => [...low, ...high]));
}

export function describeState(session: EditorSession, keys: MeshKeys): EditorState {
  const { settings, clusters, undoStack, isRecording, recording, replay, poses } = session;
  const meshes: ShownMesh[] = [];
  const obstacles = session.obstacles.map(({ mesh, ...obstacle }): ShownObstacle => {
    if (mesh === undefined) return obstacle;
    const { key, unseen } = keys.keyOf(mesh);
    if (unseen) meshes.push(unseen);
    return { ...obstacle, mesh: key };
  });
  return {
    settings,
    clusters,
    obstacles,
    meshes,
    undoes: undoStack.undoes,
    redoes: undoStack.redoes,
    isRecording,
    recordedSteps: recording?.steps,
    isReplaying: replay !== undefined,
    poses: poses.length,
  };
}

export function shownControls({ controls }: EditorSession): ShownControl[] {
  return controls.map(({ vertices, ...control }) => ({ ...control, count: vertices.length }));
}

export function figuresOf(report: StepReport | undefined): Figures | undefined {
  if (report === undefined) return undefined;
  const { ms, columns, groups, contacts, pushing, depth, crossingPairs, state } = report;
  return { ms, columns, groups, contacts, pushing, depth, crossingPairs, isKept: state === 'kept' };
}
