// npm run size: what typical imports add to a page, measured on the built library, and the table docs/size.md of it.
// With --check: nothing is written, and the exit code is 1 when a limit is passed. --details lists what is in a bundle.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { root, runMain, StepError } from './run.mjs';
import { setUp } from './setup.mjs';

/** Everything one needs to get an answer, by what one wants to know. `limit`: kB of gzip. */
export const IMPORTS = [
  {
    title: 'self-collision',
    code: `export { createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';`,
    limit: 66,
  },
  {
    title: 'two bodies',
    code: `export { createEngine, createTriangleMesh, findCollisions } from 'pliant';`,
    limit: 66,
  },
  {
    title: 'distances',
    code: `export { createEngine, createTriangleMesh, findClosePairs, findNearest } from 'pliant';`,
  },
  {
    title: 'objects of three.js',
    code: `export { createEngine, findCollisions } from 'pliant';
export { bodyFromObject3D, CollisionHelper } from 'pliant/three';`,
  },
  {
    title: 'skinned characters from glTF',
    code: `export { createEngine, findCollisions, findSelfCollisions } from 'pliant';
export { readGltf } from 'pliant/gltf';`,
  },
  {
    title: 'certificates',
    code: `export { createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';
export { prepareCertificatesAsync } from 'pliant/cull';`,
  },
  { title: 'editing with contact', code: `export { createCage, createShape } from 'pliant/edit';` },
  { title: 'mesh files only', code: `export { readMesh } from 'pliant/io';` },
  { title: 'everything in pliant', code: `export * from 'pliant';` },
];

/** What a page loads before its first answer, and what it may load later, in bytes. */
export async function measure(code) {
  const { build } = await import('esbuild'); // here: it may have to be installed first
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: join(root, 'packages/studio') }, // from where `pliant` is found
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    splitting: true,
    outdir: 'out',
    write: false,
    metafile: true,
    absWorkingDir: root,
    external: ['three', '@gltf-transform/core'],
    logLevel: 'error',
  });
  const entry = Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === '<stdin>');
  const atOnce = new Set([entry]);
  for (const name of atOnce) {
    for (const { kind, path } of metafile.outputs[name].imports) {
      if (kind === 'import-statement' && path in metafile.outputs) atOnce.add(path);
    }
  }
  const sizes = { minified: 0, gzip: 0, brotli: 0, later: 0 };
  for (const { path, contents } of outputFiles) {
    const gzip = gzipSync(contents, { level: 9 }).length;
    if (![...atOnce].some((name) => path.endsWith(name))) {
      sizes.later += gzip;
      continue;
    }
    sizes.minified += contents.length;
    sizes.gzip += gzip;
    sizes.brotli += brotliCompressSync(contents).length;
  }
  return { sizes, metafile, atOnce };
}

/** Errors: StepError for what is larger than it may be. */
export async function checkSizes() {
  for (const { title, code, limit } of IMPORTS) {
    if (limit === undefined) continue;
    const { gzip } = (await measure(code)).sizes;
    if (gzip > 1000 * limit) {
      throw new StepError(
        `${title}: ${kilobytes(gzip)} with gzip, the limit is ${limit} (npm run size -- --details)`,
      );
    }
  }
}

const HEADING = `# What an import weighs

Bundles of typical imports by esbuild, minified, with the kernels: the WebAssembly is inside the JavaScript. "At once" is
what a page loads before its first answer, "later" what it loads only in need (more threads; kernels in TypeScript where
WebAssembly is refused). three.js is not counted. kB are 1000 bytes. Made by \`npm run size\`; \`npm test\` checks the limits.

`;

async function table() {
  const rows = [];
  for (const { title, code, limit } of IMPORTS) {
    const { minified, gzip, brotli, later } = (await measure(code)).sizes;
    const names = [...code.matchAll(/export (?:\{ (.*?) \}|(\*)) from '(.*?)'/g)].map(
      ([, some, all, from]) => `\`${some ?? all}\` of \`${from}\``,
    );
    const most = limit === undefined ? '' : `${limit} kB`;
    rows.push([title, names.join('; '), ...[minified, gzip, brotli, later].map(kilobytes), most]);
  }
  const head = ['for', 'names', 'minified', 'gzip', 'brotli', 'later (gzip)', 'limit (gzip)'];
  const line = (cells) => `| ${cells.join(' | ')} |\n`;
  const rule = head.map((_, k) => (k < 2 ? '---' : '---:'));
  return HEADING + [head, rule, ...rows].map(line).join('');
}

async function printDetails() {
  const { metafile, atOnce } = await measure(IMPORTS[0].code);
  for (const name of atOnce) {
    const { bytes, inputs } = metafile.outputs[name];
    console.log(`${name}: ${bytes} bytes`);
    const sorted = Object.entries(inputs).sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput);
    for (const [path, { bytesInOutput }] of sorted)
      console.log(`${String(bytesInOutput).padStart(9)}  ${path}`);
  }
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async (args) => {
    await setUp({ parts: ['kernels', 'library'] });
    if (args.includes('--details')) return printDetails();
    if (args.includes('--check')) return checkSizes();
    const text = await table();
    const path = join(root, 'docs/size.md');
    if (readFileSync(path, { encoding: 'utf8', flag: 'a+' }) !== text) writeFileSync(path, text);
    process.stdout.write(text);
    return checkSizes();
  });
}
