// pliant/edit in a page of your own: take hold of a shape and pull; contacts hold it.
import { createTriangleMesh } from 'pliant';
import { createShape } from 'pliant/edit';
import { createOctopus } from 'pliant/shapes';
import * as THREE from 'three';
import { count, createSurface, createView, show } from '../view.mjs';

const { source } = createOctopus({ triangles: 6000 });
const box = new THREE.Box3().setFromArray(source.positions);
const size = box.getSize(new THREE.Vector3()).length();
const centre = box.getCenter(new THREE.Vector3());
const ball = { kind: 'sphere', centre: [0.45, 0.22, 1.3], radius: 0.2 }; // beside an arm
const floor = { kind: 'plane', normal: [0, 1, 0], offset: box.min.y - 0.05 };

const view = createView({
  from: centre
    .clone()
    .add(new THREE.Vector3(0.5, 0.5, 1.25).multiplyScalar(size))
    .toArray(),
  to: centre.toArray(),
  floor: floor.offset,
});
const surface = createSurface(source, '#c58fc2');
const obstacle = new THREE.Mesh(
  new THREE.SphereGeometry(ball.radius, 48, 24),
  new THREE.MeshStandardMaterial({ color: '#6f8f72' }),
);
obstacle.position.set(...ball.centre);
const dots = new THREE.Points(
  new THREE.BufferGeometry(),
  new THREE.PointsMaterial({ color: '#ff5a5f', size: 5, sizeAttenuation: false, depthTest: false }),
);
dots.frustumCulled = false;
const grip = new THREE.Mesh(
  new THREE.SphereGeometry(0.012 * size),
  new THREE.MeshBasicMaterial({ color: '#ffd166', depthTest: false }),
);
grip.visible = false;
grip.renderOrder = 1;
view.scene.add(surface.object, obstacle, dots, grip);

const shape = await createShape(createTriangleMesh(source), {
  cage: { vertices: 1500 },
  contact: { obstacles: [floor, ball] },
  onProgress: (share) => show('contacts', `preparing ${Math.round(100 * share)} %`),
});
const rest = shape.state;
shape.pin(highest(0.1)); // the head stays where it is
let handle;
let plane; // in which the pointer moves the handle

const reset = document.getElementById('reset');
reset.disabled = false;
reset.onclick = () => {
  handle?.remove();
  handle = undefined;
  shape.restore(rest);
  shape.pin(highest(0.1));
};
const { domElement } = view.renderer;
domElement.addEventListener('pointerdown', take, { capture: true }); // before the orbit does
domElement.addEventListener('pointermove', (event) => plane && moveTo(event));
addEventListener('pointerup', () => {
  plane = undefined;
  view.controls.enabled = true;
});

view.run(() => {
  const { ms, depth } = shape.step();
  show('time', `${ms.toFixed(1)} ms`);
  show('depth', depth > 0 ? depth.toFixed(4) : 'none');
  const { contacts } = shape;
  show('contacts', count(contacts.length, 'point'), contacts.length > 0 ? 'touches' : '');
  dots.geometry.setAttribute(
    'position',
    new THREE.Float32BufferAttribute(
      contacts.flatMap(({ position }) => position),
      3,
    ),
  );
  grip.visible = handle !== undefined;
  if (handle) grip.position.set(...handle.held);
  show('held', handle ? `vertex ${handle.vertex}` : 'nothing');
  surface.update(shape.positions);
});

/** A new handle at the vertex nearest to where the pointer meets the shape. */
function take(event) {
  const [hit] = rayOf(event).intersectObject(surface.object);
  if (!hit) return;
  event.stopImmediatePropagation();
  view.controls.enabled = false;
  handle?.remove();
  handle = shape.addHandle(nearestCorner(hit));
  const away = view.camera.getWorldDirection(new THREE.Vector3());
  plane = new THREE.Plane().setFromNormalAndCoplanarPoint(away, new THREE.Vector3(...handle.held));
}

function moveTo(event) {
  const target = rayOf(event).ray.intersectPlane(plane, new THREE.Vector3());
  if (target) handle.moveTo(target.toArray());
}

function rayOf({ clientX, clientY }) {
  const ray = new THREE.Raycaster();
  ray.setFromCamera(
    new THREE.Vector2((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight),
    view.camera,
  );
  return ray;
}

function nearestCorner({ point, face }) {
  const distance = (v) => point.distanceToSquared(new THREE.Vector3().fromArray(shape.positions, 3 * v));
  return [face.a, face.b, face.c].sort((v, w) => distance(v) - distance(w))[0];
}

/** Vertices in the uppermost share of the height. */
function highest(share) {
  const least = box.max.y - share * (box.max.y - box.min.y);
  const vertices = [];
  for (let v = 0; 3 * v < source.positions.length; v++)
    if (source.positions[3 * v + 1] > least) vertices.push(v);
  return vertices;
}
