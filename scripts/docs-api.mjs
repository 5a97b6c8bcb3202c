// The reference of all names: TypeDoc turns the index of every subpath into pages below docs/api.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inputsHash } from './build-steps.mjs';
import { root, StepError } from './run.mjs';

const library = join(root, 'packages/pliant');
const out = join(root, 'docs/api');
const generated = join(root, 'docs/.vitepress/generated');
const stampFile = join(generated, 'api.stamp');

/** The subpaths that have an index: '.' is ''. */
export function listSubpaths() {
  const { exports } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'));
  return Object.keys(exports)
    .map((path) => path.slice(2))
    .filter((name) => existsSync(join(library, 'src', name, 'index.ts')));
}

/** Nothing happens when neither the sources nor this file have changed. */
export async function buildApi() {
  const stamp = inputsHash({
    inputs: ['packages/pliant/src', 'packages/pliant/package.json', 'scripts/docs-api.mjs'],
    tools: ['typedoc', 'typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
  });
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const start = Date.now();
  rmSync(out, { recursive: true, force: true });
  rmSync(stampFile, { force: true });
  mkdirSync(generated, { recursive: true });
  await runTypedoc();
  writeFileSync(join(out, 'index.md'), firstPage());
  renameSync(join(out, 'typedoc-sidebar.json'), join(generated, 'api-sidebar.json'));
  writeFileSync(stampFile, stamp);
  const pages = readdirSync(out, { recursive: true }).filter((name) => name.endsWith('.md')).length;
  console.error(`Wrote ${pages} pages of reference in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
}

/** What each subpath is for; a new one is listed without, until it gets a line here. */
const ABOUT = {
  '': 'meshes, bodies, queries',
  cull: 'proofs that spare queries work: certificates',
  edit: 'shapes that are taken hold of, and contacts of skins undone',
  gltf: 'reading glTF, playing its clips, adding morph targets',
  io: 'mesh files, point caches, modes, stored certificates',
  shapes: 'procedural meshes and characters with a motion',
  simulate: 'elastic bodies, modes, reduced dynamics, sound',
  solid: 'tetrahedra inside a surface, distances, winding numbers',
  three: 'bodies from objects of three.js, and a helper that draws reports',
};

function firstPage() {
  const rows = listSubpaths().map((name) => {
    const path = name === '' ? 'pliant' : `pliant/${name}`;
    return `| [${path}](/${join('api', path)}/) | ${ABOUT[name] ?? ''} |`;
  });
  return `# API reference

All names that can be imported, from the comments of the sources.

| import | what |
|---|---|
${rows.join('\n')}

\`pliant/pool.worker\` and \`pliant/task.worker\` are what threads run, and \`pliant/kernels.wasm\` is the compiled kernels: for
bundlers and servers that want their addresses. Most programs need none of these.
`;
}

async function runTypedoc() {
  const { Application, Converter, ReflectionKind } = await import('typedoc');
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
    tsconfig: join(library, 'tsconfig.json'),
    entryPoints: listSubpaths().map((name) => join(library, 'src', name, 'index.ts')),
    name: 'API reference',
    readme: 'none',
    router: 'member',
    out,
    docsRoot: join(root, 'docs'),
    sidebar: { autoConfiguration: true, format: 'vitepress', pretty: false, collapsed: true },
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    disableSources: true,
    skipErrorChecking: true, // `npm test` has done that
    hidePageHeader: true,
    hideBreadcrumbs: false,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'list',
    useCodeBlocks: true,
    validation: { notExported: false, invalidLink: false },
    logLevel: 'Warn',
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = module.name === 'index' ? 'pliant' : `pliant/${module.name}`;
    }
  });
  const project = await app.convert();
  if (project === undefined) throw new StepError('TypeDoc could not read the library');
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new StepError('TypeDoc failed');
}
