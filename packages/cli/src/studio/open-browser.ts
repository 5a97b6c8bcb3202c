import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Shows an address in the user's browser, if there is one and a screen to show it on. */
export function openBrowser(address: string): void {
  const found = opener(address);
  if (found === undefined) return;
  const [command, ...args] = found;
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {}) // the address has been printed
    .unref();
}

function opener(address: string): string[] | undefined {
  const { CI, DISPLAY, WAYLAND_DISPLAY, PATH = '' } = process.env;
  if (CI || !process.stdout.isTTY) return undefined;
  if (process.platform === 'darwin') return ['open', address];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  if (!DISPLAY && !WAYLAND_DISPLAY) return undefined;
  const isInstalled = PATH.split(delimiter).some((folder) => existsSync(join(folder, 'xdg-open')));
  return isInstalled ? ['xdg-open', address] : undefined;
}
