import type { Figures } from './figures.ts';

/** A paper as data: what it printed, and which of our figures stand beside that. */
export interface Paper {
  readonly name: string; // on the command line, and of its page
  readonly title: string;
  readonly authors: string;
  readonly machine: string; // of the paper
  /** What differs on our side, for the whole paper. */
  readonly remarks: readonly string[];
  readonly tables: readonly PaperTable[];
  readonly plots: readonly Plot[];
}

export interface PaperTable {
  readonly place: string; // 'Table 1', 'Figure 7'
  readonly title: string;
  readonly remark?: string;
  readonly lines: readonly Line[];
}

/** One figure of the paper and ours. */
export interface Line {
  readonly what: string;
  /** A text where there is no number: 'not legible', 'not given'. */
  readonly paper: number | string;
  readonly unit: string;
  readonly better: Better;
  /** A text says why nothing of ours stands there. */
  readonly ours: Source | string;
  /** On the summary page too. */
  readonly isHeadline: boolean;
  /** What a reader has to know beside the figure, such as how the scene was chosen. */
  readonly note?: string;
}

/** 'neither': sizes of scenes and the like. */
export type Better = 'higher' | 'lower' | 'neither';

/** Where a figure of ours comes from. */
export interface Source {
  readonly bench: string;
  readonly case: string; // what `--only` names
  /** The case of the row, where one case of a bench measures several. */
  readonly row: string;
  /** With a star: of all that fit, in the order of the rows. */
  readonly metrics: readonly string[];
  /** From the values of `metrics`. */
  readonly compute: (...values: number[]) => number;
  /** Quick runs measure fewer sizes and may not have it. */
  readonly onlyFull: boolean;
}

/** A figure with numbers, drawn again from ours. */
export interface Plot {
  readonly name: string; // of the file
  readonly place: string;
  readonly title: string;
  /** Cases that must have been run. */
  readonly needs: readonly CaseName[];
  /** SVG, or undefined when the figures it needs are not there. */
  readonly draw: (figures: Figures) => string | undefined;
}

/** bench/case */
export type CaseName = `${string}/${string}`;

interface LineOptions {
  readonly better?: Better;
  readonly isHeadline?: boolean;
  readonly note?: string;
}

/** 'bench/case/metric', or 'bench/case:row/metric'. */
export function line(
  what: string,
  paper: number | string,
  unit: string,
  ours: Source | string,
  { better = unit === 'x' ? 'higher' : 'lower', isHeadline = false, note }: LineOptions = {},
): Line {
  const isSource = typeof ours !== 'string' || /^[a-z0-9-]+\/[^ /]+\/[^ /]+$/.test(ours);
  return {
    what,
    paper,
    unit,
    better,
    ours: isSource ? sourceOf(ours) : ours,
    isHeadline,
    ...(note === undefined ? {} : { note }),
  };
}

/** A line that is on the summary page too. */
export function headline(
  what: string,
  paper: number | string,
  unit: string,
  ours: Source | string,
  note?: string,
): Line {
  return line(what, paper, unit, ours, { isHeadline: true, note });
}

/** A size of a scene or a count, neither good nor bad. */
export function size(what: string, paper: number | string, unit: string, ours: Source | string): Line {
  return line(what, paper, unit, ours, { better: 'neither' });
}

/** What a paper printed of one scene, with certificates and without. */
export interface PrintedTimes {
  readonly preparation: number; // seconds
  readonly plain: number; // milliseconds
  readonly culled: number; // milliseconds
  readonly speedup: number;
}

/** Lines of a scene that every table of certificates begins with; `names` of the last three. */
export function timeLines(
  what: string,
  place: string,
  { preparation, plain, culled, speedup }: PrintedTimes,
  names: readonly [plain: string, culled: string, speedup: string],
  note?: string,
): Line[] {
  return [
    line(
      `${what}: preparation`,
      preparation,
      's',
      from(place, ['certificate-ms'], (ms) => ms / 1000),
    ),
    line(`${what}: ${names[0]}`, plain, 'ms', `${place}/frame-ms-depth-first`),
    line(`${what}: ${names[1]}`, culled, 'ms', `${place}/frame-ms`),
    headline(`${what}: ${names[2]}`, speedup, 'x', `${place}/speedup-vs-depth-first`, note),
  ];
}

/** A figure computed from several of one case. */
export function from(
  place: string,
  metrics: readonly string[],
  compute: (...values: number[]) => number = (value) => value,
  { onlyFull = false } = {},
): Source {
  const [bench, name] = place.split('/');
  const [only, row = only] = name.split(':');
  return { bench, case: only, row, metrics, compute, onlyFull };
}

/** The same, if quick runs have it or not. */
export function onlyFull(source: Source | string): Source {
  return { ...sourceOf(source), onlyFull: true };
}

function sourceOf(source: Source | string): Source {
  if (typeof source !== 'string') return source;
  const cut = source.lastIndexOf('/');
  return from(source.slice(0, cut), [source.slice(cut + 1)]);
}

/** Every case that the tables and plots of a paper refer to, each once. */
export function casesOf({ tables, plots }: Paper): CaseName[] {
  const names = new Set<CaseName>();
  for (const { lines } of tables) {
    for (const { ours } of lines) if (typeof ours !== 'string') names.add(`${ours.bench}/${ours.case}`);
  }
  for (const { needs } of plots) for (const name of needs) names.add(name);
  return [...names];
}
