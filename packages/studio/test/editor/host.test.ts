import { writeObj } from 'pliant/io';
import { afterEach, describe, expect, test } from 'vitest';
import type { VisitStore } from '../../src/editor/engine/store.ts';
import { Desk } from './support/desk.ts';
import { createFork, drawTogether, holdProngs, vertexAt } from './support/fork.ts';

describe('the host', () => {
  const desks: Desk[] = [];
  const desk = (store?: VisitStore) => {
    desks.push(new Desk(store));
    return desks.at(-1)!;
  };
  afterEach(() => {
    for (const { host } of desks.splice(0)) host.dispose();
  });

  test('opens a file, adds handles where rays hit, drags, undoes and redoes', async () => {
    const d = desk();
    const { host } = d;
    await d.openFork();
    const { model } = d.last('opened');
    expect(model).toMatchObject({
      name: 'fork',
      triangles: createFork().triangles.length / 3,
      isRestored: false,
    });
    expect(model.cageVertices).toBeGreaterThan(200);
    await host.handle({ type: 'add-handle-at', origin: [0.1, 6.9, 10], direction: [0, 0, -1] });
    await host.handle({ type: 'add-handle-at', origin: [4.9, 6.9, 10], direction: [0, 0, -1] });
    await host.handle({ type: 'add-handle-at', origin: [50, 50, 10], direction: [0, 0, -1] }); // a miss
    await host.handle({ type: 'add-handle', vertex: vertexAt(host.session!.model, 0, 0, 0) });
    expect(d.count('added')).toBe(3);
    const { id } = d.last('added');
    expect(host.session!.controls).toHaveLength(3);
    await host.handle({ type: 'begin', what: 'drag' });
    await host.handle({ type: 'move', moves: [{ id: 1, target: [1.5, 7, 1] }] });
    const frame = await d.rest();
    expect(frame.controls.map((control) => control.id)).toEqual([1, 2, id]);
    expect(frame.buffers.positions.every(Number.isFinite)).toBe(true);
    expect(frame.figures!.columns).toBeGreaterThan(10);
    expect(d.last('state').state.undoes).toBe('drag');
    const moved = host.session!.shape.positions[3 * vertexAt(createFork(), 0, 7, 1)];
    expect(moved).toBeGreaterThan(1);
    await host.handle({ type: 'undo' });
    expect(d.last('state').state).toMatchObject({ undoes: 'add handle', redoes: 'drag' });
    expect(host.session!.shape.positions[3 * vertexAt(createFork(), 0, 7, 1)]).toBeLessThan(0.1);
    await host.handle({ type: 'redo' });
    expect(host.session!.shape.positions[3 * vertexAt(createFork(), 0, 7, 1)]).toBeCloseTo(moved, 6);
  });

  test('does not do to a model what was meant for the one before; answers about opening carry its number', async () => {
    const d = desk();
    await d.openFork();
    const { ticket } = d.last('opened').model;
    const files = [{ path: 'other.obj', bytes: writeObj(createFork()) }];
    await d.host.handle({ type: 'open-files', files, resolution: 500, request: 2, model: ticket });
    expect(d.last('opened')).toMatchObject({ request: 2, model: { name: 'other' } });
    await d.host.handle({ type: 'add-handle', vertex: 0, request: 2, model: ticket });
    expect(d.host.session!.controls).toHaveLength(0);
    await d.host.handle({ type: 'add-handle', vertex: 0, request: 2, model: d.last('opened').model.ticket });
    expect(d.host.session!.controls).toHaveLength(1);
    const broken = [{ path: 'broken.obj', bytes: new TextEncoder().encode('f 1 2 3') }];
    await d.host.handle({ type: 'open-files', files: broken, request: 3 });
    expect(d.last('failed')).toMatchObject({ what: 'open-files', request: 3 });
    await d.host.handle({ type: 'cancel', request: 4 });
    expect(d.last('cancelled').request).toBe(4);
  });

  test('never writes into buffers that the page holds, and drops pictures instead of waiting', async () => {
    const d = desk();
    d.isSlow = true;
    await d.openFork();
    await d.host.handle({ type: 'add-handle', vertex: 0 });
    for (const [x, y, z] of [
      [5, 7, 0],
      [0, 7, 1],
      [5, 0, 1],
    ]) {
      await d.host.handle({ type: 'add-handle', vertex: vertexAt(createFork(), x, y, z) });
    }
    await d.host.handle({ type: 'move', moves: [{ id: 2, target: [6, 8, 0] }] });
    for (let k = 0; k < 400 && !d.host.session!.isAtRest; k++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(d.count('frame')).toBe(3); // as many as there are buffers
    const frames = d.answers.filter((answer) => answer.type === 'frame').map(({ frame }) => frame);
    expect(new Set(frames.map(({ buffers }) => buffers.positions)).size).toBe(3);
    d.giveBack(frames[0]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const newest = d.last('frame').frame;
    expect(newest.isAtRest).toBe(true);
    expect(newest.steps.length).toBeGreaterThan(10); // none of the times is lost
  });

  test('regions within an outline, from the front only or right through', async () => {
    const d = desk();
    await d.openFork();
    const polygon = [-0.1, -0.1, 0.25, -0.1, 0.25, 1.1, -0.1, 1.1];
    const matrix = [0.1, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, -0.1, 0, 0, 0, 0, 1]; // seen from +z
    await d.host.handle({ type: 'add-region', kind: 'pin', polygon, matrix, through: false });
    await d.host.handle({ type: 'add-region', kind: 'rigid', polygon, matrix, through: true });
    const [front, all] = d.host.session!.controls;
    expect(front.vertices.length).toBeGreaterThan(5);
    expect(all.vertices.length).toBe(2 * front.vertices.length);
    await d.host.handle({
      type: 'add-region',
      kind: 'pin',
      polygon: [5, 5, 6, 5, 6, 6],
      matrix,
      through: true,
    });
    expect(d.last('notice').title).toBe('Nothing was chosen');
  });

  test('a preparation can be cancelled, and what was open stays', async () => {
    const d = desk();
    await d.openFork();
    const { session } = d.host;
    const preparing = d.host.handle({ type: 'prepare', resolution: 4000 });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await d.host.handle({ type: 'cancel' });
    await preparing;
    expect(d.host.session).toBe(session);
    expect(d.count('opened')).toBe(1);
    expect(d.count('failed')).toBe(0);
    await d.host.handle({ type: 'prepare', resolution: 300 });
    expect(d.last('opened').model.resolution).toBe(300);
  });

  test('contacts of a shape at rest are still shown when something else has changed', async () => {
    const d = desk();
    await d.openFork();
    const session = d.host.session!;
    const prongs = holdProngs(session);
    drawTogether(session, prongs);
    await d.host.handle({ type: 'record' });
    const { contacts, buffers } = await d.rest();
    expect(contacts.length).toBeGreaterThan(0);
    const tints = buffers.tints.slice();
    const count = d.count('frame');
    await d.host.handle({ type: 'keep-pose' });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(d.count('frame')).toBeGreaterThan(count);
    const { frame } = d.last('frame');
    expect(frame.contacts).toEqual(contacts);
    expect(frame.buffers.tints).toEqual(tints);
    expect(frame.measured).toEqual(d.host.session!.shape.measure());
  });

  test('obstacles of all kinds, and the full method beside', async () => {
    const d = desk();
    await d.openFork();
    for (const kind of ['ground', 'sphere', 'capsule', 'box'] as const) {
      await d.host.handle({ type: 'add-obstacle', kind });
    }
    const files = [{ path: 'fork.obj', bytes: writeObj(createFork()) }];
    await d.host.handle({ type: 'add-obstacle', kind: 'mesh', files });
    const { obstacles, meshes } = d.last('state').state;
    expect(obstacles.map(({ name }) => name)).toEqual(['Ground', 'Sphere', 'Capsule', 'Box', 'fork']);
    expect(meshes).toHaveLength(1);
    await d.host.handle({ type: 'add-handle', vertex: 0 });
    expect(d.last('state').state.meshes).toEqual([]); // sent once
    await d.host.handle({
      type: 'move-obstacle',
      id: 2,
      matrix: [1, 0, 0, 9, 0, 1, 0, 0, 0, 0, 1, 0],
      size: [0.3],
    });
    expect(d.host.session!.obstacles[1]).toMatchObject({ size: [0.3] });
    await d.host.handle({ type: 'remove-obstacle', id: 2 });
    expect(d.host.session!.obstacles).toHaveLength(4);
    await d.host.handle({ type: 'measure-full' });
    const { times } = d.last('full');
    expect(times!.refactor).toBeGreaterThan(0);
    expect(times!.schur).toBeGreaterThan(0);
  });

  test('says what is wrong', async () => {
    const d = desk();
    await d.host.handle({ type: 'undo' });
    expect(d.last('failed').message).toMatch('nothing is open');
    await d.host.handle({ type: 'open-files', files: [{ path: 'a.txt', bytes: new Uint8Array(3) }] });
    expect(d.last('failed')).toMatchObject({ isExpected: true });
    await d.openFork();
    await d.host.handle({ type: 'replay' });
    expect(d.last('failed').message).toMatch('nothing has been recorded');
    await d.host.handle({ type: 'open-project', name: 'x.pliant-shape', bytes: new Uint8Array(64) });
    expect(d.last('failed').message).toMatch('x.pliant-shape');
    expect(d.host.session).toBeDefined();
  });
});
