import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { opendir, rm, stat } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';

/**
 * Names of what a run puts down for a while. They say which process it belongs to, so that a later run can remove what a
 * process that was killed has left.
 */

const WEEK = 7 * 86_400_000; // milliseconds
const OWNER = '([0-9a-f]{8})-([0-9]+)-([0-9]+)'; // machine, process and its start
const FILE = new RegExp(`^\\.pliant-${OWNER}-[0-9a-f]{8}\\.tmp$`);

/** The name of a new temporary file: short, however long the name of the file is that it becomes. */
export function temporaryName(): string {
  return `.pliant-${ownerMark()}-${randomBytes(4).toString('hex')}.tmp`;
}

/** The part of a name that says whose it is. */
export function ownerMark(): string {
  return `${machine()}-${process.pid}-${startOf(process.pid) ?? 0}`;
}

const swept = new Set<string>();

/** Removes temporary files of runs that are gone, once for every folder. */
export async function sweepTemporaryFiles(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  await removeAbandoned(folder, FILE, false);
}

/** Removes folders named `prefix`, owner and `-`, whose owners are gone. */
export function removeAbandonedFolders(folder: string, prefix: string): Promise<void> {
  return removeAbandoned(folder, new RegExp(`^${prefix}${OWNER}-`), true);
}

async function removeAbandoned(folder: string, pattern: RegExp, areFolders: boolean): Promise<void> {
  try {
    for await (const entry of await opendir(folder)) {
      const [, where, pid, start] = pattern.exec(entry.name) ?? [];
      if (where === undefined || !(areFolders ? entry.isDirectory() : entry.isFile())) continue;
      const path = join(folder, entry.name);
      const isGone = where === machine() ? !isRunning(Number(pid), start) : await isOld(path);
      if (isGone) await rm(path, { recursive: areFolders, force: true }).catch(() => {});
    }
  } catch {
    // the folder cannot be listed: whoever writes into it says why, if that cannot be done either
  }
}

/** Elsewhere nobody can tell whether a process runs; what is in use is touched every hour. */
async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > WEEK;
}

function isRunning(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const found = startOf(pid);
  return found === undefined || found === start; // another process may have got the number since
}

/** When a process began, in ticks since the machine did; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

let machineMark: string | undefined;

/** Where process numbers mean the same: one run of one machine, and one container on it. */
function machine(): string {
  machineMark ??= createHash('sha256').update(machineFacts().join('\n')).digest('hex').slice(0, 8);
  return machineMark;
}

function machineFacts(): string[] {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1');
    return [hostname(), boot, readlinkSync('/proc/self/ns/pid')];
  } catch {
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    return [hostname(), ...new Set(addresses.map(({ mac }) => mac).sort())];
  }
}
