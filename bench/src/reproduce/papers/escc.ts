import type { Figures } from '../figures.ts';
import { headline, type Line, line, type Paper, type PrintedTimes, size, timeLines } from '../paper.ts';
import { drawBars, drawLines, drawShares } from '../svg.ts';

/** Table 1. Preparation: Green's functions, certificates and planes; times are per frame. */
interface Example extends PrintedTimes {
  readonly what: string;
  readonly scene: string; // '' for none of ours
  readonly difficulty: number;
  readonly memory?: number; // MB
}

/** How scenes came about where that favours us, beside their speed-ups. */
const NOTES: Readonly<Record<string, string>> = {
  'tentacle-ball-1m':
    '812 tentacles sway by 0.75 of the usual amplitude of our shape; at the usual one an earlier version reached 4.3 over depth-first and 0.99 over our fastest, which is why it was made smaller',
  'flowing-cloth-51k':
    'a scripted fold; its amplitude, 0.9, was chosen by us, with the ratio and the share of contact in view',
  'spring-16k':
    'a scripted motion; its amplitude, 0.77 of the usual one, was chosen by us, with the ratio and the share of contact in view',
  'snake-18k':
    'a scripted motion; how far it bends was chosen by us, with the ratio and the share of contact in view',
  'waves-51k':
    'a scripted motion of a procedural cloth, nothing recorded; its amplitude was chosen by us, with the ratio and the share of contact in view',
  'bodies-16': 'ours bend their ears by a script, they do not fall; all touch themselves in some phase of it',
  'cloth-on-ball-continuous':
    'the first 24 of 48 frames; over all of them, at the end of which the cloth is a heap, an earlier version reached 4.1 over depth-first and 0.99 over our fastest',
};

const EXAMPLES: readonly Example[] = [
  example('squishy ball', 'tentacle-ball-1m', 5469.7 + 548.7 + 1064, 3100, 270, 11.5, 0.72, 354.8),
  example('monkeys', '', 966.8 + 201.2 + 144.3, 379.4, 49.7, 7.6, 0.41, 83.2),
  example('flowing cloth', 'flowing-cloth-51k', 467 + 183.6 + 77.6, 124.6, 6.5, 19.1, 0.1, 24.9),
  example('16 bunnies', 'bodies-16', 112.3 + 37.6 + 14.7, 448.2, 29.3, 15.3, 0.21),
  example('dragon', 'dragon-77k', 140.9 + 36.7 + 48.3, 320.8, 12.3, 26.1, 0.22, 37.5),
  example('spring wire', 'spring-16k', 129 + 17.4 + 10.3, 33.2, 1.2, 25.6, 0.1),
  example('snake', 'snake-18k', 230.2 + 76 + 45.7, 44, 4.9, 9, 0.71),
  example('dance', 'dancer-14k', 223.5 + 36.6 + 34.5, 33.1, 5.8, 5.7, 0.55, 8.3),
  example('flag', 'flag-13k', 136.1 + 27.7 + 24.2, 41.5, 5, 8.3, 0.29),
  example('bunny (low res.)', '', 123.7 + 25.4 + 10.4, 41.7, 7.6, 5.5, 0.42, 7.9),
  example('bunny (high res.)', 'ball-smooth-54k', 453.9 + 256.6 + 44.5, 169.7, 41.1, 4.2, 0.36, 34.8),
  example('bunny (noisy)', 'ball-noisy-54k', 403.4 + 158.5 + 18.9, 185.7, 55.9, 3.3, 0.78),
  example('bunny (spiky)', 'ball-spiky-54k', 238.4 + 147.2 + 8, 194.9, 95.5, 2, 1.3),
  example('cloth sphere', 'cloth-on-ball-20k', 216.3 + 59.6 + 50.1, 54.4, 12, 4.5, 0.4, 9.5),
  example('cat', 'cat-41k', 344.6 + 73.4 + 28.1, 130.1, 31.9, 4.1, 0.66),
  example('collapsing horse', 'crumple-25k', 138.7 + 45 + 17.7, 108.7, 78.2, 1.4, 4.12),
  example('cloth-sphere 2', '', 516.8 + 176.2 + 62.8, 52.4, 15.5, 3.4, 0.98),
];
const NONE = 'not measured: no such scene of ours';

const CONTINUOUS = [
  { what: 'monkey', scene: '', aabb: 2100, escc: 220, speedup: 9.2 },
  { what: 'dragon', scene: 'dragon-continuous', aabb: 2300, escc: 78, speedup: 29.3 },
  { what: 'cloth sphere', scene: 'cloth-on-ball-continuous', aabb: 300, escc: 61, speedup: 4.9 },
];

/** Recorded sequences beside the paper's, and one that is scripted. */
const OTHERS = ['kick', 'tshirt', 'cesium-man', 'waves-51k'];
/** Rows of the bench, and what they are. */
const COST_PARTS = [
  ['copy', 'copying the pose'],
  ['energies', 'energies'],
  ['proofs', 'proofs'],
  ['search', 'boxes and search of what is left'],
] as const;
const BREAKDOWN = ['spring-16k', 'flag-13k', 'flowing-cloth-51k', 'dragon-77k'];
const LEVELS = ['flag-13k', 'flowing-cloth-51k', 'dragon-77k', 'cat-41k', 'crumple-25k'];
const COVER = 'figures/cover';
const CONSERVATIVE = 'figures/conservativeness';

export const escc: Paper = {
  name: 'escc',
  title: 'Energy-based Self-Collision Culling for Arbitrary Mesh Deformations',
  authors: 'Zheng and James 2012',
  machine: 'two 2.93 GHz Intel Xeon X5570, 8 cores, all of them used',
  remarks: [
    'Scenes are procedural or our own simulations, with about as many triangles as in the paper (within 6 %), and motions in the same spirit. Balls with bumps, noise and spikes stand in for its bunnies, a walking creature for its cat, a crumpling ball for its collapsing horse. Some models of the paper can be had (its cloth of 10,201 vertices comes with Vega FEM, bunny and dragon from Stanford), but have not been measured. Culling difficulty says how alike scenes are: most of ours are much easier.',
    'The paper uses eight cores for both sides, we use one. Its certificates cover patches of up to 2,500 triangles (128 in the squishy ball), ours up to 1024.',
    '“AABB” is our depth-first traversal. Our own fastest way without certificates is much faster than that, and certificates gain little over it or nothing in many of the scenes: the last column.',
  ],
  tables: [
    {
      place: 'Table 1',
      title: 'Frames with and without energy certificates, culling difficulty, memory',
      remark: 'Preparation of the paper is the sum of its three parts, on eight cores.',
      lines: EXAMPLES.flatMap(exampleLines),
    },
    {
      place: 'Table 2',
      title: 'Queries over motions (continuous)',
      lines: CONTINUOUS.flatMap(({ what, scene, aabb, escc: mine, speedup }) => {
        const ours = (metric: string) => (scene === '' ? NONE : `escc/${scene}/${metric}`);
        return [
          line(`${what}: AABB`, aabb, 'ms', ours('frame-ms-depth-first')),
          line(`${what}: ESCC`, mine, 'ms', ours('frame-ms')),
          scene === ''
            ? line(`${what}: speed-up`, speedup, 'x', NONE)
            : headline(`${what}: speed-up`, speedup, 'x', ours('speedup-vs-depth-first'), NOTES[scene]),
          ...(scene === ''
            ? []
            : [size(`${what}: frames with contact`, 'not given', '%', ours('contact-frames'))]),
        ];
      }),
    },
    {
      place: 'Figure 3',
      title: 'Culling by size of patches (flag)',
      remark:
        'Share of the patches of a size that a proof of their own clears; the paper’s is a plot without numbers.',
      lines: [512, 256, 128, 64].map((triangles) =>
        line(
          `patches of about ${triangles} triangles`,
          'not legible',
          '%',
          `escc/flag-13k/cleared-patches-of-${triangles}`,
          { better: 'higher' },
        ),
      ),
    },
    {
      place: 'Figure 7',
      title: 'What energies cost',
      remark:
        'The paper splits its update into bounding boxes, affine maps and energies; the scan does not show which of its four rows is which. Ours are per triangle, in frames in which certificates do not rest.',
      lines: BREAKDOWN.flatMap((scene) => [
        ...COST_PARTS.map(([part, what]) =>
          line(`${scene}: ${what}`, 'not legible', 'ns per triangle', `escc/${scene}/cost-${part}-ns`),
        ),
      ]),
    },
    {
      place: 'Beyond the paper',
      title: 'The same motion of a cloth with more triangles',
      lines: ['10k', '30k', '100k', '300k', '1000k'].flatMap((size) => [
        line(`${size}: against depth-first`, 'not given', 'x', `escc/scaling/speedup-vs-depth-first-${size}`),
        line(
          `${size}: against our batch query, our fastest`,
          'not given',
          'x',
          `escc/scaling/speedup-vs-batch-${size}`,
        ),
        line(`${size}: frame`, 'not given', 'ms', `escc/scaling/frame-ms-${size}`),
      ]),
    },
    {
      place: 'Figure 8',
      title: 'From one optimisation to the next (flowing cloth)',
      remark: 'The paper’s bars are not legible. Ours: the same frames in four ways.',
      lines: [
        line('depth-first', 'not legible', 'ms', 'escc/flowing-cloth-51k/frame-ms-depth-first'),
        line(
          'level by level, 16-bit boxes, static front',
          'not legible',
          'ms',
          'escc/flowing-cloth-51k/frame-ms-fastest',
        ),
        line(
          'the same on the connected tree',
          'not legible',
          'ms',
          'escc/flowing-cloth-51k/frame-ms-connected',
        ),
        line('with energy certificates', 'not legible', 'ms', 'escc/flowing-cloth-51k/frame-ms'),
      ],
    },
    {
      place: 'Figure 9',
      title: 'Frames by how many nodes have certificates (cover ratio)',
      remark:
        'Patches of up to 64, 128, … triangles have proofs; the paper’s curves have no legible numbers. In the plot: a smooth motion and a violent one.',
      lines: ['smooth', 'violent'].flatMap((motion) =>
        [64, 512].map((largest) =>
          line(
            `${motion}, patches up to ${largest}`,
            'not legible',
            'ms',
            `${COVER}/${motion}-ms-up-to-${largest}`,
          ),
        ),
      ),
    },
    {
      place: 'Figure 11',
      title: 'Conservativeness: needless triangle tests per proof that holds',
      remark:
        'Mean over the motion. A proof counts where the node above has none that holds; needless tests are of triangles that do not touch.',
      lines: ['flag', 'dragon', 'cloth-on-ball', 'cat', 'crumple'].map((scene) =>
        line(scene, 'not legible', '', `${CONSERVATIVE}/${scene}`),
      ),
    },
    {
      place: 'beside the paper',
      title: 'Recorded sequences, and waves of cloth',
      lines: OTHERS.flatMap((scene) => [
        line(`${scene}: speed-up`, 'not given', 'x', `escc/${scene}/speedup-vs-depth-first`, {
          note: NOTES[scene],
        }),
        size(`${scene}: frames with contact`, 'not given', '%', `escc/${scene}/contact-frames`),
        size(`${scene}: culling difficulty`, 'not given', '', `escc/${scene}/culling-difficulty`),
      ]),
    },
  ],
  plots: [
    {
      name: 'escc-table-1',
      place: 'Table 1',
      title: 'Speed-up of self-queries by energy certificates',
      needs: scenes(),
      draw: drawSpeedups,
    },
    {
      name: 'escc-difficulty',
      place: 'Table 1',
      title: 'Speed-up by culling difficulty',
      needs: scenes(),
      draw: drawDifficulty,
    },
    {
      name: 'escc-figure-3',
      place: 'Figure 3',
      title: 'Patches that are cleared, by their size',
      needs: LEVELS.map((scene) => `escc/${scene}` as const),
      draw: drawLevels,
    },
    {
      name: 'escc-figure-7',
      place: 'Figure 7',
      title: 'Where the time of a frame with certificates goes',
      needs: BREAKDOWN.map((scene) => `escc/${scene}` as const),
      draw: drawBreakdown,
    },
    {
      name: 'escc-figure-8',
      place: 'Figure 8',
      title: 'The same frames in four ways',
      needs: BREAKDOWN.map((scene) => `escc/${scene}` as const),
      draw: drawWays,
    },
    {
      name: 'escc-figure-9',
      place: 'Figure 9',
      title: 'Time of a frame by the share of nodes with proofs',
      needs: [COVER],
      draw: drawCover,
    },
    {
      name: 'escc-figure-11',
      place: 'Figure 11',
      title: 'Needless triangle tests per proof that holds, over the motion',
      needs: [CONSERVATIVE],
      draw: drawConservativeness,
    },
  ],
};

function example(
  what: string,
  scene: string,
  preparation: number,
  plain: number,
  culled: number,
  speedup: number,
  difficulty: number,
  memory?: number,
): Example {
  return { what, scene, preparation, plain, culled, speedup, difficulty, ...(memory ? { memory } : {}) };
}

function exampleLines({ what, scene, difficulty, memory, ...times }: Example): Line[] {
  if (scene === '') return [line(`${what}: speed-up`, times.speedup, 'x', NONE)];
  const place = `escc/${scene}`;
  return [
    ...timeLines(what, place, times, ['AABB', 'ESCC', 'speed-up'], NOTES[scene]),
    size(`${what}: culling difficulty`, difficulty, '', `${place}/culling-difficulty`),
    ...(memory === undefined ? [] : [line(`${what}: memory`, memory, 'MB', `${place}/certificate-mb`)]),
    size(`${what}: frames with contact`, 'not given', '%', `${place}/contact-frames`),
  ];
}

function scenes() {
  return EXAMPLES.filter(({ scene }) => scene !== '').map(({ scene }) => `escc/${scene}` as const);
}

function drawSpeedups(figures: Figures): string | undefined {
  const groups = EXAMPLES.filter(({ scene }) => scene !== '').map(({ what, scene, speedup }) => ({
    name: what,
    values: [
      figures.value(`escc/${scene}`, 'speedup-vs-depth-first'),
      figures.value(`escc/${scene}`, 'speedup-vs-fastest'),
      speedup,
    ],
  }));
  if (groups.every(({ values }) => values[0] === undefined)) return undefined;
  return drawBars({
    title: escc.plots[0].title,
    y: { label: 'times faster than without', log: true, from: 0.9 },
    bars: [
      { name: 'ours, over depth-first' },
      { name: 'ours, over our fastest' },
      { name: 'paper', isPaper: true, colour: 0 },
    ],
    groups,
  });
}

function drawDifficulty(figures: Figures): string | undefined {
  const byDifficulty = (points: readonly (readonly [number, number])[]) => {
    const sorted = [...points].sort((a, b) => a[0] - b[0]);
    return { x: sorted.map(([x]) => x), y: sorted.map(([, y]) => y) };
  };
  const ours = EXAMPLES.flatMap(({ scene }): [number, number][] => {
    const difficulty = figures.value(`escc/${scene}`, 'culling-difficulty'),
      speedup = figures.value(`escc/${scene}`, 'speedup-vs-depth-first');
    return difficulty !== undefined && speedup !== undefined && difficulty > 0 ? [[difficulty, speedup]] : [];
  });
  if (ours.length < 3) return undefined;
  return drawLines({
    title: escc.plots[1].title,
    x: { label: 'culling difficulty: tests of triangles apart on the surface, per triangle', log: true },
    y: { label: 'times faster than without', log: true, from: 1 },
    curves: [
      { name: 'ours, over depth-first', ...byDifficulty(ours) },
      {
        name: 'paper',
        ...byDifficulty(EXAMPLES.map(({ difficulty, speedup }) => [difficulty, speedup] as const)),
        isPaper: true,
      },
    ],
    points: true,
  });
}

function drawLevels(figures: Figures): string | undefined {
  const curves = LEVELS.map((scene) => {
    const rows = figures
      .rows(`escc/${scene}`)
      .filter(({ metric }) => metric.startsWith('cleared-patches-of-'));
    return {
      name: scene,
      x: rows.map(({ metric }) => Number(metric.slice('cleared-patches-of-'.length))),
      y: rows.map(({ value }) => value),
    };
  }).filter(({ x }) => x.length > 0);
  if (curves.length === 0) return undefined;
  return drawLines({
    title: escc.plots[2].title,
    x: { label: 'triangles of a patch', log: true },
    y: { label: '% cleared by a proof of their own', to: 100 },
    curves,
  });
}

function drawBreakdown(figures: Figures): string | undefined {
  const rows = BREAKDOWN.flatMap((scene) => {
    const shares = COST_PARTS.map(([part]) => figures.value(`escc/${scene}`, `cost-${part}-ns`));
    if (!shares.every((share) => share !== undefined)) return [];
    const whole = shares.reduce((sum, share) => sum + share, 0);
    return [{ name: scene, note: `${whole.toPrecision(3)} ns per triangle`, shares }];
  });
  if (rows.length === 0) return undefined;
  return drawShares({ title: escc.plots[3].title, parts: COST_PARTS.map(([, what]) => what), rows });
}

function drawWays(figures: Figures): string | undefined {
  const metrics = ['frame-ms-depth-first', 'frame-ms-fastest', 'frame-ms-connected', 'frame-ms'];
  const groups = BREAKDOWN.map((scene) => ({
    name: scene,
    values: metrics.map((metric) => figures.value(`escc/${scene}`, metric)),
  }));
  if (groups.every(({ values }) => values[0] === undefined)) return undefined;
  return drawBars({
    title: escc.plots[4].title,
    y: { label: 'ms per frame', log: true },
    bars: [
      { name: 'depth-first' },
      { name: 'our fastest' },
      { name: 'connected tree' },
      { name: 'with energy certificates' },
    ],
    groups,
  });
}

function drawCover(figures: Figures): string | undefined {
  const curves = figures.series(COVER).map(({ name, x, y }) => ({ name, x, y: y.map((ms) => ms / y[0]) }));
  if (curves.length === 0) return undefined;
  return drawLines({
    title: escc.plots[5].title,
    x: { label: 'nodes of 32 triangles and more with a proof of their own, %' },
    y: { label: 'time of a frame, over that with the fewest' },
    curves,
  });
}

function drawConservativeness(figures: Figures): string | undefined {
  const curves = figures
    .series(CONSERVATIVE)
    .map(({ name, x, y }) => ({ name, x, y: y.map((value) => Math.max(value, 1e-4)) }));
  if (curves.length === 0) return undefined;
  return drawLines({
    title: escc.plots[6].title,
    x: { label: 'share of the motion' },
    y: { label: 'needless tests per proof (at least 0.0001)', log: true },
    curves,
    dots: false,
  });
}
