import { noneDisagrees, type Row, type Series } from '../result.ts';
import type { CaseName, Source } from './paper.ts';
import type { StoredCase } from './stored-case.ts';

/** What a line gets: a figure, or why there is none. */
export type Found =
  | { readonly kind: 'value'; readonly value: number; readonly stored: StoredCase }
  | { readonly kind: 'not-measured' }
  /** Its data is not on this machine. */
  | { readonly kind: 'skipped' }
  /** Two of our ways gave different answers: no figure of this case means anything. */
  | { readonly kind: 'wrong' }
  /** The case was run and has no such figure: a mistake in the tables, or an old bench. */
  | { readonly kind: 'missing'; readonly metric: string };

/** All figures that are there, by case. */
export class Figures {
  readonly cases: ReadonlyMap<CaseName, StoredCase>;
  readonly quick: boolean;

  constructor(cases: Iterable<StoredCase>, quick: boolean) {
    this.cases = new Map([...cases].map((stored) => [`${stored.bench}/${stored.case}`, stored]));
    this.quick = quick;
  }

  find(source: Source): Found {
    const stored = this.cases.get(`${source.bench}/${source.case}`);
    if (stored === undefined) return { kind: 'not-measured' };
    const { rows } = stored.result;
    if (rows.length === 0) return { kind: 'skipped' };
    if (!noneDisagrees(rows)) return { kind: 'wrong' };
    const values: number[] = [];
    for (const metric of source.metrics) {
      const found = rows.filter((row) => row.case === source.row && fits(row.metric, metric));
      values.push(...found.map(({ value }) => value));
      if (found.length > 0) continue;
      if (source.onlyFull && this.quick) return { kind: 'not-measured' };
      return { kind: 'missing', metric: `${source.bench}/${source.case}:${source.row}/${metric}` };
    }
    const value = values.some((each) => each === null) ? Number.NaN : source.compute(...values); // JSON has no NaN
    return { kind: 'value', value, stored };
  }

  /** A metric of a case whose answers were right; undefined for one with wrong answers. */
  value(name: CaseName, metric: string, row?: string): number | undefined {
    return this.rows(name).find((each) => each.metric === metric && each.case === (row ?? name.split('/')[1]))
      ?.value;
  }

  rows(name: CaseName): readonly Row[] {
    const rows = this.cases.get(name)?.result.rows ?? [];
    return noneDisagrees(rows) ? rows : [];
  }

  series(name: CaseName): readonly Series[] {
    return this.rows(name).length === 0 ? [] : (this.cases.get(name)?.result.series ?? []);
  }
}

function fits(metric: string, pattern: string): boolean {
  const [start, end] = pattern.split('*');
  return end === undefined
    ? metric === pattern
    : metric.length > start.length + end.length && metric.startsWith(start) && metric.endsWith(end);
}
