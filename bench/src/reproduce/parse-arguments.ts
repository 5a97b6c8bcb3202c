/** Its message is one line for whoever typed the command. */
export class UsageError extends Error {}

export interface Options {
  readonly papers: readonly string[]; // none: all
  readonly quick: boolean;
  readonly list: boolean;
  readonly fresh: boolean;
  readonly keep: boolean;
  readonly publish: boolean;
  readonly tablesOnly: boolean;
  readonly png: boolean;
  readonly out?: string;
  readonly only: readonly string[];
  readonly accept: readonly string[];
  readonly merge: readonly string[];
}

const FLAGS = {
  '--quick': 'quick',
  '--list': 'list',
  '--fresh': 'fresh',
  '--keep': 'keep',
  '--publish': 'publish',
  '--tables': 'tablesOnly',
} as const;

export function parseArguments(args: readonly string[], papers: readonly string[]): Options | 'help' {
  const flags = { quick: false, list: false, fresh: false, keep: false, publish: false, tablesOnly: false };
  const named: string[] = [],
    only: string[] = [],
    accept: string[] = [],
    merge: string[] = [];
  let out: string | undefined,
    png = true;
  for (let k = 0; k < args.length; k++) {
    const equals = args[k].startsWith('--') ? args[k].indexOf('=') : -1;
    const option = equals < 0 ? args[k] : args[k].slice(0, equals),
      inline = equals < 0 ? undefined : args[k].slice(equals + 1);
    const value = () => {
      const next = inline ?? args[++k];
      if (next === undefined || next === '' || next.startsWith('--'))
        throw new UsageError(`${option} needs a value`);
      return next;
    };
    /** Everything up to the next option. */
    const values = () => {
      const list = [value()];
      while (inline === undefined && args[k + 1] !== undefined && !args[k + 1].startsWith('--'))
        list.push(args[++k]);
      return list;
    };
    if (option === '--help' || option === '-h') return 'help';
    if (option in FLAGS) flags[FLAGS[option as keyof typeof FLAGS]] = true;
    else if (option === '--no-png') png = false;
    else if (option === '--out') out = value();
    else if (option === '--only') only.push(...value().split(','));
    else if (option === '--accept') accept.push(...values());
    else if (option === '--merge') merge.push(...values());
    else if (option.startsWith('-')) throw new UsageError(`unknown option ${option}; see --help`);
    else if (papers.includes(option)) named.push(option);
    else throw new UsageError(`no paper is called ${option}; there are ${papers.join(', ')}`);
  }
  if (flags.publish && flags.quick) throw new UsageError('quick runs are not published');
  if (flags.publish && out !== undefined)
    throw new UsageError('--publish knows where to write; leave out --out');
  if (flags.publish && named.length > 0)
    throw new UsageError('all papers are published together; leave out their names');
  return { papers: named, ...flags, png, out, only, accept, merge };
}
