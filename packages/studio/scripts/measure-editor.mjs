// node packages/studio/scripts/measure-editor.mjs [FOLDER] [EXAMPLE …]: what the built editor costs, in headless Chromium.
// Each example is dragged into contact and recorded; the full method is measured on the recording afterwards, in Node.
// Prints a table in Markdown; pictures before and in contact are written to FOLDER. Needs `npm run build`.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { BROWSER_FLAGS, DRAWING_FLAGS, findTool } from '../../../scripts/find-tools.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const studio = join(root, 'packages/studio');
const [folder = join(root, '.cache/editor'), ...names] = process.argv.slice(2);
const FLAGS = [...BROWSER_FLAGS, ...DRAWING_FLAGS];
const MOVES = 60; // of the pointer, 30 milliseconds each
const FULL_SAMPLES = 10; // steps of the recording at which the full method is measured
/** Tasks of the main thread that run script; they may hold one another. */
const SCRIPT = new Set([
  'FireAnimationFrame',
  'FunctionCall',
  'EventDispatch',
  'TimerFire',
  'HandlePostMessage',
]);

const bundles = mkdtempSync(join(tmpdir(), 'pliant-measure-'));
const { EXAMPLES } = await load('src/editor/examples/examples.ts');
const { readProject } = await load('src/editor/engine/project.ts');
const { measureRecording } = await load('src/editor/engine/full-method.ts');
const { EditorPage } = await load('test/editor/support/editor-page.ts');
const { ExampleDrag } = await load('test/editor/support/drags.ts');

mkdirSync(folder, { recursive: true });
const { path: executablePath, problem } = await findTool('browser');
if (executablePath === undefined) throw new Error(problem);
const server = spawn(
  process.execPath,
  [join(root, 'packages/cli/bin/pliant.mjs'), 'studio', '--no-open', '--edit'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const address = await new Promise((resolve) => {
  server.stdout.once('data', (text) => resolve(/http:\S+?(?=[#\s])/.exec(String(text))[0]));
});
const browser = await chromium.launch({ executablePath, headless: true, args: FLAGS });
const rows = [];
try {
  for (const { id } of EXAMPLES) {
    if (names.length === 0 || names.includes(id)) rows.push(await measure(id));
  }
} finally {
  await browser.close();
  server.kill('SIGINT');
  rmSync(bundles, { recursive: true });
}
printTable(rows);

async function measure(id) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  await page.goto(`${address}#scene=editor&example=${id}`);
  const editor = new EditorPage(page);
  await editor.ready();
  const drag = new ExampleDrag(editor, id);
  await drag.prepare();
  await page.screenshot({ path: join(folder, `${id}-before.png`) });
  await keepSteps(page);
  await page.locator('#edit-record').click();
  await page.waitForFunction(() => pliantEditor.state.isRecording);
  const trace = await startTrace(page);
  await drag.run(MOVES);
  const pictures = scriptPerPicture(await trace.stop());
  await page.locator('#edit-record').click();
  await page.waitForFunction(() => !pliantEditor.state.isRecording);
  const steps = await page.evaluate(() => [...globalThis.keptSteps]); // not those until it rests
  await editor.rest();
  const { triangles, cageVertices } = await page.evaluate(() => pliantEditor.model);
  const { pushing } = await page.evaluate(() => pliantEditor.frame.figures);
  const { crossingPairs } = await page.evaluate(() => pliantEditor.frame.measured);
  await page.screenshot({ path: join(folder, `${id}-contact.png`) });
  const project = await editor.saved('#edit-save');
  await page.close();
  const full = await measureFull(project);
  const row = { id, triangles, cageVertices, pushing, crossingPairs, steps, full, pictures };
  console.error(describe(row).join(', '));
  return row;
}

/** All step times from now on: the page itself remembers the last ones only. */
function keepSteps(page) {
  return page.evaluate(() => {
    globalThis.keptSteps = [];
    const take = pliantEditor.take.bind(pliantEditor);
    pliantEditor.take = (answer) => {
      if (answer.type === 'frame') globalThis.keptSteps.push(...answer.frame.steps);
      take(answer);
    };
  });
}

async function measureFull({ name, bytes }) {
  const session = await readProject(new Uint8Array(bytes), name);
  const times = await measureRecording(session, FULL_SAMPLES);
  session.dispose();
  return times.map(({ refactor }) => refactor);
}

async function startTrace(page) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await session.send('Tracing.start', { categories: '-*,devtools.timeline', transferMode: 'ReportEvents' });
  return {
    async stop() {
      const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
      await session.send('Tracing.end');
      await complete;
      return events;
    },
  };
}

/**
 * Milliseconds of script on the main thread from one picture to the next, by the thread's own clock: what other threads
 * and programs take away meanwhile does not count.
 */
function scriptPerPicture(events) {
  const { tid, pid } = events.find(({ name }) => name === 'FireAnimationFrame');
  const tasks = events
    .filter((event) => event.tid === tid && event.pid === pid && event.ph === 'X' && SCRIPT.has(event.name))
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const pictures = [];
  let sum = 0,
    end = Number.NEGATIVE_INFINITY;
  for (const { name, ts, dur, tdur = dur } of tasks) {
    if (ts < end) continue; // inside of the one before
    end = ts + dur;
    sum += tdur / 1000;
    if (name !== 'FireAnimationFrame') continue;
    pictures.push(sum);
    sum = 0;
  }
  return pictures;
}

function describe({ id, triangles, cageVertices, pushing, crossingPairs, steps, full, pictures }) {
  const mean = full.reduce((sum, ms) => sum + ms, 0) / full.length;
  const ms = (value) => value.toFixed(value < 100 ? 1 : 0);
  return [
    id,
    triangles.toLocaleString('en'),
    cageVertices.toLocaleString('en'),
    steps.length,
    `${pushing} / ${crossingPairs}`,
    `${ms(quantile(steps, 0.5))} / ${ms(quantile(steps, 0.95))}`,
    `${ms(mean)} / ${ms(Math.max(...full))}`,
    [quantile(pictures, 0.5), quantile(pictures, 0.95), Math.max(...pictures)].map(ms).join(' / '),
  ];
}

function printTable(all) {
  const head = [
    'example',
    'triangles',
    'cage',
    'steps',
    'at rest: contacts / crossing pairs',
    'step, ms: median / 95 %',
    'full method, ms: mean / longest',
    'page, ms per picture: median / 95 % / longest',
  ];
  const line = (cells) => console.log(`| ${cells.join(' | ')} |`);
  line(head);
  line(head.map(() => '---'));
  for (const row of all) line(describe(row));
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** A module of the studio as Node can load it. */
async function load(path) {
  const file = join(bundles, path.replaceAll('/', '-').replace(/\.ts$/, '.mjs'));
  const bundle = await rolldown({
    input: join(studio, path),
    platform: 'node',
    external: /\.wasm\?url$/, // of a decoder that nothing here needs
    logLevel: 'silent',
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return import(file);
}
