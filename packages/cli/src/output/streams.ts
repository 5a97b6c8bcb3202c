import { randomBytes } from 'node:crypto';
import { fstatSync, readSync, statSync, write } from 'node:fs';
import { devNull } from 'node:os';
import { promisify } from 'node:util';
import { reasonOf } from '../scene/read-file.ts';
import { plainLine, plainLines } from './plain-text.ts';

/**
 * Every text for people leaves here, on stdout or stderr, and loses what would steer a terminal or a build server: names
 * from files are part of it.
 */

const STDOUT = 1;
const SIGPIPE = 141; // exit code of a program that this signal ended
const FAILED = 2;

/** Not all that should have gone to stdout got there. No message: whoever read it has gone, as in `pliant … | head`. */
export class StdoutLost extends Error {
  override readonly name = 'StdoutLost';
  readonly exitCode: number;

  constructor(error: unknown) {
    const isUnread = (error as NodeJS.ErrnoException).code === 'EPIPE';
    super(isUnread ? '' : `stdout: cannot be written: ${reasonOf(error)}`);
    this.exitCode = isUnread ? SIGPIPE : FAILED;
  }
}

let lost: StdoutLost | undefined;

/** From now on errors of the two streams reach whoever writes, instead of ending the process. */
export function watchStreams(): void {
  process.stdout.on('error', (error) => {
    lost ??= new StdoutLost(error);
  });
  process.stderr.on('error', () => {});
}

const MARK = randomBytes(16).toString('hex'); // no file can know it

/** Marks what `printOut` must leave as it is: styles, and commands to build servers. */
export function trusted(code: string): string {
  return `${MARK}${code}${MARK}`;
}

/** Text as it leaves: what is trusted as it is, and nothing else that steers anything. */
export function presented(text: string): string {
  const parts = text.split(MARK); // text, trusted, text, …
  return parts.map((part, k) => (k % 2 === 0 ? plainLines(part) : part)).join('');
}

/** Prints text for people and waits until it has been taken. */
export function printOut(text: string): Promise<void> {
  return printBytes(Buffer.from(presented(text)));
}

/** Writes to stdout what a program is to read, as it is. */
export async function printBytes(bytes: Uint8Array): Promise<void> {
  if (lost !== undefined) throw lost;
  try {
    await (isFile() ? writeToFile(bytes) : writeToStream(bytes));
  } catch (error) {
    lost ??= new StdoutLost(error);
    throw lost;
  }
}

/** A line on stderr. */
export function printNote(text: string): void {
  process.stderr.write(`pliant: ${plainLines(plainLine(text))}\n`);
}

/** Shows a line on the terminal behind stderr, in place of the one before; an empty one takes it away. */
export function drawStatus(text: string): void {
  const width = Math.max(20, (process.stderr.columns || 80) - 1);
  process.stderr.write(`\r\x1b[K${plainLine(text).slice(0, width)}`);
}

/**
 * Whether what is written to stdout is lost for certain. Node puts /dev/null, for reading and writing, in the place of a
 * stdout that is closed; a shell's `> /dev/null` is for writing only.
 */
export function isStdoutClosed(): boolean {
  try {
    const { dev, ino } = fstatSync(STDOUT, { bigint: true });
    const nowhere = statSync(devNull, { bigint: true });
    if (dev !== nowhere.dev || ino !== nowhere.ino) return false;
    readSync(STDOUT, new Uint8Array(1));
    return true;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    return code === 'EBADF' && syscall === 'fstat';
  }
}

function isFile(): boolean {
  const found = fstatSync(STDOUT);
  return found.isFile() || (found.isCharacterDevice() && process.stdout.isTTY !== true);
}

const writeSome = promisify(write);

/** Node's own stream for files takes a part for the whole when a disk is nearly full. */
async function writeToFile(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await writeSome(STDOUT, bytes, at, bytes.length - at, null)).bytesWritten;
  }
}

function writeToStream(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
