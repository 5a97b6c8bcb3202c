import { afterEach, describe, expect, test } from 'vitest';
import type { EditorSession } from '../../src/editor/engine/session.ts';
import { createForkSession, drawTogether, holdProngs, vertexAt } from './support/fork.ts';

const sessions: EditorSession[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.dispose();
});

async function fork(...args: Parameters<typeof createForkSession>): Promise<EditorSession> {
  const session = await createForkSession(...args);
  sessions.push(session);
  return session;
}

function settle(session: EditorSession): void {
  for (let k = 0; k < 900 && !session.isAtRest; k++) session.step();
}

describe('a session', () => {
  test('brings prongs into contact, and comes to rest without crossing', async () => {
    const session = await fork();
    drawTogether(session, holdProngs(session));
    settle(session);
    expect(session.isAtRest).toBe(true);
    expect(session.shape.contacts.length).toBeGreaterThan(0);
    expect(session.shape.measure().crossingPairs).toBe(0);
  });

  test('takes back and does again, gesture by gesture', async () => {
    const session = await fork();
    session.begin('add handles');
    const ids = holdProngs(session);
    settle(session);
    const before = session.shape.positions.slice();
    session.begin('draw together');
    drawTogether(session, ids);
    settle(session);
    const after = session.shape.positions.slice();
    expect(session.undoStack.undoes).toBe('draw together');
    expect(session.undo()).toBe(true);
    expect(session.shape.positions).toEqual(before);
    expect(session.controls).toHaveLength(4);
    expect(session.undo()).toBe(true);
    expect(session.controls).toHaveLength(0);
    expect(session.undo()).toBe(false);
    expect(session.redo()).toBe(true);
    expect(session.redo()).toBe(true);
    expect(session.redo()).toBe(false);
    expect(maxDifference(session.shape.positions, after)).toBeLessThan(1e-9);
    expect(session.controls.map(({ id }) => id)).toEqual([ids.left, ids.right, 3, 4]);
  });

  test('pins, rigid regions and obstacles are undone with the rest', async () => {
    const session = await fork();
    session.begin('pin');
    session.edit({ do: 'add-region', kind: 'pin', vertices: [0, 1, 2, 3] });
    session.begin('rigid');
    const top = [
      vertexAt(session.model, 0, 7, 0),
      vertexAt(session.model, 1, 7, 0),
      vertexAt(session.model, 0, 7, 1),
    ];
    const id = session.edit({ do: 'add-region', kind: 'rigid', vertices: top })!;
    session.begin('move');
    const matrix = [1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0];
    session.edit({ do: 'move', moves: [{ id, matrix }] });
    settle(session);
    const region = session.controls.find((control) => control.id === id)!;
    expect(region.matrix).toEqual(matrix);
    expect(session.shape.positions[3 * top[0]]).toBeGreaterThan(0.2);
    session.begin('sphere');
    const sphere = {
      id: 1,
      kind: 'sphere',
      name: 'Sphere',
      matrix: [1, 0, 0, 8, 0, 1, 0, 5, 0, 0, 1, 0],
      size: [0.5],
    } as const;
    session.edit({ do: 'obstacles', obstacles: [sphere] });
    expect(session.obstacles).toEqual([sphere]);
    session.undo();
    expect(session.obstacles).toEqual([]);
    session.undo();
    expect(session.controls.find((control) => control.id === id)!.matrix).toEqual([
      1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
    ]);
  });

  test('an obstacle pushes', async () => {
    const session = await fork();
    session.edit({ do: 'add-region', kind: 'pin', vertices: [0, 1, 2, 3].map((k) => k) });
    const tip = 3 * vertexAt(session.model, 5, 7, 0);
    const at = (x: number) => ({
      id: 1,
      kind: 'sphere' as const,
      name: 'Sphere',
      matrix: [1, 0, 0, x, 0, 1, 0, 6.8, 0, 0, 1, 0.5],
      size: [1],
    });
    for (let x = 7.5; x > 5; x -= 0.1) {
      session.edit({ do: 'obstacles', obstacles: [at(x)] });
      session.step();
    }
    settle(session);
    expect(session.shape.positions[tip]).toBeLessThan(4.6);
    expect(session.shape.measure().depth).toBeLessThan(0.05);
  });

  test('a recording is replayed with the same edits, and gives the same ids', async () => {
    const session = await fork();
    session.edit({ do: 'add-handle', vertex: 0 });
    session.edit({ do: 'remove', ids: [1] });
    session.startRecording();
    const ids = holdProngs(session);
    drawTogether(session, ids);
    for (let k = 0; k < 40; k++) session.step();
    session.stopRecording();
    const first = session.shape.positions.slice();
    expect(session.recording!.steps).toBe(52);
    session.startReplay();
    for (let k = 0; k < 52; k++) session.step();
    expect(session.replay).toBeUndefined();
    const again = session.shape.positions.slice();
    expect(session.controls.map(({ id }) => id)).toEqual([ids.left, ids.right, ids.right + 1, ids.right + 2]);
    session.startReplay();
    for (let k = 0; k < 52; k++) session.step();
    expect(session.shape.positions).toEqual(again);
    expect(maxDifference(first, again)).toBeLessThan(0.05); // functions were ready sooner
    expect(session.undo()).toBe(true); // a replay can be taken back
    expect(session.shape.positions).toEqual(again);
  });

  test('other clusters keep the shape and its handles', async () => {
    const session = await fork();
    drawTogether(session, holdProngs(session));
    settle(session);
    const before = session.shape.positions.slice();
    await session.setClusters(1);
    expect(maxDifference(session.shape.positions, before)).toBeLessThan(1e-6);
    expect(session.controls).toHaveLength(4);
    session.edit({ do: 'move', moves: [{ id: 1, target: [0.5, 7, 0] }] });
    settle(session);
    expect(session.shape.positions[3 * vertexAt(session.model, 0, 7, 0)]).toBeCloseTo(0.5, 3);
  });

  test('refuses what makes no sense, and stays as it was', async () => {
    const session = await fork();
    const [{ left }] = [holdProngs(session)];
    expect(() => session.edit({ do: 'add-handle', vertex: 1e6 })).toThrow('vertex 1000000');
    expect(() => session.edit({ do: 'move', moves: [{ id: left, matrix: [1] }] })).toThrow(
      'cannot be moved like this',
    );
    expect(() => session.edit({ do: 'remove', ids: [77] })).toThrow('has been removed');
    const ball = { id: 1, kind: 'sphere' as const, name: 'Sphere', matrix: [1], size: [1] };
    expect(() => session.edit({ do: 'obstacles', obstacles: [ball] })).toThrow('obstacle Sphere');
    expect(session.controls).toHaveLength(4);
    await expect(fork({ signal: AbortSignal.abort() })).rejects.toThrow('abort');
  });
});

function maxDifference(a: Float64Array, b: Float64Array): number {
  return a.reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0);
}
