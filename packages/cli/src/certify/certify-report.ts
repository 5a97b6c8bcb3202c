import { coloursFor } from '../output/colours.ts';
import { grouped, plural, printable, table } from '../output/text.ts';
import type { CertifyPlan, ModalOptions } from './certify-jobs.ts';
import type { MadeCertificate } from './prepare-certificates.ts';

/** What a run of `pliant certify` has to tell. */
export interface CertifyOutcome {
  readonly files: readonly string[];
  readonly out: string;
  readonly size: number; // bytes
  readonly made: readonly MadeCertificate[];
  readonly skipped: CertifyPlan['skipped'];
}

export function certifyText({ files, out, size, made, skipped }: CertifyOutcome): string {
  const { bold, dim } = coloursFor(process.stdout);
  const what = `${plural(made.length, 'certificate')}, ${grouped(size)} bytes`;
  const name = files.length > 3 ? `${files[0]} … ${files.at(-1)}` : files.join(' + ');
  const [heading, ...rows] = table(
    [
      'mesh',
      '>triangles',
      '>targets',
      'weights',
      '>known up to',
      '>no contact below',
      '>touch at rest',
      '>memory',
      'for',
      '>took',
    ],
    made.map(rowOf),
  );
  const lines = [`${bold(printable(`${name} → ${out}`, 120))}  ${dim(what)}`, '', dim(heading), ...rows];
  if (skipped.length > 0) lines.push('', ...skippedLines(skipped));
  return `${lines.join('\n')}\n`;
}

function rowOf({ record, weights, restContacts, memory, seconds, isReused }: MadeCertificate): string[] {
  const { name, primitive, triangles } = record.body;
  const { gauge = 'free', for: purpose } = record.options as unknown as Partial<ModalOptions> & {
    for: 'both' | 'modes';
  };
  const uses = { both: 'check, three', modes: 'check --modes' }[purpose] ?? purpose;
  return [
    primitive === null ? printable(name) : `${printable(name)} #${primitive}`,
    grouped(triangles),
    weights ? grouped(weights.targets) : '–',
    gauge,
    weights ? short(weights.limit) : '–',
    weights ? short(weights.freeUpTo) : '–',
    grouped(restContacts),
    `${(memory / 2 ** 20).toFixed(1)} MB`,
    uses,
    isReused ? 'as before' : `${seconds.toFixed(1)} s`,
  ];
}

const MOST_SKIPPED = 12; // lines

function skippedLines(skipped: CertifyPlan['skipped']): string[] {
  const lines = skipped
    .slice(0, MOST_SKIPPED)
    .map(({ name, reason }) => `no certificate for "${printable(name)}": ${reason}`);
  const more = skipped.length - MOST_SKIPPED;
  return more > 0 ? [...lines, `… and for ${grouped(more)} more`] : lines;
}

export function certifyJson({ files, out, size, made, skipped }: CertifyOutcome): object {
  return {
    version: 1,
    files,
    out,
    size,
    certificates: made.map(({ record, weights, restContacts, memory, seconds, ...rest }) => ({
      kind: record.kind,
      ...record.body,
      madeFrom: record.madeFrom,
      options: record.options,
      ...(weights && {
        targets: weights.targets,
        limit: weights.limit === Infinity ? null : weights.limit,
        freeUpTo: weights.freeUpTo === Infinity ? null : weights.freeUpTo,
      }),
      restContacts,
      bytes: record.bytes.length,
      memory,
      seconds: Math.round(seconds * 1000) / 1000,
      isReused: rest.isReused,
      resumedParts: rest.resumedParts,
    })),
    skipped,
  };
}

/** Three digits, whatever the size. */
function short(value: number): string {
  if (value === Infinity) return 'any';
  return value === 0
    ? '0'
    : value >= 0.001 && value < 1e5
      ? String(Number(value.toPrecision(3)))
      : value.toExponential(1);
}
