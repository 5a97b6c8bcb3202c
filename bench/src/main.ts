import { runCommand } from './command.ts';

const output = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
};

process.exitCode = await runCommand(process.argv.slice(2), output);
