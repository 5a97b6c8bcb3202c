// Programs that tests use where a machine has them: a browser, Redis, openssl. Everybody who needs one asks here.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** Set when a variable of a tool was filled in after trying the tool out: it is taken at its word. */
const TRIED = 'PLIANT_TOOLS_TRIED';
/** In a variable of a tool: this tool is not to be used. */
const NONE = 'none';

/** What a launch of Chromium always needs: root has no sandbox, nor has a user without user namespaces. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Pictures are drawn by the processor: the same everywhere, and without a graphics card. */
export const DRAWING_FLAGS = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** `packages` are those of Debian. A tool in `variable` goes before all places. */
export const TOOLS = {
  browser: {
    title: 'Chromium',
    variable: 'PLIANT_CHROMIUM',
    names: [
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      'chrome',
      'microsoft-edge',
    ],
    places: browserPlaces,
    tryOut: startBrowser,
    packages: ['chromium', 'fonts-dejavu-core'],
  },
  redis: {
    title: 'Redis',
    variable: 'PLIANT_REDIS',
    names: ['redis-server'],
    places: ({ platform }) => unixPlaces(platform, 'redis-server'),
    tryOut: (path) => printsVersion(path, '--version'),
    packages: ['redis-server'],
  },
  openssl: {
    title: 'openssl',
    variable: 'PLIANT_OPENSSL',
    names: ['openssl'],
    places: ({ platform }) => unixPlaces(platform, 'openssl'),
    tryOut: (path) => printsVersion(path, 'version'),
    packages: ['openssl'],
  },
};

/** A machine to look at. Tests pass others. */
export function thisMachine(env = process.env) {
  return { env, platform: process.platform, home: homedir(), isProgram, list };
}

/**
 * Resolves to `{ path }` of the first program that can be started, or to `{ problem }`. Which tool: a key of `TOOLS`.
 * A program that is there and cannot be started does not count; the problem says why.
 */
export async function findTool(name, machine = thisMachine(), tryOut = TOOLS[name].tryOut) {
  const { title, variable } = TOOLS[name];
  const named = machine.env[variable] || undefined;
  const isKnown = named !== undefined && Boolean(machine.env[TRIED]);
  if (named === NONE) return { problem: isKnown ? `no ${title} can be used` : `${variable} is ${NONE}` };
  if (isKnown) return { path: named };
  if (named !== undefined && !machine.isProgram(named)) {
    return { problem: `${variable} names ${named}, which is no program` };
  }
  let problem;
  for (const path of named === undefined ? candidates(name, machine) : [named]) {
    const complaint = await tryOut(path, machine);
    if (complaint === undefined) return { path };
    problem ??= `${path} cannot be used: ${complaint}`;
  }
  return { problem: problem ?? `no ${title} was found` };
}

/** The browser that tests use; undefined when there is none that can be started. */
export async function findBrowser() {
  return (await findTool('browser')).path;
}

/** Looks for all: `{ browser: { path }, redis: { problem }, … }`. */
export async function findTools(machine = thisMachine()) {
  const found = {};
  for (const name of Object.keys(TOOLS)) found[name] = await findTool(name, machine);
  return found;
}

/** Variables that tell child processes what was found, so that none of them has to look again. */
export function toolVariables(found) {
  const entries = Object.entries(TOOLS).map(([name, { variable }]) => [variable, found[name].path ?? NONE]);
  return { ...Object.fromEntries(entries), [TRIED]: '1' };
}

/** Every program that may be the tool, the likeliest first: those on the PATH, then those in the usual places. */
export function candidates(name, machine = thisMachine()) {
  const { names, places } = TOOLS[name];
  const { env, platform, isProgram } = machine;
  const paths = platform === 'win32' ? win32 : posix;
  const folders = (env.PATH ?? env.Path ?? '').split(paths.delimiter).filter((folder) => folder !== '');
  const suffix = platform === 'win32' ? '.exe' : '';
  const onPath = names.flatMap((own) => folders.map((folder) => paths.join(folder, own + suffix)));
  return [...new Set([...onPath, ...places(machine)])].filter(isProgram);
}

function unixPlaces(platform, name) {
  if (platform === 'win32') return [];
  const folders = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'];
  if (platform === 'darwin') folders.push('/opt/homebrew/bin', '/opt/local/bin');
  return folders.map((folder) => `${folder}/${name}`);
}

function browserPlaces(machine) {
  const { platform } = machine;
  if (platform === 'win32') return [...windowsBrowsers(machine), ...playwrightBrowsers(machine)];
  if (platform === 'darwin') return [...macBrowsers(machine), ...playwrightBrowsers(machine)];
  return [
    ...TOOLS.browser.names.flatMap((name) => unixPlaces(platform, name)),
    '/opt/google/chrome/chrome',
    '/opt/chromium.org/chromium/chromium',
    '/snap/bin/chromium',
    ...playwrightBrowsers(machine),
  ];
}

function macBrowsers({ home }) {
  const names = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
  return ['/Applications', posix.join(home, 'Applications')].flatMap((folder) =>
    names.map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`),
  );
}

function windowsBrowsers({ env }) {
  const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(Boolean);
  const programs = ['Google\\Chrome\\Application\\chrome', 'Chromium\\Application\\chrome'];
  programs.push('Microsoft\\Edge\\Application\\msedge');
  return programs.flatMap((program) => folders.map((folder) => win32.join(folder, `${program}.exe`)));
}

/** What `npx playwright install chromium` has fetched, the newest first. */
function playwrightBrowsers({ env, platform, home, list }) {
  const paths = platform === 'win32' ? win32 : posix;
  const usual = {
    win32: paths.join(env.LOCALAPPDATA ?? home, 'ms-playwright'),
    darwin: paths.join(home, 'Library/Caches/ms-playwright'),
  };
  const folder =
    env.PLAYWRIGHT_BROWSERS_PATH || (usual[platform] ?? paths.join(home, '.cache/ms-playwright'));
  const number = (name) => Number(name.slice('chromium-'.length));
  const builds = list(folder).filter((name) => /^chromium-\d+$/.test(name));
  return builds
    .sort((a, b) => number(b) - number(a))
    .flatMap((build) => list(paths.join(folder, build)).map((inner) => paths.join(folder, build, inner)))
    .flatMap((inner) => [
      paths.join(inner, platform === 'win32' ? 'chrome.exe' : 'chrome'),
      paths.join(inner, 'Chromium.app/Contents/MacOS/Chromium'),
      paths.join(inner, 'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing'),
    ]);
}

/** Draws in a page, as tests do. Resolves to what stands in the way, in one line. */
async function startBrowser(executablePath) {
  let browser;
  try {
    const { chromium } = await import('playwright-core');
    const args = [...BROWSER_FLAGS, ...DRAWING_FLAGS];
    browser = await chromium.launch({ executablePath, headless: true, args, timeout: 180_000 });
    const page = await browser.newPage();
    const draws = await page.evaluate(() => new OffscreenCanvas(8, 8).getContext('webgl2') !== null);
    return draws ? undefined : 'it has no WebGL 2';
  } catch (error) {
    return reasonOf(error);
  } finally {
    await browser?.close().catch(() => {});
  }
}

/** Playwright tells a whole story; its log has lines of the browser that say more than the first one. */
function reasonOf(error) {
  const lines = String(error?.message ?? error)
    .split('\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out
    .map((line) => line.replace(/\u001b\[[\d;]*m/g, '').trim());
  const said = lines.find((line) => /error while loading|\[err\]|ENOENT|EACCES|exitCode=/.test(line));
  return (said ?? lines[0]).replace(/^(- |\[pid=\d+\]|\[err\]|\s)+/, '').slice(0, 200);
}

function printsVersion(path, option) {
  const { status, error } = spawnSync(path, [option], { stdio: 'ignore', timeout: 180_000 });
  return status === 0 ? undefined : (error?.message ?? `exit code ${status}`);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Names in a folder; none when it is not there. */
function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
