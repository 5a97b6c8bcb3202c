import type { Triangles } from './marching-tetrahedra.ts';
import type { PartSurface } from './part-surface.ts';
import { cotangent, doubleArea } from './triangle-shape.ts';

/** Four influences per vertex, the largest first; unused ones have weight 0. Fits the engine's `Skin`. */
export interface CharacterSkin {
  readonly jointCount: number;
  readonly influences: 4;
  readonly joints: Uint16Array;
  readonly weights: Float64Array;
}

/**
 * Weights that start as each part's own joint and spread along the surface like heat, as far as the parts'
 * softness: so a leg never moves the other one, however close it is. Solves, for each joint,
 *
 *     Δw = (w − p) / softness²
 *
 * where p is the joint's share in the surface. Below SMALLEST, beyond four influences and across the middle of the
 * body weights end at 0 without a jump.
 */
export function computeSkin(
  surface: PartSurface,
  mesh: Triangles,
  jointNames: readonly string[],
): CharacterSkin {
  const vertexCount = mesh.positions.length / 3;
  const { shares, softness } = measureShares(surface, mesh, jointNames);
  const system = createHeatSystem(mesh, softness);
  const heat = jointNames.map((_, j) =>
    system.solve(shares.subarray(j * vertexCount, (j + 1) * vertexCount)),
  );
  const joints = new Uint16Array(4 * vertexCount);
  const weights = new Float64Array(4 * vertexCount);
  const row = new Float64Array(jointNames.length);
  const side = jointNames.map((name) => (name.endsWith('L') ? 1 : name.endsWith('R') ? -1 : 0));
  for (let v = 0; v < vertexCount; v++) {
    for (let j = 0; j < row.length; j++) row[j] = heat[j][v] * fadeAcross(side[j] * mesh.positions[3 * v]);
    keepFour(row, SMALLEST, joints, weights, 4 * v);
  }
  return { jointCount: jointNames.length, influences: 4, joints, weights };
}

const SMALLEST = 0.03;
const FADE = 0.08; // metres

/** How much of a left or right limb's weight stays at this distance on its own side: all, or less and less. */
function fadeAcross(x: number): number {
  const t = Math.max(0, 1 + Math.min(x, 0) / FADE);
  return t * t;
}

/** The four largest of a row of weights, lowered by the fifth or by `smallest` and then made to add up to 1. */
export function keepFour(
  row: Float64Array,
  smallest: number,
  joints: Uint16Array,
  weights: Float64Array,
  o: number,
): void {
  let fifth = smallest;
  for (let k = 0; k < 5; k++) {
    let best = 0;
    for (let j = 1; j < row.length; j++) if (row[j] > row[best]) best = j;
    if (k === 4) fifth = Math.max(fifth, row[best]);
    else {
      joints[o + k] = best;
      weights[o + k] = row[best];
      row[best] = -1;
    }
  }
  let sum = 0;
  for (let k = 0; k < 4; k++) sum += weights[o + k] = Math.max(0, weights[o + k] - fifth);
  let rest = 1;
  for (let k = 1; k < 4; k++) {
    weights[o + k] /= sum;
    rest -= weights[o + k];
    if (weights[o + k] === 0) joints[o + k] = 0;
  }
  weights[o] = rest;
}

/** Per joint and vertex how much of the surface there is its own; per vertex the softness. */
function measureShares(surface: PartSurface, { positions }: Triangles, jointNames: readonly string[]) {
  const vertexCount = positions.length / 3;
  const joint = surface.joints.map((name) => jointNames.indexOf(name));
  const shares = new Float64Array(jointNames.length * vertexCount);
  const softness = new Float64Array(vertexCount);
  const parts = new Float64Array(surface.partCount),
    scratch = new Float64Array(4);
  for (let v = 0; v < vertexCount; v++) {
    surface.evaluate(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], scratch, parts);
    for (let i = 0; i < parts.length; i++) {
      shares[joint[i] * vertexCount + v] += parts[i];
      softness[v] += parts[i] * surface.softness[i];
    }
  }
  return { shares, softness };
}

interface HeatSystem {
  /** The spread weights; those of all joints add up to 1. */
  solve(p: Float64Array): Float64Array;
}

/** (K + D) w = D p with the cotangent stiffness K and D = area / softness²; conjugate gradients. */
function createHeatSystem(mesh: Triangles, softness: Float64Array): HeatSystem {
  const n = softness.length;
  const { start, neighbour, stiffness, area } = createStiffness(mesh);
  const source = area.map((a, v) => a / (softness[v] * softness[v]));
  const diagonal = source.slice();
  for (let v = 0; v < n; v++) for (let i = start[v]; i < start[v + 1]; i++) diagonal[v] += stiffness[i];

  const multiply = (x: Float64Array, out: Float64Array) => {
    for (let v = 0; v < n; v++) {
      let sum = diagonal[v] * x[v];
      for (let i = start[v]; i < start[v + 1]; i++) sum -= stiffness[i] * x[neighbour[i]];
      out[v] = sum;
    }
  };
  const r = new Float64Array(n),
    d = new Float64Array(n),
    product = new Float64Array(n);
  return {
    solve(p) {
      const w = p.slice();
      multiply(w, product);
      let rz = 0,
        target = 0;
      for (let v = 0; v < n; v++) {
        r[v] = source[v] * p[v] - product[v];
        d[v] = r[v] / diagonal[v];
        rz += r[v] * d[v];
        target += source[v] * p[v] * p[v];
      }
      for (let step = 0; step < MOST_STEPS && rz > TOLERANCE * target; step++) {
        multiply(d, product);
        let dAd = 0;
        for (let v = 0; v < n; v++) dAd += d[v] * product[v];
        const alpha = rz / dAd;
        let next = 0;
        for (let v = 0; v < n; v++) {
          w[v] += alpha * d[v];
          r[v] -= alpha * product[v];
          next += (r[v] * r[v]) / diagonal[v];
        }
        const beta = next / rz;
        rz = next;
        for (let v = 0; v < n; v++) d[v] = r[v] / diagonal[v] + beta * d[v];
      }
      return w;
    },
  };
}

const MOST_STEPS = 400;
const TOLERANCE = 1e-14;

/** Cotangent weights per edge, from both sides, and a third of the area around each vertex. */
function createStiffness({ positions, triangles }: Triangles) {
  const n = positions.length / 3;
  const start = new Uint32Array(n + 1);
  for (let i = 0; i < triangles.length; i++) start[triangles[i] + 1]++; // closed: as many edges as triangles
  for (let v = 0; v < n; v++) start[v + 1] += start[v];
  const neighbour = new Uint32Array(triangles.length),
    stiffness = new Float64Array(triangles.length),
    area = new Float64Array(n);
  const used = new Uint32Array(n);
  const slotOf = (u: number, v: number) => {
    for (let i = start[u]; i < start[u] + used[u]; i++) if (neighbour[i] === v) return i;
    const i = start[u] + used[u]++;
    neighbour[i] = v;
    return i;
  };
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k],
        b = triangles[t + ((k + 1) % 3)],
        c = triangles[t + ((k + 2) % 3)];
      const half = cotangent(positions, b, c, a) / 2;
      area[a] += doubleArea(positions, a, b, c) / 6;
      stiffness[slotOf(b, c)] += half;
      stiffness[slotOf(c, b)] += half;
    }
  }
  for (let i = 0; i < stiffness.length; i++) stiffness[i] = Math.max(stiffness[i], 0); // weights stay in [0, 1]
  return { start, neighbour, stiffness, area };
}
