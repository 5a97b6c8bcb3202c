import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCheck } from '../support/check-output.ts';
import { type GuardedOutcome, runGuarded } from '../support/guarded.ts';
import { temporaryFolder } from '../support/run.ts';
import { sampleGlb } from '../support/sample-gltf.ts';

const COMMAND = fileURLToPath(new URL('../../bin/pliant.mjs', import.meta.url));
const isPosix = process.platform !== 'win32';
const folder = temporaryFolder();

beforeAll(() => {
  writeFileSync(join(folder, 'sample.glb'), sampleGlb()); // contacts in "Fall", none in "Hover"
});

/** The command in a shell, where `$@` stands for its arguments. */
function shell(line: string, ...args: string[]): Promise<GuardedOutcome> {
  const script = line.replaceAll('pliant', '"$NODE" "$COMMAND"');
  return runGuarded('bash', ['-c', script, 'bash', ...args], {
    cwd: folder,
    env: { NODE: process.execPath, COMMAND, TMPDIR: folder },
  });
}

function leftOvers(): string[] {
  return readdirSync(folder).filter((name) => name !== 'sample.glb' && !name.endsWith('.json'));
}

describe.runIf(existsSync('/dev/full'))('stdout is full', () => {
  test.each<[string, string[]]>([
    ['the summary', ['check', 'sample.glb']],
    ['JSON', ['check', 'sample.glb', '--json', '-']],
    ['annotations', ['check', 'sample.glb', '--format', 'github']],
    ['JUnit XML', ['check', 'sample.glb', '--format', 'junit']],
    ['of several files', ['check', 'sample.glb', 'sample.glb']],
    ['info', ['info', 'sample.glb']],
    ['help', ['check', '--help']],
    ['the version', ['--version']],
  ])('%s: exit code 2 and one line, whatever was found', async (_, args) => {
    const { code, stderr } = await shell('pliant "$@" > /dev/full', ...args);
    expect(stderr).toMatch(/^pliant: stdout: cannot be written: no space is left on the device\n$/m);
    expect(stderr).not.toMatch(/ {4}at |throw/); // no stack trace
    expect(code).toBe(2);
    expect(leftOvers()).toEqual([]);
  });

  test('a device named as a file', async () => {
    const { code, stderr } = await shell('pliant check sample.glb --quiet --json /dev/full');
    expect([code, stderr]).toEqual([
      2,
      'pliant: /dev/full: cannot be written: no space is left on the device\n',
    ]);
  });
});

describe.runIf(isPosix)('stdout is a file', () => {
  test('that takes a part only: exit code 2', async () => {
    const { code, stderr } = await shell('ulimit -f 1; pliant check --help > help.json');
    expect([code, stderr]).toEqual([
      2,
      'pliant: stdout: cannot be written: it would be larger than is allowed\n',
    ]);
  });

  test('that a result is to be written to: refused, for one would be lost', async () => {
    const { code, stderr } = await shell('pliant check sample.glb --json both.json > both.json');
    expect([code, stderr]).toEqual([
      2,
      'pliant: --json both.json: stdout goes to this file; give the result another name\n',
    ]);
  });
});

describe.runIf(isPosix)('stdout is closed', () => {
  test.each<[string, string]>([
    ['JSON with contacts', 'pliant check sample.glb --quiet --json - >&-'],
    ['JSON without', 'pliant check sample.glb --clip Hover --quiet --json - >&-'],
    ['info', 'pliant info sample.glb --json - >&-'],
  ])('%s: exit code 2, for nobody gets it', async (_, line) => {
    const { code, stderr } = await shell(line);
    expect(stderr).toMatch(/^pliant: stdout: cannot be written: it is closed, [^\n]+\n$/);
    expect(code).toBe(2);
  });

  test('results that go into a file need no stdout', async () => {
    const { code, stderr } = await shell('pliant check sample.glb --quiet --json closed.json >&-');
    expect([code, stderr]).toEqual([1, '']);
    expect(readCheck(join(folder, 'closed.json')).state).toBe('complete');
  });

  test('/dev/null is a place like any other', async () => {
    const { code, stderr } = await shell('pliant check sample.glb --quiet --json - > /dev/null');
    expect([code, stderr]).toEqual([1, '']);
  });
});

describe.runIf(isPosix)('a reader that goes away', () => {
  test.each<[string, string[]]>([
    ['with contacts', ['check', 'sample.glb', '--quiet', '--json', '-']],
    ['without', ['check', 'sample.glb', '--clip', 'Hover', '--quiet', '--json', '-']],
    ['the summary', ['check', 'sample.glb']],
    ['help', ['--help']],
  ])('%s: ends without a word, with the exit code of SIGPIPE', async (_, args) => {
    const { code, stderr } = await withoutReader(args);
    expect(code).toBe(141);
    expect(stderr.replace(/^pliant: \d+ frames in .*\n/, '')).toBe('');
    expect(leftOvers()).toEqual([]);
  });
});

/** The read end of the pipe is closed before the command can write. */
function withoutReader(args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd: folder,
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const watchdog = setTimeout(() => child.kill('SIGKILL'), 60_000);
    let stderr = '';
    child.stdout.destroy();
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      stderr += piece;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(watchdog);
      resolve({ code, stderr });
    });
  });
}
