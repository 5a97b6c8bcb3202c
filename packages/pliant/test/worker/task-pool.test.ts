import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { NotConverged } from '../../src/algebra/eigenpairs.ts';
import { NotPositiveDefinite } from '../../src/algebra/sparse/index.ts';
import {
  createTaskPool,
  createTriangleMesh,
  InputError,
  type TaskKind,
  type TaskPool,
  WorkerStopped,
} from '../../src/index.ts';
import { createTorusKnot } from '../../src/shapes/torus-knot.ts';
import { createLatticeAsync, LATTICE_TASK } from '../../src/solid/create-lattice.ts';
import { packError, unpackError } from '../../src/worker/task-protocol.ts';
import { inlineWorkers } from './inline-worker.ts';

const mesh = createTriangleMesh(createTorusKnot({ triangles: 300 }).source);
const lattice = { mesh, options: { vertices: 150 } };

async function withPool<T>(
  threads: number,
  use: (pool: TaskPool, made: ReturnType<typeof inlineWorkers>['made']) => Promise<T>,
): Promise<T> {
  const { made, createWorker } = inlineWorkers();
  const pool = await createTaskPool({ threads, createWorker });
  try {
    return await use(pool, made);
  } finally {
    pool.dispose();
  }
}

/** A worker of Node that runs `onMessage` for each message. */
function scriptedWorker(onMessage: string): Worker {
  const script = `const { parentPort } = require('node:worker_threads');
    parentPort.postMessage({ type: 'ready' });
    parentPort.on('message', (message) => { ${onMessage} });`;
  return new Worker(script, { eval: true });
}

/** Says what it is told to say, when it is told. */
class SilentWorker extends EventEmitter {
  readonly received: unknown[] = [];
  postMessage(message: unknown): void {
    this.received.push(message);
  }
  terminate(): void {}
}

describe('tasks', () => {
  test('wait for a worker, and none has two', async () => {
    await withPool(2, async (pool, made) => {
      const found = await Promise.all([1, 2, 3, 4, 5].map(() => pool.run(LATTICE_TASK, lattice)));
      expect(found.every((one) => one.report.vertices === found[0].report.vertices)).toBe(true);
      expect(made.length).toBe(2);
      expect(made.map(({ received }) => received.length).reduce((a, b) => a + b)).toBe(5);
    });
  });

  test('tell their progress', async () => {
    await withPool(1, async (pool) => {
      const shares: number[] = [];
      await pool.run(LATTICE_TASK, lattice, { onProgress: (share: number) => shares.push(share) });
      expect(shares.length).toBeGreaterThan(0);
      expect(shares).toEqual([...shares].sort((a, b) => a - b));
      expect(shares[shares.length - 1]).toBe(1);
    });
  });

  test('what is shared is sent to each worker once, until it is released', async () => {
    await withPool(2, async (pool, made) => {
      const shared = { large: new Float64Array(1000) };
      const kind: TaskKind<typeof lattice, unknown, typeof shared> = LATTICE_TASK as never;
      const sent = () => made.map(({ received }) => received.filter(({ type }) => type === 'share').length);
      await Promise.all([1, 2, 3, 4].map(() => pool.run(kind, lattice, { shared })));
      expect(sent()).toEqual([1, 1]);
      pool.release(shared);
      await pool.run(kind, lattice, { shared });
      expect(sent().reduce((a, b) => a + b)).toBe(3);
      expect(made.every(({ received }) => received.some(({ type }) => type === 'forget'))).toBe(true);
    });
  });

  test('an input that cannot be sent is refused, and the worker goes on', async () => {
    await withPool(1, async (pool) => {
      const bad = { mesh, options: { vertices: () => 300 } };
      await expect(pool.run(LATTICE_TASK, bad as never)).rejects.toThrow(/could not be cloned/);
      expect((await pool.run(LATTICE_TASK, lattice)).report.vertices).toBeGreaterThan(0);
    });
  });

  test('who throws from onProgress ends the work', async () => {
    await withPool(1, async (pool) => {
      const onProgress = () => {
        throw new Error('enough');
      };
      await expect(pool.run(LATTICE_TASK, lattice, { onProgress })).rejects.toThrow('enough');
      expect((await pool.run(LATTICE_TASK, lattice)).report.vertices).toBeGreaterThan(0);
    });
  });
});

describe('cancelling', () => {
  test('ends what runs and what waits, with the reason, and the pool can be used again', async () => {
    await withPool(1, async (pool, made) => {
      const first = new AbortController(),
        second = new AbortController();
      const running = pool.run(LATTICE_TASK, lattice, { signal: first.signal });
      const waiting = pool.run(LATTICE_TASK, lattice, { signal: second.signal });
      const last = pool.run(LATTICE_TASK, lattice);
      second.abort(new Error('not wanted'));
      await expect(waiting).rejects.toThrow('not wanted');
      expect(made[0].isTerminated).toBe(false);
      first.abort(new Error('too slow'));
      await expect(running).rejects.toThrow('too slow');
      expect(made[0].isTerminated).toBe(true);
      expect((await last).report.vertices).toBeGreaterThan(0);
      expect(made.length).toBe(2);
    });
  });

  test('a signal that has been aborted already starts nothing', async () => {
    await withPool(1, async (pool, made) => {
      const signal = AbortSignal.abort(new Error('before'));
      await expect(createLatticeAsync(mesh, { pool, signal })).rejects.toThrow('before');
      expect(made[0].received).toEqual([]);
    });
  });

  test('an endless task of a real worker is over at once', async () => {
    const pool = await createTaskPool({ threads: 1, createWorker: () => scriptedWorker('for (;;);') });
    const stop = new AbortController();
    const endless = pool.run(LATTICE_TASK, lattice, { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await expect(endless).rejects.toMatchObject({ name: 'AbortError' });
    pool.dispose();
  });
});

describe('workers that fail', () => {
  test.each([
    ['process.exit(3)', /stopped during 'lattice': it ended with code 3/],
    ['throw new Error("out of luck")', /stopped during 'lattice': out of luck/],
  ])('%s', async (script, message) => {
    const pool = await createTaskPool({ threads: 1, createWorker: () => scriptedWorker(script) });
    for (let time = 0; time < 2; time++) {
      const attempt = pool.run(LATTICE_TASK, lattice);
      await expect(attempt).rejects.toThrow(message);
      await expect(attempt).rejects.toBeInstanceOf(WorkerStopped);
    }
    pool.dispose();
  });

  test('one that dies is replaced, and what waits is done by the next', async () => {
    const { createWorker } = inlineWorkers();
    let count = 0;
    const pool = await createTaskPool({
      threads: 1,
      createWorker: () => (count++ === 0 ? scriptedWorker('process.exit(1)') : createWorker()),
    });
    const lost = pool.run(LATTICE_TASK, lattice);
    const next = pool.run(LATTICE_TASK, lattice);
    await expect(lost).rejects.toBeInstanceOf(WorkerStopped);
    expect((await next).report.vertices).toBeGreaterThan(0);
    pool.dispose();
  });

  test('one that takes the place of another is sent its task when it is there, not before', async () => {
    const made: SilentWorker[] = [];
    const pool = createTaskPool({
      threads: 1,
      createWorker: () => {
        made.push(new SilentWorker());
        return made[made.length - 1] as unknown as Worker;
      },
    });
    made[0].emit('message', { type: 'ready' });
    const lost = (await pool).run(LATTICE_TASK, lattice);
    made[0].emit('error', new Error('out of luck'));
    await expect(lost).rejects.toBeInstanceOf(WorkerStopped);
    const next = (await pool).run(LATTICE_TASK, lattice);
    expect(made[1].received).toEqual([]);
    made[1].emit('message', { type: 'ready' });
    expect(made[1].received).toMatchObject([{ type: 'run', kind: 'lattice' }]);
    made[1].emit('error', new Error('again'));
    await expect(next).rejects.toThrow("stopped during 'lattice': again");
    (await pool).dispose();
  });

  test('one that cannot be started: unsupported', async () => {
    const createWorker = () => new Worker(new URL('file:///there/is/no/such/file.js'));
    const attempt = createTaskPool({ threads: 2, createWorker });
    await expect(attempt).rejects.toMatchObject({ name: 'InputError', code: 'unsupported' });
    await expect(attempt).rejects.toThrow(/a worker did not start/);
  });

  test('a worker of another version says so', async () => {
    await withPool(1, async (pool) => {
      const kind: TaskKind<number, number> = { name: 'knitting' };
      await expect(pool.run(kind, 1)).rejects.toThrow("does not know 'knitting'");
    });
  });
});

describe('errors', () => {
  test('arrive as they left', () => {
    const all = [
      new InputError('singular', 'tetrahedron 3 is flat'),
      new NotConverged('7 of 9 eigenpairs settled', 7),
      new NotPositiveDefinite(4, -1e-9, 2),
      new RangeError('too many'),
    ];
    for (const error of all) {
      const sent = structuredClone(packError(error));
      const arrived = unpackError(sent);
      expect(arrived).toBeInstanceOf(error.constructor);
      expect({ ...arrived, message: arrived.message }).toEqual({ ...error, message: error.message });
    }
    expect(unpackError(packError(new DOMException('gone', 'DataError')))).toMatchObject({ message: 'gone' });
    expect(unpackError(packError('just text')).message).toBe('just text');
  });

  test('input is refused with its place, whoever finds it', async () => {
    await withPool(1, async (pool) => {
      const flat = createTriangleMesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] });
      const here = await createLatticeAsync(flat).catch((error) => error);
      const there = await createLatticeAsync(flat, { pool }).catch((error) => error);
      expect(there).toBeInstanceOf(InputError);
      expect(there.code).toBe(here.code);
      expect(there.message).toBe(here.message);
    });
  });

  test.each([
    [{ threads: 0 }, 'threads must be a whole number from 1 to 64, not the number 0'],
    [{ threads: 1.5 }, 'threads must be'],
    [{ createWorker: 3 }, 'createWorker must be a function'],
    [null, 'options'],
  ])('%j', async (options, message) => {
    await expect(createTaskPool(options as object)).rejects.toThrow(message);
  });

  test('a pool that is none', async () => {
    await expect(createLatticeAsync(mesh, { pool: 3 as never })).rejects.toThrow(
      'pool must come from createTaskPool',
    );
  });

  test('after dispose there is nothing left to do', async () => {
    const pool = await createTaskPool({ threads: 1, createWorker: () => scriptedWorker('') });
    const tasks = [pool.run(LATTICE_TASK, lattice), pool.run(LATTICE_TASK, lattice)];
    pool.dispose();
    for (const task of tasks) await expect(task).rejects.toMatchObject({ code: 'disposed' });
    await expect(pool.run(LATTICE_TASK, lattice)).rejects.toMatchObject({ code: 'disposed' });
  });
});
