import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, FLAGS, IN_BROWSER } from '../../../cli/test/support/chromium.ts';
import { probeEngine } from './engine-probe.ts';

/** A tube with a clip that bends it until it touches itself. */
const TUBE = new URL('../../../../docs/samples/bent-tube.mjs', import.meta.url).href;

describe('poses, contacts and times', IN_BROWSER, () => {
  test('are the same to the bit in Node and in a browser, with both kernels', async () => {
    const { createBentTube } = await import(TUBE);
    const glb: Uint8Array = await createBentTube();
    const here = await probeEngine(glb);
    for (const row of Object.values(here)) expect(Number.parseInt(row, 10)).toBeGreaterThan(0);
    for (const what of ['clip', 'walk', 'motion']) expect(here[`${what}, ts`]).toBe(here[`${what}, wasm`]);
    expect(await probeInBrowser(glb)).toEqual(here);
  });
});

async function probeInBrowser(glb: Uint8Array): Promise<Record<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('engine-probe.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'Probe',
    external: ['node:*'],
    write: false,
    logLevel: 'error',
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: outputFiles[0].text });
    const ask = (bytes: number[]) =>
      (globalThis as unknown as { Probe: { probeEngine: typeof probeEngine } }).Probe.probeEngine(
        Uint8Array.from(bytes),
      );
    return await page.evaluate(ask, [...glb]);
  } finally {
    await browser.close();
  }
}
