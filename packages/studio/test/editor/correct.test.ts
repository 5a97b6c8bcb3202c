import { readGltf } from 'pliant/gltf';
import { afterEach, describe, expect, test } from 'vitest';
import { touchingPairs, tubeGltf } from '../../../pliant/test/edit/corrective/tube-gltf.ts';
import type { Command } from '../../src/editor/engine/protocol.ts';
import type { VisitStore } from '../../src/editor/engine/store.ts';
import { Desk, MemoryStore } from './support/desk.ts';
import { tubeFile } from './support/tube.ts';

const desks: Desk[] = [];
const desk = (store?: VisitStore) => {
  desks.push(new Desk(store));
  return desks.at(-1)!;
};
afterEach(() => {
  for (const { host } of desks.splice(0)) host.dispose();
});

const TARGET = { name: 'elbow fix', ramp: 0.2 };
const open: Command = { type: 'open-files', files: [tubeFile()], resolution: 400 };

/** A pose with contacts is prepared: seconds of waiting are spared by leaving the shape of the file out. */
async function prepared(store?: VisitStore): Promise<Desk> {
  const d = desk(store);
  const opening = d.host.handle(open);
  await until(() => d.count('file') > 0);
  await d.host.handle({ type: 'choose-pose', clip: 0, time: 1 });
  await opening;
  await d.host.handle({ type: 'prepare-correction', resolution: 800 });
  expect(d.last('failed')).toBeUndefined();
  return d;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let k = 0; k < 1000 && !isSo(); k++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isSo()).toBe(true);
}

describe('poses of a file', () => {
  test('are offered before its shape is ready, and all frames are looked at', async () => {
    const d = desk();
    const opening = d.host.handle(open);
    await until(() => d.count('file') > 0);
    expect(d.last('file').file).toMatchObject({
      name: 'tube.glb',
      meshes: [{ mesh: 0, name: 'Tube' }],
      clips: [
        { name: 'Bend', duration: 1 },
        { name: 'Still', duration: 1 },
      ],
    });
    await d.host.handle({ type: 'choose-pose', time: 0.5 });
    await opening;
    expect(d.count('opened')).toBe(1); // the shape was not waited for
    const { model } = d.last('opened');
    expect(model).toMatchObject({
      kind: 'pose',
      pose: { mesh: 0, clip: 0, time: 0.5, frames: { count: 31 } },
    });
    await until(() => d.count('scan-ended') > 0);
    const pairs = scannedPairs(d);
    const scene = await readGltf(tubeFile().bytes, 'tube.glb');
    expect(pairs).toHaveLength(31);
    for (const k of [0, 15, 22, 30]) expect(pairs[k]).toBe(await touchingPairs(scene, 0, 0, k / 30));
    expect(pairs[30]).toBeGreaterThan(20);
    await d.host.handle({ type: 'choose-pose', time: 1 });
    await until(() => d.last('frame')?.frame.touching?.time === 1);
    expect(d.last('frame').frame.touching).toEqual({ time: 1, pairs: pairs[30], atBind: 0 });
    expect(Math.max(...d.last('frame').frame.buffers.tints)).toBe(255);
    await d.host.handle({ type: 'choose-pose', clip: 1 });
    expect(d.last('opened').model.pose).toMatchObject({ clip: 1, time: 0 });
    await until(() => d.count('scan-ended') > 1);
    expect(d.count('failed')).toBe(0);
  });

  test('a search can be stopped, and what cannot be posed is refused with its address', async () => {
    const d = desk();
    await d.host.handle({
      type: 'open-files',
      files: [tubeFile({ rings: 400, sides: 40 })],
      resolution: 400,
    });
    const { session } = d.host;
    await d.host.handle({ type: 'choose-pose', clip: 7 });
    expect(d.last('failed')).toMatchObject({ isExpected: true, message: 'tube.glb: there is no clip 7' });
    expect(d.host.session).toBe(session); // what was open still is
    await d.host.handle({ type: 'choose-pose', time: 4 });
    expect(d.last('failed').message).toMatch('tube.glb: the clip lasts from 0 to 1 s, not 4');
    await d.host.handle({ type: 'prepare-correction' });
    expect(d.last('failed').message).toMatch('which pose');
    await d.host.handle({ type: 'choose-pose' });
    await d.host.handle({ type: 'stop-scan' });
    await until(() => d.count('scan-ended') > 0);
    expect(scannedPairs(d).length).toBeLessThan(31);
    await d.host.handle({ type: 'add-handle', vertex: 0 });
    expect(d.last('failed').message).toMatch('before it is prepared');
    await d.host.handle({ type: 'leave-pose' });
    expect(d.host.session).toBe(session); // and is there again
    expect(d.last('file').file).toBeDefined();
  });

  test('files without a skin or a clip have none', async () => {
    const gltf = tubeGltf({ bends: [60] });
    delete gltf.json.animations;
    const d = desk();
    const files = [{ path: 'still.glb', bytes: gltf.glb() }];
    await d.host.handle({ type: 'open-files', files, resolution: 400 });
    expect(d.last('file').file).toBeUndefined();
    await d.host.handle({ type: 'choose-pose' });
    expect(d.last('failed').message).toMatch('no skin that a clip moves');
  });
});

describe('a correction', () => {
  test('rests until it is resolved, is taken back and done again, and is written', async () => {
    const d = await prepared();
    const { host } = d;
    const { model } = d.last('opened');
    expect(model).toMatchObject({ kind: 'correction', correction: { hasShape: true } });
    const before = model.correction!.before.pairs;
    expect(before).toBeGreaterThan(20);
    const first = await d.rest();
    expect(first.steps).toEqual([]);
    expect(first.touching!.pairs).toBeGreaterThan(0);
    const resting = host.session!.positions;
    await host.handle({ type: 'resolve' });
    expect(d.last('resolved').corrected).toMatchObject({ pairs: 0, atBind: 0 });
    expect(d.last('resolved').corrected.moved).toBeGreaterThan(10);
    const resolved = host.session!.positions;
    expect(d.last('state').state.undoes).toBe('resolve');
    await host.handle({ type: 'undo' });
    expect(host.session!.positions).toEqual(resting);
    await host.handle({ type: 'redo' });
    expect(host.session!.positions).toEqual(resolved);
    await host.handle({ type: 'save-corrected', ...TARGET });
    const [{ name, bytes }] = d.last('files').files;
    expect(name).toBe('tube.corrected.glb');
    const scene = await readGltf(bytes, name);
    expect(await touchingPairs(scene, 0, 0, 1)).toBe(0);
    expect(scene.meshes[0].morphs!.names).toEqual(['elbow fix']);
    const { times } = scene.clips[0].channels.find(({ path }) => path === 'weights')!;
    expect(times[0]).toBeCloseTo(0.8, 6);
    await host.handle({ type: 'save-corrected', name: 'x', ramp: -1 });
    expect(d.last('failed').message).toMatch('ramp must be a number above 0, not -1');
  });

  test('is a shape like any other: handles, pins, obstacles; not recorded', async () => {
    const d = await prepared();
    const { host } = d;
    await host.handle({ type: 'resolve' });
    const held = host.session!.controls;
    expect(held.map(({ kind }) => kind)).toEqual(['pin']); // what is far from contacts
    await host.handle({ type: 'remove', ids: [held[0].id] });
    const end = host.session!.model.positions.length / 3 - 1;
    await host.handle({ type: 'add-handle', vertex: end });
    for (const vertex of [0, 4, 60, 64]) await host.handle({ type: 'add-handle', vertex });
    const [handle] = host.session!.controls;
    const seen = Array.from(host.session!.positions.slice(3 * end, 3 * end + 3));
    expect(distance(handle.target!, seen)).toBeLessThan(1e-4); // where it is seen
    const target = [seen[0], seen[1], seen[2] + 0.2];
    await host.handle({ type: 'begin', what: 'drag' });
    await host.handle({ type: 'move', moves: [{ id: handle.id, target }] });
    const place = () => Array.from(host.session!.positions.slice(3 * end, 3 * end + 3));
    await until(() => distance(place(), target) < 0.01);
    await host.handle({ type: 'record' });
    expect(d.last('failed').message).toMatch('a correction cannot be recorded');
    await host.handle({ type: 'clusters', clusters: 1 });
    expect(d.last('failed').message).toMatch('a correction cannot be given other clusters');
    await host.handle({ type: 'reset' });
    expect(host.session!.controls.map(({ kind }) => kind)).toEqual(['pin']);
  });

  test('can be cancelled while it is prepared or resolved', async () => {
    const d = await prepared();
    const { session } = d.host;
    const preparing = d.host.handle({ type: 'prepare', resolution: 6000 });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await d.host.handle({ type: 'cancel' });
    await preparing;
    expect(d.host.session).toBe(session);
    const before = session!.positions;
    const resolving = d.host.handle({ type: 'resolve' });
    await d.host.handle({ type: 'add-handle', vertex: 0 });
    expect(d.last('failed').message).toMatch('contacts are being resolved');
    await d.host.handle({ type: 'cancel' });
    await resolving;
    expect(d.last('state').state.undoes).toBe('resolve'); // what was done so far can be taken back
    await d.host.handle({ type: 'undo' });
    expect(session!.positions).toEqual(before);
  });

  test('is kept, and the next pose is looked at in the file with it', async () => {
    const d = await prepared();
    await d.host.handle({ type: 'resolve' });
    const scans = d.count('scan-ended');
    await d.host.handle({ type: 'keep-correction', ...TARGET });
    expect(d.last('opened').model).toMatchObject({ kind: 'pose', pose: { clip: 0, time: 1 } });
    await until(() => d.count('scan-ended') > scans);
    await until(() => d.last('frame').frame.ticket === d.last('opened').model.ticket);
    expect(d.last('frame').frame.touching!.pairs).toBe(0);
  });
});

describe('projects of corrections', () => {
  test('give everything back; damaged ones are refused, and what was open stays', async () => {
    const d = await prepared();
    await d.host.handle({ type: 'resolve' });
    await d.host.handle({ type: 'add-handle', vertex: 5 });
    await d.rest();
    await d.host.handle({ type: 'save' });
    const [{ name, bytes }] = d.last('files').files;
    expect(name).toBe('tube.pliant-shape');
    const before = d.host.session!;
    const positions = before.positions,
      { controls } = before;
    const damaged = bytes.slice();
    damaged[damaged.length >> 1] ^= 8;
    await d.host.handle({ type: 'open-project', name, bytes: damaged });
    expect(d.last('failed').message).toMatch('damaged');
    expect(d.host.session).toBe(before);
    const other = desk();
    await other.host.handle({ type: 'open-files', files: [{ path: name, bytes }] });
    expect(other.last('failed')).toBeUndefined();
    expect(other.count('notice')).toBe(0);
    expect(other.last('opened').model).toMatchObject({ kind: 'correction', isRestored: true });
    expect(distance(Array.from(other.host.session!.positions), Array.from(positions))).toBeLessThan(1e-6);
    expect(other.host.session!.controls.map(({ id, kind, vertices }) => [id, kind, vertices])).toEqual(
      controls.map(({ id, kind, vertices }) => [id, kind, vertices]),
    );
    await other.host.handle({ type: 'save-corrected', ...TARGET });
    const scene = await readGltf(other.last('files').files[0].bytes, 'tube.glb');
    expect(await touchingPairs(scene, 0, 0, 1)).toBe(0);
  });

  test('a visit: the correction is there again, with what changed since', async () => {
    const store = new MemoryStore();
    const d = await prepared(store);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await d.host.handle({ type: 'resolve' });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const next = desk(store);
    await next.host.handle({ type: 'open-last', example: 'rabbit', resolution: 500 });
    expect(next.last('opened').model).toMatchObject({ kind: 'correction', name: 'tube', isRestored: true });
    expect(next.host.session!.positions).toEqual(d.host.session!.positions);
    expect(next.last('file').file!.name).toBe('tube.glb');
    // A state that does not fit any more: handles go, the surface stays.
    const { snapshot, ...rest } = store.visit!.changes!;
    const { pose } = snapshot!.shape;
    const shape = { ...snapshot!.shape, pose: { ...pose, v: pose.v.slice(3) } };
    store.visit!.changes = { ...rest, snapshot: { ...snapshot!, shape } };
    const third = desk(store);
    await third.host.handle({ type: 'open-last', example: 'rabbit', resolution: 500 });
    expect(third.last('notice').text).toMatch(/handles could not be restored.*the surface is as it was left/);
    const away = distance(Array.from(third.host.session!.positions), Array.from(d.host.session!.positions));
    expect(away).toBeLessThan(1e-6);
  });
});

function scannedPairs(d: Desk): number[] {
  return d.answers.flatMap((answer) => (answer.type === 'scanned' ? [...answer.frames.pairs] : []));
}

function distance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0);
}
