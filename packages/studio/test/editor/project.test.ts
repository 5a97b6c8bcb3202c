import { readStored, writeStored } from 'pliant/io';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readProject, writeProject } from '../../src/editor/engine/project.ts';
import type { EditorSession } from '../../src/editor/engine/session.ts';
import { createFork, createForkSession, drawTogether, holdProngs } from './support/fork.ts';

describe('a project file', () => {
  let session: EditorSession;
  let bytes: Uint8Array;

  beforeAll(async () => {
    session = await createForkSession();
    const { positions, triangles } = createFork();
    const mesh = { positions, triangles };
    session.edit({
      do: 'obstacles',
      obstacles: [
        { id: 1, kind: 'ground', name: 'Ground', matrix: [1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0], size: [] },
        { id: 2, kind: 'mesh', name: 'fork', matrix: [1, 0, 0, 20, 0, 1, 0, 0, 0, 0, 1, 0], size: [], mesh },
      ],
    });
    session.startRecording();
    drawTogether(session, holdProngs(session));
    session.stopRecording();
    session.keepPose();
    for (let k = 0; k < 30; k++) session.step();
    bytes = writeProject(session);
  });

  afterAll(() => session.dispose());

  test('gives everything back', async () => {
    const read = await readProject(bytes, 'fork.pliant-shape');
    expect(read.model).toEqual({ ...session.model, tetrahedra: undefined });
    expect(read.controls.map(({ id, kind, vertices }) => [id, kind, vertices])).toEqual(
      session.controls.map(({ id, kind, vertices }) => [id, kind, vertices]),
    );
    expect(read.settings).toEqual(session.settings);
    expect(read.obstacles).toEqual(session.obstacles);
    expect(read.poses).toEqual(session.poses);
    expect(read.recording!.steps).toBe(12);
    expect(read.recording!.edits).toEqual(session.recording!.edits);
    const difference = read.shape.positions.reduce(
      (most, x, k) => Math.max(most, Math.abs(x - session.shape.positions[k])),
      0,
    );
    expect(difference).toBeLessThan(0.02); // what is shown may be some blending steps behind
    expect(read.startReplay()).toBe(true);
    for (let k = 0; k < 12; k++) read.step();
    expect(read.replay).toBeUndefined();
    read.dispose();
  });

  test('takes later changes from beside it', async () => {
    session.edit({ do: 'settings', settings: { maxLevel: 1, damping: 0.2, self: true } });
    const light = structuredClone(session.snapshot());
    const read = await readProject(bytes, 'fork.pliant-shape', { light });
    expect(read.settings).toEqual({ maxLevel: 1, damping: 0.2, self: true });
    expect(read.controls).toHaveLength(4);
    read.dispose();
  });

  test('is refused when it is damaged, cut off, of another kind or version, or stale', async () => {
    const damaged = bytes.slice();
    damaged[damaged.length >> 1] ^= 0x40;
    await expect(readProject(damaged, 'a.pliant-shape')).rejects.toThrow(/a\.pliant-shape.*damaged/);
    await expect(readProject(bytes.subarray(0, 5000), 'b.pliant-shape')).rejects.toThrow('b.pliant-shape');
    await expect(readProject(new Uint8Array(100), 'c.pliant-shape')).rejects.toThrow(
      'not a file written by Pliant',
    );
    await expect(readProject(session.shape.serialize(), 'd.pliant-shape')).rejects.toThrow(
      'not a shape-project',
    );
    const data = readStored(bytes, 'e');
    const newer = writeStored({ ...data, settings: { ...data.settings, version: 2 } });
    await expect(readProject(newer, 'e.pliant-shape')).rejects.toThrow('a project of version 2');
    const moved = (data.arrays.positions as Float64Array).map((x) => 2 * x);
    const stale = writeStored({ ...data, arrays: { ...data.arrays, positions: moved } });
    await expect(readProject(stale, 'f.pliant-shape')).rejects.toThrow('stale');
    const { recordingPose: _, ...lacking } = data.arrays;
    await expect(readProject(writeStored({ ...data, arrays: lacking }), 'g')).rejects.toThrow(
      'recordingPose',
    );
  });
});
