// The help of the command, as its page shows it: <!-- help check --> and a fence.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root, StepError } from './run.mjs';

const PAGE = 'docs/command.md';
const BLOCK = /(<!-- help ?(\w*) -->\n```txt\n)(.*?)(\n```)/gs;

/** Messages about what the page says otherwise, or leaves out. */
export async function checkHelp() {
  const { text, blocks } = await compare();
  const problems = blocks
    .filter(({ shown, help }) => shown !== help)
    .map(({ command, offset }) => {
      const line = text.slice(0, offset).split('\n').length;
      return `${PAGE}:${line}: not what \`pliant ${command} --help\` says; npm run docs -- --update`;
    });
  const there = new Set(blocks.map(({ command }) => command));
  for (const command of await listCommands()) {
    if (!there.has(command)) problems.push(`${PAGE}: lacks <!-- help ${command} -->`);
  }
  return { count: blocks.length, problems };
}

/** Writes the page anew. */
export async function updateHelp() {
  const { text, blocks } = await compare();
  const helpOf = new Map(blocks.map(({ command, help }) => [command, help]));
  const updated = text.replaceAll(BLOCK, (_, start, command, __, end) => start + helpOf.get(command) + end);
  writeFileSync(join(root, PAGE), updated);
  return blocks.length;
}

async function compare() {
  const text = readFileSync(join(root, PAGE), 'utf8');
  const found = [...text.matchAll(BLOCK)];
  const blocks = await Promise.all(
    found.map(async ({ index, 2: command, 3: shown }) => ({
      command,
      shown,
      offset: index,
      help: await readHelp(command),
    })),
  );
  return { text, blocks };
}

async function listCommands() {
  const help = await readHelp('');
  return ['', ...[...help.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map(([, name]) => name)];
}

const known = new Map();

function readHelp(command) {
  if (!known.has(command)) known.set(command, askForHelp(command));
  return known.get(command);
}

async function askForHelp(command) {
  const program = join(root, 'packages/cli/bin/pliant.mjs');
  const args = [program, ...(command === '' ? [] : [command]), '--help'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return stdout.trim();
  } catch (error) {
    throw new StepError(`pliant ${command} --help failed: ${error.message}`);
  }
}
