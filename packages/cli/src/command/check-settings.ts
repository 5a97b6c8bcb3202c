import { CommandError } from '../command-error.ts';
import { CULLINGS, type Culling } from '../culling/plan-culling.ts';
import { BOUNDS, type CheckOptions, DEFAULT_MAX_PAIRS, METHODS } from '../frames/check-options.ts';
import {
  QUEUE_CHECK_OPTIONS,
  QUEUE_OPTIONS,
  type QueueCheckSettings,
  queueCheckSettings,
} from '../queue/queue-settings.ts';
import { readBytes } from '../scene/read-file.ts';
import type { IgnoreRule } from '../verdict/name-rules.ts';
import { parseChoice, parseInteger, parseNumber, parseRange, parseShard, parseTimes } from './parse.ts';

/** Options as they were written, by their names without dashes in front. */
export type RawOptions = Readonly<Record<string, unknown>>;

export interface CheckSettings {
  readonly check: CheckOptions;
  readonly certificates: string | false | undefined; // undefined: none; false: nor any that are prepared now
  readonly modes?: string; // a file that `pliant modes` wrote
  readonly poses?: string; // weights of these modes, frame by frame
  readonly culling: Culling;
  readonly cullingIsNamed: boolean; // then it is explained, whatever comes of it
  readonly threads: number | undefined; // undefined: all cores, as far as they pay
  readonly json?: string;
  readonly html?: string;
  readonly stats?: string;
  readonly allow?: string;
  readonly writeAllow?: string;
  readonly minFrames: number;
  readonly format: 'text' | 'github' | 'junit';
  readonly quiet: boolean;
  readonly queue?: QueueCheckSettings; // undefined: everything is done here
}

const NAMES = [
  'clip',
  'fps',
  'frames',
  'times',
  'self',
  'between',
  'adjacent',
  'continuous',
  'method',
  'bounds',
  'cull',
  'certificates',
  'threads',
  'json',
  'html',
  'stats',
  'max-pairs',
  'include-collapsed',
  'quiet',
  'shard',
  'modes',
  'poses',
  'allow',
  'write-allow',
  'min-frames',
  'ignore',
  'with',
  'format',
  ...QUEUE_OPTIONS,
  ...QUEUE_CHECK_OPTIONS,
] as const;

/** Checks every option once. What the command line says goes before what a settings file says. */
export function checkSettings(raw: RawOptions): CheckSettings {
  if (raw.self === true && raw.between === true)
    throw new CommandError('--self and --between exclude each other');
  const cull = parseChoice('--cull', raw.cull ?? 'auto', CULLINGS);
  const given = <Value>(name: string, parse: (option: string, value: unknown) => Value): Value | undefined =>
    raw[name] === undefined ? undefined : parse(`--${name}`, raw[name]);
  const settings: CheckSettings = {
    check: {
      clips: texts('--clip', raw.clip),
      fps: given('fps', (option, value) => parseNumber(option, value, 1e-3, 1e6)) ?? 30,
      frames: given('frames', parseRange),
      times: given('times', parseTimes),
      continuous: flag('--continuous', raw.continuous),
      shard: given('shard', parseShard),
      scope: raw.self === true ? 'self' : raw.between === true ? 'between' : 'all',
      adjacent: flag('--adjacent', raw.adjacent),
      method: given('method', (option, value) => parseChoice(option, value, METHODS)) ?? 'auto',
      bounds: given('bounds', (option, value) => parseChoice(option, value, BOUNDS)) ?? 'auto',
      maxPairs:
        given('max-pairs', (option, value) => parseInteger(option, value, 0, 1e9)) ?? DEFAULT_MAX_PAIRS,
      includeCollapsed: flag('--include-collapsed', raw['include-collapsed']) || undefined,
      ignore: ignoreRules(raw),
    },
    certificates: certificatesOf(raw.certificates, cull),
    modes: given('modes', path),
    poses: given('poses', path),
    culling: raw.certificates === false && cull === 'auto' ? 'none' : cull,
    cullingIsNamed: raw.cull !== undefined,
    threads: given('threads', (option, value) => parseInteger(option, value, 1, 256)),
    json: given('json', text),
    html: given('html', path),
    stats: given('stats', path),
    allow: given('allow', path),
    writeAllow: given('write-allow', path),
    minFrames: given('min-frames', (option, value) => parseInteger(option, value, 1, 1e9)) ?? 1,
    format:
      given('format', (option, value) => parseChoice(option, value, ['text', 'github', 'junit'])) ?? 'text',
    quiet: flag('--quiet', raw.quiet),
    queue: queueCheckSettings(raw),
  };
  if (settings.json === '-' && settings.format !== 'text') {
    throw new CommandError(`--json - and --format ${settings.format} both want stdout; give --json a file`);
  }
  if (settings.poses !== undefined && settings.modes === undefined) {
    throw new CommandError('--poses are weights of modes; name their file with --modes');
  }
  if (settings.modes !== undefined && settings.check.scope === 'between') {
    throw new CommandError('--modes move one mesh; it cannot be combined with --between');
  }
  if (settings.check.continuous && settings.check.adjacent) {
    throw new CommandError('--adjacent is about one pose; it cannot be combined with --continuous');
  }
  return settings;
}

function certificatesOf(value: unknown, cull: Culling): string | false | undefined {
  const areOff = cull !== 'auto' && cull !== 'subspace';
  if (value === undefined || value === true || value === false) {
    return value === false || areOff ? false : undefined;
  }
  if (areOff) throw new CommandError(`--certificates and --cull ${cull} exclude each other`);
  return path('--certificates', value);
}

/** A JSON object with the names of the options. */
export async function readConfig(path: string): Promise<RawOptions> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(await readBytes(path)));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path}: this is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(`${path}: settings are an object, such as { "fps": 60 }`);
  }
  const unknown = Object.keys(value).find((name) => name !== '$schema' && !NAMES.includes(name as 'fps'));
  if (unknown !== undefined) throw new CommandError(`${path}: there is no option "${unknown}"`);
  return value as RawOptions;
}

/** Both, where the second goes before the first. */
export function withConfig(config: RawOptions, commandLine: RawOptions): RawOptions {
  const rest: Record<string, unknown> = { ...config };
  if ('self' in commandLine || 'between' in commandLine) {
    delete rest.self;
    delete rest.between;
  }
  if ('ignore' in commandLine) delete rest.with;
  if ('frames' in commandLine || 'times' in commandLine) {
    delete rest.frames;
    delete rest.times;
  }
  return { ...rest, ...commandLine };
}

/** The command line's rules come as they are; in a file the k-th `with` belongs to the k-th `ignore`. */
function ignoreRules(raw: RawOptions): IgnoreRule[] {
  if (Array.isArray(raw.ignore) && raw.ignore.every((rule) => typeof rule === 'object' && rule !== null)) {
    return raw.ignore as IgnoreRule[];
  }
  const patterns = texts('--ignore', raw.ignore);
  const others = texts('--with', raw.with);
  if (others.length > patterns.length) throw new CommandError('every --with needs an --ignore before it');
  return patterns.map((pattern, k) => ({ pattern, other: others[k] }));
}

function texts(option: string, value: unknown): string[] {
  if (value === undefined) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => (typeof item === 'number' ? String(item) : text(option, item)));
}

function text(option: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new CommandError(`${option} must be a text`);
}

function path(option: string, value: unknown): string {
  if (value === '-') throw new CommandError(`${option} must be a file; only --json can be -`);
  return text(option, value);
}

function flag(option: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  throw new CommandError(`${option} must be true or false`);
}
