import { expect, test } from 'vitest';
import { measureFull, measureRecording } from '../../src/editor/engine/full-method.ts';
import { createForkSession, drawTogether, holdProngs } from './support/fork.ts';

test('the full method is measured where a shape is, and along a recording', async () => {
  const session = await createForkSession();
  expect(await measureFull(session)).toBeUndefined(); // nothing holds it
  await expect(measureRecording(session, 4)).rejects.toThrow('nothing has been recorded');
  session.startRecording();
  session.step();
  session.stopRecording();
  await expect(measureRecording(session, 4)).rejects.toThrow('no handles');

  const prongs = holdProngs(session);
  session.startRecording();
  drawTogether(session, prongs);
  session.stopRecording();
  const { vertexCount } = session.shape.cage.tetrahedra;
  const end = session.positions.slice();
  const times = [(await measureFull(session))!, ...(await measureRecording(session, 4))];
  expect(times).toHaveLength(1 + 4);
  for (const { refactor, schur, vertices } of times) {
    expect([refactor > 0, schur > 0, vertices]).toEqual([true, true, vertexCount]);
  }
  expect(session.positions.every((x, k) => Math.abs(x - end[k]) < 1e-6)).toBe(true); // replayed to its end
  session.dispose();
});
