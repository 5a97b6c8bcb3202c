import { expect, test } from 'vitest';
import { createSharedKernels } from '../../src/kernels/wasm-kernels.ts';
import { PoolThread } from '../../src/worker/pool-thread.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { MAIL_BEAT, MAIL_GONE, MAIL_HEAD_WORDS, type ThreadStart } from '../../src/worker/thread-protocol.ts';

async function createThread() {
  const { memory } = (await createSharedKernels()).kernels;
  const mail = memory.allocate(4 * MAIL_HEAD_WORDS);
  const thread = new PoolThread(memory, 1, mail);
  const calls = { terminate: 0 };
  thread.attach({ postMessage() {}, terminate: () => calls.terminate++ });
  return { thread, calls, memory, head: mail >>> 2 };
}

test('where nobody can tell whether a thread runs, ten seconds without progress mean that it does not', async () => {
  const { thread, memory, head } = await createThread();
  const look = (times: number, milliseconds: number) =>
    Array.from({ length: times }, () => thread.isLost(milliseconds)).filter((isLost) => isLost).length;
  expect(look(199, 50)).toBe(0);
  memory.i32[head + MAIL_BEAT]++;
  expect(look(200, 50)).toBe(0); // the first of them sees progress
  expect(look(1, 50)).toBe(1);
});

test('a machine that was asleep for an hour says nothing about a thread', async () => {
  const { thread } = await createThread();
  expect([thread.isLost(3_600_000), thread.isLost(3_600_000)]).toEqual([false, false]);
});

test('a thread that has left its loop, or was reported, is lost at once', async () => {
  const left = await createThread();
  left.memory.i32[left.head + MAIL_GONE] = 1;
  expect([left.thread.hasEnded, left.thread.runs, left.thread.isLost(5)]).toEqual([true, false, true]);
  const reported = await createThread();
  reported.thread.end();
  expect(reported.thread.isLost(5)).toBe(true);
  reported.thread.retire();
  expect(reported.calls.terminate).toBe(1);
});

test.each<[string, (tell: (event: string, value: unknown) => void) => void, RegExp]>([
  ['ends', (tell) => tell('exit', 3), /^a worker did not start: it ended with code 3$/],
  ['fails', (tell) => tell('error', new Error('no memory')), /^a worker did not start: no memory$/],
  ['cannot read', (tell) => tell('messageerror', new Error('what')), /^a worker did not start: what$/],
])('a worker that %s before it is ready is refused and terminated', async (_, happen, message) => {
  const listeners = new Map<string, (value: unknown) => void>();
  let isTerminated = false;
  const worker = {
    on: (event: string, then: (value: unknown) => void) => void listeners.set(event, then),
    postMessage: () => queueMicrotask(() => happen((event, value) => listeners.get(event)!(value))),
    terminate: () => {
      isTerminated = true;
    },
  };
  await expect(
    startWorker(
      {} as ThreadStart,
      () => {},
      () => worker,
    ),
  ).rejects.toThrow(message);
  expect(isTerminated).toBe(true);
});
