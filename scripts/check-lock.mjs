// Tools with native parts come as one optional package per platform. npm leaves those out of the lock file that it
// cannot find while installing, and then `npm ci` refuses the lock file, on this machine or on others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runMain, StepError } from './run.mjs';

await runMain(() => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => !isLocked(packages, path, name, version))
      .map(([name, version]) => `${name}@${version}`),
  );
  if (missing.length === 0) return console.log('package-lock.json holds the packages of every platform');
  throw new StepError(
    `package-lock.json lacks ${missing.join(', ')}: choose a version that is complete in the registry`,
  );
});

/** Looks where Node would: in the package's own node_modules, then outwards. Ranges are taken on trust. */
function isLocked(packages, path, name, version) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const found = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (found !== undefined) return found.version === version || !/^\d/.test(version);
    if (folder === '') return false;
  }
}
