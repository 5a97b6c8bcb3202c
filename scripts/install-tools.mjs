// Installs what tests use besides Node: where that is wanted, and where it may be done. A failure is told in a line, and
// the tests go on with what there is.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { TOOLS } from './find-tools.mjs';
import { run } from './run.mjs';

/** A mirror that does not answer is given up, and so is a lock that another apt-get holds. */
const APT = [
  ...['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20'],
  ...['-o', 'DPkg::Lock::Timeout=120', '-o', 'APT::Update::Error-Mode=any'],
];

/** A machine to install on. Tests pass others. */
export function thisSystem(env = process.env) {
  return { env, isRoot: process.getuid?.() === 0, hasApt: isOnPath('apt-get', env), runApt };
}

/** By PLIANT_INSTALL where it is set; else on build machines, which set CI. */
export function wantsInstall({ CI, PLIANT_INSTALL }) {
  const isOn = (value) => value !== undefined && !/^(|0|no|false|off)$/i.test(value);
  return PLIANT_INSTALL === undefined || PLIANT_INSTALL === '' ? isOn(CI) : isOn(PLIANT_INSTALL);
}

/**
 * Installs the tools of these names, each by itself: one that cannot be had does not keep the others away. Resolves to
 * whether anything was installed. `say` gets a line for what is being done and one for what failed.
 */
export async function installTools(names, say, system = thisSystem()) {
  if (names.length === 0 || !wantsInstall(system.env)) return false;
  const titles = names.map((name) => TOOLS[name].title).join(', ');
  const refusal = system.hasApt ? (system.isRoot ? undefined : 'needs root') : 'works with apt-get alone';
  if (refusal !== undefined) {
    say(`Cannot install ${titles}: this ${refusal}. Going on without.`);
    return false;
  }
  say(`Installing ${titles} with apt-get …`);
  const noLists = await system.runApt(['update'], system.env); // old lists may do
  const failed = {}; // titles by what stood in the way
  for (const { title, packages } of names.map((name) => TOOLS[name])) {
    const args = ['install', '--yes', '--no-install-recommends', ...packages];
    const problem = await system.runApt(args, system.env);
    if (problem !== undefined) (failed[noLists ?? problem] ??= []).push(title);
  }
  for (const [problem, own] of Object.entries(failed)) {
    say(`Cannot install ${own.join(', ')}: ${problem}. Going on without.`);
  }
  return Object.values(failed).flat().length < names.length;
}

/** Resolves to what apt-get complained about, or to undefined. */
async function runApt(args, env) {
  const chunks = [];
  const keep = (chunk) => chunks.push(chunk);
  const own = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
  const exitCode = await run('apt-get', [...APT, '-qq', ...args], {
    output: 'captured',
    env: own,
    onOutput: keep,
    onError: keep,
  });
  if (exitCode === 0) return undefined;
  const text = Buffer.concat(chunks).toString('utf8');
  return /^E: (.*)$/m.exec(text)?.[1] ?? `apt-get ended with code ${exitCode}`;
}

function isOnPath(name, { PATH = '' }) {
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
