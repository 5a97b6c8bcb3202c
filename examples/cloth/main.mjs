// A cloth, checked for self-collision in every frame; what touches is red.
import { CollisionReport, createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';
import { createCloth } from 'pliant/shapes';
import { CollisionHelper } from 'pliant/three';
import { count, createSurface, createView, show } from '../view.mjs';

const TRIANGLES = 12_800;
const view = createView({ from: [2.3, 1.9, 2.5] });
const slider = document.getElementById('amplitude');
let cloth;
const choose = () => {
  cloth = createCloth({ triangles: TRIANGLES, amplitude: Number(slider.value), period: 6 });
  slider.nextElementSibling.textContent = Number(slider.value).toFixed(1);
};
slider.oninput = choose;
choose();

const engine = await createEngine();
const body = engine.createFreeBody(createTriangleMesh(cloth.source));
const pose = new Float64Array(cloth.source.positions.length);
const report = new CollisionReport(); // used again in every frame
const surface = createSurface(cloth.source, '#7aa2d6');
const helper = new CollisionHelper();
view.scene.add(surface.object, helper);
show('triangles', body.mesh.triangleCount.toLocaleString('en'));

view.run((seconds) => {
  cloth.deform(seconds + 2.5, pose); // begins where it touches
  const start = performance.now();
  body.setPose(pose);
  findSelfCollisions(body, { report });
  show('time', `${(performance.now() - start).toFixed(2)} ms`);
  show('pairs', count(report.pairCount, 'pair'), report.pairCount > 0 ? 'touches' : '');
  surface.update(pose);
  helper.update(report, [body]);
});
