import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCertificates, writePc2 } from 'pliant/io';
import { beforeAll, describe, expect, test } from 'vitest';
import { objOf, positionsOf } from './support/bent-sheet.ts';
import { readCheck } from './support/check-output.ts';
import { pliant, temporaryFolder } from './support/run.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const run = (...args: string[]) => pliant(args, { cwd: folder });
const frames = [0, 0.01, 0.05, 0.4, 0.8, 1.1].map((amount) => positionsOf(12, amount));

beforeAll(() => {
  mkdirSync(file('walk'));
  frames.forEach((positions, k) => {
    writeFileSync(file(`walk/${k}.obj`), objOf(12, positions));
  });
  writeFileSync(file('sheet.obj'), objOf(12, frames[0]));
  writeFileSync(file('sheet.pc2'), writePc2(frames.map((frame) => Float64Array.from(frame))));
});

async function check(...args: string[]): Promise<{ json: string; stderr: string }> {
  const { code, stderr } = await run('check', ...args, '--json', 'out.json');
  expect(code, stderr).toBe(1);
  return { json: readFileSync(file('out.json'), 'utf8'), stderr };
}

/** Without what is told about the certificates. */
function answersOf(json: string): unknown {
  const { certificates: _, ...rest } = readCheck(json) as unknown as Record<string, unknown>;
  return rest;
}

describe('frames that are given vertex by vertex', () => {
  test.each([
    ['a folder', ['walk'], 'walk.pliant', ['walk']],
    ['a point cache', ['sheet.obj', 'sheet.pc2'], 'sheet.pliant', ['sheet.obj', 'sheet.pc2']],
  ])('%s: certificates are stored beside it, used, and change no answer', async (_, inputs, out, again) => {
    const before = await check(...again);
    const { code, stdout, stderr } = await run('certify', ...inputs, '--json', 'made.json');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(new RegExp(`→ ${out.replace('.', '\\.')} {2}1 certificate, [\\d,]+ bytes`));
    expect(stdout).toMatch(/ 288 +– +free +– +– +0 +\d\.\d MB +check +\d+\.\d s\n/);
    const [record] = readCertificates(readFileSync(file(out)), out).records;
    expect([record.kind, record.body.triangles]).toEqual(['energy-certificate', 288]);
    const { certificates } = JSON.parse(readFileSync(file('made.json'), 'utf8'));
    expect(certificates[0]).toMatchObject({ kind: 'energy-certificate', restContacts: 0, isReused: false });
    expect(certificates[0].memory).toBeGreaterThan(certificates[0].bytes);

    const unasked = await check(...again);
    expect(unasked.stderr).toMatch(
      new RegExp(`^pliant: ${out} is not used; --certificates ${out} would use it\n`),
    );
    expect(unasked.json).toBe(before.json);
    const after = await check(...again, '--threads', '2', '--certificates', out);
    expect(after.stderr).toMatch(new RegExp(`certificate of .* in ${out} used`));
    expect(answersOf(after.json)).toEqual(answersOf(before.json));
    const moved = await check(...again, '--continuous', '--certificates', out);
    const plain = await check(...again, '--continuous', '--no-certificates');
    expect(answersOf(moved.json)).toEqual(answersOf(plain.json));

    const repeated = await run('certify', ...inputs);
    expect(repeated.stderr).toMatch(/nothing has changed since the last run/);
  });

  test('what the first frame has become makes it stale', async () => {
    mkdirSync(file('other'));
    frames.forEach((positions, k) => {
      writeFileSync(file(`other/${k}.obj`), objOf(12, positions));
    });
    expect((await run('certify', 'other')).code).toBe(0);
    expect((await check('other', '--certificates', 'other.pliant')).stderr).not.toMatch(/stale|not used/);
    writeFileSync(file('other/0.obj'), objOf(12, positionsOf(12, 0.02)));
    const asked = await run('check', 'other', '--certificates', 'other.pliant');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toMatch(
      /other\.pliant is stale: .* has changed since; `pliant certify other` makes it anew/,
    );
  });

  test('a mesh alone does not move', async () => {
    const { code, stderr } = await run('certify', 'sheet.obj');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/sheet\.obj: nothing here says how the mesh moves/),
    ]);
  });

  test('Ctrl-C leaves nothing behind', async () => {
    mkdirSync(file('large'));
    for (const k of [0, 1]) writeFileSync(file(`large/${k}.obj`), objOf(100, positionsOf(100, 0.01 * k)));
    const before = readdirSync(folder);
    const stopped = await pliant(['certify', 'large'], { cwd: folder, interruptAfter: 700 });
    expect([stopped.code, stopped.stderr]).toEqual([
      130,
      expect.stringMatching(/stopped; nothing was written/),
    ]);
    expect(readdirSync(folder)).toEqual(before);
  });
});
