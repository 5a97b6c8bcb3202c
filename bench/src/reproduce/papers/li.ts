import type { Figures } from '../figures.ts';
import { from, type Line, line, type Paper, size } from '../paper.ts';
import { drawBars, drawLines, drawShares } from '../svg.ts';

/** Tables 1 and 2. Times in milliseconds per iteration, preparation in seconds. */
interface Example {
  readonly what: string;
  readonly scene: string;
  readonly constraints: number; // in the mean
  readonly basis: readonly [least: number, most: number];
  readonly shares: readonly [place: number, rightHandSides: number, collisions: number, solve: number]; // %
  readonly mean: number;
  readonly meanSpeedup: number;
  readonly longest: number;
  readonly longestSpeedup: number;
  readonly preparation: number;
}

const EXAMPLES: readonly Example[] = [
  {
    what: 'armadillo',
    scene: 'figure-10k',
    constraints: 5.7,
    basis: [43, 133],
    shares: [13, 8.4, 58, 6.1],
    mean: 3.5,
    meanSpeedup: 3.9,
    longest: 30,
    longestSpeedup: 5.3,
    preparation: 2.8,
  },
  {
    what: 'Klara (cloth)',
    scene: 'cloth-12k',
    constraints: 34,
    basis: [100, 885],
    shares: [3.1, 4.8, 8.2, 34],
    mean: 23,
    meanSpeedup: 5.2,
    longest: 139,
    longestSpeedup: 27,
    preparation: 6.6,
  },
  {
    what: 'bunny',
    scene: 'rabbit-70k',
    constraints: 49,
    basis: [50, 555],
    shares: [12, 2.6, 37, 20],
    mean: 19.9,
    meanSpeedup: 26,
    longest: 160,
    longestSpeedup: 96,
    preparation: 61,
  },
  {
    what: 'chimpanzee',
    scene: 'octopus-85k',
    constraints: 47,
    basis: [50, 870],
    shares: [4.2, 16, 29, 15],
    mean: 88.3,
    meanSpeedup: 16,
    longest: 246,
    longestSpeedup: 109,
    preparation: 88,
  },
  {
    what: 'Huangshan pine',
    scene: 'branches-111k',
    constraints: 37,
    basis: [200, 1049],
    shares: [9.2, 17, 22, 10],
    mean: 100,
    meanSpeedup: 2.4,
    longest: 437,
    longestSpeedup: 8.5,
    preparation: 484,
  },
];
const STAGES = ['detect', 'basis', 'local', 'solve', 'place'];
const NEEDS = EXAMPLES.map(({ scene }) => `shapes/${scene}` as const);
const LEVELS = 'shapes/levels';
/** 0: global functions alone. */
const DEPTH_LEVELS = [0, 1, 2, 3];
const MANIPULATORS = 'figures/manipulators';

export const li: Paper = {
  name: 'li',
  title: 'Multi-Resolution Modeling of Shapes in Contact',
  authors: 'Li and Barbič 2019',
  machine: '2 × 6-core 2.3 GHz Intel Xeon, 32 GB, all cores used',
  remarks: [
    'Shapes are procedural: a figure for the armadillo, a sheet over a ball for Klara’s cloth, a rabbit, an octopus for the chimpanzee, a ball with 42 branches for the pine. Cages have about as many vertices as in the paper (within 12 %); drags are scripted. Stanford’s armadillo and bunny, which the paper uses, can be had, but have not been measured.',
    'The full method is ours in the full space: one iteration from each of ten states of the drag, with the contacts that push there, factored anew as in the paper; on one core, as is everything else here. To it is added what finding contacts takes in ours. “over our fastest” is over the full space factored once, with contacts in a Schur complement.',
  ],
  tables: [
    {
      place: 'Table 1',
      title: 'Iterations, against the full space',
      remark:
        'Functions are limited to 320 in ours; the paper has up to 1,049. Where the times of stages add up to more than the step, the bench is wrong about them, and shares are left out.',
      lines: EXAMPLES.flatMap(exampleLines),
    },
    {
      place: 'Table 2',
      title: 'Preparation',
      remark:
        'On one thread. The parts of the paper’s table (hierarchy, clusters, bases, projection) are not measured apart.',
      lines: EXAMPLES.map(({ what, scene, preparation }) =>
        line(`${what}: total`, preparation, 's', `shapes/${scene}/preparation-s`, {
          isHeadline: scene === 'octopus-85k',
        }),
      ),
    },
    {
      place: 'Figure 4',
      title: 'Detail against speed: by the deepest level that contacts bring in',
      remark:
        'Level 0 are the global functions alone, level 1 the first local ones, in the paper and in ours. The paper shows levels 1 to 4 of another scene; ours were measured from 0 to 3, on the figure whose hands meet, where at most 320 functions are in use. Handles wait where they cannot go on.',
      lines: [
        ...([1.19, 1.34, 3.1] as const).map((time, k) =>
          line(
            `time up to level ${k + 2} over level 1`,
            time,
            'x',
            k < 2 ? timeOverFirst(k + 2) : 'not measured: ours ends at level 3',
            { better: 'lower' },
          ),
        ),
        ...DEPTH_LEVELS.map((level) =>
          line(
            `up to level ${level}: deepest during the drag`,
            'not given',
            '% of the diagonal',
            `${LEVELS}/drag-depth-level-${level}`,
          ),
        ),
        ...DEPTH_LEVELS.map((level) =>
          line(
            `up to level ${level}: deepest after settling`,
            'not given',
            '% of the diagonal',
            `${LEVELS}/depth-level-${level}`,
          ),
        ),
      ],
    },
    {
      place: 'Figure 5',
      title:
        'Computing functions anew at every contact, against having them prepared (octopus, about 20k vertices)',
      lines: [
        line('global functions anew', 'not legible', 'ms', 'figures/functions-anew/anew-ms'),
        line('a step of ours, longest', 'not legible', 'ms', 'figures/functions-anew/step-max-ms'),
        line('how many times as long', 'not legible', 'x', 'figures/functions-anew/ratio'),
      ],
    },
    {
      place: 'Figure 7',
      title: 'More global functions bend more naturally',
      remark:
        'The paper shows pictures. Ours is a number: how far the shape is from that of 400 functions (quick: 100), for the same drag without contact.',
      lines: [10, 50].map((count) =>
        line(
          `${count} global functions: largest distance`,
          'not given',
          '% of the diagonal',
          `${MANIPULATORS}/deviation-${count}`,
        ),
      ),
    },
    {
      place: 'Figure 2',
      title: 'Contacts projected out afterwards (Harmon et al. 2011)',
      lines: [
        line(
          'smoothness energy, contacts in the solve',
          'not given',
          '',
          'shapes/projection/smoothness-ours',
        ),
        line(
          'smoothness energy, projected afterwards',
          'not given',
          '',
          'shapes/projection/smoothness-projected',
        ),
        line(
          'depth, contacts in the solve',
          'not given',
          '% of the diagonal',
          'shapes/projection/depth-ours',
        ),
        line(
          'depth, projected afterwards',
          'not given',
          '% of the diagonal',
          'shapes/projection/depth-projected',
        ),
      ],
    },
    {
      place: 'Figure 11',
      title: 'A second thread that computes columns for contacts in advance',
      lines: [
        line(
          'speed-up',
          'not legible',
          'x',
          'not built: the columns take less than a tenth of a step (docs/edit.md)',
        ),
      ],
    },
  ],
  plots: [
    {
      name: 'li-table-1',
      place: 'Table 1',
      title: 'Full space over ours: longest and mean iteration',
      needs: NEEDS,
      draw: drawSpeedups,
    },
    {
      name: 'li-breakdown',
      place: 'Table 1',
      title: 'Where the time of a step goes',
      needs: NEEDS,
      draw: drawStages,
    },
    {
      name: 'li-figure-4',
      place: 'Figure 4',
      title: 'Time and depth by the deepest level of functions',
      needs: [LEVELS],
      draw: drawLevels,
    },
    {
      name: 'li-figure-7',
      place: 'Figure 7',
      title: 'Distance from the shape of 400 global functions, by their number',
      needs: [MANIPULATORS],
      draw: drawManipulators,
    },
  ],
};

function exampleLines({
  what,
  scene,
  constraints,
  basis,
  shares,
  mean,
  meanSpeedup,
  longest,
  longestSpeedup,
}: Example): Line[] {
  const place = `shapes/${scene}`;
  return [
    size(`${what}: contacts (paper: in the mean; ours: at most)`, constraints, '', `${place}/contacts-max`),
    size(`${what}: functions, least`, basis[0], '', `${place}/columns-min`),
    size(`${what}: functions, most`, basis[1], '', `${place}/columns-max`),
    size(`${what}: collision detection, of a step`, shares[2], '%', shareOf(scene, 'detect')),
    size(`${what}: solve, of a step`, shares[3], '%', shareOf(scene, 'solve')),
    size(`${what}: placing the vertices, of a step`, shares[0], '%', shareOf(scene, 'place')),
    line(`${what}: mean step`, mean, 'ms', `${place}/step-mean-ms`),
    line(`${what}: mean, full space over ours`, meanSpeedup, 'x', `${place}/refactor-ratio-mean`, {
      isHeadline: true,
    }),
    line(`${what}: longest step`, longest, 'ms', `${place}/step-max-ms`),
    line(`${what}: longest, full space over ours`, longestSpeedup, 'x', `${place}/refactor-ratio-max`, {
      isHeadline: true,
    }),
  ];
}

function shareOf(scene: string, stage: string) {
  if (scene === 'branches-111k') return 'left out: its stages add up to more than a step';
  return from(`shapes/${scene}`, [`${stage}-mean-ms`, 'step-mean-ms'], (ms, all) => (100 * ms) / all);
}

function timeOverFirst(level: number) {
  const metrics = [`step-mean-ms-level-${level}`, 'step-mean-ms-level-1'];
  return from(LEVELS, metrics, (ms, first) => ms / first);
}

function drawSpeedups(figures: Figures): string | undefined {
  const groups = EXAMPLES.map(({ what, scene, longestSpeedup, meanSpeedup }) => ({
    name: what,
    values: [
      figures.value(`shapes/${scene}`, 'refactor-ratio-max'),
      longestSpeedup,
      figures.value(`shapes/${scene}`, 'refactor-ratio-mean'),
      meanSpeedup,
    ],
  }));
  if (groups.every(({ values }) => values[0] === undefined)) return undefined;
  return drawBars({
    title: li.plots[0].title,
    y: { label: 'times as long', log: true, from: 1 },
    bars: [
      { name: 'longest, ours' },
      { name: 'longest, paper', isPaper: true, colour: 0 },
      { name: 'mean, ours', colour: 1 },
      { name: 'mean, paper', isPaper: true, colour: 1 },
    ],
    groups,
  });
}

function drawStages(figures: Figures): string | undefined {
  const rows = EXAMPLES.flatMap(({ what, scene }) => {
    const shares = STAGES.map((stage) => figures.value(`shapes/${scene}`, `${stage}-mean-ms`));
    const total = figures.value(`shapes/${scene}`, 'step-mean-ms');
    if (!shares.every((share) => share !== undefined) || total === undefined) return [];
    return shares.reduce((sum, share) => sum + share, 0) <= total
      ? [{ name: what, note: `${total.toPrecision(3)} ms`, shares }]
      : [];
  });
  if (rows.length === 0) return undefined;
  return drawShares({
    title: li.plots[1].title,
    parts: ['finding contacts', 'functions', 'rotations', 'solve', 'placing vertices'],
    rows,
  });
}

function drawLevels(figures: Figures): string | undefined {
  const read = (metric: string) =>
    DEPTH_LEVELS.map((level) => figures.value(LEVELS, `${metric}-level-${level}`) ?? Number.NaN);
  const times = read('step-mean-ms'),
    depths = read('drag-depth');
  if ([...times, ...depths].some(Number.isNaN)) return undefined;
  return drawLines({
    title: li.plots[2].title,
    x: { label: 'deepest level of functions; 0 are the global ones alone', whole: true },
    y: { label: 'over level 1' },
    curves: [
      { name: 'time of a step, ours', x: DEPTH_LEVELS, y: times.map((ms) => ms / times[1]) },
      {
        name: 'deepest during the drag, ours',
        x: DEPTH_LEVELS,
        y: depths.map((depth) => depth / (depths[1] || 1)),
      },
      { name: 'time of a step, paper', x: [1, 2, 3, 4], y: [1, 1.19, 1.34, 3.1], isPaper: true, colour: 0 },
    ],
  });
}

function drawManipulators(figures: Figures): string | undefined {
  const [series] = figures.series(MANIPULATORS);
  if (series === undefined) return undefined;
  return drawLines({
    title: li.plots[3].title,
    x: { label: 'global functions' },
    y: { label: 'largest distance, % of the diagonal' },
    curves: [{ name: 'ours', x: series.x, y: series.y }],
  });
}
