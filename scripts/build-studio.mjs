// Builds the studio into packages/studio/dist, a static site, and copies it to where the command serves it from.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, runMain, runTool } from './run.mjs';

await runMain(async () => {
  const folder = join(root, 'packages/studio');
  const exitCode = await runTool('vite', ['build', '--logLevel', 'warn'], { cwd: folder });
  if (exitCode !== 0) return exitCode;
  const target = join(root, 'packages/cli/dist/studio');
  const [made, old] = [`${target}.new`, `${target}.old`];
  for (const path of [made, old]) rmSync(path, { recursive: true, force: true });
  mkdirSync(join(root, 'packages/cli/dist'), { recursive: true });
  cpSync(join(folder, 'dist'), made, { recursive: true });
  if (existsSync(target)) renameSync(target, old);
  renameSync(made, target);
  rmSync(old, { recursive: true, force: true });
  return 0;
});
