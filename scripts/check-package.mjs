// Uses the built library as its users do: imports every subpath, type-checks a program against it the two ways
// TypeScript resolves packages, and runs the samples of the README. Then looks at what npm would publish.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { checkContents } from './check-contents.mjs';
import { root, runMain, runNode, runTool, StepError } from './run.mjs';
import { checkSizes } from './size.mjs';

const library = join(root, 'packages/pliant');

const CONSUMER = `
import { type CollisionReport, createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';
export async function main(positions: Float64Array, triangles: Uint32Array): Promise<CollisionReport> {
  const engine = await createEngine({ kernels: 'auto' });
  const body = engine.createFreeBody(createTriangleMesh({ positions, triangles }));
  body.setPose(positions);
  return findSelfCollisions(body, { method: 'batch' });
}
// @ts-expect-error: a typo must not go unnoticed
createTriangleMesh({ position: [], triangles: [] });
`;

await runMain(async () => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/check-package-')); // below the root, so that `pliant` is found
  try {
    const specifiers = builtSpecifiers();
    checkExtensions();
    checkStudio();
    for (const specifier of specifiers) await import(specifier);
    for (const resolution of ['Bundler', 'NodeNext']) await checkTypes(folder, specifiers, resolution);
    const samples = await runSamples(folder);
    console.log(`${specifiers.join(', ')}: imported and type-checked; ${samples} samples of the README run`);
    console.log(await checkContents());
    await checkSizes();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Subpaths whose source does not exist yet are left out; one that exists must have been built. */
function builtSpecifiers() {
  const { name, exports } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'));
  const paths = Object.keys(exports).filter((path) => existsSync(join(library, 'src', path, 'index.ts')));
  for (const path of paths) {
    for (const target of Object.values(exports[path])) {
      if (!existsSync(join(library, target))) throw new StepError(`${name}: ${path} lacks ${target}`);
    }
  }
  return paths.map((path) => name + path.slice(1));
}

/** A `.ts` left in an import works for us and for nobody else. */
function checkExtensions() {
  for (const name of readdirSync(join(library, 'dist'))) {
    if (!/\.(js|d\.ts)$/.test(name)) continue;
    const text = readFileSync(join(library, 'dist', name), 'utf8');
    const leak = /(?:from|import)\s*\(?\s*['"]\.[^'"]*(?<!\.d)\.ts['"]/.exec(text);
    if (leak) throw new StepError(`dist/${name}: ${leak[0]}`);
  }
}

/** The studio goes with the command, and may stand under any path: its addresses are relative. */
function checkStudio() {
  const path = 'packages/cli/dist/studio/index.html';
  if (!existsSync(join(root, path))) throw new StepError(`${path} is missing`);
  const absolute = /(?:src|href)="(?:\/|https?:)[^"]*"/.exec(readFileSync(join(root, path), 'utf8'));
  if (absolute) throw new StepError(`${path}: ${absolute[0]} is not relative`);
}

async function checkTypes(folder, specifiers, resolution) {
  const imports = specifiers.map((specifier, i) => `import * as part${i} from '${specifier}';`);
  const uses = specifiers.map((_, i) => `export type Part${i} = keyof typeof part${i};`);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, 'consumer.ts'), [...imports, ...uses, CONSUMER].join('\n'));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    types: [],
    module: resolution === 'NodeNext' ? 'NodeNext' : 'ESNext',
    moduleResolution: resolution,
    skipLibCheck: false, // our .d.ts files are what is being checked
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  const exitCode = await runTool('typescript', ['-p', folder]);
  if (exitCode !== 0)
    throw new StepError(`the types do not work with moduleResolution ${resolution}`, exitCode);
}

async function runSamples(folder) {
  const samples = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```js\n(.*?)^```/gms)];
  for (const [i, [, code]] of samples.entries()) {
    const path = join(folder, `sample-${i + 1}.mjs`);
    writeFileSync(path, code);
    const exitCode = await runNode([path], { output: 'held-back', cwd: folder });
    if (exitCode !== 0) throw new StepError(`sample ${i + 1} of the README fails`, exitCode);
  }
  return samples.length;
}
