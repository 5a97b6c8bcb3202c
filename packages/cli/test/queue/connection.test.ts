import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkSettings } from '../../src/command/check-settings.ts';
import { redisAddress } from '../../src/queue/redis-address.ts';
import { pliant, temporaryFolder } from '../support/run.ts';
import { sampleGlb } from '../support/sample-gltf.ts';
import { Running, startWorker } from './support/processes.ts';
import { freePort, OPENSSL, TestRedis, WITH_OPENSSL, WITH_REDIS } from './support/test-redis.ts';

const CLI = fileURLToPath(new URL('../..', import.meta.url));
const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const SECRET = 'a very/secret:word';

beforeAll(() => writeFileSync(file('sample.glb'), sampleGlb()));

/** The command as another installation: with some other packages, and perhaps another version. */
function installed(name: string, version: string, without: readonly string[]): string {
  const place = file(name);
  for (const part of ['bin', 'dist'])
    cpSync(join(CLI, part), join(place, 'cli', part), {
      recursive: true,
      filter: (path) => !path.endsWith('studio'),
    });
  const manifest = JSON.parse(readFileSync(join(CLI, 'package.json'), 'utf8'));
  writeFileSync(join(place, 'cli/package.json'), JSON.stringify({ ...manifest, version }));
  mkdirSync(join(place, 'node_modules'));
  const packages = join(CLI, '../../node_modules');
  for (const entry of readdirSync(packages)) {
    if (!without.includes(entry)) symlinkSync(join(packages, entry), join(place, 'node_modules', entry));
  }
  return join(place, 'cli/bin/pliant.mjs');
}

describe('without a queue', () => {
  test.each(['check', 'worker'])('%s: Redis is not there', async (command) => {
    const port = await freePort();
    const args =
      command === 'check' ? ['check', file('sample.glb'), '--json', file('none.json')] : ['worker'];
    const begin = Date.now();
    const url = `redis://me:hidden@127.0.0.1:${port}`;
    const outcome = await pliant([...args, '--queue', url, '--queue-timeout', '1']);
    expect([outcome.code, outcome.stdout]).toEqual([2, '']);
    expect(outcome.stderr).toBe(
      `pliant: redis://127.0.0.1:${port}: Redis cannot be reached for 1 s: nothing listens there\n`,
    );
    expect(Date.now() - begin).toBeLessThan(8_000);
    expect(readdirSync(folder)).not.toContain('none.json');
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'an address of something else',
      { queue: 'http://me:hidden@host' },
      /--queue must be like redis:\/\/host/,
    ],
    ['no address', { queue: 'hidden' }, /--queue must be like redis:\/\/host/],
    ['a bad database', { queue: 'redis://:hidden@h/x' }, /--queue must be like redis:\/\/host/],
    ['a bad password', { queue: 'redis://:hidden%zz@h' }, /% is written %25/],
    ['TLS options without TLS', { queue: 'redis://h', 'queue-ca': 'ca.pem' }, /need --queue rediss:\/\//],
    ['a missing authority', { queue: 'rediss://h', 'queue-ca': 'no.pem' }, /no\.pem: there is no such file/],
    ['half a pair', { queue: 'rediss://h', 'queue-key': 'k' }, /belong together/],
    ['a bad name', { queue: 'redis://h', 'queue-name': 'a:b' }, /--queue-name must be letters/],
    ['a bad time', { queue: 'redis://h', 'queue-timeout': 'long' }, /--queue-timeout must be a number/],
    ['other options alone', { 'job-frames': '3' }, /--job-frames needs --queue/],
  ])('%s is refused', async (_, options, message) => {
    const open = async () => {
      const { queue } = checkSettings(options);
      return redisAddress(queue!.url, queue!.tls);
    };
    const error = await open().catch((reason: Error) => reason);
    expect((error as Error).name).toBe('CommandError');
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('hidden');
  });

  test('--help has examples', async () => {
    const { code, stdout } = await pliant(['worker', '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Examples:\n {2}\$ pliant worker --queue /);
    expect(stdout).toContain('PLIANT_QUEUE_PASSWORD');
  });

  test('an address is taken apart', async () => {
    expect(await redisAddress('redis://a%40b:c%2Fd@[::1]:7000/3', {})).toEqual({
      host: '::1',
      port: 7000,
      username: 'a@b',
      password: 'c/d',
      database: 3,
      tls: undefined,
      label: 'redis://[::1]:7000/3',
    });
    const { tls, label } = await redisAddress('rediss://farm', {});
    expect([tls!.servername, label]).toEqual(['farm', 'rediss://farm:6379']);
  });

  test('a missing package is named', async () => {
    const command = installed('bare', '0.1.0', ['bullmq']);
    const check = new Running(['check', file('sample.glb'), '--queue', 'redis://h'], { command });
    expect(await check.ended).toBe(2);
    expect(check.stderr).toBe('pliant: --queue needs the package bullmq: npm install bullmq\n');
    const plain = new Running(['check', file('sample.glb'), '--quiet'], { command });
    expect([await plain.ended, plain.stderr]).toEqual([1, '']);
  });
});

describe('a queue', WITH_REDIS, () => {
  test('versions are never mixed', async () => {
    const redis = await TestRedis.start();
    const command = installed('other', '9.9.9', []);
    const other = await startWorker(redis.url, [], { command });
    const args = ['check', file('sample.glb'), '--queue', redis.url];
    const refused = await pliant(args);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(
      /the workers of this queue are pliant 9\.9\.9, but this is pliant \d+\.\d+\.\d+; both need the same version\n$/,
    );
    const ours = await startWorker(redis.url);
    expect((await pliant(args)).code).toBe(1);
    const theirs = new Running(args, { command });
    expect(await theirs.ended).toBe(1);
    for (const worker of [ours, other]) worker.kill('SIGTERM');
    expect([await ours.ended, await other.ended]).toEqual([0, 0]);
    for (const worker of [ours, other]) expect(worker.stderr).toMatch(/ [1-9]\d* jobs done, 47 frames\n$/);
  });

  test('a worker leaves checks of other versions alone, and says so', async () => {
    const redis = await TestRedis.start();
    const command = installed('newer', '9.9.8', []);
    const check = new Running(['check', file('sample.glb'), '--queue', redis.url], { command });
    await check.saw(/no worker is there/);
    const worker = await startWorker(redis.url);
    await worker.saw(/a check of pliant 9\.9\.8 is left alone: this worker is pliant/);
    expect(await check.ended).toBe(2); // it finds out, too
    expect(check.stderr).toMatch(/the workers of this queue are pliant .*, but this is pliant 9\.9\.8/);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(worker.stderr).toContain('0 jobs done');
  });

  test('a check that nobody works on ends in time', async () => {
    const redis = await TestRedis.start();
    const args = ['check', file('sample.glb'), '--queue', redis.url, '--queue-timeout', '1'];
    const { code, stderr } = await pliant(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no worker is there; `pliant worker --queue …` starts one\n/);
    expect(stderr).toMatch(/no worker has been there for \d+ s\n$/);
  });

  test('a password comes from the address or the environment, and is never shown', async () => {
    const redis = await TestRedis.start(['--requirepass', SECRET]);
    const inUrl = `redis://:${encodeURIComponent(SECRET)}@127.0.0.1:${redis.port}`;
    const worker = await startWorker(inUrl);
    const check = (url: string, env: Record<string, string> = {}) =>
      pliant(['check', file('sample.glb'), '--queue', url], { env });
    const good = [await check(inUrl), await check(redis.url, { PLIANT_QUEUE_PASSWORD: SECRET })];
    expect(good.map(({ code }) => code)).toEqual([1, 1]);
    const none = await check(redis.url);
    expect(none.stderr).toMatch(/Redis wants a password; PLIANT_QUEUE_PASSWORD can hold it\n$/);
    const wrong = await check(`redis://me:wrong-word@127.0.0.1:${redis.port}`);
    expect(wrong.stderr).toMatch(/redis:\/\/127\.0\.0\.1:\d+: Redis refuses this user and password\n$/);
    expect([none.code, wrong.code]).toEqual([2, 2]);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    const shown = [...good, none, wrong, worker].map(({ stdout, stderr }) => stdout + stderr).join();
    for (const word of [SECRET, encodeURIComponent(SECRET), 'wrong-word']) expect(shown).not.toContain(word);
  });

  test('TLS: with its authority, and not without', WITH_OPENSSL, async () => {
    const openssl = (...args: string[]) => execFileSync(OPENSSL, args, { cwd: folder, stdio: 'pipe' });
    const made = ['-nodes', '-days', '2', '-newkey', 'rsa:2048', '-keyout', 'tls.key', '-out', 'tls.pem'];
    openssl('req', '-x509', ...made, '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1');
    const certificate = ['--tls-cert-file', file('tls.pem'), '--tls-key-file', file('tls.key')];
    const authority = ['--tls-ca-cert-file', file('tls.pem')];
    const redis = await TestRedis.start(['--port', '0', '--tls-port', 'PORT', ...certificate, ...authority]);
    const url = `rediss://127.0.0.1:${redis.port}`;
    const ours = ['--queue-ca', 'tls.pem', '--queue-cert', 'tls.pem', '--queue-key', 'tls.key'];
    const worker = await startWorker(url, ours, { cwd: folder });
    const check = (...args: string[]) =>
      pliant(['check', 'sample.glb', '--queue', url, ...args], { cwd: folder });
    expect((await check(...ours)).code).toBe(1);
    const stranger = await check();
    expect(stranger.code).toBe(2);
    expect(stranger.stderr).toMatch(/TLS does not come about: .*self-signed certificate/);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });
});
