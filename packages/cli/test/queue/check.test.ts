import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePc2 } from 'pliant/io';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCheck } from '../support/check-output.ts';
import { morphGlb } from '../support/morph-gltf.ts';
import { pliant, temporaryFolder } from '../support/run.ts';
import { sampleGlb, sampleGltf } from '../support/sample-gltf.ts';
import { Running, startWorker, until } from './support/processes.ts';
import { sheets, writeSheets } from './support/sheets.ts';
import { isInJob, jobsInQueue, leftOvers, TestRedis, WITH_REDIS } from './support/test-redis.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const SLOW = ['--method', 'brute-force', '--cull', 'none']; // for what has to be caught in the act
let redis: TestRedis;

describe('check --queue', WITH_REDIS, () => {
  beforeAll(async () => {
    redis = await TestRedis.start();
    writeFileSync(file('sample.glb'), sampleGlb());
    mkdirSync(file('model/data'), { recursive: true });
    const { json, buffer } = sampleGltf({ uri: 'data/the%20bytes.bin' });
    writeFileSync(file('model/sample.gltf'), JSON.stringify(json));
    writeFileSync(file('model/data/the bytes.bin'), buffer);
    writeSheets(file('frames'), 6, 24);
    writeFileSync(file('sheets.obj'), sheets(6, 0));
    const positions = [0, 1, 2].map((k) => {
      const lines = sheets(6, k).split('\n');
      const numbers = lines.filter((line) => line.startsWith('v ')).map((line) => line.slice(2).split(' '));
      return Float64Array.from(numbers.flat(), Number);
    });
    writeFileSync(file('sheets.pc2'), writePc2(positions));
    writeFileSync(file('face.glb'), morphGlb());
    expect((await pliant(['certify', file('face.glb'), '--quiet'])).code).toBe(0);
    const modes = ['modes', file('sheets.obj'), file('sheets.pc2'), '-o', file('modes.pliant'), '--quiet'];
    expect((await pliant(modes)).code).toBe(0);
    mkdirSync(file('tetgen'));
    writeFileSync(file('tetgen/t.node'), '4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n');
    writeFileSync(file('tetgen/t.ele'), '1 4 0\n0 0 1 2 3\n');
  });

  test('writes the same bytes as one machine, for checks that share two workers', async () => {
    const workers = await Promise.all([startWorker(redis.url), startWorker(redis.url)]);
    const cases: [name: string, args: string[], jobFrames?: number][] = [
      ['glb', [file('sample.glb')]],
      ['gltf', [file('model/sample.gltf'), '--fps', '10'], 3],
      ['sequence', [file('frames')]],
      ['steps', [file('frames'), '--continuous'], 5],
      ['cache', [file('sheets.obj'), file('sheets.pc2')]],
      ['between', [file('sheets.obj'), file('frames/f3.obj'), '--between']],
      ['few', [file('frames'), '--max-pairs', '2', '--frames', '3-17']],
      ['shard', [file('frames'), '--shard', '1/3']],
      ['certified', [file('face.glb'), '--fps', '20', '--certificates', file('face.pliant')]],
      ['modal', [file('sheets.obj'), '--modes', file('modes.pliant')]],
      ['tetgen', [file('tetgen/t.node')]],
    ];
    const outcomes = await Promise.all(
      cases.map(async ([name, args, jobFrames]) => {
        const one = await pliant(['check', ...args, '--json', file(`${name}-1.json`)]);
        const size = jobFrames === undefined ? [] : ['--job-frames', String(jobFrames)];
        const queue = ['--queue', redis.url, ...size, '--json', file(`${name}-2.json`)];
        const two = await pliant(['check', ...args, ...queue]);
        return [one, two];
      }),
    );
    for (const [k, [one, two]] of outcomes.entries()) {
      const [name] = cases[k];
      expect([two.code, two.stdout], `${name}: ${two.stderr}`).toEqual([one.code, one.stdout]);
      expect(two.stderr).toMatch(/queue: \d+ jobs? by [12] workers?\n/);
      const [first, second] = [1, 2].map((n) => readFileSync(file(`${name}-${n}.json`)));
      expect(first.equals(second), name).toBe(true);
    }
    const client = await redis.client();
    expect(await leftOvers(client)).toEqual([]);
    client.disconnect();
    for (const worker of workers) worker.kill('SIGTERM');
    for (const worker of workers) expect(await worker.ended).toBe(0);
  });

  test('says the same about a frame that cannot be read, and leaves nothing behind', async () => {
    writeSheets(file('broken'), 6, 12);
    writeFileSync(file('broken/f7.obj'), 'v 0 0 0\nf 1 2 99\n');
    writeFileSync(file('broken/f9.obj'), 'v 0 0\n');
    const worker = await startWorker(redis.url);
    const args = ['check', 'broken', '--json', 'broken.json'];
    const one = await pliant([...args, '--threads', '1'], { cwd: folder });
    const two = await pliant([...args, '--queue', redis.url, '--quiet'], { cwd: folder });
    expect(one.code).toBe(2);
    expect(two.stderr).toBe(one.stderr.replace(/^pliant: (?!broken\/).*\n/gm, ''));
    expect([two.code, two.stdout]).toEqual([one.code, one.stdout]);
    expect(existsSync(file('broken.json'))).toBe(false);
    const client = await redis.client();
    expect(await leftOvers(client)).toEqual([]);
    client.disconnect();
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  test('several files: the same bytes, one after the other', async () => {
    const worker = await startWorker(redis.url);
    const files = [file('sample.glb'), file('face.glb')];
    const one = await pliant(['check', ...files, '--json', file('several-1')]);
    const two = await pliant(['check', ...files, '--queue', redis.url, '--json', file('several-2')]);
    expect([two.code, two.stdout], two.stderr).toEqual([one.code, one.stdout]);
    for (const name of ['sample.json', 'face.json']) {
      expect(readFileSync(file(`several-2/${name}`))).toEqual(readFileSync(file(`several-1/${name}`)));
    }
    expect(two.stderr.match(/queue: \d+ jobs? by 1 worker\n/g)).toHaveLength(2);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  test('keeps few jobs open, and shows how far it is', async () => {
    writeSheets(file('many'), 2, 150);
    const worker = await startWorker(redis.url);
    const args = ['check', file('many'), '--queue', redis.url, '--job-frames', '1', '--open-jobs', '5'];
    const check = new Running([...args, '--json', file('many.json')]);
    const client = await redis.client();
    const counts: number[] = [];
    while (check.isRunning) {
      const { wait, active, delayed } = await jobsInQueue(client);
      counts.push(wait + active + delayed);
    }
    expect(await check.ended, check.stderr).toBeLessThan(2);
    expect(Math.max(...counts)).toBeGreaterThan(1);
    expect(Math.max(...counts)).toBeLessThanOrEqual(5 + 1); // one that is done, but not yet said to be
    expect(check.stderr).toMatch(/queue: 150 jobs by 1 worker\n/);
    client.disconnect();
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  test('Ctrl-C removes its jobs and files; what was found is written', async () => {
    writeSheets(file('slow'), 24, 40);
    const worker = await startWorker(redis.url);
    const args = ['check', file('slow'), ...SLOW, '--queue', redis.url, '--job-frames', '2'];
    const check = new Running([...args, '--json', file('slow.json')]);
    const client = await redis.client();
    await until(() => isInJob(client, worker.pid));
    check.kill('SIGINT');
    expect(await check.ended).toBe(130);
    const { state, frames } = readCheck(file('slow.json'));
    expect(state).toBe('cancelled');
    expect(frames.length).toBeLessThan(40);
    expect(await leftOvers(client)).toEqual([]);
    client.disconnect();
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(worker.stderr).toMatch(/jobs? done/);
  });

  test('a worker that is told to end finishes its job or gives it back', async () => {
    writeFileSync(file('large.obj'), sheets(46, 0)); // one frame, longer than the grace
    writeSheets(file('long'), 24, 3);
    const client = await redis.client();
    for (const [name, grace, args] of [
      ['long', '60', [file('long'), ...SLOW]],
      ['large', '0', [file('large.obj'), '--method', 'brute-force']],
    ] as const) {
      const first = await startWorker(redis.url, ['--grace', grace]);
      const queue = ['--queue', redis.url, '--json', file(`${name}-q.json`)];
      const check = new Running(['check', ...args, ...queue]);
      await until(() => isInJob(client, first.pid));
      first.kill('SIGTERM');
      expect(await first.ended, first.stderr).toBe(0);
      expect(first.stderr).toMatch(grace === '0' ? /\n.* 0 jobs done/ : /\n.* [1-9]\d* jobs? done/);
      const second = await startWorker(redis.url);
      expect(await check.ended, check.stderr).toBe(1);
      second.kill('SIGTERM');
      expect(await second.ended).toBe(0);
      await pliant(['check', ...args, '--json', file(`${name}-1.json`)]);
      expect(readFileSync(file(`${name}-q.json`)).equals(readFileSync(file(`${name}-1.json`)))).toBe(true);
    }
    client.disconnect();
  });

  test('files of a shared folder are not sent; others than those of the check are refused', async () => {
    const client = await redis.client();
    writeSheets(file('shared/a'), 6, 10);
    writeSheets(file('elsewhere/a'), 6, 10);
    const args = ['check', file('shared/a'), '--queue', redis.url, '--shared-root', file('shared')];
    const json = ['--json', file('shared.json'), '--job-frames', '2'];
    await pliant(['check', file('shared/a'), '--json', file('shared-1.json')]);

    // A file that is not there yet: the job is tried again.
    renameSync(file('elsewhere/a/f4.obj'), file('f4.obj'));
    let worker = await startWorker(redis.url, ['--shared-root', file('elsewhere')]);
    const check = new Running([...args, ...json]);
    await check.saw(
      /frames 4 to 5 failed on a worker and will be tried again: a\/f4\.obj in the shared folder/,
    );
    const sent = (await client.send(['KEYS', 'pliant:check:*:files'])) as string[];
    expect(sent).toEqual([]);
    renameSync(file('f4.obj'), file('elsewhere/a/f4.obj'));
    expect(await check.ended, check.stderr).toBe(1);
    expect(readFileSync(file('shared.json')).equals(readFileSync(file('shared-1.json')))).toBe(true);

    // A file that is another one; it takes a while until all tries have failed.
    writeFileSync(file('elsewhere/a/f6.obj'), sheets(6, 99));
    const why = 'a/f6.obj in the shared folder of the worker is not the file that the check has read';
    const failing = new Running([...args, '--job-frames', '2']);
    await failing.saw(new RegExp(`frames 6 to 7 failed on a worker and will be tried again: ${why}`));
    const isFull = process.env.PLIANT_FULL !== undefined;
    if (!isFull) failing.kill('SIGINT');
    expect([await failing.ended, isFull && failing.stdout]).toEqual([isFull ? 2 : 130, isFull && '']);
    if (isFull) expect(failing.stderr).toContain(`pliant: frames 6 to 7 could not be checked: ${why}\n`);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);

    // A worker without the folder.
    worker = await startWorker(redis.url);
    const without = new Running([...args, ...json]);
    await without.saw(/a worker was started without --shared-root/);
    without.kill('SIGINT');
    expect(await without.ended).toBe(130);
    expect(await leftOvers(client)).toEqual([]);
    client.disconnect();
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });
});
