// node scripts/docs-pictures.mjs: draws the picture of the first page, a knot that touches itself, with the library.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';
import { createTorusKnot } from 'pliant/shapes';
import { root } from './run.mjs';

const SIZE = 400;
const TIME = 1; // of the motion: as far as it goes

const knot = createTorusKnot({ triangles: 2_400 });
const mesh = createTriangleMesh(knot.source);
const body = (await createEngine()).createFreeBody(mesh);
const pose = new Float64Array(knot.source.positions.length);
knot.deform(TIME, pose);
body.setPose(pose);
const report = findSelfCollisions(body);
const touching = new Set(report.pairs.subarray(0, 2 * report.pairCount));
const folder = join(root, 'docs/public');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'knot.svg'), draw(look(body.getLocalPositions()), mesh.triangles));
console.log(`docs/public/knot.svg: ${mesh.triangleCount} triangles, ${report.pairCount} pairs touch`);

/** Turned a little, and as large as the picture: x to the right, y down, z towards the eye. */
function look(positions) {
  const seen = new Float64Array(positions.length);
  const [turn, tilt] = [-0.6, 0.5];
  for (let o = 0; o < positions.length; o += 3) {
    const x = positions[o] * Math.cos(turn) - positions[o + 2] * Math.sin(turn);
    const back = positions[o] * Math.sin(turn) + positions[o + 2] * Math.cos(turn);
    seen[o] = x;
    seen[o + 1] = -(positions[o + 1] * Math.cos(tilt) - back * Math.sin(tilt));
    seen[o + 2] = positions[o + 1] * Math.sin(tilt) + back * Math.cos(tilt);
  }
  const middle = [0, 1].map((axis) => (extreme(seen, axis, Math.min) + extreme(seen, axis, Math.max)) / 2);
  let reach = 0;
  for (let o = 0; o < seen.length; o += 3) {
    for (const axis of [0, 1]) {
      seen[o + axis] -= middle[axis];
      reach = Math.max(reach, Math.abs(seen[o + axis]));
    }
  }
  return seen.map((x) => (x * (SIZE / 2 - 4)) / reach);
}

function extreme(points, axis, choose) {
  let found = points[axis];
  for (let o = axis; o < points.length; o += 3) found = choose(found, points[o]);
  return found;
}

function draw(points, triangles) {
  const faces = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => points.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3));
    const [u, v] = [b, c].map((p) => [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    if (normal[2] > 0) continue; // seen from behind
    const lit = -(0.3 * normal[0] - 0.65 * normal[1] + 0.7 * normal[2]) / Math.hypot(...normal); // from above
    const colour = shade(touching.has(t / 3) ? [232, 40, 84] : [28, 172, 160], 0.5 + 0.6 * Math.max(0, lit));
    const corners = [a, b, c].map((p) => `${(p[0] + SIZE / 2).toFixed(1)},${(p[1] + SIZE / 2).toFixed(1)}`);
    faces.push({
      depth: a[2] + b[2] + c[2],
      text: `<path d="M${corners.join('L')}z" fill="${colour}" stroke="${colour}"/>`,
    });
  }
  faces.sort((s, t) => s.depth - t.depth);
  const shapes = faces.map(({ text }) => text).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" stroke-width=".5">\n<title>A knot that goes through itself</title>\n${shapes}\n</svg>\n`;
}

function shade(colour, light) {
  return `#${colour
    .map((x) =>
      Math.min(255, Math.round(x * light))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
