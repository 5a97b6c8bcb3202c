// A worker thread of an engine that dies at a chosen point of its life. `at` counts its atomic operations, which are
// what the protocol consists of, and the calls of kernels, which are the work between them; 0 is before it is ready.
import { workerData } from 'node:worker_threads';

const { how, at, steps } = workerData;
let count = 0;
let isDead = false;

function step() {
  if (isDead) return;
  Atomics.add(steps, 0, 1); // how long its life is
  if (count++ !== at) return;
  isDead = true;
  if (how === 'exit') process.exit(3);
  if (how === 'throw') throw new Error('a thread dies on purpose');
  if (how === 'memory') for (const list = []; ; ) list.push(new Array(1000).fill(list.length));
}

const { add, store, compareExchange, wait } = Atomics;
const before = { add, store, compareExchange, wait };
for (const name of Object.keys(before)) {
  Atomics[name] = (words, ...rest) => {
    if (words !== steps) step();
    return before[name](words, ...rest);
  };
}
const { Instance } = WebAssembly;
WebAssembly.Instance = class {
  constructor(...args) {
    step();
    const { exports } = new Instance(...args);
    this.exports = Object.fromEntries(Object.entries(exports).map(([name, value]) => [name, watched(value)]));
  }
};

function watched(kernel) {
  if (typeof kernel !== 'function') return kernel;
  return (...numbers) => {
    step();
    return kernel(...numbers);
  };
}

await import('../../dist/pool.worker.js');
