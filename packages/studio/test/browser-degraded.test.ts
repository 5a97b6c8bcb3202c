import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { IN_BROWSER } from '../../cli/test/support/chromium.ts';
import { StudioTester } from './support/studio.ts';

const QUICK = '#scene=inspector&triangles=1000';
const NO_WEBGL =
  'HTMLCanvasElement.prototype.getContext = ((own) => function (kind, ...rest) { return /webgl/.test(kind) ? null : own.call(this, kind, ...rest); })(HTMLCanvasElement.prototype.getContext)';

describe('a browser that lacks something', IN_BROWSER, () => {
  let studio: StudioTester;

  beforeAll(async () => {
    studio = await StudioTester.start();
  });

  afterEach(async () => {
    await studio.closePage();
    expect(studio.problems).toEqual([]);
  });

  afterAll(() => studio?.stop());

  test('workers and WebAssembly: TypeScript kernels on this thread, and the page says so', async () => {
    const page = await studio.open(QUICK, {
      before: 'delete globalThis.Worker; delete globalThis.WebAssembly',
    });
    await studio.frames(5);
    expect(await page.evaluate(() => pliantStudio.scene!.kernels)).toBe('ts');
    const said = await page.locator('#notices').innerText();
    expect(said).toContain('No workers here');
    expect(said).toContain('No WebAssembly here');
    expect(await page.evaluate(() => pliantStudio.result!.agree)).toBe(true);
    expect((await studio.picture()).drawn).toBeGreaterThan(0.02);
  });

  test('workers that fail when they load: the same', async () => {
    const before = `globalThis.Worker = class {
      constructor() { setTimeout(() => this.onerror?.(new ErrorEvent('error', { message: 'refused' })), 50); }
      postMessage() {}
      terminate() {}
    }`;
    const page = await studio.open(QUICK, { before });
    await studio.frames(3);
    expect(await page.locator('#notices').innerText()).toContain('No workers here');
    expect(await page.evaluate(() => pliantStudio.scene!.kernels)).toBe('wasm');
  });

  test('WebGL: no picture, but queries, times and pairs', async () => {
    const page = await studio.open(QUICK, { before: NO_WEBGL });
    await studio.frames(10);
    expect(await page.locator('#no-view').innerText()).toContain('no WebGL 2');
    expect(await page.locator('#speedup').innerText()).toMatch(/^[\d.]+×$/);
    await page.keyboard.press('s');
    expect(await page.locator('#notices').innerText()).toContain('no picture to save');
  });

  test('a language: numbers are those of English', async () => {
    const before = "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' })";
    const page = await studio.open(QUICK, { before });
    await studio.frames(3);
    expect(await page.evaluate(() => navigator.language)).toBe('en-US');
  });

  test('storage: settings hold until the page is closed', async () => {
    const before =
      "Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('closed'); } })";
    const page = await studio.open(QUICK, { before, isNewcomer: true });
    await studio.frames(2);
    await page.keyboard.press('t');
    await page.locator('#hints-close').click();
    expect(await page.locator('#hints').isVisible()).toBe(false);
  });

  test('kernels=ts in the link: the worker runs without WebAssembly', async () => {
    const page = await studio.open(`${QUICK}&kernels=ts`);
    await studio.frames(5);
    expect(await page.evaluate(() => pliantStudio.scene!.kernels)).toBe('ts');
  });
});
