import type { Figures } from '../figures.ts';
import { from, headline, type Line, line, type Paper, size } from '../paper.ts';
import { type Curve, drawLines } from '../svg.ts';

/** Table 2: average radii by level of the tree. */
const RADII = {
  onDemand: [43.89, 26.17, 8.05, 3.95, 1.77, 0.94, 0.63, 0.43, 0.3],
  bottomUp: [45.68, 24.63, 9.21, 4.58, 2.27, 1.17, 0.74, 0.49, 0.35],
  best: [33.33, 19.39, 7.31, 3.7, 1.7, 0.92, 0.61, 0.42, 0.3],
};

/** Table 3 and figure 7: two dwarfs, each triangle cut into four again and again. */
const SUBDIVIDED = [
  { size: '2k', triangles: 1664, ms: 1.33, bottomUp: 5.24, tests: 4866, speedup: 3.9, apart: 32 },
  { size: '7k', triangles: 6656, ms: 2.17, bottomUp: 18.1, tests: 9309, speedup: 8.34, apart: 126 },
  { size: '27k', triangles: 26_624, ms: 3.8, bottomUp: 66.37, tests: 17_083, speedup: 17.47, apart: 502 },
  { size: '106k', triangles: 106_496, ms: 8.04, bottomUp: 260, tests: 37_682, speedup: 32.34, apart: 1995 },
];

const LARGER_MEN =
  'men of 27,694 triangles; the man of the paper has 8,270, its creature 13,590, and ratios grow with resolution';

/** Sizes of the characters of bench `skin`; a test counts them. */
export const MODELS = {
  dwarf: '1,634 triangles before they are subdivided',
  dwarfJoints: '23 joints',
  man: '27,694 triangles; about 13,300 in the crowd',
  manJoints: '21 joints',
};

export const kavan: Paper = {
  name: 'kavan',
  title: 'Fast Collision Detection for Skeletally Deformable Models',
  authors: 'Kavan and Žára 2005',
  machine: '2.5 GHz Athlon',
  remarks: [
    'Men, dwarfs and crowds are our own procedural characters with a walk, not the models of the paper: its creature is a man of ours, and its crowd of 50 creatures is one of men and dwarfs. The paper has spheres; we have boxes by default, and its spheres beside them in Table 2.',
    '“Bottom-up” is the same on both sides: every vertex is deformed, every volume refitted, and a depth-first traversal follows. Ours chooses by itself in every frame what to refit.',
  ],
  tables: [
    {
      place: 'Table 1',
      title: 'The models',
      lines: [
        size('dwarf: triangles', 1664, '', MODELS.dwarf),
        size('dwarf: joints', 45, '', MODELS.dwarfJoints),
        size('man: triangles', 8270, '', MODELS.man),
        size('man: joints', 27, '', MODELS.manJoints),
        size('creature: triangles', 13_590, '', 'no creature: men and dwarfs stand in for it'),
        size('creature: joints', 56, '', 'no creature: men and dwarfs stand in for it'),
      ],
    },
    {
      place: 'Table 2',
      title: 'Radii of refitted volumes over the best possible ones',
      remark:
        'The paper’s ratios are computed from its average radii. Its creature has an n-ary tree of 9 levels, our man a binary one.',
      lines: [
        headline('spheres on demand, at the root', ratioAt(0), '× the best', spheres('root')),
        line(
          'spheres on demand, mean of the levels',
          meanOfLevels(RADII.onDemand),
          '× the best',
          levels('sphere-skin'),
        ),
        line(
          'spheres bottom-up, mean of the levels',
          meanOfLevels(RADII.bottomUp),
          '× the best',
          'not measured: we have none',
        ),
        line('our boxes, at the root', 'not given', '× the best', 'bounds/man/root-boxes'),
        line('our boxes, mean of the levels', 'not given', '× the best', levels('boxes')),
      ],
    },
    {
      place: 'Section 5',
      title: 'Two men meet; two creatures go through each other; a crowd of 50',
      remark:
        'Two men of ours in the first three scenes, with 27,694 triangles each: more than three times as many as the man of the paper and twice as many as its creature, which makes bottom-up refitting slower in proportion. Those of the crowd have about 13,300, the creatures of the paper 13,590. How far apart the two men walk was chosen so that their hands just brush.',
      lines: [
        ...scene('two men meet', 'meeting-28k', { ms: 0.36, bottomUp: 18.13, speedup: 50 }),
        ...scene('through each other', 'through-28k', { ms: 6.97, bottomUp: 37.1, speedup: 5.3 }),
        ...scene('through each other, first hit', 'through-28k-first-hit', {
          ms: 0.82,
          bottomUp: 30.18,
          speedup: 37,
        }),
        headline('crowd of 50: speed-up', 15, 'x', 'skin/crowd-50/speedup-vs-depth-first'),
        line('crowd of 50: on demand', 52.83, 'ms', 'skin/crowd-50/frame-ms'),
        line('crowd of 50: bottom-up', 779.3, 'ms', 'skin/crowd-50/frame-ms-depth-first'),
        size('crowd of 50: frames with contact', 'not given', '%', 'skin/crowd-50/contact-frames'),
      ],
    },
    {
      place: 'Table 3',
      title: 'Two subdivided dwarfs, interfering',
      remark:
        'One posture in the paper; ours walk side by side for 60 frames and touch in 62 % of them. Volume tests are of boxes.',
      lines: SUBDIVIDED.flatMap(({ size: name, ms, bottomUp, tests, speedup, triangles }) => {
        const place = `skin/dwarfs-${name}-interfering`;
        const what = `${triangles.toLocaleString('en')} triangles`;
        return [
          line(`${what}: on demand`, ms, 'ms', `${place}/frame-ms`),
          line(`${what}: bottom-up`, bottomUp, 'ms', `${place}/frame-ms-depth-first`),
          line(`${what}: volume tests on demand`, tests, '', `${place}/box-tests-per-frame`),
          line(`${what}: speed-up`, speedup, 'x', `${place}/speedup-vs-depth-first`, {
            isHeadline: name === '106k',
          }),
        ];
      }),
    },
    {
      place: 'Figure 7',
      title: 'The same, apart',
      lines: SUBDIVIDED.map(({ size: name, triangles, apart }) =>
        line(
          `${triangles.toLocaleString('en')} triangles: speed-up`,
          apart,
          'x',
          `skin/dwarfs-${name}-apart/speedup-vs-depth-first`,
          { isHeadline: name === '106k' },
        ),
      ),
    },
  ],
  plots: [
    {
      name: 'kavan-table-3',
      place: 'Table 3 and figure 7',
      title: 'Speed-up of two dwarfs by resolution',
      needs: SUBDIVIDED.flatMap(({ size: name }) => [
        `skin/dwarfs-${name}-interfering` as const,
        `skin/dwarfs-${name}-apart` as const,
      ]),
      draw: drawDwarfs,
    },
    {
      name: 'kavan-table-2',
      place: 'Table 2',
      title: 'How much larger volumes are than the best possible, by depth in the tree',
      needs: ['bounds/man'],
      draw: drawRadii,
    },
    {
      name: 'kavan-growth',
      place: 'Section 5, scalability',
      title: 'Time per frame of two men that meet, by resolution',
      needs: ['skin/growth'],
      draw: drawGrowth,
    },
  ],
};

function ratioAt(level: number): number {
  return RADII.onDemand[level] / RADII.best[level];
}

function meanOfLevels(radii: readonly number[]): number {
  return mean(...radii.map((radius, level) => radius / RADII.best[level]));
}

function mean(...values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function spheres(metric: string) {
  return from('bounds/man', [`${metric}-sphere-skin`]);
}

function levels(variant: string) {
  return from('bounds/man', [`level-*-${variant}`], mean);
}

interface Times {
  readonly ms: number;
  readonly bottomUp: number;
  readonly speedup: number;
}

function scene(what: string, name: string, { ms, bottomUp, speedup }: Times): Line[] {
  return [
    line(`${what}: on demand`, ms, 'ms', `skin/${name}/frame-ms`),
    line(`${what}: bottom-up`, bottomUp, 'ms', `skin/${name}/frame-ms-depth-first`),
    headline(`${what}: speed-up`, speedup, 'x', `skin/${name}/speedup-vs-depth-first`, LARGER_MEN),
    size(`${what}: frames with contact`, 'not given', '%', `skin/${name}/contact-frames`),
  ];
}

function drawDwarfs(figures: Figures): string | undefined {
  const x = SUBDIVIDED.map(({ triangles }) => triangles);
  const ours = (which: string): Curve => ({
    name: `${which}, ours`,
    x,
    y: SUBDIVIDED.map(
      ({ size: name }) =>
        figures.value(`skin/dwarfs-${name}-${which}`, 'speedup-vs-depth-first') ?? Number.NaN,
    ),
  });
  const curves = [ours('apart'), ours('interfering')];
  if (curves.every(({ y }) => y.every(Number.isNaN))) return undefined;
  return drawLines({
    title: kavan.plots[0].title,
    x: { label: 'triangles of each dwarf', log: true },
    y: { label: 'times faster than bottom-up', log: true },
    curves: [
      ...curves,
      { name: 'apart, paper', x, y: SUBDIVIDED.map(({ apart }) => apart), isPaper: true, colour: 0 },
      {
        name: 'interfering, paper',
        x,
        y: SUBDIVIDED.map(({ speedup }) => speedup),
        isPaper: true,
        colour: 1,
      },
    ],
  });
}

/** Trees of different depth: from 0, the root, to 1, the last level. */
function drawRadii(figures: Figures): string | undefined {
  const depths = (count: number) => Array.from({ length: count }, (_, k) => k / (count - 1));
  const ours = (name: string, variant: string): Curve => {
    const y = figures
      .rows('bounds/man')
      .filter(({ metric }) => metric.startsWith('level-') && metric.endsWith(`-${variant}`))
      .map(({ value }) => value);
    return { name, x: depths(y.length), y };
  };
  const curves = [ours('our boxes', 'boxes'), ours('the paper’s spheres, our man', 'sphere-skin')];
  if (curves.some(({ y }) => y.length < 2)) return undefined;
  const paper = (radii: readonly number[]) => radii.map((radius, level) => radius / RADII.best[level]);
  return drawLines({
    title: kavan.plots[1].title,
    x: { label: 'depth in the tree: 0 is the root, 1 the last level' },
    y: { label: 'radius over the best possible', from: 1 },
    curves: [
      ...curves,
      { name: 'paper, on demand', x: depths(9), y: paper(RADII.onDemand), isPaper: true, colour: 1 },
      { name: 'paper, bottom-up', x: depths(9), y: paper(RADII.bottomUp), isPaper: true, colour: 2 },
    ],
  });
}

const SIZES = [7, 28, 112, 448];

function drawGrowth(figures: Figures): string | undefined {
  const curve = (name: string, metric: string): Curve => ({
    name,
    x: SIZES.map((thousands) => 1000 * thousands),
    y: SIZES.map((thousands) => figures.value('skin/growth', metric, `growth-${thousands}k`) ?? Number.NaN),
  });
  const curves = [
    curve('ours', 'frame-ms'),
    curve('bottom-up, depth-first', 'frame-ms-depth-first'),
    curve('our batch path', 'frame-ms-batch'),
  ];
  if (curves.some(({ y }) => y.some(Number.isNaN))) return undefined;
  return drawLines({
    title: kavan.plots[2].title,
    x: {
      label: figures.quick
        ? 'triangles of each man, ten times as many as measured (quick)'
        : 'triangles of each man',
      log: true,
    },
    y: { label: 'ms per frame', log: true },
    curves,
  });
}
