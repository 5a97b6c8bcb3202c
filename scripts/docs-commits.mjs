// Commits that published results and pages name must be in the history: a reader can get at no others.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const UNKNOWN = 'unknown'; // what results say when they do not know
const NAMED = /\b(?:commits?|at) ((?:[0-9a-f]{7,40}(?:, | and )?)+)\b/g;

/** `commits`: of results. `pages`: whose texts may name others. `folder`: of the repository. */
export function checkCommits(commits, pages, folder = root) {
  const places = new Map(
    [...commits].filter((each) => each !== UNKNOWN).map((each) => [each, 'docs/results']),
  );
  for (const page of pages) {
    for (const [, list] of readFileSync(join(root, page), 'utf8').matchAll(NAMED)) {
      for (const [commit] of list.matchAll(/[0-9a-f]{7,40}/g)) {
        if (/[a-f]/.test(commit) && /\d/.test(commit)) places.set(commit, page); // no word and no number
      }
    }
  }
  const count = places.size;
  const reason = whyNot(folder);
  if (reason !== undefined) return { count, problems: [], note: `not looked up: ${reason}` };
  const problems = [...places]
    .filter(([commit]) => !isInHistory(commit, folder))
    .map(([commit, place]) => `${place}: commit ${commit} is not in the history of this repository`);
  return { count, problems };
}

/** Why commits cannot be looked up here, or undefined. */
function whyNot(folder) {
  const shallow = git(['rev-parse', '--is-shallow-repository'], folder);
  if (shallow === undefined) return 'this is no clone of the repository';
  return shallow === 'true' ? 'this is a shallow clone' : undefined;
}

function isInHistory(commit, folder) {
  return git(['merge-base', '--is-ancestor', commit, 'HEAD'], folder) !== undefined;
}

/** What it says, or undefined when it fails. */
function git(args, cwd) {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
