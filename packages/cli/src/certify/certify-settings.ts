import type { GaugeKind } from 'pliant/cull';
import { parseChoice, parseInteger, parseNumber } from '../command/parse.ts';
import { CommandError } from '../command-error.ts';

export const GAUGES = ['auto', 'ball', 'one-sided', 'box'] as const;
export const CENTRES = ['rest', 'clip'] as const;
export const PURPOSES = ['check', 'three', 'both'] as const;

/** Who is to use the certificates: a check and three.js do not always make the same bodies of a file. */
export type Purpose = (typeof PURPOSES)[number];

/** What stored certificates are for: those of modes for `pliant check --modes`, or for programs alone. */
export type StoredPurpose = Purpose | 'modes' | 'programs';

export interface CertifySettings {
  readonly out: string | undefined; // undefined: beside the model
  readonly modes: string | undefined; // a file that `pliant modes` wrote
  readonly meshes: readonly string[]; // names; none: all
  readonly purpose: Purpose;
  readonly gauge: 'auto' | GaugeKind;
  readonly reach: number | undefined; // undefined: as far as the clips go
  readonly tolerance: number;
  readonly centres: (typeof CENTRES)[number];
  readonly ignoreRestContacts: boolean;
  readonly threads: number | undefined; // undefined: all cores
  readonly force: boolean;
  readonly json: string | undefined;
  readonly quiet: boolean;
}

/** From what Commander found. */
export function certifySettings(raw: Readonly<Record<string, unknown>>): CertifySettings {
  const read = <T>(name: string, parse: (option: string, value: unknown) => T): T | undefined =>
    raw[name] === undefined ? undefined : parse(`--${name}`, raw[name]);
  const text = (_: string, value: unknown) => String(value);
  const settings: CertifySettings = {
    out: read('out', text),
    modes: read('modes', text),
    meshes: (raw.mesh as string[] | undefined) ?? [],
    purpose: read('for', (option, value) => parseChoice(option, value, PURPOSES)) ?? 'both',
    gauge: read('gauge', (option, value) => parseChoice(option, value, GAUGES)) ?? 'auto',
    reach: read('reach', (option, value) => parseNumber(option, value, 1e-9, 1e9)),
    tolerance: read('tolerance', (option, value) => parseNumber(option, value, 1e-6, 0.999)) ?? 0.09,
    centres: read('centres', (option, value) => parseChoice(option, value, CENTRES)) ?? 'rest',
    ignoreRestContacts: raw.ignoreRestContacts !== false,
    threads: read('threads', (option, value) => parseInteger(option, value, 1, 64)),
    force: raw.force === true,
    json: read('json', text),
    quiet: raw.quiet === true,
  };
  if (settings.centres === 'clip' && settings.gauge !== 'ball' && settings.gauge !== 'auto') {
    throw new CommandError(`--centres clip is for --gauge ball: a ${settings.gauge} begins at the rest pose`);
  }
  if (settings.modes !== undefined && raw.for !== undefined) {
    throw new CommandError(
      '--for is about glTF meshes; certificates of modes are for `pliant check --modes`',
    );
  }
  return settings;
}
