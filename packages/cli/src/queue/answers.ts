import { CommandError } from '../command-error.ts';
import { encodeFrames, type FrameBatch, sha256 } from './frame-codec.ts';
import type { RedisClient } from './redis-client.ts';
import type { Reply } from './resp.ts';

/** What workers tell a check, in a stream. The same may be told twice; nothing is told to a check that has ended. */
export type Answer =
  | { readonly kind: 'frames'; readonly job: number; readonly attempt: number; readonly payload: Buffer }
  | { readonly kind: 'error'; readonly job: number; readonly message: string } // the input is to blame
  | { readonly kind: 'trouble'; readonly job: number; readonly message: string } // it failed, and may be tried again
  | { readonly kind: 'missing'; readonly job: number } // files are not in Redis
  | { readonly kind: 'damaged'; readonly job: number }
  | { readonly kind: 'hello' }; // makes the stream

export interface ReceivedAnswer {
  readonly id: string;
  readonly worker: string;
  readonly answer: Answer;
}

const MOST_AT_ONCE = 16; // answers in one reply
const LARGEST = 400e6; // bytes; Redis takes 512 MB in one piece

/** False: the check has ended. */
export async function tell(
  client: RedisClient,
  stream: string,
  worker: string,
  answer: Exclude<Answer, { kind: 'hello' | 'damaged' }>,
): Promise<boolean> {
  const fields: (string | number | Buffer)[] = ['kind', answer.kind, 'worker', worker, 'job', answer.job];
  if (answer.kind === 'frames') {
    fields.push('attempt', answer.attempt, 'sha256', sha256(answer.payload), 'payload', answer.payload);
  } else if ('message' in answer) {
    fields.push('message', answer.message);
  }
  const id = await client.persist(() => client.send(['XADD', stream, 'NOMKSTREAM', '*', ...fields]));
  return id !== null;
}

export async function tellFrames(
  client: RedisClient,
  stream: string,
  worker: string,
  { job, attempt, batch }: { job: number; attempt: number; batch: FrameBatch },
): Promise<boolean> {
  const payload = encodeFrames(batch);
  if (payload.length > LARGEST) {
    const { frame, count } = batch.results[0];
    throw new CommandError(
      `frame ${frame} has ${count} contacts, too many to go through Redis; use --max-pairs`,
    );
  }
  return tell(client, stream, worker, { kind: 'frames', job, attempt, payload });
}

/** The stream exists from the first answer on: workers do not make it. */
export async function openAnswers(client: RedisClient, stream: string): Promise<void> {
  await client.persist(() => client.send(['XADD', stream, '*', 'kind', 'hello']));
}

/** Those after `lastId`, waiting up to `block` milliseconds for some. */
export async function readAnswers(
  client: RedisClient,
  stream: string,
  lastId: string,
  block: number,
): Promise<ReceivedAnswer[]> {
  const waiting = block > 0 ? ['BLOCK', block] : [];
  const command = ['XREAD', 'COUNT', MOST_AT_ONCE, ...waiting, 'STREAMS', stream, lastId];
  const reply = (await client.sendRaw(command, block)) as [Buffer, [Buffer, Buffer[]][]][] | null;
  return (reply?.[0][1] ?? []).map(([id, fields]) => ({ id: id.toString(), ...readAnswer(fields) }));
}

export async function removeAnswers(
  client: RedisClient,
  stream: string,
  ids: readonly string[],
): Promise<Reply> {
  return ids.length === 0 ? 0 : client.persist(() => client.send(['XDEL', stream, ...ids]));
}

function readAnswer(list: readonly Buffer[]): { worker: string; answer: Answer } {
  const fields = new Map<string, Buffer>();
  for (let k = 0; k < list.length; k += 2) fields.set(list[k].toString(), list[k + 1]);
  const text = (name: string) => fields.get(name)?.toString() ?? '';
  const job = Number(text('job'));
  const worker = text('worker');
  switch (text('kind')) {
    case 'frames': {
      const payload = fields.get('payload') ?? Buffer.alloc(0);
      const isWhole = sha256(payload) === text('sha256');
      const answer: Answer = isWhole
        ? { kind: 'frames', job, attempt: Number(text('attempt')), payload }
        : { kind: 'damaged', job };
      return { worker, answer };
    }
    case 'error':
      return { worker, answer: { kind: 'error', job, message: text('message') } };
    case 'trouble':
      return { worker, answer: { kind: 'trouble', job, message: text('message') } };
    case 'missing':
      return { worker, answer: { kind: 'missing', job } };
    default:
      return { worker, answer: { kind: 'hello' } };
  }
}
