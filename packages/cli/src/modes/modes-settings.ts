import { type Material, SOFT_RUBBER } from 'pliant/simulate';
import { parseChoice, parseInteger, parseNumber } from '../command/parse.ts';
import { CommandError } from '../command-error.ts';
import { type FixRule, parseFixRule } from './fix-rules.ts';

export const MODES_KINDS = ['linear', 'nonlinear', 'polynomial', 'morph', 'sequence'] as const;
export type ModesKind = (typeof MODES_KINDS)[number];

export interface ModesSettings {
  readonly kind: ModesKind | undefined; // undefined: as the files suggest
  readonly count: number | undefined;
  readonly vertices: number | undefined;
  readonly cellSize: number | undefined;
  readonly tetrahedra: string | undefined; // a file
  readonly material: Material;
  readonly fix: readonly FixRule[];
  readonly mesh: string | undefined;
  readonly importPath: string | undefined;
  readonly out: string;
  readonly npy: string | undefined;
  readonly json: string | undefined;
  readonly quiet: boolean;
  /** Options that were given, such as `--fix`. */
  readonly given: ReadonlySet<string>;
}

const MOST_MODES = 1000;

/** From what Commander found. */
export function modesSettings(raw: Readonly<Record<string, unknown>>): ModesSettings {
  const given = new Set(Object.keys(raw).map(optionOf));
  const read = <T>(name: string, parse: (option: string, value: unknown) => T): T | undefined =>
    raw[name] === undefined ? undefined : parse(optionOf(name), raw[name]);
  const text = (_: string, value: unknown) => String(value);
  const importPath = read('import', text);
  const kind = read('kind', (option, value) => parseChoice(option, value, MODES_KINDS));
  if (importPath !== undefined && kind !== undefined) {
    throw new CommandError('--import and --kind exclude each other: imported modes are used as they are');
  }
  const settings: ModesSettings = {
    kind,
    count: read('count', (option, value) => parseInteger(option, value, 1, MOST_MODES)),
    vertices: read('vertices', (option, value) => parseInteger(option, value, 8, 10_000_000)),
    cellSize: read('cellSize', (option, value) => parseNumber(option, value, Number.MIN_VALUE, 1e300)),
    tetrahedra: read('tetrahedra', text),
    material: {
      young: read('young', (option, value) => parseNumber(option, value, 1e-30, 1e30)) ?? SOFT_RUBBER.young,
      poisson:
        read('poisson', (option, value) => parseNumber(option, value, -0.999, 0.499)) ?? SOFT_RUBBER.poisson,
      density:
        read('density', (option, value) => parseNumber(option, value, 1e-30, 1e30)) ?? SOFT_RUBBER.density,
    },
    fix: ((raw.fix as string[] | undefined) ?? []).map((rule) => parseFixRule('--fix', rule)),
    mesh: read('mesh', text),
    importPath,
    out: String(raw.out),
    npy: read('npy', text),
    json: read('json', text),
    quiet: raw.quiet === true,
    given,
  };
  const lattice = ['--vertices', '--cell-size', '--tetrahedra'].filter((option) => given.has(option));
  if (lattice.length > 1) throw new CommandError(`${lattice[0]} and ${lattice[1]} exclude each other`);
  return settings;
}

/** `cellSize` is `--cell-size` in messages. */
function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Refuses options that have no part in what is done; nobody should believe that they had. */
export function refuseOptions(given: ReadonlySet<string>, options: readonly string[], what: string): void {
  const wrong = options.find((option) => given.has(option));
  if (wrong !== undefined) throw new CommandError(`${wrong} has no part in ${what}`);
}
