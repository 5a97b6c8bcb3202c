// One process at a time. Who holds the lock touches its file; a file nobody touches is left over.
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TOUCH_EVERY = 2_000; // milliseconds
const LEFT_OVER_AFTER = 60_000;
const me = `${hostname()} ${process.pid}`;

/** Runs `work` while no other process on this folder runs work under the same lock; waits for its turn. */
export async function withLock(path, work) {
  await acquire(path);
  const release = () => rmSync(path, { force: true });
  const interrupted = () => process.exit(130); // runs `release`
  const touching = setInterval(() => touch(path), TOUCH_EVERY);
  process.once('exit', release);
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    process.off('exit', release);
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', interrupted);
    release();
  }
}

async function acquire(path) {
  mkdirSync(dirname(path), { recursive: true });
  let hasSaidSo = false;
  while (!create(path)) {
    if (isLeftOver(path)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!hasSaidSo) console.error('Another setup is running in this folder, waiting for it …');
    hasSaidSo = true;
    await sleep(200 + 200 * Math.random());
  }
}

function create(path) {
  try {
    writeFileSync(path, me, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST' || error.code === 'EPERM') return false; // EPERM: Windows is still deleting it
    throw error;
  }
}

function isLeftOver(path) {
  try {
    const [host, pid] = readFileSync(path, 'utf8').split(' ');
    if (host === hostname() && pid !== undefined && !isAlive(Number(pid))) return true;
    return Date.now() - statSync(path).mtimeMs > LEFT_OVER_AFTER;
  } catch {
    return false; // gone in the meantime
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM'; // alive, but somebody else's
  }
}

function touch(path) {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // taken away by hand: the work goes on
  }
}
