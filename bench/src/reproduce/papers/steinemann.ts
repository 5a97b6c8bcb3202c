import type { Figures } from '../figures.ts';
import { from, headline, type Line, line, type Paper, type PaperTable, size } from '../paper.ts';
import { type Curve, drawBars, drawLines } from '../svg.ts';

/** Table 1: microseconds for one box, by vertices and nodes, and for the best box. */
const BOX_COSTS = [
  { vertices: '3.5k', size: '3-5k', count: 3500, costs: [15, 35, 90], best: 2000 },
  { vertices: '30k', size: '30k', count: 30_000, costs: [18, 48, 100], best: 17_200 },
  { vertices: '145k', size: '145k', count: 145_000, costs: [18, 46, 100], best: 82_500 },
];
const NODES = [65, 225, 509];

interface HangingRow {
  readonly name: string;
  readonly what: string;
  readonly full: readonly [refit: number, query: number, total: number];
  readonly ours: readonly [refit: number, query: number, total: number];
  readonly speedup: number;
}

/** Table 2, in milliseconds. */
const HANGING: readonly HangingRow[] = [
  row(
    'hanging-3k-115',
    '2,857 vertices, 115 nodes, small contacts',
    [37.1, 2.12, 39.3],
    [1.83, 5.72, 7.55],
    5.2,
  ),
  row(
    'hanging-3k-550',
    '2,857 vertices, 550 nodes, small contacts',
    [37.1, 2.12, 39.3],
    [2.36, 5.6, 7.97],
    4.9,
  ),
  row(
    'hanging-45k',
    '45,682 vertices, 115 nodes, small contacts',
    [575.7, 5.89, 581.6],
    [4.54, 16.6, 21.1],
    27.5,
  ),
  row(
    'hanging-45k-550',
    '45,682 vertices, 550 nodes, small contacts',
    [575.7, 5.89, 581.6],
    [5.77, 18.7, 24.5],
    23.7,
  ),
  row(
    'hanging-3k-115-large',
    '2,857 vertices, 115 nodes, large contacts',
    [37.9, 2.48, 40.4],
    [3.38, 10, 13.4],
    3,
  ),
  row(
    'hanging-3k-550-large',
    '2,857 vertices, 550 nodes, large contacts',
    [37.9, 2.48, 40.4],
    [3.26, 9.28, 12.5],
    3.2,
  ),
  row(
    'hanging-45k-large',
    '45,682 vertices, 115 nodes, large contacts',
    [569.7, 8.84, 578.6],
    [6.87, 24.5, 31.4],
    18.4,
  ),
  row(
    'hanging-45k-550-large',
    '45,682 vertices, 550 nodes, large contacts',
    [569.7, 8.84, 578.6],
    [8.23, 29.3, 37.5],
    15.4,
  ),
];

export const steinemann: Paper = {
  name: 'steinemann',
  title: 'Efficient Bounds for Point-Based Animations',
  authors: 'Steinemann, Otaduy and Gross 2007',
  machine: '3 GHz Pentium 4, 1 GB',
  remarks: [
    'Brain, dolls and fish are procedural, and our own simulation moves them: other models, other contacts. Nodes are as many as in the paper. Vertices are about as many (dolls 2,950 for 2,857 and 45,692 for 45,682; fish 8,026; in Table 1 brains of 3,612, 30,252 and 144,002), but for figure 5, see there.',
    '“Full” is the same on both sides: every vertex is deformed, every box refitted bottom-up, depth-first traversal. “Query” is what is left of a frame without the refit stage.',
  ],
  tables: [
    {
      place: 'Table 1',
      title: 'One box around the brain, by vertices and nodes',
      remark: 'Ours includes putting all nodes in place, once per pose.',
      lines: BOX_COSTS.flatMap(({ vertices, size: name, costs, best }) => [
        ...costs.map((cost, k) =>
          line(`${vertices} vertices, ${NODES[k]} nodes`, cost, 'µs', boxCost(NODES[k], name), {
            isHeadline: vertices === '145k' && NODES[k] === 509,
          }),
        ),
        line(`${vertices} vertices, the best box`, best, 'µs', bestBoxCost(65, name)),
      ]),
    },
    {
      place: 'Figure 5',
      title: 'Tightness: radius of boxes over that of the best ones, brain',
      remark:
        'Our brain has 4,842 vertices here, that of the paper 29,966, so that its tree has fewer levels; the paper writes that tightness hardly depends on the number of vertices. “Spheres” are ours. The paper also compares with the spheres of Adams et al., which we have not built; its plot shows those without legible numbers. Levels are in the plot.',
      lines: [65, 509].flatMap((nodes) => [
        headline(
          `${nodes} nodes: the paper’s boxes, root, mean`,
          1.5,
          '× the best',
          `bounds/brain-${nodes}/root-two-largest`,
          'a brain of 4,842 vertices; that of the paper has 29,966',
        ),
        line(
          `${nodes} nodes: the paper’s boxes, root, largest`,
          2.2,
          '× the best',
          `bounds/brain-${nodes}/largest-root-two-largest`,
        ),
        line(
          `${nodes} nodes: our boxes, root, mean`,
          'not given',
          '× the best',
          `bounds/brain-${nodes}/root-boxes`,
        ),
        line(
          `${nodes} nodes: our boxes, all nodes, mean`,
          'not given',
          '× the best',
          `bounds/brain-${nodes}/mean-boxes`,
        ),
        line(
          `${nodes} nodes: our spheres, root, mean`,
          'not given',
          '× the best',
          `bounds/brain-${nodes}/root-sphere`,
        ),
      ]),
    },
    {
      place: 'Table 2',
      title: 'Six hanging dolls',
      remark:
        'Small and large contacts are made by how exactly contacts are resolved, not by another motion of the ring. “Query” is a difference of two measured times, 0 where that would be negative.',
      lines: HANGING.flatMap(hangingLines),
    },
    fish(),
  ],
  plots: [
    {
      name: 'steinemann-figure-5',
      place: 'Figure 5',
      title: 'Radius of boxes over the best possible, by level of the tree (brain)',
      needs: ['bounds/brain-65', 'bounds/brain-509'],
      draw: drawTightness,
    },
    {
      name: 'steinemann-table-1',
      place: 'Table 1',
      title: 'Time for one box around the brain',
      needs: NODES.map((nodes) => `bounds/cost-${nodes}` as const),
      draw: drawCosts,
    },
    {
      name: 'steinemann-table-2',
      place: 'Table 2',
      title: 'Six hanging dolls: times faster than refitting everything',
      needs: HANGING.map(({ name }) => `meshless/${name}` as const),
      draw: drawHanging,
    },
  ],
};

function row(
  name: string,
  what: string,
  full: HangingRow['full'],
  ours: HangingRow['ours'],
  speedup: number,
): HangingRow {
  return { name, what, full, ours, speedup };
}

function boxCost(nodes: number, name: string) {
  return from(`bounds/cost-${nodes}`, [`box-ns-per-handle-${name}`], (ns) => (ns * nodes) / 1000);
}

function bestBoxCost(nodes: number, name: string) {
  const metrics = [`box-ns-per-handle-${name}`, `best-box-vs-box-${name}`];
  return from(`bounds/cost-${nodes}`, metrics, (ns, ratio) => (ns * nodes * ratio) / 1000);
}

function hangingLines({ name, what, full, ours, speedup }: HangingRow): Line[] {
  const place = `meshless/${name}`;
  const rest = (total: number, refit: number) => Math.max(0, total - refit);
  return [
    line(`${what}: full, refit`, full[0], 'ms', `${place}/refit-ms-all`),
    line(`${what}: full, query`, full[1], 'ms', from(place, ['frame-ms-depth-first', 'refit-ms-all'], rest)),
    line(`${what}: full, total`, full[2], 'ms', `${place}/frame-ms-depth-first`),
    line(`${what}: refit`, ours[0], 'ms', `${place}/refit-ms`),
    line(`${what}: query`, ours[1], 'ms', from(place, ['frame-ms', 'refit-ms'], rest)),
    line(`${what}: total`, ours[2], 'ms', `${place}/frame-ms`),
    line(`${what}: speed-up of the refit`, full[0] / ours[0], 'x', `${place}/refit-speedup-vs-all`),
    line(`${what}: speed-up`, speedup, 'x', `${place}/speedup-vs-depth-first`, {
      isHeadline: name.startsWith('hanging-45k') && !name.includes('550'),
    }),
    size(`${what}: frames with contact`, 'not given', '%', `${place}/contact-frames`),
  ];
}

function fish(): PaperTable {
  return {
    place: 'Section 5, figure 7',
    title: '24 fish of 8k vertices and 96 nodes',
    lines: [
      headline('24 fish: speed-up', 12, 'x', 'meshless/fish-24/speedup-vs-depth-first'),
      line('refit', 'not legible', 'ms', 'meshless/fish-24/refit-ms'),
      line('full refit', 'not legible', 'ms', 'meshless/fish-24/refit-ms-all'),
      line('total', 'not legible', 'ms', 'meshless/fish-24/frame-ms'),
      size('frames with contact', 'not given', '%', 'meshless/fish-24/contact-frames'),
    ],
  };
}

function drawTightness(figures: Figures): string | undefined {
  const curve = (name: string, nodes: number, variant: string): Curve => {
    const y = figures
      .rows(`bounds/brain-${nodes}`)
      .filter(({ metric }) => metric.startsWith('level-') && metric.endsWith(`-${variant}`))
      .map(({ value }) => value);
    return { name: `${name}, ${nodes} nodes`, x: y.map((_, level) => level + 1), y };
  };
  const curves = [65, 509].flatMap((nodes) => [
    curve('our boxes', nodes, 'boxes'),
    curve('the paper’s boxes', nodes, 'two-largest'),
    curve('our spheres', nodes, 'sphere'),
  ]);
  if (curves.some(({ y }) => y.length === 0)) return undefined;
  return drawLines({
    title: steinemann.plots[0].title,
    x: { label: 'level of the tree, 1 is the root', from: 1, whole: true },
    y: { label: 'radius over the best possible', from: 1 },
    curves,
  });
}

function drawCosts(figures: Figures): string | undefined {
  const x = BOX_COSTS.map(({ count }) => count);
  const read = (nodes: number, metric: string) =>
    BOX_COSTS.map(({ size: name }) => {
      const value = figures.value(`bounds/cost-${nodes}`, `${metric}-${name}`);
      return value === undefined ? Number.NaN : value;
    });
  const boxes = NODES.map((nodes) => read(nodes, 'box-ns-per-handle').map((ns) => (ns * nodes) / 1000));
  const best = read(65, 'best-box-vs-box').map((ratio, k) => ratio * boxes[0][k]);
  if ([...boxes, best].some((values) => values.some(Number.isNaN))) return undefined;
  return drawLines({
    title: steinemann.plots[1].title,
    x: { label: figures.quick ? 'vertices, ten times as many as measured (quick)' : 'vertices', log: true },
    y: { label: 'µs', log: true },
    curves: [
      ...NODES.map((nodes, k) => ({ name: `ours, ${nodes} nodes`, x, y: boxes[k] })),
      { name: 'the best box', x, y: best },
      { name: 'paper, 509 nodes', x, y: BOX_COSTS.map(({ costs }) => costs[2]), isPaper: true, colour: 2 },
      { name: 'paper, the best box', x, y: BOX_COSTS.map((each) => each.best), isPaper: true, colour: 3 },
    ],
  });
}

function drawHanging(figures: Figures): string | undefined {
  const groups = HANGING.map(({ name, speedup }) => ({
    name: name.replace('hanging-', '').replaceAll('-', ', '),
    values: [figures.value(`meshless/${name}`, 'speedup-vs-depth-first'), speedup],
  }));
  if (groups.every(({ values }) => values[0] === undefined)) return undefined;
  return drawBars({
    title: steinemann.plots[2].title,
    y: { label: 'times faster', log: true, from: 1 },
    bars: [{ name: 'ours' }, { name: 'paper', isPaper: true }],
    groups,
  });
}
