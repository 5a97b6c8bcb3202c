import type { Command } from 'commander';
import { parseInteger, parseNumber } from '../command/parse.ts';

/** What `pliant correct` was told. */
export interface CorrectSettings {
  readonly clip: string | undefined;
  readonly time: number;
  readonly meshes: readonly string[];
  readonly out: string | undefined;
  readonly json: string | undefined;
  readonly ramp: number | undefined;
  readonly vertices: number | undefined;
  readonly quiet: boolean;
}

export function addCorrect(program: Command, finish: (exitCode: number) => void): void {
  program
    .command('correct')
    .summary('undo contacts of one pose by a morph target')
    .description(DESCRIPTION)
    .argument('<file>', 'a .glb or .gltf with a skin')
    .option('--clip <name>', 'the clip; an unnamed one is its number (default: the only one)')
    .requiredOption('--time <t>', 'when in the clip, in seconds')
    .option('-o, --output <path>', 'the corrected file (default: hero.corrected.glb beside hero.glb)')
    .option('--mesh <name>', 'only this node or mesh; repeatable', (value: string, before: string[] = []) => [
      ...before,
      value,
    ])
    .option('--ramp <t>', 'seconds over which the correction comes, and goes again (default: 0.1)')
    .option('--vertices <n>', 'about how many vertices the cage has (default: 10000)')
    .option('--json <path>', 'write what was done as JSON; - for stdout')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Record<string, unknown>) => {
      const { correct } = await import('./correct.ts'); // large, and needed here only
      finish(await correct(path, correctSettings(options)));
    });
}

function correctSettings(options: Record<string, unknown>): CorrectSettings {
  const { clip, time, mesh, output, json, ramp, vertices, quiet } = options;
  return {
    clip: clip as string | undefined,
    time: parseNumber('--time', time, 0, 1e9),
    meshes: (mesh as string[] | undefined) ?? [],
    out: output as string | undefined,
    json: json as string | undefined,
    ramp: ramp === undefined ? undefined : parseNumber('--ramp', ramp, 1e-3, 1e9),
    vertices: vertices === undefined ? undefined : parseInteger('--vertices', vertices, 100, 1e6),
    quiet: quiet === true,
  };
}

const DESCRIPTION = [
  'Takes a skinned mesh apart where it touches itself at one time of a clip, and writes the change into a copy of the',
  'file: as a morph target that the clip drives, with weight 1 at that time. Creases that the skin has pushed through',
  'themselves are eased; what is deeper is moved by the shape editor, as rigidly as possible. What touches in the bind',
  'pose already, and contacts between meshes, are left alone. The result is checked as `pliant check` would.',
  'Exit code 0: nothing is left to correct, or there was nothing (then no file is written); 1: contacts are left; 2: bad',
  'input; 130: interrupted.',
].join(' ');

const EXAMPLES = `
Examples:
  $ pliant check hero.glb                                  finds contacts at 0.533 s of the clip Walk
  $ pliant correct hero.glb --clip Walk --time 0.533333    makes hero.corrected.glb
  $ pliant correct hero.corrected.glb --clip Walk --time 0.9 -o hero2.glb    one more
  $ pliant check hero2.glb --clip Walk --times 0.533333,0.9`;
