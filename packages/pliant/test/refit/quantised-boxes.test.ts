import { beforeEach, describe, expect, test } from 'vitest';
import { FreeDeformer } from '../../src/deform/free.ts';
import { arrayStore, KernelMemory } from '../../src/kernels/memory.ts';
import { TraversalScratch } from '../../src/kernels/scratch.ts';
import { createTsKernels } from '../../src/kernels/ts-kernels.ts';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { BoxStore, setFrame } from '../../src/refit/quantised-boxes.ts';
import { buildTree } from '../../src/tree/build-tree.ts';
import { ResidentMesh } from '../../src/tree/resident-mesh.ts';
import { grid } from '../arbitraries.ts';

function setUp() {
  const kernels = createTsKernels(new KernelMemory(arrayStore()));
  const calls = { refit: 0 };
  const counting = {
    ...kernels,
    refit: (...args: Parameters<typeof kernels.refit>) => {
      calls.refit++;
      kernels.refit(...args);
    },
  };
  const mesh = createTriangleMesh(grid(4, 4));
  const resident = new ResidentMesh(counting, mesh, buildTree(mesh));
  const deformer = new FreeDeformer(counting, resident);
  const scratch = new TraversalScratch(kernels.memory);
  const store = new BoxStore(counting, resident);
  const frame = frameOf([0, 0, 0, 4, 4, 0]);
  const bytes = (address: number) => kernels.memory.u8.slice(address, address + 16 * resident.tree.nodeCount);
  return { kernels, calls, mesh, deformer, scratch, store, frame, bytes };
}

function frameOf(box: number[]): Float64Array {
  const frame = new Float64Array(6);
  setFrame(Float64Array.from(box), frame);
  return frame;
}

describe('boxes of a body', () => {
  let it: ReturnType<typeof setUp>;
  beforeEach(() => {
    it = setUp();
  });

  test('asking twice for the same pose and frame costs nothing', () => {
    const { store, deformer, frame, scratch, calls } = it;
    const first = store.acquire(deformer, frame, false, scratch);
    store.release(first);
    const second = store.acquire(deformer, frame, false, scratch);
    expect(second).toBe(first);
    expect(calls.refit).toBe(1);
    expect(second.users).toBe(1);
    store.release(second);
  });

  test('a new pose, another frame or a sweep is refitted, in the same memory when nobody uses it', () => {
    const { store, deformer, frame, scratch, calls, mesh, bytes } = it;
    const first = store.acquire(deformer, frame, false, scratch);
    const before = bytes(first.address);
    store.release(first);
    deformer.setPose(mesh.positions.map((x) => 0.5 * x));
    const second = store.acquire(deformer, frame, false, scratch);
    expect(second.address).toBe(first.address);
    expect(bytes(second.address)).not.toEqual(before);
    store.release(second);
    store.release(store.acquire(deformer, frameOf([0, 0, 0, 8, 8, 1]), false, scratch));
    deformer.setMotion(
      mesh.positions,
      mesh.positions.map((x) => x + 1),
    );
    store.release(store.acquire(deformer, frame, true, scratch));
    store.release(store.acquire(deformer, frame, false, scratch));
    expect(calls.refit).toBe(6); // a sweep takes two: start and end
  });

  test('a sweep without a motion is the pose', () => {
    const { store, deformer, frame, scratch, calls } = it;
    const first = store.acquire(deformer, frame, true, scratch);
    expect(store.acquire(deformer, frame, false, scratch)).toBe(first);
    expect(first.users).toBe(2);
    expect(calls.refit).toBe(1);
  });

  test('a query inside another one gets boxes of its own, and the outer ones stay', () => {
    const { store, deformer, frame, scratch, bytes, kernels } = it;
    const outer = store.acquire(deformer, frame, false, scratch);
    const before = bytes(outer.address);
    const inner = store.acquire(deformer, frameOf([-10, -10, -10, 10, 10, 10]), false, scratch);
    expect(inner.address).not.toBe(outer.address);
    expect(bytes(outer.address)).toEqual(before);
    expect(bytes(inner.address)).not.toEqual(before);
    store.release(inner);
    const again = store.acquire(deformer, frameOf([-5, -5, -5, 5, 5, 5]), false, scratch);
    expect(again.address).toBe(inner.address);
    const inUse = kernels.memory.bytesInUse;
    store.free();
    expect(kernels.memory.bytesInUse).toBeLessThan(inUse);
  });

  test('boxes of one frame are not taken for those of another that compares equal in part', () => {
    const { store, deformer, scratch } = it;
    const a = frameOf([0, 0, 0, 4, 4, 0]),
      b = a.slice();
    b[5] = 1;
    const first = store.acquire(deformer, a, false, scratch);
    store.release(first);
    const second = store.acquire(deformer, b, false, scratch);
    expect([...second.frame]).toEqual([...b]);
  });
});

describe('setFrame', () => {
  test('spans all cells but the outermost, or none where there is no extent', () => {
    const frame = frameOf([1, 5, -(2 ** 300), 3, 5, 2 ** 300]);
    const cell = (x: number, k: number) => Math.trunc((x - frame[k]) * frame[3 + k]);
    expect([cell(1, 0), cell(3, 0)]).toEqual([1, 32765]);
    expect(frame[1] + frame[4]).toBe(0);
    expect(cell(-(2 ** 300), 2)).toBe(1);
    expect(cell(2 ** 300, 2)).toBe(32765);
  });

  test.each([
    [[0, 0, 0, 5e-324, 1e-320, 1e-310]],
    [[-Infinity, 0, NaN, Infinity, 0, 0]],
    [[1e308, -1e308, 0, 1.7e308, 1e308, 0]],
  ])('%o gives finite numbers', (box) => {
    expect([...frameOf(box)].every(Number.isFinite)).toBe(true);
  });
});
