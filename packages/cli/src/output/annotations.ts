import type { ClipSummary, RunSummary } from './run-summary.ts';
import { describeFrame } from './summary-text.ts';
import { plural } from './text.ts';

const MOST_MESH_PAIRS = 5;

/** Workflow commands of GitHub Actions: one error per clip with contacts that count. */
export function githubAnnotations(path: string, summary: RunSummary): string {
  const failed = summary.clips.filter(({ counted }) => counted > 0);
  return failed
    .map((clip) => {
      const title = `${plural(clip.counted, 'contact')}${clip.name === null ? '' : ` in ${clip.name}`}`;
      const message = explain(summary, clip).join('; ');
      return `::error file=${property(path)},title=${property(title)}::${data(message)}\n`;
    })
    .join('');
}

/** JUnit XML: one test case per clip. */
export function junitReport(files: readonly string[], summary: RunSummary, state: string): string {
  const { clips } = summary;
  const failures = clips.filter(({ counted }) => counted > 0).length;
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);
  const time = seconds(clips.reduce((sum, clip) => sum + clip.milliseconds, 0));
  const errors = state === 'cancelled' ? 1 : 0;
  const counts = `tests="${clips.length + errors}" failures="${failures}" errors="${errors}" time="${time}"`;
  const suite = xml(files.length > 3 ? `${files[0]} … ${files.at(-1)}` : files.join(' + '));
  const cases = clips.map((clip) => {
    const head = `    <testcase classname="${suite}" name="${xml(clip.name ?? 'rest')}" time="${seconds(clip.milliseconds)}"`;
    if (clip.counted === 0) return `${head}/>`;
    const lines = explain(summary, clip);
    return `${head}>\n      <failure message="${xml(lines[0])}">${xml(lines.join('\n'))}</failure>\n    </testcase>`;
  });
  if (errors > 0) {
    cases.push(
      `    <testcase classname="${suite}" name="all frames"><error message="interrupted"/></testcase>`,
    );
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="pliant" ${counts}>`,
    `  <testsuite name="${suite}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function explain(summary: RunSummary, clip: ClipSummary): string[] {
  const { counted, contacts, counts, touching, worst } = clip;
  const all = counted === contacts ? '' : ` that count, of ${plural(contacts, 'contact')}`;
  const pairs = summary.meshPairs([clip]).slice(0, MOST_MESH_PAIRS);
  return [
    `${plural(counted, 'contact')}${all} in ${touching} of ${plural(counts.length, 'frame')}`,
    ...(worst ? [`worst: ${describeFrame(worst)}`] : []),
    ...pairs.map(({ a, b, contacts: count }) => `${a} and ${b}: ${count}`),
  ];
}

function data(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function property(text: string): string {
  return data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}

function xml(text: string): string {
  const plain = text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '·');
  return plain.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
