import { join } from 'node:path';
import { root, runMain, runNode, StepError } from './run.mjs';
import { setUp } from './setup.mjs';

const HELP = `Usage: npm run docs -- [option]

  (none)      shows the pages in a server that follows changes
  --build     writes them to docs/.vitepress/dist
  --check     runs all samples, follows all links, compares help texts, equations, figures and commits
  --update    writes the help of the command into docs/command.md, and figures of docs/results into the pages
  --help      this text
`;

await runMain(async (args) => {
  const [option, ...rest] = args;
  const known = [undefined, '--build', '--check', '--update', '--help'];
  if (!known.includes(option) || (rest.length > 0 && option !== undefined)) {
    throw new StepError(`unknown option ${args.join(' ')}\n\n${HELP}`, 2);
  }
  if (option === '--help') {
    console.log(HELP);
    return 0;
  }
  await setUp({ parts: ['kernels', 'library', 'report-page', 'cli'] });
  if (option === '--check' || option === '--update') {
    const { checkDocs, updateDocs } = await import('./check-docs.mjs');
    return option === '--check' ? checkDocs() : updateDocs();
  }
  const { buildApi } = await import('./docs-api.mjs');
  await buildApi();
  return option === '--build' ? buildSite() : runVitepress('dev', 'inherit');
});

async function buildSite() {
  const start = Date.now();
  const exitCode = await runVitepress('build', 'held-back');
  if (exitCode === 0) {
    console.log(
      `docs/.vitepress/dist: built in ${((Date.now() - start) / 1000).toFixed(1)} s, no dead links`,
    );
  }
  return exitCode;
}

function runVitepress(command, output) {
  const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js');
  return runNode([vitepress, command, join(root, 'docs')], { output });
}
