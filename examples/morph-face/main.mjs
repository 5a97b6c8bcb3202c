// A face with morph targets. A certificate says up to which weights nothing touches; the sliders show what that means.
import { CollisionReport, createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';
import { prepareSubspaceCertificateAsync } from 'pliant/cull';
import { createFace } from 'pliant/shapes';
import { CollisionHelper } from 'pliant/three';
import { count, createSurface, createView, show } from '../view.mjs';

const face = createFace({ triangles: 4000 });
const view = createView({ from: [0.8, 0.25, 3.9] });
const mesh = createTriangleMesh(face.source);
const surface = createSurface(mesh, '#d9a68a');
const helper = new CollisionHelper();
view.scene.add(surface.object, helper);

const engine = await createEngine();
const modes = { count: face.morphNames.length, displacements: face.morphs };
const body = engine.createModalBody(mesh, modes);
const weights = new Float64Array(modes.count);
const points = new Float64Array(mesh.positions.length);
const report = new CollisionReport();
const sliders = face.morphNames.map(createSlider);
let isActing = true; // until somebody takes a slider

// Weights are never negative, and few are used at a time: the one-sided gauge is their length.
const certificate = await prepareSubspaceCertificateAsync(body, {
  gauge: 'one-sided',
  onProgress: (share) => show('answer', `preparing ${Math.round(100 * share)} %`),
});
body.setCertificates([certificate]);
const { lower } = certificate.balls[0]; // by node; that of the root is for the whole face
const widest = Math.SQRT2; // two sliders at their ends
show('proved', lower[0].toFixed(3));

view.run((seconds) => {
  if (isActing) act(seconds);
  body.setPose(weights);
  const start = performance.now();
  findSelfCollisions(body, { report });
  const milliseconds = performance.now() - start;
  const length = Math.hypot(...weights);
  const isProved = length < lower[0];
  const state = report.pairCount > 0 ? 'touches' : isProved ? 'proved' : 'open';
  const answers = { touches: count(report.pairCount, 'pair'), proved: 'proved free', open: 'looked: free' };
  show('answer', answers[state], state);
  show('length', length.toFixed(3), state);
  show('time', `${milliseconds.toFixed(2)} ms, ${count(report.counters.trianglePairsTested, 'test')}`);
  showGauge(length, state);
  surface.update(body.getPositions(points));
  helper.update(report, [body]);
});

/** Closes the eyes one after the other, and the mouth. */
function act(seconds) {
  const swell = (phase) => Math.max(0, Math.sin(2 * Math.PI * (seconds / 7 + phase))) ** 2;
  weights.fill(0);
  weights[face.morphNames.indexOf('blink left')] = swell(0);
  weights[face.morphNames.indexOf('blink right')] = swell(-0.08);
  weights[face.morphNames.indexOf('mouth closed')] = swell(0.5);
  weights[face.morphNames.indexOf('smile')] = 0.5 * swell(0.3);
  for (const [k, slider] of sliders.entries()) slider.show(weights[k]);
}

function createSlider(name, k) {
  const label = document.createElement('label');
  const input = Object.assign(document.createElement('input'), {
    type: 'range',
    min: 0,
    max: 1,
    step: 0.01,
    value: 0,
  });
  input.name = name;
  const output = document.createElement('output');
  label.append(name, input, output);
  document.getElementById('sliders').append(label);
  const write = (weight) => {
    input.value = weight;
    output.textContent = weight.toFixed(2);
  };
  input.oninput = () => {
    isActing = false;
    weights[k] = Number(input.value);
    write(weights[k]);
  };
  write(0);
  return { show: write };
}

/** Green up to where it is proved; the bar is the length of the weights. */
function showGauge(length, state) {
  const gauge = document.getElementById('gauge');
  gauge.className = state;
  gauge.style.width = `${Math.min(100, (100 * length) / widest)}%`;
  const mark = `${(100 * lower[0]) / widest}%`;
  gauge.parentElement.style.background = `linear-gradient(90deg, #24513f ${mark}, #2c3540 ${mark})`;
}
