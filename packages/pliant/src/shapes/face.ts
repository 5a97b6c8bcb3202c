import { cos, sin } from '../algebra/trigonometry.ts';
import { checkObject } from '../mesh/check-input.ts';
import { checkTriangleTarget, type ShapeSource } from './shape.ts';

export interface FaceOptions {
  /** About how many triangles; at least about 1500. Default: 6000. */
  triangles?: number;
}

/** A head with morph targets. Bit-equal on every platform for equal options. */
export interface Face {
  /** For `createTriangleMesh`; it does not touch itself. */
  readonly source: ShapeSource;
  readonly morphNames: readonly string[];
  /** Displacements at weight 1, three numbers per vertex, one morph target after the other. */
  readonly morphs: Float64Array;
}

const NAMES = [
  'mouth closed',
  'jaw open',
  'smile',
  'blink left',
  'blink right',
  'squint',
  'pucker',
  'frown',
] as const;
const [CLOSED, JAW, SMILE, LEFT, RIGHT, SQUINT, PUCKER, FROWN] = NAMES.map((_, k) => k);

/**
 * A head whose mouth and eyes are open pockets: lips meet when the mouth closes, lids when it blinks, a little before
 * weight 1. A grid about the axis through the ears, with rows that follow lips and lids. Faces +z, 2 units high, its
 * left is +x; closed.
 */
export function createFace(options: FaceOptions = {}): Face {
  checkObject('options', options);
  const { triangles = 6000 } = options;
  checkTriangleTarget(triangles);
  const fineness = Math.max(0.5, Math.sqrt(triangles / 5900));
  const rows = createRows(fineness);
  const columns = Math.max(24, 2 * Math.round(30 * fineness));
  const rest = place(rows, columns, new Float64Array(NAMES.length));
  const morphs = new Float64Array(NAMES.length * rest.length);
  for (let m = 0; m < NAMES.length; m++) {
    const weights = new Float64Array(NAMES.length);
    weights[m] = 1;
    const moved = place(rows, columns, weights);
    for (let k = 0; k < moved.length; k++) morphs[m * rest.length + k] = moved[k] - rest[k];
  }
  const source = { name: 'face', positions: rest, triangles: gridTriangles(rows.length, columns) };
  return { source, morphNames: NAMES, morphs };
}

/** An opening: where it is, in angles about the axis (`up`) and sideways, and how large. */
interface Pocket {
  readonly up: number;
  readonly band: number; // rows this far above and below belong to it
  readonly side: number; // of its middle; both sides have one unless it is 0
  readonly width: number; // half of it, sideways
  readonly gap: number; // half of it, upwards
  readonly depth: number;
  readonly ball: number; // how far its floor bulges
  readonly rim: number; // how far its edge does
}

// biome-ignore format: one to a line
const MOUTH: Pocket = { up: -0.46, band: 0.3, side: 0, width: 0.4, gap: 0.09, depth: 0.22, ball: 0, rim: 0.06 };
// biome-ignore format: one to a line
const EYES: Pocket = { up: 0.2, band: 0.22, side: 0.44, width: 0.22, gap: 0.1, depth: 0.12, ball: 0.05, rim: 0.03 };

const EDGE = 0.5; // the row of lips and lids, as a share of the band; nearer rows line the pocket
const BOTTOM = 0.25; // where its walls end and its floor begins
const STEEP = 0.8; // how wide its floor is, as a share of its opening
const PROFILE = 0.55; // how pointed it is: it ends at 1.1 times its width
const CORNER = 0.018; // half the gap at the corners of a pocket

/** Of the grid: `at` goes from −1 to 1 over the band of a pocket, or is an angle. */
interface Row {
  readonly pocket: Pocket | undefined;
  readonly at: number;
}

function createRows(fineness: number): Row[] {
  const rows: Row[] = [];
  const addPlain = (from: number, to: number, count: number) => {
    for (let k = 0; k < count; k++) rows.push({ pocket: undefined, at: from + ((to - from) * k) / count });
  };
  const addPocket = (pocket: Pocket) => {
    const half = 8 * Math.max(1, Math.round(fineness)); // so that edge and bottom are rows
    for (let k = -half; k < half; k++) rows.push({ pocket, at: k / half });
  };
  const between = [
    MOUTH.up + MOUTH.band,
    EYES.up - EYES.band,
    EYES.up + EYES.band,
    MOUTH.up - MOUTH.band + TAU,
  ];
  addPocket(MOUTH);
  addPlain(between[0], between[1], Math.max(1, Math.round(3 * fineness)));
  addPocket(EYES);
  addPlain(between[2], between[3], Math.max(8, Math.round(18 * fineness)));
  return rows;
}

const TAU = 6.283185307179586;

/** All vertices: the columns of each row, then the two ends of the axis. */
function place(rows: readonly Row[], columns: number, weights: Float64Array): Float64Array {
  const inner = columns - 1;
  const positions = new Float64Array(3 * (rows.length * inner + 2));
  rows.forEach((row, r) => {
    for (let c = 1; c < columns; c++) {
      const t = (2 * c) / columns - 1;
      const sideways = 0.8 * t + (TAU / 4 - 0.8) * t * t * t * t * t; // denser in the middle
      placeVertex(row, sideways, weights, positions, 3 * (r * inner + c - 1));
    }
  });
  for (const [k, end] of [-1, 1].entries()) {
    positions[3 * (rows.length * inner + k)] = end * WIDTH * (1 + EAR);
  }
  return positions;
}

const [WIDTH, HEIGHT, LENGTH] = [0.76, 1, 0.9]; // half of them
const EAR = 0.1;

/** A point by its angles and how far it is from the centre of the unit ball that becomes the head. */
interface Polar {
  up: number;
  side: number;
  far: number;
}

function placeVertex(row: Row, side: number, weights: Float64Array, out: Float64Array, o: number): void {
  const point = { up: row.at, side, far: 1 };
  if (row.pocket) placeInBand(point, row.pocket, row.at, weights);
  else placeOutside(point, weights);
  const { up } = point;
  const far = point.far + relief(up, point.side);
  const along = far * cos(point.side);
  out[o] = WIDTH * far * sin(point.side);
  out[o + 1] = HEIGHT * along * sin(up);
  out[o + 2] = LENGTH * along * cos(up);
}

/** Rows from `EDGE` on surround a pocket; nearer ones are its walls and its floor. */
function placeInBand(point: Polar, pocket: Pocket, at: number, weights: Float64Array): void {
  const { band, gap, depth, ball, rim } = pocket;
  const u = (Math.abs(point.side) - pocket.side) / pocket.width; // the corners are at about −1 and 1
  const s = Math.abs(at),
    sign = at < 0 ? -1 : 1;
  const open = bump(u / PROFILE);
  const spread = smooth((Math.abs(u) - 1) / 1.2); // of rows, beyond the corners
  const edge = gap * open + CORNER + (EDGE * band - CORNER) * spread;
  const deep = smooth((EDGE - s) / (EDGE - BOTTOM));
  const onFloor = s < BOTTOM ? 1 - (s / BOTTOM) * (s / BOTTOM) : 0;
  point.far += open * (ball * onFloor - depth * deep + rim * bump((s - EDGE) / 0.16));
  const closed = gap * open * closing(pocket, point.side, sign, weights) * follow(s);
  point.up = pocket.up + sign * (offsetOf(s, edge, band) - closed);
  if (pocket === MOUTH) moveMouth(point, at, u, weights);
  else if (at > 0) point.up -= 0.06 * weights[FROWN] * smooth((s - EDGE) / (1 - EDGE)) * browsAt(point.side);
}

/** How far a row is from the middle of its pocket. */
function offsetOf(s: number, edge: number, band: number): number {
  if (s >= EDGE) return edge + ((band - edge) * (s - EDGE)) / (1 - EDGE);
  if (s < BOTTOM) return (edge * STEEP * s) / BOTTOM;
  return edge * (STEEP + ((1 - STEEP) * (s - BOTTOM)) / (EDGE - BOTTOM));
}

function moveMouth(point: Polar, at: number, u: number, weights: Float64Array): void {
  const s = Math.abs(at);
  const lips = weights[PUCKER] * bump((s - EDGE) / 0.5) * bump(u / 1.3);
  const corner = weights[SMILE] * bump((Math.abs(u) - 1) / 1.2) * bump(s / 0.9);
  point.far += 0.16 * lips;
  point.side = point.side * (1 - 0.3 * lips) + 0.07 * corner * (point.side < 0 ? -1 : 1);
  point.up += 0.06 * corner;
  if (at < 0) point.up -= jawAt(point.side, weights) * Math.min(1, s / EDGE);
}

/** The chin with what is under it, and the brows. */
function placeOutside(point: Polar, weights: Float64Array): void {
  const { up, side } = point;
  if (up > MOUTH.up + TAU / 2) {
    point.up -= jawAt(side, weights) * bump((MOUTH.up - MOUTH.band + TAU - up) / 0.6);
  } else if (up > EYES.up) {
    const brows = weights[FROWN] * bump((up - EYES.up - EYES.band) / 0.3) * browsAt(side);
    point.up -= 0.06 * brows;
    point.far += 0.05 * brows;
  }
}

function jawAt(side: number, weights: Float64Array): number {
  return 0.2 * weights[JAW] * bump(side / 0.7);
}

function browsAt(side: number): number {
  return bump((Math.abs(side) - 0.3) / 0.4);
}

/** How far the upper (1) or lower (−1) edge moves to the middle, in half gaps. A little more than meets the other. */
function closing(pocket: Pocket, side: number, sign: number, weights: Float64Array): number {
  if (pocket === MOUTH) return 1.4 * weights[CLOSED] + 0.4 * weights[PUCKER];
  const blink = weights[side > 0 ? LEFT : RIGHT];
  return sign > 0 ? 2 * blink + 0.2 * weights[SQUINT] : 0.7 * blink + 0.8 * weights[SQUINT];
}

/** How much a row follows the edge: the bottom of the pocket and the end of its band stay. */
function follow(s: number): number {
  if (s >= EDGE) return 1 - smooth((s - EDGE) / (1 - EDGE));
  return s > BOTTOM ? (s - BOTTOM) / (EDGE - BOTTOM) : 0;
}

/** Nose, brows, chin, cheeks, ears. */
function relief(up: number, side: number): number {
  const angle = up > TAU / 2 ? up - TAU : up;
  const nose = 0.24 * bump((angle + 0.08) / (angle < -0.08 ? 0.15 : 0.26)) * bump(side / 0.13);
  const brow = 0.05 * bump((angle - 0.5) / 0.14) * bump((Math.abs(side) - 0.35) / 0.3);
  const chin = 0.1 * bump((angle + 1) / 0.25) * bump(side / 0.35);
  const cheek = 0.04 * bump((angle + 0.15) / 0.3) * bump((Math.abs(side) - 0.6) / 0.25);
  return nose + brow + chin + cheek + EAR * bump((TAU / 4 - Math.abs(side)) / 0.3);
}

/** 1 at 0, 0 from ±2 on, smooth. */
function bump(x: number): number {
  const t = 1 - (x * x) / 4;
  return t > 0 ? t * t * t : 0;
}

/** From 0 at 0 to 1 at 1, level at both. */
function smooth(x: number): number {
  const t = Math.min(1, Math.max(0, x));
  return t * t * (3 - 2 * t);
}

/** Rows go round, so the last meets the first. */
function gridTriangles(rows: number, columns: number): Uint32Array {
  const inner = columns - 1;
  const triangles: number[] = [];
  for (let r = 0; r < rows; r++) {
    const here = r * inner,
      next = ((r + 1) % rows) * inner;
    triangles.push(rows * inner, here, next);
    for (let c = 0; c + 1 < inner; c++) {
      triangles.push(here + c, here + c + 1, next + c + 1, here + c, next + c + 1, next + c);
    }
    triangles.push(here + inner - 1, rows * inner + 1, next + inner - 1);
  }
  return Uint32Array.from(triangles);
}
