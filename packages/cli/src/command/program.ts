import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { CENTRES, certifySettings, GAUGES, PURPOSES } from '../certify/certify-settings.ts';
import { CommandError } from '../command-error.ts';
import { addCorrect } from '../correct/correct-command.ts';
import { CULLINGS } from '../culling/plan-culling.ts';
import { BOUNDS, METHODS } from '../frames/check-options.ts';
import type { IgnoreRule } from '../verdict/name-rules.ts';
import { bake } from './bake.ts';
import { checkFiles } from './check-files.ts';
import { checkSettings, type RawOptions, readConfig, withConfig } from './check-settings.ts';
import {
  BAKE_DESCRIPTION,
  BAKE_EXAMPLES,
  CERTIFY_DESCRIPTION,
  CERTIFY_EXAMPLES,
  CHECK_DESCRIPTION,
  CHECK_EXAMPLES,
  FILES,
  INFO_EXAMPLES,
  MAIN_EXAMPLES,
  MERGE_EXAMPLES,
  MODES_DESCRIPTION,
  MODES_EXAMPLES,
  STUDIO_EXAMPLES,
  WORKER_DESCRIPTION,
  WORKER_EXAMPLES,
} from './help-texts.ts';
import { info } from './info.ts';
import { merge } from './merge.ts';
import { parseInteger, parseNumber, parseRange, parseTimes } from './parse.ts';
import { studio } from './studio.ts';

/** The command line. `finish` is told the exit code. */
export function createProgram(finish: (exitCode: number) => void): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const program = new Command('pliant')
    .description(
      'Finds triangles that go through one another, in meshes and in every frame of an animation. Exact.',
    )
    .version(version)
    .helpCommand(false)
    .addHelpText('after', MAIN_EXAMPLES)
    .allowExcessArguments()
    .action((_, { args }: Command) => {
      const names = program.commands.map((command) => command.name()).join(', ');
      throw new CommandError(
        args.length > 0 ? `there is no command "${args[0]}", only ${names}` : `which command? ${names}`,
      );
    });
  addCheck(program, finish);
  addBake(program, finish);
  addInfo(program, finish);
  addMerge(program, finish);
  addModes(program, finish);
  addCertify(program, finish);
  addCorrect(program, finish);
  addStudio(program, finish);
  addWorker(program, finish);
  return program;
}

function addCheck(program: Command, finish: (exitCode: number) => void): void {
  const rules: IgnoreRule[] = [];
  const ignore = (pattern: string) => {
    rules.push({ pattern });
    return rules;
  };
  const ignoreWith = (other: string) => {
    const last = rules.at(-1);
    if (last === undefined || last.other !== undefined) {
      throw new CommandError('every --with needs an --ignore before it');
    }
    rules[rules.length - 1] = { pattern: last.pattern, other };
    return rules;
  };
  program
    .command('check')
    .summary('find contacts: exit code 0 without, 1 with')
    .description(CHECK_DESCRIPTION)
    .argument('<file...>', `${FILES}; several .glb or .gltf are checked one after the other`)
    .optionsGroup('Frames:')
    .option('--clip <name>', 'only this clip; repeatable; an unnamed clip is its number', collect)
    .option('--fps <n>', 'frames per second of a clip (default: 30)')
    .option('--frames <a-b>', 'only these frames of each clip, counted from 0, both included')
    .option('--times <t,t,...>', 'these times of each clip, in seconds, instead of even frames')
    .option('--modes <path>', 'move the mesh by these modes, as `pliant modes` stored them')
    .option('--poses <path>', '… in these poses: .npy, frames × modes (default: those of a recorded motion)')
    .option('--shard <i/n>', 'only the i-th of n parts of the frames; put together by `pliant merge`')
    .optionsGroup('What is looked at (default: within each node’s mesh and between all nodes):')
    .option('--self', 'only within each mesh')
    .option('--between', 'only between nodes, or between two files')
    .option('--adjacent', 'also folds: triangles that share a vertex and meet beyond it')
    .option('--continuous', 'the steps between frames, without gaps; tells when each pair first touches')
    .option(
      '--include-collapsed',
      'also meshes that are flattened or shrunk to a point, as by a scale of 0; they are left out otherwise',
    )
    .option('--ignore <glob>', 'leave out contacts of nodes, materials or groups with this name; repeatable')
    .option('--with <glob>', '… but only their contacts with this name')
    .optionsGroup('Results:')
    .option('--json <path>', 'write the pairs as JSON; - for stdout')
    .option('--html <path>', 'write a report to look at: one file, works offline')
    .option('--stats <path>', 'write times and counts of work as JSON')
    .option(
      '--max-pairs <n>',
      'list at most the lowest n pairs of each frame; all are counted (default: 1000000)',
    )
    .addOption(
      new Option('--format <name>', 'what to print (default: text)').choices(['text', 'github', 'junit']),
    )
    .option('--quiet', 'print nothing but errors')
    .optionsGroup('Builds:')
    .option('--allow <path>', 'known contacts, which do not fail the check')
    .option('--write-allow <path>', 'write the contacts that were found as known ones')
    .option('--min-frames <n>', 'only contacts that last for n frames in a row fail the check')
    .option('--config <path>', 'a JSON file of these options, such as { "fps": 60 }')
    .optionsGroup('How it is done (the answer is the same):')
    .option('--threads <n>', 'threads that share the frames (default: all cores, as far as they pay)')
    .addOption(new Option('--method <name>', 'how pairs are found (default: auto)').choices(METHODS))
    .option('--bounds <name>', `volumes around parts of a mesh: ${BOUNDS.join(', ')} (default: auto)`)
    .option(
      '--certificates <path>',
      'proofs that `pliant certify` wrote, verified before they are used; of several files, a folder',
    )
    .option('--no-certificates', 'no proofs at all: neither stored nor prepared ones')
    .option('--cull <name>', `proofs that spare work: ${CULLINGS.join(', ')} (default: auto)`)
    .optionsGroup('On other machines (`pliant worker` does the work; docs/queue.md):')
    .option('--queue <url>', 'the Redis that workers listen to: redis://host:6379, or rediss:// with TLS')
    .option('--job-frames <n>', 'frames in one job (default: as many as take about a second)')
    .option(
      '--open-jobs <n>',
      'most jobs in the queue at a time (default: 4 for each thread of the workers)',
    );
  addQueueOptions(program.commands.at(-1)!)
    .addHelpText('after', CHECK_EXAMPLES)
    .action(async (paths: string[], options: Record<string, unknown>) => {
      const { config, ...rest } = dashed(options);
      const raw = withConfig(config === undefined ? {} : await readConfig(String(config)), rest);
      finish(await checkFiles(paths, checkSettings(raw)));
    });
  const command = program.commands.at(-1)!;
  command.options.find(({ long }) => long === '--ignore')!.argParser(ignore);
  command.options.find(({ long }) => long === '--with')!.argParser(ignoreWith);
}

function addBake(program: Command, finish: (exitCode: number) => void): void {
  program
    .command('bake')
    .summary('write deformed frames as OBJ files')
    .description(BAKE_DESCRIPTION)
    .argument('<file...>', FILES)
    .requiredOption('-o, --out <dir>', 'folder for frame_<clip>_<index>.obj and frames.json; made if missing')
    .option('--clip <name>', 'only this clip; repeatable; an unnamed clip is its number', collect)
    .option('--fps <n>', 'frames per second of a clip (default: 30)')
    .option('--frames <a-b>', 'only these frames of each clip, counted from 0, both included')
    .option('--times <t,t,...>', 'these times of each clip, in seconds, instead of even frames')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', BAKE_EXAMPLES)
    .action(async (paths: string[], options: Record<string, unknown>) => {
      const { clip, fps, frames, times, out, quiet } = options;
      const settings = {
        clips: (clip as string[] | undefined) ?? [],
        fps: fps === undefined ? 30 : parseNumber('--fps', fps, 1e-3, 1e6),
        frames: frames === undefined ? undefined : parseRange('--frames', frames),
        times: times === undefined ? undefined : parseTimes('--times', times),
        continuous: false,
      };
      finish(await bake(paths, { frames: settings, folder: String(out), quiet: quiet === true }));
    });
}

function addInfo(program: Command, finish: (exitCode: number) => void): void {
  program
    .command('info')
    .summary('what is in a file: counts, joints, clips, closedness, defects')
    .description(
      'Shows what is in a file: counts, joints, clips with durations, closedness, welded seams and defects; of what Pliant has stored, such as modes: kind, version, hash, settings and counts.',
    )
    .argument('<file...>', `${FILES}; or a .pliant file`)
    .option('--json <path>', 'write it as JSON; - for stdout')
    .addHelpText('after', INFO_EXAMPLES)
    .action(async (paths: string[], { json }: { json?: string }) => {
      finish(await info(paths, json));
    });
}

function addMerge(program: Command, finish: (exitCode: number) => void): void {
  program
    .command('merge')
    .summary('put the shards of a check together')
    .description(
      'Puts the JSON files of all shards of one check together. The result is, byte for byte, what one run would have written.',
    )
    .argument('<file...>', 'what `pliant check --shard i/n --json` wrote, in any order')
    .requiredOption('-o, --out <path>', 'the merged file; - for stdout')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', MERGE_EXAMPLES)
    .action(async (paths: string[], { out, quiet }: { out: string; quiet?: boolean }) => {
      finish(await merge(paths, out, quiet === true));
    });
}

function addModes(program: Command, finish: (exitCode: number) => void): void {
  program
    .command('modes')
    .summary('compute and store modes: the shapes a body vibrates in')
    .description(MODES_DESCRIPTION)
    .argument('<file...>', FILES)
    .requiredOption('-o, --out <path>', 'the file of modes, such as body.pliant')
    .optionsGroup('Which modes:')
    .option(
      '--kind <name>',
      'linear, nonlinear, polynomial, morph or sequence (default: linear, or sequence)',
    )
    .option('--count <n>', 'how many (default: 30; 24 polynomial ones)')
    .option(
      '--import <path>',
      'a mode matrix (.npy) for this mesh: (3 × vertices, modes) or (modes, vertices, 3)',
    )
    .option('--mesh <name>', 'which mesh of a glTF file')
    .optionsGroup('The solid (default: the tetrahedra of the file, or a lattice):')
    .option('--vertices <n>', 'about how many vertices the lattice has (default: 10000)')
    .option('--cell-size <x>', 'or the side of its cells')
    .option('--tetrahedra <path>', 'or a file of tetrahedra around the surface')
    .option(
      '--fix <rule>',
      'hold what lies there, such as "y<0.1", "z>95%" or "x<0,y<1"; repeatable',
      collect,
    )
    .option('--young <x>', 'Young’s modulus: stiffness (default: 1e6)')
    .option('--poisson <x>', 'Poisson’s ratio (default: 0.45)')
    .option('--density <x>', 'mass per volume (default: 1000)')
    .optionsGroup('Results:')
    .option('--npy <path>', 'write the displacements for NumPy, too: (modes, vertices, 3)')
    .option('--json <path>', 'write frequencies and what was done as JSON; - for stdout')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', MODES_EXAMPLES)
    .action(async (paths: string[], options: Record<string, unknown>) => {
      const { modesSettings } = await import('../modes/modes-settings.ts');
      const { modes } = await import('./modes.ts'); // large, and needed here only
      finish(await modes(paths, modesSettings(options)));
    });
}

function addCertify(program: Command, finish: (exitCode: number) => void): void {
  program
    .command('certify')
    .summary('prepare proofs that make checks of morph targets and modes faster')
    .description(CERTIFY_DESCRIPTION)
    .argument('<file...>', 'a .glb or .gltf; frames or a mesh and its point cache; or a mesh, with --modes')
    .option('-o, --out <path>', 'the certificates (default: hero.pliant beside hero.glb); - for stdout')
    .option('--modes <path>', 'modes of the mesh, as `pliant modes` stored them')
    .option('--mesh <name>', 'only this mesh; repeatable', collect)
    .addOption(new Option('--for <who>', 'who is to use them (default: both)').choices(PURPOSES))
    .optionsGroup('What is proved:')
    .addOption(
      new Option(
        '--gauge <name>',
        'which weights, and how far they are from rest: any, by length (ball); none below 0, by length (one-sided) or by the largest (box); default: as the clips suggest, box without',
      ).choices(GAUGES),
    )
    .option(
      '--reach <x>',
      'up to this length or largest weight (default: as far as the clips go; else 2, box 1)',
    )
    .option(
      '--tolerance <x>',
      'part of the squared radius that may be given away, from 0 to 1 (default: 0.09)',
    )
    .addOption(
      new Option('--centres <name>', 'around the rest pose, or also around poses of clips').choices(CENTRES),
    )
    .option('--no-ignore-rest-contacts', 'what touches at rest spoils its part, instead of being left out')
    .optionsGroup('How it is done:')
    .option('--threads <n>', 'threads that share the work (default: all cores)')
    .option('--force', 'prepare everything again, even where nothing has changed')
    .optionsGroup('Results:')
    .option('--json <path>', 'write what was done as JSON; - for stdout')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', CERTIFY_EXAMPLES)
    .action(async (paths: string[], options: Record<string, unknown>) => {
      const { certify } = await import('./certify.ts');
      finish(await certify(paths, certifySettings(options)));
    });
}

function addStudio(program: Command, finish: (exitCode: number) => void): void {
  program
    .command('studio')
    .summary('look at contacts in the browser')
    .description(
      'Opens the studio in the browser: our scenes, or your own model. Nothing leaves this computer. The address holds a token that is new with every start; requests without it are refused.',
    )
    .argument('[file...]', 'a model to inspect, as for `pliant check`')
    .option('--edit', 'open the model, or a project, in the shape editor')
    .option('--port <n>', 'where to listen (default: any free port)')
    .option('--no-open', 'only print the address')
    .addHelpText('after', STUDIO_EXAMPLES)
    .action(async (paths: string[], options: { port?: string; open: boolean; edit?: boolean }) => {
      const { open, edit } = options;
      const port = options.port === undefined ? 0 : parseInteger('--port', options.port, 1, 65535);
      finish(await studio(paths, { port, open, edit }));
    });
}

function addWorker(program: Command, finish: (exitCode: number) => void): void {
  const command = program
    .command('worker')
    .summary('do the work of `pliant check --queue` on this machine')
    .description(WORKER_DESCRIPTION)
    .requiredOption('--queue <url>', 'the Redis with the jobs: redis://host:6379, or rediss:// with TLS')
    .option('--threads <n>', 'jobs that are done at a time (default: all cores)');
  addQueueOptions(command)
    .option(
      '--lease <s>',
      'what a silent worker holds is given to others after so many seconds (default: 30)',
    )
    .option('--grace <s>', 'after Ctrl-C, what takes longer is given back to the queue (default: 5)')
    .option('--idle <s>', 'end when there has been nothing to do for so many seconds (default: never)')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', WORKER_EXAMPLES)
    .action(async (options: Record<string, unknown>) => {
      const { worker, workerSettings } = await import('./worker.ts');
      finish(await worker(workerSettings(dashed(options))));
    });
}

/** Those that `check` and `worker` share. */
function addQueueOptions(command: Command): Command {
  return command
    .option(
      '--shared-root <dir>',
      'a folder that all machines have: files below it are not sent through Redis',
    )
    .option('--queue-name <name>', 'keeps groups of workers at one Redis apart (default: pliant)')
    .option('--queue-ca <path>', 'certificate authority of a rediss:// server, as PEM')
    .option('--queue-cert <path>', 'our own certificate, as PEM; with --queue-key')
    .option('--queue-key <path>', 'its private key')
    .option(
      '--queue-timeout <s>',
      'give up when Redis, or every worker, is away for so long (default: 300; 10 for the first answer)',
    );
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** `maxPairs` is `max-pairs` in a settings file and in messages. `with` is part of the rules in `ignore`. */
function dashed({ with: _, ...options }: Record<string, unknown>): RawOptions {
  const entries = Object.entries(options).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(entries);
}
