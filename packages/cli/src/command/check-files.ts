import { mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError, describeError, isExpected } from '../command-error.ts';
import { failedSuite, type JunitSuite, junitReport } from '../output/annotations.ts';
import { coloursFor } from '../output/colours.ts';
import { printNote, printOut } from '../output/streams.ts';
import { plural } from '../output/text.ts';
import { listGltfFiles } from '../scene/inputs.ts';
import { check } from './check.ts';
import type { CheckSettings } from './check-settings.ts';

const UNCHECKED = 2;

/**
 * Runs `pliant check` and returns its exit code. Several glTF files are checked one after the other, each on its own; one
 * that cannot be read does not keep the others from being looked at.
 */
export async function checkFiles(paths: readonly string[], settings: CheckSettings): Promise<number> {
  const isOfTwo = settings.check.scope === 'between' && paths.length === 2;
  const files = isOfTwo ? [] : await listGltfFiles(paths);
  if (files.length < 2) return check(paths, settings);
  const plans = await planFiles(files, settings);
  const suites: JunitSuite[] = [];
  const codes: number[] = [];
  for (const [k, file] of files.entries()) {
    if (!settings.quiet) printNote(`${file} (${k + 1} of ${files.length})`);
    codes.push(await checkOne(file, plans[k], (suite) => suites.push(suite)));
    if (codes[k] > UNCHECKED) break; // interrupted
    if (settings.format === 'text' && !settings.quiet) await printOut('\n');
  }
  if (settings.format === 'junit') await printOut(junitReport(suites));
  else if (settings.format === 'text' && !settings.quiet) await printOut(totals(codes, files.length));
  return Math.max(...codes);
}

async function checkOne(
  file: string,
  settings: CheckSettings,
  onSuite: (suite: JunitSuite) => void,
): Promise<number> {
  try {
    return await check([file], settings, onSuite);
  } catch (error) {
    if (!isExpected(error)) throw error;
    const message = describeError(error);
    printNote(message);
    onSuite(failedSuite(basename(file), message));
    return UNCHECKED;
  }
}

function totals(codes: readonly number[], fileCount: number): string {
  const { red, green } = coloursFor(process.stdout);
  const count = (code: number) => codes.filter((one) => one === code).length;
  const unchecked = fileCount - count(0) - count(1);
  const parts = [`${count(0)} without contacts that count`, `${count(1)} with`];
  if (unchecked > 0) parts.push(`${unchecked} not checked`);
  const line = `${plural(fileCount, 'file')}: ${parts.join(', ')}`;
  return `${count(0) === fileCount ? green(line) : red(line)}\n`;
}

/** Where results go: into folders, a file of each kind for every file that is checked. */
const ENDINGS = {
  json: '.json',
  html: '.html',
  stats: '.stats.json',
  writeAllow: '.allow.json',
  allow: '.allow.json',
  certificates: '.pliant',
} as const;
/** Taken from folders that must be there, as far as there is a file of that name. */
const IS_READ: ReadonlySet<string> = new Set(['allow', 'certificates'] satisfies (keyof typeof ENDINGS)[]);

async function planFiles(files: readonly string[], settings: CheckSettings): Promise<CheckSettings[]> {
  if (settings.modes !== undefined) throw new CommandError('--modes is for one mesh file');
  const names = files.map((file) => basename(file).replace(/\.(glb|gltf)$/i, ''));
  const plans: Partial<Record<keyof typeof ENDINGS, string>>[] = files.map(() => ({}));
  for (const [kind, ending] of Object.entries(ENDINGS) as [keyof typeof ENDINGS, string][]) {
    const folder = settings[kind];
    if (folder === undefined || folder === false) continue;
    const option = `--${kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    await checkFolder(option, folder, !IS_READ.has(kind));
    for (const [k, name] of names.entries()) {
      const path = join(folder, name + ending);
      const other = names.indexOf(name);
      if (other < k)
        throw new CommandError(`${option}: ${files[other]} and ${files[k]} would both have ${path}`);
      if (!IS_READ.has(kind) || (await isThere(path))) plans[k][kind] = path;
    }
  }
  return plans.map((plan) => ({
    ...settings,
    ...{ json: undefined, html: undefined, stats: undefined, allow: undefined, writeAllow: undefined },
    certificates: settings.certificates === false ? false : undefined,
    ...plan,
  }));
}

async function checkFolder(option: string, path: string, isMade: boolean): Promise<void> {
  const found = path === '-' ? undefined : await stat(path).catch(() => undefined);
  if (path === '-' || (found !== undefined && !found.isDirectory())) {
    throw new CommandError(`${option} must be a folder when several files are checked, not ${path}`);
  }
  if (found !== undefined) return;
  if (!isMade) throw new CommandError(`${path}: there is no such folder`);
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw new CommandError(`${path}: cannot be made: ${describeError(error)}`);
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
