import { describe, expect, test } from 'vitest';
import { candidates, findTool, TOOLS, toolVariables } from '../find-tools.mjs';
import { npmCacheVariables } from '../home.mjs';
import { installTools, wantsInstall } from '../install-tools.mjs';
import { describeLeftOut, reporterOptions } from '../left-out.mjs';

type Names = readonly string[];

/** A machine with these programs and nothing else. */
function machineWith(programs: Names, { env = {}, platform = 'linux', home = '/home/me' } = {}) {
  const separator = platform === 'win32' ? '\\' : '/';
  const list = (folder: string) => {
    const start = folder + separator;
    const inside = programs.filter((path) => path.startsWith(start));
    return [...new Set(inside.map((path) => path.slice(start.length).split(separator)[0]))];
  };
  return { env, platform, home, isProgram: (path: string) => programs.includes(path), list };
}

const works = async () => undefined;

describe('a browser is found', () => {
  test.each<[string, string, Parameters<typeof machineWith>[1]]>([
    ['on the PATH', '/odd/place/google-chrome', { env: { PATH: '/bin:/odd/place' } }],
    ['in a folder with spaces', '/odd place/chromium', { env: { PATH: '/bin:/odd place' } }],
    ['in /usr/bin, even off the PATH', '/usr/bin/chromium', {}],
    ['as Google Chrome', '/usr/bin/google-chrome', {}],
    ['as a snap', '/snap/bin/chromium', {}],
    ["in Playwright's cache", '/home/me/.cache/ms-playwright/chromium-12/chrome-linux64/chrome', {}],
    [
      "in Playwright's cache elsewhere",
      '/store/chromium-9/chrome-linux/chrome',
      { env: { PLAYWRIGHT_BROWSERS_PATH: '/store' } },
    ],
    ['on macOS', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', { platform: 'darwin' }],
    [
      'on macOS, for one user',
      '/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium',
      { platform: 'darwin', home: '/Users/me' },
    ],
    [
      'on Windows',
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      { platform: 'win32', env: { PROGRAMFILES: 'C:\\Program Files' } },
    ],
    [
      'on the PATH of Windows',
      'D:\\tools\\chromium.exe',
      { platform: 'win32', env: { Path: 'C:\\x;D:\\tools' } },
    ],
  ])('%s', async (_, path, options) => {
    expect(await findTool('browser', machineWith([path], options), works)).toEqual({ path });
  });

  test('the one that PLIANT_CHROMIUM names goes first, and no other is taken instead', async () => {
    const env = { PLIANT_CHROMIUM: '/mine', PATH: '/usr/bin' };
    const both = machineWith(['/usr/bin/chromium', '/mine'], { env });
    expect(await findTool('browser', both, works)).toEqual({ path: '/mine' });
    const other = machineWith(['/usr/bin/chromium'], { env });
    expect(await findTool('browser', other, works)).toEqual({
      problem: 'PLIANT_CHROMIUM names /mine, which is no program',
    });
  });

  test('PLIANT_CHROMIUM=none means none', async () => {
    const machine = machineWith(['/usr/bin/chromium'], { env: { PLIANT_CHROMIUM: 'none' } });
    expect(await findTool('browser', machine, works)).toEqual({ problem: 'PLIANT_CHROMIUM is none' });
  });

  test('the newest of several in the cache of Playwright comes first', () => {
    const inside = (build: number) => `/home/me/.cache/ms-playwright/chromium-${build}/chrome-linux/chrome`;
    const found = candidates('browser', machineWith([inside(999), inside(1200), inside(7)]));
    expect(found).toEqual([inside(1200), inside(999), inside(7)]);
  });
});

test('a program that does not start is passed over; where no other is, the problem says why', async () => {
  const machine = machineWith(['/usr/bin/chromium-browser', '/snap/bin/chromium']);
  const broken =
    (...paths: Names) =>
    (path: string) =>
      Promise.resolve(paths.includes(path) ? 'a library is missing' : undefined);
  expect(await findTool('browser', machine, broken('/usr/bin/chromium-browser'))).toEqual({
    path: '/snap/bin/chromium',
  });
  expect(
    await findTool('browser', machine, broken('/usr/bin/chromium-browser', '/snap/bin/chromium')),
  ).toEqual({
    problem: '/usr/bin/chromium-browser cannot be used: a library is missing',
  });
});

test('a real program that is no browser does not count as one', async () => {
  const machine = { ...machineWith([process.execPath]), env: { PLIANT_CHROMIUM: process.execPath } };
  const { path, problem } = await findTool('browser', machine);
  expect(path).toBeUndefined();
  expect(problem).toContain(`${process.execPath} cannot be used: `);
  expect(problem).not.toContain('\n');
});

test('on a bare machine nothing is found, and child processes are told so', async () => {
  const bare = machineWith(['/usr/bin/node', '/usr/bin/npm', '/usr/bin/git'], { env: { PATH: '/usr/bin' } });
  const found = { browser: await findTool('browser', bare), redis: await findTool('redis', bare) };
  expect(found).toEqual({
    browser: { problem: 'no Chromium was found' },
    redis: { problem: 'no Redis was found' },
  });
  const env = toolVariables({ ...found, openssl: { path: '/x/openssl' } });
  expect(env).toMatchObject({ PLIANT_CHROMIUM: 'none', PLIANT_REDIS: 'none', PLIANT_OPENSSL: '/x/openssl' });
  const fail = () => Promise.reject(new Error('is tried out again'));
  expect(await findTool('openssl', machineWith([], { env }), fail)).toEqual({ path: '/x/openssl' });
  expect(await findTool('browser', machineWith([], { env }), fail)).toHaveProperty('problem');
});

describe('installing', () => {
  test.each([
    [{}, false],
    [{ CI: 'true' }, true],
    [{ CI: '1' }, true],
    [{ CI: 'false' }, false],
    [{ CI: '' }, false],
    [{ PLIANT_INSTALL: '1' }, true],
    [{ CI: 'true', PLIANT_INSTALL: '0' }, false],
    [{ PLIANT_INSTALL: '0' }, false],
  ])('%j: %s', (env, wanted) => {
    expect(wantsInstall(env)).toBe(wanted);
  });

  /** Everything that is asked of apt-get, and what is said. */
  async function install(names: Names, system: object, answers: Record<string, string> = {}) {
    const asked: string[] = [];
    const said: string[] = [];
    const runApt = async (args: Names) => {
      asked.push(args.filter((arg) => !arg.startsWith('--')).join(' '));
      return answers[args.at(-1)!];
    };
    const whole = { env: { CI: 'true' }, isRoot: true, hasApt: true, runApt, ...system };
    const installed = await installTools(names, (line: string) => said.push(line), whole);
    return { asked, said, installed };
  }

  test('only what is missing, each by itself', async () => {
    const { asked, said, installed } = await install(['browser', 'redis'], {});
    expect(asked).toEqual(['update', 'install chromium fonts-dejavu-core', 'install redis-server']);
    expect(said).toEqual(['Installing Chromium, Redis with apt-get …']);
    expect(installed).toBe(true);
    expect(await install([], {})).toEqual({ asked: [], said: [], installed: false });
  });

  test.each([
    [{ env: {} }, []],
    [{ isRoot: false }, ['Cannot install Chromium, Redis: this needs root. Going on without.']],
    [{ hasApt: false }, ['Cannot install Chromium, Redis: this works with apt-get alone. Going on without.']],
  ])('not with %j', async (system, said) => {
    expect(await install(['browser', 'redis'], system)).toEqual({ asked: [], said, installed: false });
  });

  test('a failure is one line, and the next tool is tried', async () => {
    const one = await install(['browser', 'redis'], {}, { 'fonts-dejavu-core': 'no such package' });
    expect(one.said.slice(1)).toEqual(['Cannot install Chromium: no such package. Going on without.']);
    expect(one.installed).toBe(true);
    const offline = { update: 'no network', 'fonts-dejavu-core': 'x', 'redis-server': 'x' };
    const none = await install(['browser', 'redis'], {}, offline);
    expect(none.said.slice(1)).toEqual(['Cannot install Chromium, Redis: no network. Going on without.']);
    expect(none.installed).toBe(false);
  });
});

test('what was left out is one line with counts, reasons and a way to have it', () => {
  const problem = 'no Chromium was found';
  const found = { browser: { problem }, redis: { path: '/r' }, openssl: { path: '/o' } };
  const line = describeLeftOut(found, { browser: 131, redis: 5, other: 7 });
  expect(line).not.toContain('\n');
  expect(line).toContain('131 tests');
  expect(line).toContain(problem);
  expect(line).toContain('apt-get install chromium');
  expect(line).toContain('PLIANT_CHROMIUM');
  expect(line).not.toContain('redis');
  const all = Object.fromEntries(Object.keys(TOOLS).map((name) => [name, { path: '/x' }]));
  expect(describeLeftOut(all, { other: 7 })).toBeUndefined();
});

test('the reporter that counts is added to those that were asked for', () => {
  const ends = (args: Names, env = {}) =>
    reporterOptions(args, env).map((option: string) => option.replace(/=.*\//, '='));
  expect(ends([])).toEqual(['--reporter=default', '--reporter=left-out.mjs']);
  expect(ends(['tree', '--reporter=json'])).toEqual(['--reporter=left-out.mjs']);
  expect(ends([], { GITHUB_ACTIONS: 'true' })).toContain('--reporter=github-actions');
});

test('npm keeps its cache in the repository where its own cannot be written', () => {
  const at = (env: object, writable: Names) =>
    npmCacheVariables('/repo/.cache/npm', env, '/home/me', (path: string) => writable.includes(path));
  expect(at({}, ['/home/me/.npm'])).toEqual({});
  expect(at({}, [])).toEqual({ npm_config_cache: '/repo/.cache/npm' });
  expect(at({ npm_config_cache: '/fast' }, ['/fast'])).toEqual({});
  expect(at({ npm_config_cache: '/fast' }, ['/home/me/.npm'])).toEqual({
    npm_config_cache: '/repo/.cache/npm',
  });
});
