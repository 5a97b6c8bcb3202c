import type { EditedModel } from '../../../src/editor/engine/model.ts';
import { EditorSession, type SessionOptions } from '../../../src/editor/engine/session.ts';

/** A fork with two prongs, upright: it takes a moment to prepare, and its prongs can meet. */
export function createFork(): EditedModel {
  const width = 5;
  const height = 7;
  const isSolid = (i: number, j: number) =>
    i >= 0 && i < width && j >= 0 && j < height && (j < 2 || i === 0 || i === width - 1);
  const positions: number[] = [],
    triangles: number[] = [];
  const known = new Map<string, number>();
  const vertex = (x: number, y: number, z: number) => {
    const key = `${x},${y},${z}`;
    if (!known.has(key)) {
      known.set(key, known.size);
      positions.push(x, y, z);
    }
    return known.get(key)!;
  };
  type Corner = [number, number, number];
  const quad = (...corners: Corner[]) => {
    const [a, b, c, d] = corners.map((corner) => vertex(...corner));
    triangles.push(a, b, c, a, c, d);
  };
  for (let i = 0; i < width; i++) {
    for (let j = 0; j < height; j++) {
      if (!isSolid(i, j)) continue;
      const [x, y] = [i, j];
      quad([x, y, 1], [x + 1, y, 1], [x + 1, y + 1, 1], [x, y + 1, 1]);
      quad([x, y, 0], [x, y + 1, 0], [x + 1, y + 1, 0], [x + 1, y, 0]);
      if (!isSolid(i - 1, j)) quad([x, y, 0], [x, y, 1], [x, y + 1, 1], [x, y + 1, 0]);
      if (!isSolid(i + 1, j)) quad([x + 1, y, 0], [x + 1, y + 1, 0], [x + 1, y + 1, 1], [x + 1, y, 1]);
      if (!isSolid(i, j - 1)) quad([x, y, 0], [x + 1, y, 0], [x + 1, y, 1], [x, y, 1]);
      if (!isSolid(i, j + 1)) quad([x, y + 1, 0], [x, y + 1, 1], [x + 1, y + 1, 1], [x + 1, y + 1, 0]);
    }
  }
  return { name: 'fork', positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

export function createForkSession(options: SessionOptions = {}): Promise<EditorSession> {
  return EditorSession.create(createFork(), { resolution: 600, ...options });
}

/** The vertex of the fork at a place. */
export function vertexAt({ positions }: EditedModel, ...[x, y, z]: [number, number, number]): number {
  for (let v = 0; v < positions.length / 3; v++) {
    if (positions[3 * v] === x && positions[3 * v + 1] === y && positions[3 * v + 2] === z) return v;
  }
  throw new Error(`no vertex at ${x}, ${y}, ${z}`);
}

/** Handles on both prongs and two at the foot; the prongs are drawn together in some steps. Ids of the first two. */
export function holdProngs(session: EditorSession): { left: number; right: number } {
  const { model } = session;
  const add = (x: number, y: number, z: number) =>
    session.edit({ do: 'add-handle', vertex: vertexAt(model, x, y, z) })!;
  const left = add(0, 7, 0),
    right = add(5, 7, 0);
  add(0, 0, 0);
  add(5, 0, 1);
  return { left, right };
}

export function drawTogether(session: EditorSession, { left, right }: { left: number; right: number }): void {
  for (let k = 1; k <= 12; k++) {
    const way = (2.2 * k) / 12;
    session.edit({
      do: 'move',
      moves: [
        { id: left, target: [way, 7, 0] },
        { id: right, target: [5 - way, 7, 0] },
      ],
    });
    session.step();
  }
}
