import { plainLine } from './plain-text.ts';
import type { ClipSummary, RunSummary } from './run-summary.ts';
import { trusted } from './streams.ts';
import { describeFrame, truncationText } from './summary-text.ts';
import { plural } from './text.ts';

const MOST_MESH_PAIRS = 5;

/** Workflow commands of GitHub Actions: one error per clip with contacts that count. */
export function githubAnnotations(path: string, summary: RunSummary): string {
  const failed = summary.clips.filter(({ counted }) => counted > 0);
  return failed
    .map((clip) => {
      const title = `${plural(clip.counted, 'contact')}${clip.name === null ? '' : ` in ${clip.name}`}`;
      const message = explain(summary, clip).join('; ');
      return `${trusted('::error')} file=${property(path)},title=${property(title)}::${data(message)}\n`;
    })
    .join('');
}

/** What was found in one check. */
export interface JunitSuite {
  readonly name: string;
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly milliseconds: number;
  readonly lines: readonly string[];
}

/** One test case per clip. */
export function junitSuite(files: readonly string[], summary: RunSummary, state: string): JunitSuite {
  const { clips } = summary;
  const failures = clips.filter(({ counted }) => counted > 0).length;
  const milliseconds = clips.reduce((sum, clip) => sum + clip.milliseconds, 0);
  const errors = state === 'cancelled' ? 1 : 0;
  const suite = xml(files.length > 3 ? `${files[0]} … ${files.at(-1)}` : files.join(' + '));
  const cases = clips.map((clip) => {
    const head = `    <testcase classname="${suite}" name="${xml(clip.name ?? 'rest')}" time="${seconds(clip.milliseconds)}"`;
    if (clip.counted === 0) return `${head}/>`;
    const lines = explain(summary, clip);
    return `${head}>\n      <failure message="${xml(lines[0])}">${lines.map(xml).join('\n')}</failure>\n    </testcase>`;
  });
  if (errors > 0) {
    cases.push(
      `    <testcase classname="${suite}" name="all frames"><error message="interrupted"/></testcase>`,
    );
  }
  return { name: suite, tests: clips.length + errors, failures, errors, milliseconds, lines: cases };
}

/** Of a file that could not be checked. */
export function failedSuite(name: string, message: string): JunitSuite {
  const suite = xml(name);
  const line = `    <testcase classname="${suite}" name="input"><error message="${xml(message)}"/></testcase>`;
  return { name: suite, tests: 1, failures: 0, errors: 1, milliseconds: 0, lines: [line] };
}

/** JUnit XML. */
export function junitReport(suites: readonly JunitSuite[]): string {
  const sum = (of: (suite: JunitSuite) => number) => suites.reduce((total, suite) => total + of(suite), 0);
  const all = {
    tests: sum(({ tests }) => tests),
    failures: sum(({ failures }) => failures),
    errors: sum(({ errors }) => errors),
    milliseconds: sum(({ milliseconds }) => milliseconds),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="pliant" ${junitCounts(all)}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${suite.name}" ${junitCounts(suite)}>`,
      ...suite.lines,
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function junitCounts({ tests, failures, errors, milliseconds }: Omit<JunitSuite, 'name' | 'lines'>): string {
  return `tests="${tests}" failures="${failures}" errors="${errors}" time="${seconds(milliseconds)}"`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function explain(summary: RunSummary, clip: ClipSummary): string[] {
  const { counted, contacts, counts, touching, worst } = clip;
  const all = counted === contacts ? '' : ` that count, of ${plural(contacts, 'contact')}`;
  const pairs = summary.meshPairs([clip]).slice(0, MOST_MESH_PAIRS);
  return [
    `${plural(counted, 'contact')}${all} in ${touching} of ${plural(counts.length, 'frame')}`,
    ...(worst ? [`worst: ${describeFrame(worst)}`] : []),
    ...pairs.map(({ a, b, contacts: count }) => `${a} and ${b}: ${count}`),
    ...(summary.isTruncated ? [truncationText(summary)] : []),
  ];
}

function data(text: string): string {
  return plainLine(text).replace(/%/g, '%25');
}

function property(text: string): string {
  return data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}

/** One line of text in an attribute or between tags. */
function xml(text: string): string {
  const plain = plainLine(text).replace(/[\ufffe\uffff]/g, '·'); // not in XML
  return plain.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
