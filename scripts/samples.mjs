// Code samples of Markdown files: found, type-checked, run, or bundled if they need a browser.
//
// A sample is a fence that begins with ```js or ```ts. ```js browser is not run, ```js long only with PLIANT_FULL=1. What a sample takes for granted, such as
// a mesh of the reader's, comes from a file beside the pages: `docs/samples/certify.mjs` for `docs/certify.md`. A sample is
// given those of its exports that it uses and does not declare.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, runNode } from './run.mjs';

const SURROUNDINGS = join(root, 'docs/samples');

/** Samples of a file below the root: { file, line (of the fence), language, isBrowser, isLong, code }. */
export function extractSamples(file) {
  const samples = [];
  let fence; // the one we are in
  for (const [k, text] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    const mark = /^\s*(```+)\s*(\S*)\s*(.*)$/.exec(text);
    if (fence === undefined) {
      if (mark)
        fence = { end: mark[1], language: mark[2], flags: mark[3].split(/\s+/), line: k + 1, lines: [] };
    } else if (mark && mark[1].length >= fence.end.length && mark[2] === '') {
      const { language, flags, line, lines } = fence;
      const isSample = language === 'js' || language === 'ts';
      if (isSample)
        samples.push({
          file,
          line,
          language,
          isBrowser: flags.includes('browser'),
          isLong: flags.includes('long'),
          code: lines.join('\n'),
        });
      fence = undefined;
    } else fence.lines.push(text);
  }
  return samples;
}

/**
 * Writes each sample as a module, with every line at the number that it has on its page, and adds `path` to it. The folder
 * is to be below the root, so that `pliant` is found.
 */
export function writeSamples(folder, samples) {
  mkdirSync(folder, { recursive: true });
  for (const sample of samples) {
    const { file, line, language, code } = sample;
    sample.path = join(folder, `${file.replaceAll('/', '~')}.${line}.${language === 'ts' ? 'mts' : 'mjs'}`);
    const given = importSurroundings(folder, file, code);
    writeFileSync(sample.path, `${given}${'\n'.repeat(line)}${code}\n;export {};\n`);
  }
}

/** One line, or nothing. */
function importSurroundings(folder, file, code) {
  const name = `${file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replaceAll('/', '-')}.mjs`;
  const path = join(SURROUNDINGS, name);
  if (!existsSync(path)) return '';
  const exported = [...readFileSync(path, 'utf8').matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)];
  const used = exported.map(([, name]) => name).filter((name) => isWanting(code, name));
  if (used.length === 0) return '';
  const address = relative(folder, path).replaceAll('\\', '/');
  return `import { ${used.join(', ')} } from '${address}';`;
}

/** True when the code uses a name that it does not declare. */
function isWanting(code, name) {
  if (!new RegExp(`(?<![.\\w'])${name}\\b`).test(code)) return false;
  const declared = [
    `(?:const|let|var|function|class)\\s+${name}\\b`,
    `(?:const|let|var)\\s*[{[][^}\\]]*\\b${name}\\b[^}\\]]*[}\\]]\\s*=`,
    `import\\s[^;]*\\b${name}\\b[^;]*from`,
  ];
  return !declared.some((pattern) => new RegExp(pattern).test(code));
}

/** Messages of TypeScript about samples and other files: JavaScript as its users see it, TypeScript strictly. */
export async function checkSampleTypes(samples, otherFiles = []) {
  const { default: ts } = await import('typescript');
  const common = {
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(common);
  const read = host.getSourceFile;
  const sources = new Map(); // libraries are the same for both
  host.getSourceFile = (path, ...rest) => {
    if (!sources.has(path)) sources.set(path, read(path, ...rest));
    return sources.get(path);
  };
  const check = (paths, options) => {
    if (paths.length === 0) return [];
    const program = ts.createProgram(paths, { ...common, ...options }, host);
    return paths.flatMap((path) => {
      const source = program.getSourceFile(path);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        tell,
      );
    });
  };
  const tell = ({ file, start, messageText }) => {
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    return `${placeOf(file.fileName, line)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  };
  const ofLanguage = (language) => samples.filter((s) => s.language === language).map(({ path }) => path);
  return [
    ...check(ofLanguage('js'), { strict: false }),
    ...check([...ofLanguage('ts'), ...otherFiles], { strict: true }),
  ];
}

/** `docs~certify.md.97.mjs` and line 104 are docs/certify.md:104. */
export function placeOf(path, line) {
  const sample = /([^/\\]+\.md)\.\d+\.m[jt]s$/.exec(path);
  const file = sample ? sample[1].replaceAll('~', '/') : relative(root, path);
  return `${file}:${line}`;
}

/** Runs those for Node, one after the other in one program; the exit code is 0 when all end well. */
export async function runSamples(folder, samples) {
  const { transform } = await import('esbuild');
  const list = [];
  for (const { file, line, path, language, isBrowser, isLong } of samples) {
    if (isBrowser || (isLong && !process.env.PLIANT_FULL)) continue;
    let script = path;
    if (language === 'ts') {
      script = path.replace(/\.mts$/, '.ts.mjs');
      const made = await transform(readFileSync(path, 'utf8'), { loader: 'ts', format: 'esm' }).catch(
        () => undefined,
      );
      if (made === undefined) continue; // the check of types says why
      writeFileSync(script, made.code);
    }
    list.push({ file, line, script });
  }
  const listFile = join(folder, 'list.json');
  writeFileSync(listFile, JSON.stringify(list));
  return runNode([join(root, 'scripts/run-samples.mjs'), listFile], { cwd: folder });
}

/** Messages of a bundler about those for browsers. */
export async function bundleSamples(folder, samples) {
  const { build } = await import('esbuild');
  const entryPoints = samples.filter(({ isBrowser }) => isBrowser).map(({ path }) => path);
  if (entryPoints.length === 0) return [];
  try {
    await build({
      entryPoints,
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      splitting: true,
      outdir: folder,
      logLevel: 'silent',
      external: ['node:*'],
    });
    return [];
  } catch (error) {
    return error.errors.map(({ text, location }) =>
      location ? `${placeOf(location.file, location.line)}: ${text}` : text,
    );
  }
}
