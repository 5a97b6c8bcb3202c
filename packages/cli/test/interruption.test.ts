import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCheck, schemaErrors } from './support/check-output.ts';
import { pliant, temporaryFolder } from './support/run.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);

/** A flat sheet of 2 n² triangles with a ridge. */
function sheet(n: number, height = 0): string {
  const lines: string[] = [];
  for (let y = 0; y <= n; y++)
    for (let x = 0; x <= n; x++) lines.push(`v ${x} ${y} ${((x * y) % 7) + height}`);
  const vertex = (x: number, y: number) => y * (n + 1) + x + 1;
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      lines.push(`f ${vertex(x, y)} ${vertex(x + 1, y)} ${vertex(x + 1, y + 1)}`);
      lines.push(`f ${vertex(x, y)} ${vertex(x + 1, y + 1)} ${vertex(x, y + 1)}`);
    }
  }
  return lines.join('\n');
}

beforeAll(() => {
  writeFileSync(file('large.obj'), sheet(200));
  mkdirSync(file('frames'));
  for (let k = 0; k < 200; k++) writeFileSync(file(`frames/${k}.obj`), sheet(32, k));
});

describe('Ctrl-C', () => {
  test('within one long frame: ends at once, with an empty list', async () => {
    const args = ['check', file('large.obj'), '--method', 'brute-force', '--json', file('large.json')];
    const { code, stdout } = await pliant(args, { interruptAfter: 2000 });
    expect(code).toBe(130);
    const found = readCheck(file('large.json'));
    expect([found.state, found.frames, found.total]).toEqual(['cancelled', [], 0]);
    expect(stdout).toMatch(/stopped after 0 frames/);
  });

  test.each(['1', '2'])('between frames, %s threads: keeps what was found', async (threads) => {
    const json = file(`frames-${threads}.json`);
    const args = ['check', file('frames'), '--method', 'brute-force', '--threads', threads, '--json', json];
    const { code } = await pliant(args, { interruptAt: / [1-9]\d*\/200 frames/ });
    expect(code).toBe(130);
    const found = readCheck(json);
    expect(schemaErrors(found)).toEqual([]);
    expect(found.state).toBe('cancelled');
    expect(found.frames.length).toBeGreaterThan(0);
    expect(found.frames.length).toBeLessThan(200);
    const indices = found.frames.map(({ index }) => index);
    expect(indices).toEqual([...new Set(indices)].sort((a, b) => a - b));
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(readFileSync(json, 'utf8').endsWith('"state":"cancelled"}\n')).toBe(true);
  });
});
