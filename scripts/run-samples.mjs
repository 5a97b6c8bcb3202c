// Runs samples that scripts/samples.mjs has written, one after the other, in a thread that can be stopped. What they print
// is held back unless they fail.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const LONGEST = 60_000; // milliseconds without anything new

if (isMainThread) watch(JSON.parse(readFileSync(process.argv[2], 'utf8')));
else await work(workerData);

function watch(samples) {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: samples });
  let current = samples[0];
  let timer;
  const fail = (message, lines = []) => {
    process.exitCode = 1;
    console.error(message);
    for (const line of lines) console.error(`    ${line.trim()}`);
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      fail(`${current.file}:${current.line}: this sample is still running after ${LONGEST / 1000} s`);
      worker.terminate();
    }, LONGEST);
  };
  wait();
  worker.on('message', ({ started, failed }) => {
    if (failed) return fail(failed.message, failed.lines);
    current = samples[started];
    wait();
  });
  worker.on('error', (error) => fail(...Object.values(describeFailure(current, error, []))));
  worker.on('exit', (code) => {
    clearTimeout(timer);
    if (code !== 0 && process.exitCode !== 1)
      fail(`${current.file}:${current.line}: this sample ends everything`);
    process.exit(); // workers that a sample has left may still be there
  });
}

async function work(samples) {
  let printed = [];
  for (const name of ['log', 'info', 'warn', 'error']) {
    console[name] = (...values) => printed.push(format(...values));
  }
  for (const [k, sample] of samples.entries()) {
    parentPort.postMessage({ started: k });
    printed = [];
    try {
      await import(pathToFileURL(sample.script).href);
    } catch (error) {
      parentPort.postMessage({ failed: describeFailure(sample, error, printed) });
    }
  }
  process.exit();
}

/** With the line of the page in which it happened, where that is known. */
function describeFailure({ file, line }, error, printed) {
  const text = String(error?.stack ?? error).replaceAll('%7E', '~'); // as in addresses
  const inside = /([^/\\\s]+\.md)\.\d+\.mjs:(\d+)/.exec(text);
  const place = inside ? `${inside[1].replaceAll('~', '/')}:${inside[2]}` : `${file}:${line}`;
  const message = `${place}: the sample that begins in line ${line} fails: ${error?.message ?? error}`;
  return { message, lines: [...printed.slice(-5), ...text.split('\n').slice(1, 6)] };
}
