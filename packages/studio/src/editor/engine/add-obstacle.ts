import { type EditedModel, readModel } from './model.ts';
import type { ObstacleMesh } from './obstacles.ts';
import { boxOfModel, placeObstacle } from './place-obstacle.ts';
import type { Command } from './protocol.ts';
import type { EditorSession } from './session.ts';

/** Puts something beside the shape. Its id. Errors: as for `readModel`, where it is a file. */
export async function addObstacle(
  session: EditorSession,
  { kind, files }: Extract<Command, { type: 'add-obstacle' }>,
): Promise<number> {
  const model = kind === 'mesh' ? await readModel(files ?? []) : undefined;
  const mesh = model && centred(model);
  const given = { mesh, name: model?.name };
  const obstacle = placeObstacle(kind, session.positions, session.obstacles, given);
  session.do('add obstacle', { do: 'obstacles', obstacles: [...session.obstacles, obstacle] });
  return obstacle.id;
}

/** Around its own middle, wherever its file has it: that is where it is taken hold of, and turned about. */
function centred({ positions, triangles }: EditedModel): ObstacleMesh {
  const { low, high } = boxOfModel({ positions, triangles });
  return { positions: positions.map((x, k) => x - (low[k % 3] + high[k % 3]) / 2), triangles };
}
