// A home folder that cannot be written, as in containers and on build machines.
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Variables that let npm keep its cache in `folder`; none where its own can be written. npm tells scripts where its cache
 * is; where npm did not start us, it is in the home folder.
 */
export function npmCacheVariables(folder, env = process.env, home = homedir(), canWrite = isWritable) {
  const { npm_config_cache: told, LOCALAPPDATA } = env;
  const usual = LOCALAPPDATA ? join(LOCALAPPDATA, 'npm-cache') : join(home, '.npm');
  return canWrite(told ?? usual) ? {} : { npm_config_cache: folder };
}

/** Whether the folder can be written, or be made where it is missing. */
export function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    const parent = dirname(folder);
    return error.code === 'ENOENT' && parent !== folder && isWritable(parent);
  }
}
