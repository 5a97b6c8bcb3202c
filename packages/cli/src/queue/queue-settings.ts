import { parseInteger, parseNumber } from '../command/parse.ts';
import { CommandError } from '../command-error.ts';
import type { TlsFiles } from './redis-address.ts';
import type { Patience } from './redis-client.ts';

/** What `check` and `worker` have to agree on, and how they get there. */
export interface QueueSettings {
  readonly url: string;
  readonly name: string; // what all keys in Redis start with
  readonly tls: TlsFiles;
  readonly patience: Patience;
  readonly sharedRoot?: string;
}

/** Of `pliant check --queue`. */
export interface QueueCheckSettings extends QueueSettings {
  readonly jobFrames?: number; // undefined: as many as take about a second
  readonly openJobs?: number; // undefined: by the number of workers
}

/** The options of both, without dashes in front. */
export const QUEUE_OPTIONS = [
  'queue',
  'queue-name',
  'queue-ca',
  'queue-cert',
  'queue-key',
  'queue-timeout',
  'shared-root',
] as const;
export const QUEUE_CHECK_OPTIONS = ['job-frames', 'open-jobs'] as const;

const PATIENCE: Patience = { first: 10_000, later: 300_000 };

type Raw = Readonly<Record<string, unknown>>;

/** Undefined without --queue; then the other options make no sense. */
export function queueCheckSettings(raw: Raw): QueueCheckSettings | undefined {
  if (raw.queue === undefined) {
    const other = [...QUEUE_OPTIONS, ...QUEUE_CHECK_OPTIONS].find((name) => raw[name] !== undefined);
    if (other !== undefined) throw new CommandError(`--${other} needs --queue`);
    return undefined;
  }
  const count = (name: string, most: number) =>
    raw[name] === undefined ? undefined : parseInteger(`--${name}`, raw[name], 1, most);
  return {
    ...queueSettings(raw),
    jobFrames: count('job-frames', 1e6),
    openJobs: count('open-jobs', 10_000),
  };
}

export function queueSettings(raw: Raw): QueueSettings {
  const given = (name: string) => (raw[name] === undefined ? undefined : text(`--${name}`, raw[name]));
  const timeout = raw['queue-timeout'];
  const milliseconds =
    timeout === undefined ? undefined : 1000 * parseNumber('--queue-timeout', timeout, 0.1, 1e6);
  const name = given('queue-name') ?? 'pliant';
  if (!/^[\w.-]{1,64}$/.test(name)) {
    throw new CommandError('--queue-name must be letters, digits, dots, dashes and underscores');
  }
  return {
    url: text('--queue', raw.queue),
    name,
    tls: { ca: given('queue-ca'), cert: given('queue-cert'), key: given('queue-key') },
    patience: milliseconds === undefined ? PATIENCE : { first: milliseconds, later: milliseconds },
    sharedRoot: given('shared-root'),
  };
}

function text(option: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new CommandError(`${option} must be a text`);
}
