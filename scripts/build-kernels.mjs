// Compiles the AssemblyScript kernels (those of queries, and those of certificates and shapes) and the module of sparse
// factorisation, and writes all three as base64 text.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const library = join(root, 'packages/pliant');
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('assemblyscript/package.json')),
  'bin/asc.js',
);
const COMMON = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--enable', 'simd'];

const SHARED = ['--enable', 'threads', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'];
const EXTRA = ['--memoryBase', '3072']; // above the tables of the others, below FIRST_ADDRESS of src/kernels/memory.ts
const NOTE = '// Made by scripts/build-kernels.mjs from packages/pliant/kernels.\n';

export function buildKernels() {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-kernels-'));
  try {
    const [own, shared] = [[], SHARED].map((flags) => compile(folder, 'index.ts', flags));
    const extra = compile(folder, 'extra.ts', EXTRA);
    const patch = patchBetween(own, shared);
    writeGenerated('kernels-wasm.ts', {
      KERNELS_DEFLATED: deflateSync(own, { level: 9, memLevel: 9 }).toString('base64'),
      SHARED_KERNELS: patch,
    });
    // Not deflated: it is unpacked without waiting, which browsers cannot do with what is deflated.
    writeGenerated('extra-kernels-wasm.ts', {
      EXTRA_KERNELS_BASE64: extra.toString('base64'),
      SHARED_EXTRA: samePatch(patch, own, extra),
    });
    // A module of its own: every factor has an instance, whose memory goes away with it.
    const factor = compile(folder, 'algebra/index.ts', []);
    writeGenerated('factor-wasm.ts', { FACTOR_BASE64: factor.toString('base64') });
    replaceFile(join(library, 'dist/kernels.wasm'), own);
    replaceFile(join(library, 'dist/extra-kernels.wasm'), extra);
    replaceFile(join(library, 'dist/factor.wasm'), factor);
    return { kernels: own.length, extra: extra.length, factor: factor.length };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Where two modules differ. Kernels for shared memory declare it differently, and nothing else. */
function patchBetween(own, shared) {
  let from = 0;
  while (own[from] === shared[from]) from++;
  let tail = 0;
  while (own.at(-1 - tail) === shared.at(-1 - tail)) tail++;
  tail = Math.min(tail, own.length - from, shared.length - from);
  const bytes = [...shared.subarray(from, shared.length - tail)];
  if (bytes.length > 32) throw new Error('the kernels for shared memory differ in more than its declaration');
  return { from, to: own.length - tail, bytes };
}

/** The same declaration elsewhere. */
function samePatch({ from, to, bytes }, own, other) {
  const at = other.indexOf(own.subarray(from, to));
  if (at < 0) throw new Error('the two modules of kernels declare their memory differently');
  return { from: at, to: at + to - from, bytes };
}

function writeGenerated(name, values) {
  const lines = Object.entries(values).map(
    ([key, value]) => `export const ${key} = ${JSON.stringify(value)};\n`,
  );
  replaceFile(join(library, 'src/kernels/generated', name), NOTE + lines.join(''));
}

function compile(folder, entry, flags) {
  const out = join(folder, 'module.wasm');
  const args = [compiler, join(library, 'kernels', entry), '-o', out, ...COMMON, ...flags];
  execFileSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  return readFileSync(out);
}

/** At once: whoever reads it meanwhile gets the old file or the new one. */
function replaceFile(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { kernels, extra, factor } = buildKernels();
  console.log(`kernels: ${kernels} bytes, extra ones ${extra} bytes, factorisation ${factor} bytes`);
}
