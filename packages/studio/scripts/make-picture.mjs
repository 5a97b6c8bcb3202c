// node packages/studio/scripts/make-picture.mjs [OUT] [LINK] [FRAMES] [STEP]: the moving picture of the README, drawn by
// the built studio in headless Chromium. Needs `npm run build`.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { BROWSER_FLAGS, DRAWING_FLAGS, findTool } from '../../../scripts/find-tools.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const [
  out = join(root, 'docs/public/walkers.svg'),
  link = '#scene=walkers&theme=light',
  frames = 24,
  step = 2,
] = process.argv.slice(2);
const FLAGS = [...BROWSER_FLAGS, ...DRAWING_FLAGS];
const SIZE = { width: 360, height: 350 };
const RATE = 10; // pictures per second
const FIRST = 14; // frame
const HIDDEN = '.legend, .main-thread, .notices, .hints { visibility: hidden !important; }';

const command = join(root, 'packages/cli/bin/pliant.mjs');
const { path: executablePath, problem } = await findTool('browser');
if (executablePath === undefined) throw new Error(problem);
const server = spawn(process.execPath, [command, 'studio', '--no-open'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const address = await new Promise((resolve) => {
  server.stdout.once('data', (text) => resolve(/http:\S+?(?=[#\s])/.exec(String(text))[0]));
});
const browser = await chromium.launch({ executablePath, headless: true, args: FLAGS });
try {
  const pictures = await drawAll();
  writeFileSync(out, animate(pictures));
  console.log(`${out}: ${pictures.length} frames`);
} finally {
  await browser.close();
  server.kill('SIGINT');
}

async function drawAll() {
  const page = await browser.newPage({
    viewport: { width: 980, height: 660 },
    reducedMotion: 'reduce',
    bypassCSP: true, // the style that hides overlays
  });
  await page.addInitScript("localStorage.setItem('pliant-studio-hints', 'seen')");
  await page.goto(address + link);
  await page.waitForFunction(() => globalThis.pliantStudio?.framesShown > 3, undefined, { timeout: 120_000 });
  await page.evaluate(() => globalThis.pliantStudio.player.toggle(false));
  const pictures = [];
  for (let k = 0; k < Number(frames); k++) {
    const frame = FIRST + k * Number(step);
    await page.evaluate((wanted) => globalThis.pliantStudio.player.seek(wanted), frame);
    await page.waitForFunction((wanted) => globalThis.pliantStudio.result?.frame === wanted, frame);
    await page.waitForTimeout(150);
    const box = await page.locator('#view').boundingBox();
    const clip = {
      x: box.x + (box.width - SIZE.width) / 2,
      y: box.y + (box.height - SIZE.height) / 2,
      ...SIZE,
    };
    pictures.push(await page.screenshot({ type: 'jpeg', quality: 72, style: HIDDEN, clip }));
  }
  return pictures;
}

/** Pictures that follow one another; SVG, since every browser and README shows that, and JPEG is small. */
function animate(pictures) {
  const { width, height } = SIZE;
  const duration = pictures.length / RATE;
  const images = pictures.map((picture, k) => {
    const delay = (k / RATE - duration).toFixed(3);
    const source = `data:image/jpeg;base64,${picture.toString('base64')}`;
    return `<image width="${width}" height="${height}" style="animation-delay:${delay}s" href="${source}"/>`;
  });
  const share = (100 / pictures.length).toFixed(4);
  const style = `image{opacity:0;animation:show ${duration.toFixed(3)}s step-end infinite}@keyframes show{0%{opacity:1}${share}%{opacity:0}}`;
  const still = '@media(prefers-reduced-motion:reduce){image{animation:none}image:first-of-type{opacity:1}}';
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`;
  const title = '<title>Two characters walk into each other; what touches is red</title>';
  return `${head}${title}<style>${style}${still}</style>${images.join('')}</svg>\n`;
}
