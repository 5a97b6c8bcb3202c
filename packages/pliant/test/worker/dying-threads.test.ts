import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createTorusKnot } from '../../src/shapes/torus-knot.ts';

/** At how many points of its life a thread dies; more with PLIANT_FULL=1. */
const POINTS = process.env.PLIANT_FULL !== undefined ? 200 : 5;
const WATCHDOG = 240_000; // milliseconds without a word after which the process counts as hanging
const TIME = 3_600_000; // milliseconds, for the longer one
const QUERIES = 6; // of kill-threads.mjs, for each death

interface Death {
  readonly how: 'exit' | 'throw' | 'memory' | 'terminate' | 'none';
  readonly at: number;
  readonly threads: number;
}

interface Outcome extends Omit<Death, 'threads'> {
  readonly steps: number;
  readonly right: number; // answers that are exact
  readonly threads: readonly number[]; // at the beginning, after the first queries, after the last
  readonly error: string;
}

const { source, deform } = createTorusKnot({ triangles: 24_000 });

function poseAt(time: number): number[] {
  const pose = new Float64Array(source.positions.length);
  deform(time, pose);
  return [...pose];
}

const poses = [poseAt(0.9), poseAt(0.92), poseAt(0).map((x, k) => (k % 3 === 2 ? 0 : x))];
const shape = { positions: [...source.positions], triangles: [...source.triangles] };

/** Engines whose threads die, in a process that is ended when it says nothing more. */
function kill(deaths: readonly Death[]): Promise<Outcome[]> {
  const script = fileURLToPath(new URL('./kill-threads.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify({ shape, poses, deaths }));
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    const hang = () => {
      const told = stdout.split('\n').length - 1;
      child.kill('SIGKILL');
      reject(new Error(`a query never returned: ${JSON.stringify(deaths[told])}`));
    };
    let watchdog = setTimeout(hang, WATCHDOG);
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      stdout += piece;
      clearTimeout(watchdog);
      watchdog = setTimeout(hang, WATCHDOG);
    });
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      stderr += piece;
    });
    child.on('close', (code) => {
      clearTimeout(watchdog);
      const lines = stdout.split('\n').filter((line) => line !== '');
      if (code === 0) resolve(lines.map((line) => JSON.parse(line) as Outcome));
      else reject(new Error(`ended with ${code}: ${stderr}`));
    });
  });
}

test(
  'a thread that dies, at any point and in any way, changes no answer',
  async () => {
    const [{ steps, ...whole }] = await kill([{ how: 'none', at: -1, threads: 2 }]);
    expect(whole).toEqual({ how: 'none', at: -1, right: QUERIES, threads: [2, 2, 2], error: '' });
    expect(steps).toBeGreaterThan(100);
    const points = Array.from({ length: POINTS }, (_, k) => Math.round((k * steps * 0.8) / POINTS));
    const deaths: Death[] = [];
    for (const at of points)
      for (const how of ['exit', 'throw'] as const) deaths.push({ how, at, threads: 2 });
    for (const at of points.filter((_, k) => k % 8 === 1)) deaths.push({ how: 'memory', at, threads: 3 });
    for (const at of [1, 3]) deaths.push({ how: 'terminate', at, threads: 3 });
    const outcomes = await kill(deaths);
    let lost = 0;
    for (const [k, { how, at, right, threads, error }] of outcomes.entries()) {
      const what = `${how} at ${at}`;
      if (error !== '') {
        expect([at, error], what).toEqual([0, expect.stringMatching(/^a worker did not start: /)]);
        continue;
      }
      expect(right, what).toBe(QUERIES);
      const left = deaths[k].threads;
      expect([left - 1, left], what).toContain(threads[2]); // all: it did not get that far, or one piece failed
      if (threads[2] < left) lost++;
    }
    console.log(`${deaths.length} deaths at up to ${steps} points: ${lost} threads lost, every answer exact`);
    expect(outcomes.length).toBe(deaths.length);
    expect(lost).toBeGreaterThan(0);
  },
  TIME,
);
