/** Plots as SVG, small, readable on light and dark pages. */

const WIDTH = 760;
const LEFT = 78;
const RIGHT = 22;
const TOP = 62;
const INNER = WIDTH - LEFT - RIGHT;
const COLOURS = 6;

/** A logarithmic one leaves out what is not above 0. */
export interface Axis {
  readonly label: string;
  readonly log?: boolean;
  /** Default: 0 for a linear one, and what is there for a logarithmic one. */
  readonly from?: number;
  readonly to?: number;
  /** Levels and counts: no ticks between whole numbers. */
  readonly whole?: boolean;
}

export interface Curve {
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Of the paper: drawn with dashes. */
  readonly isPaper?: boolean;
  /** Which colour. Default: the next one. */
  readonly colour?: number;
}

export interface LinePlot {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly curves: readonly Curve[];
  /** Dots on the points. Default: when there are few. */
  readonly dots?: boolean;
  /** Dots alone: what follows each other does not belong together. */
  readonly points?: boolean;
}

export function drawLines({ title, x, y, curves, dots, points: isScattered = false }: LinePlot): string {
  const height = 300;
  const xs = scaleOf(
    x,
    curves.flatMap((curve) => [...curve.x]),
    LEFT,
    LEFT + INNER,
  );
  const ys = scaleOf(
    y,
    curves.flatMap((curve) => [...curve.y]),
    TOP + height,
    TOP,
  );
  const legend = drawLegend(
    curves.map(({ name, isPaper = false, colour }, k) => ({
      name,
      colour: colour ?? k,
      isPaper: isPaper && !isScattered,
      isLine: !isScattered,
    })),
  );
  const body = curves.map((curve, index) => {
    const k = curve.colour ?? index;
    const points = curve.x
      .map((value, i) => [value, curve.y[i]])
      .filter(([a, b]) => xs.shows(a) && ys.shows(b))
      .map(([a, b]) => [xs.at(a), ys.at(b)]);
    const path = points.map(([a, b]) => `${round(a)} ${round(b)}`).join('L');
    const hasDots = isScattered || (dots ?? points.length <= 24);
    const marks = hasDots
      ? points
          .map(([a, b]) => `<circle class="f${k % COLOURS}" cx="${round(a)}" cy="${round(b)}" r="3"/>`)
          .join('')
      : '';
    const dashes = curve.isPaper ? ' paper' : '';
    return isScattered || points.length === 0
      ? marks
      : `<path class="c${k % COLOURS}${dashes}" d="M${path}"/>${marks}`;
  });
  return page(title, TOP + height + 52 + legend.height, [
    drawRows(ys, y, height),
    ...xs.ticks.map(
      (tick) =>
        `<text class="mid" x="${round(xs.at(tick))}" y="${TOP + height + 20}">${formatTick(tick)}</text>`,
    ),
    `<text class="mid" x="${LEFT + INNER / 2}" y="${TOP + height + 42}">${escapeText(x.label)}</text>`,
    ...body,
    legend.draw(TOP + height + 66),
  ]);
}

export interface BarPlot {
  readonly title: string;
  readonly y: Axis;
  readonly bars: readonly { readonly name: string; readonly isPaper?: boolean; readonly colour?: number }[];
  /** A value for each bar, undefined where there is none. */
  readonly groups: readonly { readonly name: string; readonly values: readonly (number | undefined)[] }[];
}

/** Groups of bars beside each other. */
export function drawBars({ title, y, bars, groups }: BarPlot): string {
  const height = 280;
  const values = groups.flatMap((group) => group.values.filter((value) => value !== undefined));
  const ys = scaleOf(y, values, TOP + height, TOP);
  const legend = drawLegend(
    bars.map(({ name, isPaper = false, colour }, k) => ({
      name,
      isPaper,
      isLine: false,
      colour: colour ?? k,
    })),
  );
  const step = INNER / groups.length;
  const width = Math.min(46, (0.8 * step) / bars.length);
  const isSlanted = groups.some(({ name }) => name.length * 7.2 > step);
  const foot = isSlanted ? 14 + 4.4 * Math.max(...groups.map(({ name }) => name.length)) : 26;
  const body = groups.flatMap(({ name, values: own }, g) => {
    const centre = LEFT + step * (g + 0.5);
    const drawn = own.flatMap((value, k) => {
      if (value === undefined || !ys.shows(value)) return [];
      const left = centre + (k - bars.length / 2) * width,
        top = ys.at(value);
      const short = value < 100 ? trim(value.toPrecision(2)) : value.toFixed(0);
      const fits = (text: string) => 6.3 * text.length <= width + 4; // it does not touch the next one
      const label = [formatTick(value), short].find(fits) ?? '';
      return [
        `<rect class="f${(bars[k].colour ?? k) % COLOURS}${bars[k].isPaper ? ' pale' : ''}" x="${round(left + 1)}" y="${round(top)}" width="${round(width - 2)}" height="${round(TOP + height - top)}"/>`,
        `<text class="mid small" x="${round(left + width / 2)}" y="${round(top - 5)}">${label}</text>`,
      ];
    });
    const at = `x="${round(centre)}" y="${TOP + height + 18}"`;
    const turn = isSlanted
      ? ` class="end" transform="rotate(-32 ${round(centre)} ${TOP + height + 14})"`
      : ' class="mid"';
    return [...drawn, `<text ${at}${turn}>${escapeText(name)}</text>`];
  });
  return page(title, TOP + height + foot + 14 + legend.height, [
    drawRows(ys, y, height),
    ...body,
    legend.draw(TOP + height + foot + 24),
  ]);
}

export interface SharePlot {
  readonly title: string;
  readonly parts: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    readonly note?: string;
    readonly shares: readonly number[];
  }[];
}

/** Lying bars of 100 %, cut into parts. */
export function drawShares({ title, parts, rows }: SharePlot): string {
  const noted = Math.max(0, ...rows.map(({ note = '' }) => note.length));
  const left = 190,
    inner = WIDTH - left - 16 - 6.6 * noted,
    step = 46;
  const legend = drawLegend(parts.map((name, k) => ({ name, isPaper: false, isLine: false, colour: k })));
  const body = rows.flatMap(({ name, note = '', shares }, r) => {
    const y = TOP + r * step;
    const total = shares.reduce((sum, share) => sum + share, 0);
    let at = left;
    const drawn = shares.map((share, k) => {
      const width = (inner * share) / total,
        percent = (100 * share) / total;
      const text =
        width > 34
          ? `<text class="mid on" x="${round(at + width / 2)}" y="${y + 21}">${percent.toFixed(0)} %</text>`
          : '';
      const bar = `<rect class="f${k % COLOURS}" x="${round(at)}" y="${y}" width="${round(Math.max(0, width - 1))}" height="32"/>${text}`;
      at += width;
      return bar;
    });
    return [
      `<text class="end" x="${left - 10}" y="${y + 21}">${escapeText(name)}</text>`,
      ...drawn,
      `<text x="${round(left + inner + 8)}" y="${y + 21}">${escapeText(note)}</text>`,
    ];
  });
  const bottom = TOP + rows.length * step;
  return page(title, bottom + 14 + legend.height, [...body, legend.draw(bottom + 18)]);
}

function page(title: string, height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${Math.ceil(height)}" role="img" aria-label="${escapeText(title)}">
<style>
  svg { --page: #ffffff; --ink: #24292f; --faint: #d8dee4; --on: #ffffff; --c0: #0b6bcb; --c1: #c2410c; --c2: #16794c; --c3: #7c3aed; --c4: #a16207; --c5: #be185d }
  @media (prefers-color-scheme: dark) { svg { --page: #0d1117; --ink: #d7dde4; --faint: #343b44; --on: #0d1117; --c0: #6cb6ff; --c1: #ffa657; --c2: #56d39b; --c3: #c4a5ff; --c4: #e3c25a; --c5: #ff8fc7 } }
  text { font: 13px system-ui, sans-serif; fill: var(--ink) } .title { font-weight: 600; font-size: 15px } .small { font-size: 11px } .end { text-anchor: end } .mid { text-anchor: middle } .on { fill: var(--on) }
  path { fill: none; stroke-width: 2; stroke-linejoin: round } .faint { stroke: var(--faint); stroke-width: 1 } .paper { stroke-dasharray: 6 4 } .pale { opacity: 0.45 }
${Array.from({ length: COLOURS }, (_, k) => `  .c${k} { stroke: var(--c${k}) } .f${k} { fill: var(--c${k}) }`).join('\n')}
</style>
<rect width="${WIDTH}" height="${Math.ceil(height)}" fill="var(--page)"/>
<text class="title" x="${WIDTH / 2}" y="24" text-anchor="middle">${escapeText(title)}</text>
${parts.filter((part) => part !== '').join('\n')}
</svg>
`;
}

/** Lines across, and what they stand for. */
function drawRows(scale: Scale, { label }: Axis, height: number): string {
  const lines = scale.ticks.map((tick) => {
    const y = round(scale.at(tick));
    return `<path class="faint" d="M${LEFT} ${y}h${INNER}"/><text class="end" x="${LEFT - 8}" y="${Number(y) + 4}">${formatTick(tick)}</text>`;
  });
  return `${lines.join('\n')}
<path class="faint" d="M${LEFT} ${TOP}v${height}h${INNER}"/>
<text x="${LEFT - 62}" y="${TOP - 14}">${escapeText(label)}</text>`;
}

interface LegendEntry {
  readonly name: string;
  readonly isPaper: boolean;
  readonly isLine: boolean;
  readonly colour: number;
}

/** As many rows as it takes. */
function drawLegend(entries: readonly LegendEntry[]): { height: number; draw: (top: number) => string } {
  if (entries.length < 2 && !entries.some(({ isPaper }) => isPaper)) return { height: 0, draw: () => '' };
  const places: { x: number; row: number }[] = [];
  let x = LEFT,
    row = 0;
  for (const { name } of entries) {
    const width = 46 + 7.2 * name.length;
    if (x > LEFT && x + width > WIDTH - RIGHT) {
      x = LEFT;
      row++;
    }
    places.push({ x, row });
    x += width;
  }
  const draw = (top: number) =>
    entries
      .map(({ name, isPaper, isLine, colour }, k) => {
        const y = top + 22 * places[k].row,
          left = round(places[k].x);
        const mark = isLine
          ? `<path class="c${colour % COLOURS}${isPaper ? ' paper' : ''}" d="M${left} ${y - 4}h24"/>`
          : `<rect class="f${colour % COLOURS}${isPaper ? ' pale' : ''}" x="${Number(left) + 8}" y="${y - 11}" width="14" height="14"/>`;
        return `${mark}<text x="${Number(left) + 30}" y="${y}">${escapeText(name)}</text>`;
      })
      .join('\n');
  return { height: 22 * (row + 1) + 8, draw };
}

interface Scale {
  readonly ticks: readonly number[];
  shows(value: number): boolean;
  at(value: number): number;
}

function scaleOf(axis: Axis, values: readonly number[], start: number, end: number): Scale {
  const { log = false, from, to, whole = false } = axis;
  const shown = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
  if (from !== undefined) shown.push(from);
  if (to !== undefined) shown.push(to);
  const high = shown.length === 0 ? 1 : Math.max(...shown),
    low = shown.length === 0 ? 1 : Math.min(...shown);
  if (log) return logScale(low, high, start, end);
  return linearScale(from ?? Math.min(0, low), high, start, end, whole);
}

/** From `low` exactly to a round number. */
function linearScale(low: number, high: number, start: number, end: number, isWhole: boolean): Scale {
  const nice = niceStep((high - low || 1) / 6);
  const step = isWhole ? Math.max(1, Math.round(nice)) : nice;
  const first = Math.ceil(low / step - 1e-9) * step,
    last = Math.max(first + step, Math.ceil(high / step - 1e-9) * step);
  const count = Math.round((last - first) / step);
  return {
    ticks: Array.from({ length: count + 1 }, (_, k) => first + k * step),
    shows: Number.isFinite,
    at: (value) => start + ((end - start) * (value - low)) / (last - low),
  };
}

/** From one of 1, 2, 5, 10, 20 … to another; when there are many of these, powers of ten have labels. */
function logScale(low: number, high: number, start: number, end: number): Scale {
  const least = Math.floor(Math.log10(low) + 1e-9),
    most = Math.ceil(Math.log10(high) - 1e-9);
  const rounds = Array.from({ length: most - least + 2 }, (_, k) => least + k).flatMap((power) =>
    [1, 2, 5].map((factor) => factor * 10 ** power),
  );
  const first = rounds.findLast((tick) => tick <= low * (1 + 1e-9))!,
    last = rounds.find((tick) => tick >= high * (1 - 1e-9) && tick > first)!;
  const within = rounds.filter((tick) => tick >= first && tick <= last);
  const tens = within.filter((tick) => Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9);
  return {
    ticks: within.length > 8 ? tens : within,
    shows: (value) => Number.isFinite(value) && value > 0,
    at: (value) => start + ((end - start) * Math.log(value / first)) / Math.log(last / first),
  };
}

function niceStep(wanted: number): number {
  const unit = 10 ** Math.floor(Math.log10(wanted));
  return unit * [1, 2, 2.5, 5, 10].find((factor) => factor * unit >= wanted * (1 - 1e-9))!;
}

function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${trim((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${trim((value / 1e3).toPrecision(3))}k`;
  return size === 0 ? '0' : trim(value.toPrecision(size >= 1000 ? 4 : 3));
}

function trim(text: string): string {
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text;
}

function round(value: number): string {
  return trim(value.toFixed(1));
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
