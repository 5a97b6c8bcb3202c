// Commands that readers would copy: none may run or install a package of our name that is not ours.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** What is not on npm yet, or there under the name of others. */
const OURS = 'pliant(?:-cli)?(?![\\w./-])';
const TRAPS = [
  [
    new RegExp(`\\bnpx (?!--no-install )(?:-\\S+ )*${OURS}`),
    'npx would fetch and run a package of this name: write npx --no-install',
  ],
  [
    new RegExp(
      `\\b(?:npm (?:i|install|add|exec)|yarn (?:add|dlx)|pnpm (?:add|dlx)|bunx?)\\b[^\\n\`]*?[ ]${OURS}`,
    ),
    'this would install a package of this name: name the file of `npm pack`',
  ],
];

/** Looks for such commands in texts. */
export function checkCommands(files) {
  const problems = [];
  let count = 0;
  for (const file of files) {
    for (const [k, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
      if (/\bpliant\b/.test(line)) count++;
      for (const [pattern, problem] of TRAPS) {
        const [found] = pattern.exec(line) ?? [];
        if (found !== undefined) problems.push(`${file}:${k + 1}: "${found}": ${problem}`);
      }
    }
  }
  return { count, problems };
}
