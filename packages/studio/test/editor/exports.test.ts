import { createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';
import { readGltf } from 'pliant/gltf';
import { readMesh, readPc2 } from 'pliant/io';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportShape } from '../../src/editor/engine/exports.ts';
import type { EditorSession } from '../../src/editor/engine/session.ts';
import { createForkSession, drawTogether, holdProngs } from './support/fork.ts';

describe('exports', () => {
  let session: EditorSession;

  beforeAll(async () => {
    session = await createForkSession();
    session.startRecording();
    drawTogether(session, holdProngs(session));
    for (let k = 0; k < 200; k++) session.step();
    session.stopRecording();
  });

  afterAll(() => session.dispose());

  test('OBJ has every digit, and no contact that the editor does not show', async () => {
    const [{ name, bytes }] = exportShape(session, 'obj');
    const file = await readMesh(bytes, name);
    expect(name).toBe('fork-shaped.obj');
    expect(file.positions).toEqual(session.shape.positions);
    expect(file.triangles).toEqual(session.model.triangles);
    expect(session.shape.contacts.length).toBeGreaterThan(0);
    const engine = await createEngine();
    const body = engine.createFreeBody(createTriangleMesh(file));
    expect(findSelfCollisions(body).pairCount).toBe(0);
    engine.dispose();
  });

  test('GLB of the shape, and as a morph target of the model', async () => {
    const shaped = exportShape(session, 'glb')[0];
    const scene = await readGltf(shaped.bytes, shaped.name);
    expect(Array.from(scene.meshes[0].positions)).toEqual(
      Array.from(session.shape.positions, (x) => Math.fround(x)),
    );
    const morph = exportShape(session, 'morph')[0];
    const { meshes } = await readGltf(morph.bytes, morph.name);
    expect(Array.from(meshes[0].positions)).toEqual(Array.from(session.model.positions));
    expect(meshes[0].morphs!.names).toEqual(['shaped']);
    const { deltas } = meshes[0].morphs!;
    session.shape.positions.forEach((x, k) => {
      expect(session.model.positions[k] + deltas[k]).toBeCloseTo(x, 5);
    });
  });

  test('poses: those of the recording, or those that were kept', async () => {
    const before = session.shape.positions.slice();
    const played = exportShape(session, 'sequence')[0];
    const { meshes, clips } = await readGltf(played.bytes, played.name);
    expect(meshes[0].morphs!.count).toBe(24);
    expect(clips[0].duration).toBeCloseTo(12, 5);
    expect(session.shape.positions).toEqual(before);
    session.keepPose();
    session.keepPose();
    const [obj, cache] = exportShape(session, 'cache');
    expect([obj.name, cache.name]).toEqual(['fork-poses.obj', 'fork-poses.pc2']);
    const frames = readPc2(cache.bytes, cache.name);
    expect([frames.frameCount, frames.pointCount]).toEqual([3, before.length / 3]);
  });

  test('without poses there is nothing to export', async () => {
    const other = await createForkSession();
    expect(() => exportShape(other, 'sequence')).toThrow('there are no poses yet');
    other.dispose();
  });
});
