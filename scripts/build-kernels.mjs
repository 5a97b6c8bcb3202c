// Compiles the AssemblyScript kernels twice (own memory, shared memory) and the module of sparse factorisation, and
// writes all three as base64 text.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const library = join(root, 'packages/pliant');
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('assemblyscript/package.json')),
  'bin/asc.js',
);
const COMMON = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--enable', 'simd'];

export function buildKernels() {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-kernels-'));
  try {
    const own = compile(folder, 'index.ts', 'kernels.wasm', []);
    const shared = compile(folder, 'index.ts', 'kernels-shared.wasm', [
      '--enable',
      'threads',
      '--sharedMemory',
      '--initialMemory',
      '1',
      '--maximumMemory',
      '65536',
    ]);
    const text = `// Made by scripts/build-kernels.mjs from packages/pliant/kernels.
export const KERNELS_BASE64 = '${own.toString('base64')}';
export const SHARED_KERNELS_BASE64 = '${shared.toString('base64')}';
`;
    replaceFile(join(library, 'src/kernels/generated/kernels-wasm.ts'), text);
    replaceFile(join(library, 'dist/kernels.wasm'), own);
    // A module of its own: every factor has an instance, whose memory goes away with it.
    const factor = compile(folder, 'algebra/index.ts', 'factor.wasm', []);
    const factorText = `// Made by scripts/build-kernels.mjs from packages/pliant/kernels/algebra.
export const FACTOR_BASE64 = '${factor.toString('base64')}';
`;
    replaceFile(join(library, 'src/kernels/generated/factor-wasm.ts'), factorText);
    replaceFile(join(library, 'dist/factor.wasm'), factor);
    return { own: own.length, shared: shared.length, factor: factor.length };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compile(folder, entry, name, flags) {
  const out = join(folder, name);
  execFileSync(
    process.execPath,
    [compiler, join(library, 'kernels', entry), '-o', out, ...COMMON, ...flags],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return readFileSync(out);
}

/** At once: whoever reads it meanwhile gets the old file or the new one. */
function replaceFile(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { own, shared, factor } = buildKernels();
  console.log(`kernels: ${own} bytes, shared ${shared} bytes, factorisation ${factor} bytes`);
}
