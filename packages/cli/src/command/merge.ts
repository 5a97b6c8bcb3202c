import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CommandError } from '../command-error.ts';
import { type CheckHead, CheckJson, type CheckState, type ShardMark } from '../output/check-json.ts';
import { refuseClashes } from '../output/clashes.ts';
import { OutputFile } from '../output/output-file.ts';
import { printNote } from '../output/streams.ts';
import { plural } from '../output/text.ts';
import { reasonOf } from '../scene/read-file.ts';

const STATES: readonly string[] = ['complete', 'truncated'];

interface Part {
  readonly path: string;
  readonly head: CheckHead & { readonly shard: ShardMark };
}

/** Runs `pliant merge`: shards of one check, in any order, become the file that one run would have written. */
export async function merge(paths: readonly string[], out: string, quiet: boolean): Promise<number> {
  const parts: Part[] = [];
  for (const path of paths) parts.push({ path, head: await readHead(path) });
  parts.sort((a, b) => a.head.shard.index - b.head.shard.index);
  checkParts(parts);
  await refuseClashes([{ option: '-o', path: out }], paths);
  const file = await OutputFile.open(out, 'json');
  try {
    const { shard: _, ...head } = parts[0].head;
    const json = new CheckJson(file);
    await json.begin(head);
    let total = 0;
    let isTruncated = false;
    for (const part of parts) {
      const tail = await copyFrames(part, json);
      total += tail.total;
      isTruncated ||= tail.state === 'truncated';
    }
    const state: CheckState = isTruncated ? 'truncated' : 'complete';
    await json.end(total, state);
    await file.commit();
    if (!quiet) {
      const frames = plural(parts[0].head.shard.frames, 'frame');
      printNote(`${plural(parts.length, 'shard')}, ${frames}, ${plural(total, 'contact')}`);
    }
    return 0;
  } finally {
    await file.discard();
  }
}

function checkParts(parts: readonly Part[]): void {
  const [{ path: firstPath, head: first }] = parts;
  const { count, key } = first.shard;
  const text = (head: CheckHead) => JSON.stringify({ ...head, shard: undefined });
  parts.forEach(({ path, head }, k) => {
    const { shard } = head;
    if (shard.count !== count) {
      throw new CommandError(`${path}: is one of ${shard.count} shards, but ${firstPath} is one of ${count}`);
    }
    if (shard.key !== key || text(head) !== text(first)) {
      throw new CommandError(`${path}: was made from other files or with other options than ${firstPath}`);
    }
    if (k > 0 && shard.index === parts[k - 1].head.shard.index) {
      throw new CommandError(`${path}: holds the same shard ${shard.index}/${count} as ${parts[k - 1].path}`);
    }
  });
  for (let index = 0; index < count; index++) {
    if (parts[index]?.head.shard.index === index) continue;
    throw new CommandError(`shard ${index}/${count} is missing: ${parts.length} of ${count} were given`);
  }
}

/** Only the first line: everything before the frames. */
async function readHead(path: string): Promise<Part['head']> {
  for await (const line of linesOf(path)) {
    if (!line.endsWith(',"frames":[')) break;
    return checkHead(path, parse(path, `${line.slice(0, -',"frames":['.length)}}`));
  }
  throw new CommandError(`${path}: this is not a file written by pliant check --json`);
}

function checkHead(path: string, value: unknown): Part['head'] {
  const head = value as Partial<CheckHead> | null;
  if (head?.version !== 1)
    throw new CommandError(`${path}: version ${head?.version} cannot be merged; only 1 can`);
  const { shard } = head;
  if (shard === undefined)
    throw new CommandError(`${path}: this is not a shard: it was written without --shard`);
  const numbers = [shard.index, shard.count, shard.firstFrame, shard.frames];
  if (numbers.every((n) => Number.isSafeInteger(n) && n >= 0) && shard.index < shard.count)
    return head as Part['head'];
  throw new CommandError(`${path}: its "shard" is damaged`);
}

/** Line by line: a part may be larger than memory. */
async function copyFrames({ path, head }: Part, json: CheckJson): Promise<{ total: number; state: string }> {
  const { index, count, frames, firstFrame } = head.shard;
  const expected = Math.floor(((index + 1) * frames) / count) - firstFrame;
  let copied = 0;
  let contacts = 0;
  let tail: { total: number; state: string } | undefined;
  let isHead = true;
  for await (const line of linesOf(path)) {
    if (isHead) isHead = false;
    else if (tail !== undefined) throw new CommandError(`${path}: text after its end`);
    else if (line.startsWith('],"total":'))
      tail = parse(path, `{${line.slice(2)}`) as { total: number; state: string };
    else {
      const frame = line.endsWith(',') ? line.slice(0, -1) : line;
      const { count: contactsOfFrame } = parse(path, frame) as { count?: unknown };
      if (!Number.isSafeInteger(contactsOfFrame))
        throw new CommandError(`${path}: frame ${copied} is damaged`);
      contacts += contactsOfFrame as number;
      copied++;
      await json.addLine(frame);
    }
  }
  if (tail === undefined) throw new CommandError(`${path}: is cut short`);
  if (!STATES.includes(tail.state))
    throw new CommandError(`${path}: its state is "${tail.state}"; run that shard again`);
  if (copied !== expected) throw new CommandError(`${path}: ${copied} frames, but its shard has ${expected}`);
  if (contacts !== tail.total) throw new CommandError(`${path}: its frames and its total disagree`);
  return tail;
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let held = '';
  try {
    if (!(await stat(path)).isFile()) throw new CommandError(`${path}: this is not a file`);
    for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
      const lines = (held + piece).split('\n');
      held = lines.pop()!;
      yield* lines;
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path}: ${reasonOf(error)}`);
  }
  if (held !== '') yield held;
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${path}: is damaged: a line is not JSON`);
  }
}
