// Running the installed command for npm run scratch.
import { spawn } from 'node:child_process';
import './localhost.mjs';

/** Resolves when it ends, whatever its exit code. */
export function runCommand(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }));
  });
}

/** Starts the studio, looks at it and stops it. */
export async function startStudio(bin, cwd) {
  const child = spawn(process.execPath, [bin, 'studio', '--no-open'], {
    cwd,
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  try {
    return await visitStudio(child);
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

/** Waits until a process prints the address of a studio, and fetches its page and the script in it. */
export async function visitStudio(child) {
  const address = await findAddress(child);
  const page = await fetchText(address);
  const script = /src="([^"]+\.js)"/.exec(page)?.[1];
  if (!/<title>[^<]*Pliant/i.test(page) || script === undefined)
    throw new Error('its page is not the studio');
  const text = await fetchText(new URL(script, address));
  return `its page and ${(text.length / 1000).toFixed(0)} kB of script`;
}

function findAddress(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    const look = (chunk) => {
      text += chunk;
      const address = /http:\/\/localhost:\d+\/\S*/.exec(text)?.[0];
      if (address) resolve(address);
    };
    child.stdout.on('data', look);
    child.stderr?.on('data', look);
    child.on('close', (code) => reject(new Error(`it ended with code ${code}: ${text}`)));
  });
}

async function fetchText(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} for ${address}`);
  return response.text();
}

function collect(stream) {
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Nothing that points back into the repository. */
function cleanEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD|NODE_PATH)/.test(name)),
  );
}
