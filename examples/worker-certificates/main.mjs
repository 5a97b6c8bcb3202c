// Certificates are prepared in workers while the page goes on: with progress, and a way to stop it.
import {
  CollisionReport,
  createEngine,
  createTaskPool,
  createTriangleMesh,
  findSelfCollisions,
} from 'pliant';
import { prepareSubspaceCertificateAsync } from 'pliant/cull';
import { createSpring } from 'pliant/shapes';
import { CollisionHelper } from 'pliant/three';
import { count, createSurface, createView, show } from '../view.mjs';

const spring = createSpring({ triangles: 1600, period: 2 });
const positions = Float64Array.from(spring.source.positions);
const view = createView({ from: [7, 2.5, 11] });
const mesh = createTriangleMesh(spring.source);
const surface = createSurface(mesh, '#9fb3c8');
const helper = new CollisionHelper();
view.scene.add(surface.object, helper);

// The spring is moved by three modes: it is squeezed until its coils touch, and bends two ways.
const squeezed = new Float64Array(positions.length);
spring.deform(1, squeezed); // half of its period
const modes = createModes(
  (_, o) => [0, 1, 2].map((axis) => squeezed[o + axis] - positions[o + axis]),
  (y) => [0.1 * y * y, 0, 0],
  (y) => [0, 0, 0.02 * y * y * y],
);
const engine = await createEngine();
const body = engine.createModalBody(mesh, modes);
const weights = new Float64Array(modes.count);
const points = new Float64Array(mesh.positions.length);
const report = new CollisionReport();

const prepare = document.getElementById('prepare');
const cancel = document.getElementById('cancel');
prepare.onclick = async () => {
  const controller = new AbortController();
  cancel.onclick = () => controller.abort();
  setBusy(true);
  const pool = await createTaskPool({ threads: 2 }); // workers of their own; this thread only asks
  try {
    const certificate = await prepareSubspaceCertificateAsync(body, {
      gauge: 'ball',
      pool,
      signal: controller.signal,
      onProgress: (share) => setProgress(share),
    });
    body.setCertificates([certificate]);
    setProgress(1);
    show('state', `up to ${certificate.balls[0].lower[0].toFixed(3)}`, 'proved');
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    setProgress(0);
    show('state', 'cancelled', 'open');
  } finally {
    pool.dispose();
    setBusy(false);
  }
};
setBusy(false);

view.run((seconds) => {
  weights[0] = 0.45 - 0.5 * Math.cos(1.3 * seconds);
  weights[1] = 0.6 * Math.sin(0.7 * seconds);
  weights[2] = 0.4 * Math.sin(0.45 * seconds);
  body.setPose(weights);
  const start = performance.now();
  findSelfCollisions(body, { report });
  show('time', `${(performance.now() - start).toFixed(2)} ms`);
  show('tests', report.counters.trianglePairsTested.toLocaleString('en'));
  show('pairs', count(report.pairCount, 'pair'), report.pairCount > 0 ? 'touches' : '');
  surface.update(body.getPositions(points));
  helper.update(report, [body]);
});

function setBusy(isBusy) {
  prepare.disabled = isBusy;
  cancel.disabled = !isBusy;
}

function setProgress(share) {
  document.getElementById('progress').style.width = `${100 * share}%`;
  show('state', `${Math.round(100 * share)} %`, 'open');
}

/** Displacements at weight 1 by rules that are told the height of a vertex, and where it stands in `positions`. */
function createModes(...rules) {
  const displacements = new Float64Array(rules.length * positions.length);
  for (const [m, rule] of rules.entries()) {
    for (let o = 0; o < positions.length; o += 3) {
      displacements.set(rule(positions[o + 1], o), m * positions.length + o);
    }
  }
  return { count: rules.length, displacements };
}
