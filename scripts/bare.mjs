// npm run bare: npm start, npm run demo and npm test as on a machine with Node, npm and git alone. See HELP.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { candidates, TOOLS, thisMachine } from './find-tools.mjs';
import { root, run, runMain, StepError } from './run.mjs';
import { visitStudio } from './scratch-command.mjs';

const HELP = `Usage: npm run bare -- [--keep] [options of npm test]

Clones the last commit into a new folder with spaces in its name and runs npm start, npm run demo and npm test there:
without browser, Redis, recorded meshes and variables of ours, and with a home folder that cannot be written. Root hides
the programs by mounts that nobody else sees, and becomes the user "nobody"; others hide them by variables. The exit code
is the first that is not 0.

  --keep    leaves the folder
`;
const HIDDEN = ['browser', 'redis'];
const NOBODY = { uid: 65534, gid: 65534 };
const INSIDE = 'PLIANT_BARE_INSIDE'; // set where mounts are ours alone
const NOT_PASSED_ON = /^(PLIANT_|npm_|PLAYWRIGHT_|GITHUB_|XDG_|(CI|INIT_CWD|NODE_PATH|NODE_ENV)$)/i;

await runMain(async (args) => {
  if (args.includes('--help')) return console.log(HELP);
  const isRoot = process.getuid?.() === 0;
  if (isRoot && !process.env[INSIDE] && canMount()) {
    const env = { ...process.env, [INSIDE]: '1' };
    return run('unshare', ['--mount', process.execPath, import.meta.filename, ...args], { env });
  }
  if (process.env[INSIDE]) hideByMounts();
  const folder = mkdtempSync(join(tmpdir(), 'pliant on a bare machine '));
  const keeps = args.includes('--keep');
  if (!keeps) process.once('exit', () => remove(folder));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  const machine = prepare(folder, isRoot && canBeNobody() ? NOBODY : {});
  return tryAll(
    machine,
    args.filter((arg) => arg !== '--keep'),
  );
});

function remove(folder) {
  const home = join(folder, 'home');
  if (existsSync(home)) chmodSync(home, 0o755);
  rmSync(folder, { recursive: true, force: true });
}

function canMount() {
  return spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status === 0;
}

/** Where a program was there is nothing that could be run, until we end and for nobody else. */
function hideByMounts() {
  for (const path of new Set(
    HIDDEN.flatMap((name) => candidates(name)).map((found) => realpathSync(found)),
  )) {
    spawnSync('mount', ['--bind', '/dev/null', path], { stdio: 'inherit' });
  }
}

/** Not where Node is in a folder of root. */
function canBeNobody() {
  return spawnSync(process.execPath, ['--version'], { ...NOBODY, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** Makes the clone and the home folder. The result says where and how commands are run. */
function prepare(folder, user) {
  const cwd = join(folder, 'a clone of pliant');
  const cloned = spawnSync('git', ['clone', '--quiet', '--no-hardlinks', root, cwd], { stdio: 'inherit' });
  if (cloned.status !== 0) throw new StepError('git clone failed');
  const home = join(folder, 'home');
  mkdirSync(home);
  const settings = join(homedir(), '.npmrc'); // how this machine reaches the registry is not what is being tried
  if (existsSync(settings)) copyFileSync(settings, join(home, '.npmrc'));
  const passedOn = Object.entries(process.env).filter(([name]) => !NOT_PASSED_ON.test(name));
  const env = { ...Object.fromEntries(passedOn), HOME: home, USERPROFILE: home };
  if (process.platform !== 'win32') env.PATH = linkPrograms(join(folder, 'programs'));
  const left = HIDDEN.filter((name) => candidates(name, { ...thisMachine(env), home }).length > 0);
  for (const name of left) env[TOOLS[name].variable] = 'none';
  if (user.uid !== undefined) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  chmodSync(home, 0o555);

  const titles = (names) => names.map((name) => TOOLS[name].title).join(' and ') || 'nothing';
  const hidden = HIDDEN.filter((name) => !left.includes(name));
  console.log(`clone: ${cwd}`);
  console.log(`user: ${user.uid ?? process.getuid?.() ?? 'yours'}, home folder: read-only`);
  console.log(`nowhere to be found: ${titles(hidden)}; refused by a variable: ${titles(left)}`);
  if (spawnSync('git', ['status', '--porcelain'], { cwd: root }).stdout?.length > 0) {
    console.log('changes that are not committed are not in the clone');
  }
  return { cwd, env, ...user };
}

/** A folder with links to every program of the PATH except those that are hidden. */
function linkPrograms(folder) {
  mkdirSync(folder);
  const hidden = new Set(HIDDEN.flatMap((name) => TOOLS[name].names));
  for (const source of (process.env.PATH ?? '').split(delimiter).filter((path) => existsSync(path))) {
    if (source.includes('node_modules')) continue; // npm put it there
    for (const name of readdirSync(source)) {
      const link = join(folder, name);
      if (!hidden.has(name) && !existsSync(link)) symlinkSync(join(source, name), link);
    }
  }
  return folder;
}

/** All are tried, even when one fails. Resolves to the first exit code that is not 0. */
async function tryAll(machine, testArgs) {
  const tries = [
    ['npm start', () => visit(machine)],
    ['npm run demo', () => runNpm(machine, ['run', 'demo', '--', '--frames', '4'])],
    ['npm test', () => runNpm(machine, testArgs.length > 0 ? ['test', '--', ...testArgs] : ['test'])],
  ];
  const results = [];
  for (const [name, work] of tries) {
    console.log(`\n══ ${name}`);
    results.push({ name, exitCode: await work() });
  }
  console.log('\n══ bare machine');
  for (const { name, exitCode } of results) console.log(`${name.padEnd(14)}exit code ${exitCode}`);
  return results.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0;
}

/** Starts the studio, fetches its page and stops it. */
async function visit(machine) {
  const child = start(machine, ['start', '--', '--no-open'], ['ignore', 'pipe', 'inherit']);
  child.stdout.pipe(process.stdout);
  const ended = new Promise((resolve) => child.on('close', resolve));
  try {
    console.log(await visitStudio(child));
    return 0;
  } catch (error) {
    console.log(error.message);
    return 1;
  } finally {
    if (child.exitCode === null)
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGINT');
    await ended;
  }
}

function runNpm(machine, args) {
  const child = start(machine, args, ['ignore', 'inherit', 'inherit']);
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

/** In a group of its own, so that all of it can be stopped. */
function start(machine, args, stdio) {
  const isWindows = process.platform === 'win32';
  const child = isWindows
    ? spawn(`npm ${args.join(' ')}`, { ...machine, stdio, shell: true })
    : spawn('npm', args, { ...machine, stdio, detached: true });
  const stop = () => {
    if (child.exitCode === null && child.signalCode === null)
      process.kill(isWindows ? child.pid : -child.pid);
  };
  process.prependOnceListener('exit', stop); // before the folder is removed
  child.on('close', () => process.off('exit', stop));
  return child;
}
