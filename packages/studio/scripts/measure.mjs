// node packages/studio/scripts/measure.mjs [SECONDS]: what the built studio costs, in headless Chromium. First paint,
// script work of the page per picture, and how long queries take, scene by scene. Needs `npm run build`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { BROWSER_FLAGS, DRAWING_FLAGS, findTool } from '../../../scripts/find-tools.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const SECONDS = Number(process.argv[2] ?? 6);
const MODEL = join(process.env.PLIANT_DATA ?? join(root, '../shared/data'), 'skinned/CesiumMan.glb');
const FLAGS = [...BROWSER_FLAGS, ...DRAWING_FLAGS];

const files = existsSync(MODEL) ? [MODEL] : [];
const { path: executablePath, problem } = await findTool('browser');
if (executablePath === undefined) throw new Error(problem);
const server = spawn(
  process.execPath,
  [join(root, 'packages/cli/bin/pliant.mjs'), 'studio', '--no-open', ...files],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const address = await new Promise((resolve) => {
  server.stdout.once('data', (text) => resolve(/http:\S+?(?=[#\s])/.exec(String(text))[0]));
});
const browser = await chromium.launch({ executablePath, headless: true, args: FLAGS });
const scenes = ['walkers', 'crowd', 'hanging', 'fish', 'inspector'].map((id) => [id, `#scene=${id}`]);
if (files.length > 0) scenes.push(['CesiumMan', '#scene=inspector&open=served']);
const walk = '&show=glass,curves,boxes,culling'; // everything that can be drawn
scenes.push(['walkers, walk shown', `#scene=walkers${walk}`], ['crowd, walk shown', `#scene=crowd${walk}`]);
if (files.length > 0) scenes.push(['CesiumMan, walk shown', `#scene=inspector&open=served${walk}`]);
try {
  for (const [name, link] of scenes) console.log(await measure(name, link));
} finally {
  await browser.close();
  server.kill('SIGINT');
}

async function measure(name, link) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(address + link);
  await page.waitForFunction(() => globalThis.pliantStudio?.framesShown > 5, undefined, { timeout: 120_000 });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' }); // not counted while others have the core
  const start = await sample(page, session);
  await page.waitForTimeout(1000 * SECONDS);
  const end = await sample(page, session);
  await page.close();
  const perPicture = (1000 * (end.script - start.script)) / (end.pictures - start.pictures);
  const round = (x) => Number(x.toFixed(3));
  return {
    name,
    firstPaintMs: Math.round(end.paint),
    scriptMsPerPicture: round(perPicture),
    pageMsHigh: round(end.page),
    pictures: end.pictures - start.pictures,
    frames: end.frames - start.frames,
    pliantMs: round(end.pliant),
    traditionalMs: round(end.traditional),
    speedUp: round(end.traditional / end.pliant),
    pairs: end.pairs,
  };
}

async function sample(page, session) {
  const { metrics } = await session.send('Performance.getMetrics');
  const script = metrics.find(({ name }) => name === 'ScriptDuration').value;
  return page.evaluate((seconds) => {
    const { history, meter, framesShown, result } = globalThis.pliantStudio;
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return {
      script: seconds,
      paint: paint?.startTime ?? Number.NaN,
      page: meter.high ?? Number.NaN,
      pictures: meter.pictures,
      frames: framesShown,
      pliant: history.means.pliant,
      traditional: history.means.traditional,
      pairs: result.pairCount,
    };
  }, script);
}
