import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRecord, readCertificates, readStored, writeCertificates, writeStored } from 'pliant/io';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkSettings } from '../src/command/check-settings.ts';
import { FrameChecker } from '../src/frames/frame-checker.ts';
import { FramePlan } from '../src/frames/frame-plan.ts';
import { findInputs } from '../src/scene/inputs.ts';
import { openScene } from '../src/scene/open-scene.ts';
import { morphGltf } from './support/morph-gltf.ts';
import { pliant, temporaryFolder } from './support/run.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const run = (...args: string[]) => pliant(args, { cwd: folder });
const TALK = [
  [0, 0, 0],
  [1, 0, 0.2],
  [0.1, 0.4, 0],
  [0, 0.2, 1.3],
];

/** The certificates of a file with right checksums and radii that are invented. */
function forge(bytes: Uint8Array): Uint8Array {
  const { files, records } = readCertificates(bytes, 'talk.pliant');
  return writeCertificates(
    files,
    records.map(({ bytes: own, body, options }) => {
      const stored = readStored(own, 'talk.pliant');
      const arrays = Object.fromEntries(
        Object.entries(stored.arrays).map(([name, array]) => {
          const isRadius = /^(lower|between|pair-radius)-/.test(name);
          return [name, isRadius ? (array as Float32Array).slice().fill(1e30) : array];
        }),
      );
      const { balls } = stored.settings as { balls: object[] };
      const settings = { ...stored.settings, balls: balls.map((ball) => ({ ...ball, limit: null })) };
      return createRecord(writeStored({ ...stored, settings, arrays }), body, options);
    }),
  );
}

beforeAll(async () => {
  const model = morphGltf({ names: ['Roll'], weights: TALK });
  writeFileSync(file('talk.gltf'), JSON.stringify(model));
  expect((await run('certify', 'talk.gltf', '-o', 'honest.pliant', '--quiet')).code).toBe(0);
  writeFileSync(file('talk.pliant'), forge(readFileSync(file('honest.pliant'))));
});

describe('a forged file of certificates', () => {
  test('beside the model: it is not used, and the contacts are found', async () => {
    const plain = await run('check', 'talk.gltf', '--no-certificates');
    const { code, stdout, stderr } = await run('check', 'talk.gltf');
    expect([code, stdout]).toEqual([1, plain.stdout]);
    expect(stderr).toMatch(/^pliant: talk\.pliant is not used; --certificates talk\.pliant would use it\n/);
  });

  test('asked for: exit code 2, and the message says what is wrong', async () => {
    const { code, stdout, stderr } = await run('check', 'talk.gltf', '--certificates', 'talk.pliant');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^pliant: talk\.pliant: the certificate of "Roll" is wrong: triangles \d+ and \d+ touch at [\d.]+, but node 0 is said to be free up to 1\.?\d*e\+30; make it anew with `pliant certify --force`\n$/,
    );
  });

  test('an honest one is verified in one line', async () => {
    const { code, stderr } = await run('check', 'talk.gltf', '--certificates', 'honest.pliant');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^pliant: certificates of honest\.pliant: verified [\d,]+ nodes, \d+ poses in \d+\.\d\d s\n/,
    );
  });

  test('one that were to pass is found by frames that are queried without it as well', async () => {
    const scene = await openScene(await findInputs([file('talk.gltf')], false));
    const { check } = checkSettings({});
    const plan = new FramePlan(scene, check);
    const kinds = [{ mesh: 0, kinds: ['subspace-certificate'] }];
    const certificates = { path: 'talk.pliant', isMeasured: false, kinds, salt: 1 };
    const checker = await FrameChecker.create(scene, plan, check, {
      ...certificates,
      bytes: readFileSync(file('talk.pliant')),
    });
    const frames = async (of: FrameChecker) => {
      for (let k = 0; k < plan.frameCount; k++) await of.check(k);
    };
    await expect(frames(checker)).rejects.toThrow(
      /^talk\.pliant: the certificate of "Roll" is wrong: in frame \d+ of clip ".*" there are 0 contacts with it, \d+ without/,
    );
    const honest = await FrameChecker.create(scene, plan, check, {
      ...certificates,
      bytes: readFileSync(file('honest.pliant')),
    });
    await expect(frames(honest)).resolves.toBe(undefined);
  });
});
