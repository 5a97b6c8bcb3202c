import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { FrameResult } from '../../src/frames/frame-checker.ts';
import { escapeHtml } from '../../src/html/escape-html.ts';
import { failedSuite, githubAnnotations, junitReport, junitSuite } from '../../src/output/annotations.ts';
import { coloursFor } from '../../src/output/colours.ts';
import { plainJson, plainLine } from '../../src/output/plain-text.ts';
import { RunSummary } from '../../src/output/run-summary.ts';
import { drawStatus, presented, printNote } from '../../src/output/streams.ts';
import { summaryText } from '../../src/output/summary-text.ts';
import type { Scene } from '../../src/scene/scene.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const RAW = /[\x00-\x09\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const COMMAND = /^\s*::/mu;
const OWN_COMMAND = /^::error file=[^\n:,]*,title=[^\n:,]*::/gmu;
const COMMAND_INSIDE = /##\w*\[/u;

/** Names made of what is dangerous, and of anything. */
const name = fc
  .array(
    fc.oneof(
      fc.constantFrom('::', '::warning::', '::error file=a,title=b::', '##[', '##vso[', '##', '%0A', '%25'),
      fc.constantFrom('\n', '\r', '\r\n', '\t', ' ', '\u3000', '\u2028', '\u2029', '\x0b', '\x85'),
      fc.constantFrom('\x1b[31m', '\x1b]0;x\x07', '\x9b2J', '\x00', '\x7f', '\u202e', '\u2066', '\u200d'),
      fc.constantFrom(
        '\ud800',
        '\udc00',
        '\ufeff',
        '\ufffe',
        '\u{e0041}',
        ']]>',
        '<!--',
        '"',
        "'",
        '&',
        '<b>',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

const texts = fc.record({
  files: fc.array(name, { minLength: 1, maxLength: 5 }),
  meshes: fc.tuple(name, name),
  clips: fc.tuple(name, name),
  message: name,
});
type Texts = typeof texts extends fc.Arbitrary<infer Value> ? Value : never;

function found({ meshes, clips }: Texts): { scene: Scene; summary: RunSummary } {
  const scene = {
    meshes: meshes.map((text, m) => ({ name: text, firstTriangle: 2 * m, triangles: new Uint32Array(6) })),
    triangleCount: 4,
  } as unknown as Scene;
  const summary = new RunSummary(scene);
  clips.forEach((clip, k) => {
    const result = {
      count: 2,
      pairs: Uint32Array.of(0, 1, 1, 3),
      collapsed: [k],
      singularJoints: [],
      milliseconds: 1,
    };
    const frame = { index: k, clip, time: 0 } as Parameters<RunSummary['add']>[0];
    summary.add(frame, result as unknown as FrameResult, 2);
  });
  return { scene, summary };
}

const FORMATS: Record<string, (given: Texts) => string> = {
  text: (given) => {
    const { scene, summary } = found(given);
    const verdict = { state: 'complete', counted: 4, known: 0, isFiltered: false };
    return presented(summaryText(given.files, scene, summary, verdict));
  },
  github: (given) => presented(githubAnnotations(given.files[0], found(given).summary)),
  junit: (given) => {
    const suites = [junitSuite(given.files, found(given).summary, 'cancelled')];
    return presented(junitReport([...suites, failedSuite(given.files[0], given.message)]));
  },
  notes: (given) => written(() => [given.message, ...found(given).summary.notes(false)].forEach(printNote)),
  'any text': ({ message }) => presented(message),
  JSON: (given) => plainJson(JSON.stringify(given, null, 1)),
  HTML: ({ message }) => escapeHtml(message),
};

/** Text that `action` writes to stderr. */
function written(action: () => void): string {
  let text = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((piece) => {
    text += piece;
    return true;
  });
  action();
  spy.mockRestore();
  return text;
}

describe('text that leaves the command', () => {
  test.each(Object.keys(FORMATS))('%s: no control characters, no commands but our own', (format) => {
    fc.assert(
      fc.property(texts, (given) => {
        const text = FORMATS[format](given);
        expect(text).not.toMatch(RAW);
        if (format === 'HTML') return;
        expect(text).not.toMatch(COMMAND_INSIDE);
        expect(format === 'github' ? text.replace(OWN_COMMAND, '') : text).not.toMatch(COMMAND);
      }),
      { numRuns: 300 },
    );
  });

  test('github: one line for each clip, whatever its name', () => {
    fc.assert(
      fc.property(texts, (given) => {
        const clips = given.clips[0] === given.clips[1] ? 1 : 2;
        const lines = FORMATS.github(given).split('\n');
        expect(lines.filter((line) => line.startsWith('::error file='))).toHaveLength(clips);
        expect(lines).toHaveLength(clips + 1);
      }),
    );
  });

  test('JSON keeps every value', () => {
    fc.assert(
      fc.property(name, (text) => {
        expect(JSON.parse(plainJson(JSON.stringify({ text })))).toEqual({ text });
      }),
    );
    expect(JSON.parse(plainJson('{\t"a":\r\n1}'))).toEqual({ a: 1 }); // of other programs
  });

  test('styles on a terminal are ours, not those of a name', () => {
    const { NO_COLOR, TERM } = process.env;
    Object.assign(process.env, { NO_COLOR: '', TERM: 'xterm' });
    const { bold } = coloursFor({ isTTY: true } as NodeJS.WriteStream);
    Object.assign(process.env, { NO_COLOR: NO_COLOR ?? '', TERM: TERM ?? '' });
    expect(presented(bold('\x1b[31mred'))).toBe('\x1b[1m·[31mred\x1b[22m');
    fc.assert(
      fc.property(name, (text) => {
        const shown = presented(bold(text));
        expect(shown.startsWith('\x1b[1m') && shown.endsWith('\x1b[22m')).toBe(true);
        expect(shown.slice(4, -5)).not.toMatch(RAW);
      }),
    );
  });

  test('progress is one line', () => {
    expect(written(() => drawStatus('a\n\x1b[2Jb'))).toBe('\r\x1b[Ka··[2Jb');
    expect(plainLine('Ωmega 骨 🙂')).toBe('Ωmega 骨 🙂');
  });

  test('leaves in one place', () => {
    const folder = fileURLToPath(new URL('../../src', import.meta.url));
    const direct = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/^html[\\/](page|generated)/.test(path))
      .filter((path) =>
        /process\.std(out|err)\.write|console\./.test(readFileSync(join(folder, path), 'utf8')),
      );
    expect(direct).toEqual([join('output', 'streams.ts')]);
  });

  test('files are written in one place', () => {
    const folder = fileURLToPath(new URL('../../src', import.meta.url));
    const direct = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .filter((path) =>
        /\b(writeFile|createWriteStream|appendFile|copyFile|rename)(Sync)?\b/.test(
          readFileSync(join(folder, path), 'utf8'),
        ),
      );
    expect(direct.sort()).toEqual([join('output', 'output-file.ts'), join('queue', 'file-cache.ts')].sort());
  });
});
