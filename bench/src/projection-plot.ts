/** Figures at one share of a drag: contacts in the solve, and projected afterwards. */
export interface ProjectionPoint {
  readonly share: number;
  readonly smoothness: readonly [ours: number, projected: number];
  readonly depth: readonly [ours: number, projected: number]; // % of the diagonal
}

const WIDTH = 720;
const PANEL = { left: 70, width: 620, height: 170 };

/** Both over the course of a drag, as an SVG that is readable on light and dark pages. */
export function plotProjection(points: readonly ProjectionPoint[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} 500" role="img" aria-label="Contacts in the solve against contacts projected afterwards">
<style>
  svg { --page: #ffffff; --ink: #24292f; --faint: #d0d7de; --ours: #0b6bcb; --other: #c2410c }
  @media (prefers-color-scheme: dark) { svg { --page: #0d1117; --ink: #d7dde4; --faint: #343b44; --ours: #6cb6ff; --other: #ffa657 } }
  text { font: 13px system-ui, sans-serif; fill: var(--ink) } .end { text-anchor: end }
  path { fill: none } .faint { stroke: var(--faint) } .ours { stroke: var(--ours); stroke-width: 2 } .other { stroke: var(--other); stroke-width: 2 }
</style>
<rect width="${WIDTH}" height="500" fill="var(--page)"/>
${drawPanel(40, 'Smoothness energy tr(pᵀAp)', points, ({ smoothness }) => smoothness)}
${drawPanel(290, 'Deepest penetration, % of the diagonal', points, ({ depth }) => depth)}
<path class="ours" d="M70 482h28"/><text x="104" y="486">contacts in the solve</text>
<path class="other" d="M300 482h28"/><text x="334" y="486">contacts projected afterwards</text>
</svg>
`;
}

function drawPanel(
  top: number,
  title: string,
  points: readonly ProjectionPoint[],
  read: (point: ProjectionPoint) => readonly [number, number],
): string {
  const { left, width, height } = PANEL;
  const most = Math.max(...points.flatMap((point) => read(point)), 1e-12);
  const path = (k: 0 | 1) =>
    points
      .map((point, i) => {
        const x = left + width * point.share,
          y = top + height * (1 - read(point)[k] / most);
        return `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
      })
      .join('');
  return `<text x="${left}" y="${top - 12}">${title}</text>
<path class="faint" d="M${left} ${top}v${height}h${width}"/>
<text class="end" x="${left - 6}" y="${top + 5}">${most.toPrecision(2)}</text><text class="end" x="${left - 6}" y="${top + height}">0</text>
<path class="other" d="${path(1)}"/>
<path class="ours" d="${path(0)}"/>`;
}
