import { fstatSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError } from '../command-error.ts';
import { looksLikeModel } from '../scene/inputs.ts';
import { filesRead } from '../scene/read-file.ts';

/** A file that a run is to write, and the option that names it. */
export interface Target {
  readonly option: string;
  readonly path: string | undefined; // undefined: the option was not given
  readonly isModel?: boolean; // as it should be
}

/**
 * Refuses names of results under which something would be lost: those of inputs, of models, and of other results.
 * Inputs are the files that were read so far, and `inputs`.
 */
export async function refuseClashes(
  targets: readonly Target[],
  inputs: readonly string[] = [],
): Promise<void> {
  const named = targets.flatMap((target) => {
    return target.path === undefined ? [] : [{ ...target, path: target.path }];
  });
  const places = new Map<string, string>(); // of results: the option that comes first
  for (const { option, path } of named) {
    const place = await placeOf(path);
    if (place === undefined) continue;
    const other = places.get(place);
    if (other === undefined) places.set(place, option);
    else if (other !== option) {
      const what = path === '-' ? 'stdout' : path;
      throw new CommandError(`${other} and ${option} both want ${what}; give one of them another file`);
    }
  }
  await refuseInputs(named, inputs);
  for (const { option, path, isModel } of named) {
    if (path === '-' || isModel || !looksLikeModel(path)) continue;
    throw new CommandError(`${option} takes the name of a file to write; ${path} looks like a model`);
  }
}

async function refuseInputs(
  targets: readonly { readonly option: string; readonly path: string }[],
  inputs: readonly string[],
): Promise<void> {
  const taken = new Map<string, string>(); // files that exist
  for (const { path, option } of targets) {
    const id = path === '-' ? undefined : await idOf(path);
    if (id === undefined) continue;
    if (id === idOfStdout()) {
      throw new CommandError(`${option} ${path}: stdout goes to this file; give the result another name`);
    }
    taken.set(id, path);
  }
  if (taken.size === 0) return;
  for (const input of new Set([...inputs, ...filesRead()])) {
    const path = taken.get((await idOf(input)) ?? '');
    if (path !== undefined) {
      throw new CommandError(`${path}: this is an input; give the result another name`);
    }
  }
}

/** The place that a result would be written to, equal for all names of one file; undefined for devices, which results can share. */
async function placeOf(path: string): Promise<string | undefined> {
  if (path === '-') return path;
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  if (found !== undefined) return found.isFile() ? `${found.dev}:${found.ino}` : undefined;
  const absolute = resolve(path);
  return join(await realpath(dirname(absolute)).catch(() => dirname(absolute)), basename(absolute));
}

/** Device and inode of a file that exists, whatever its name; undefined when there is none. */
async function idOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? `${found.dev}:${found.ino}` : undefined;
}

function idOfStdout(): string | undefined {
  const found = fstatSync(1, { bigint: true });
  return found.isFile() ? `${found.dev}:${found.ino}` : undefined;
}
