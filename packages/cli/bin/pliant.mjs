#!/usr/bin/env node
// The installed command. In a clone of the repository it builds what is missing first.
import { existsSync } from 'node:fs';

const command = new URL('../dist/pliant.js', import.meta.url);
const setup = new URL('../../../scripts/setup.mjs', import.meta.url);

if (!existsSync(command) && existsSync(setup)) await (await import(setup.href)).setUp();
const { main } = await import(command.href);
await main(process.argv.slice(2));
