// What the pages share: a three.js view with light, floor and orbit, and surfaces whose positions change.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

/** A view that fills the window. `floor` is its height; without one there is none. */
export function createView({ from, to = [0, 0, 0], floor }) {
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  document.body.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color('#14181f');
  scene.add(new THREE.HemisphereLight('#dfe9f7', '#39424f', 1.6));
  const sun = new THREE.DirectionalLight('#fff4e0', 2.2);
  sun.position.set(3, 6, 4);
  scene.add(sun);
  if (floor !== undefined) {
    const grid = new THREE.GridHelper(20, 40, '#39424f', '#232a33');
    grid.position.y = floor;
    scene.add(grid);
  }
  const camera = new THREE.PerspectiveCamera(40, 1, 0.05, 100);
  camera.position.set(...from);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.target.set(...to);
  controls.enableDamping = true;
  const resize = () => {
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    // The panel is on the left: what is looked at moves to the middle of the rest.
    const shift = innerWidth > 700 ? 160 : 0;
    camera.setViewOffset(innerWidth, innerHeight, -shift, 0, innerWidth, innerHeight);
    camera.updateProjectionMatrix();
  };
  addEventListener('resize', resize);
  resize();
  return {
    scene,
    camera,
    renderer,
    controls,
    /** Calls `frame` with the seconds since the start, then draws. */
    run(frame) {
      renderer.setAnimationLoop((milliseconds) => {
        frame(milliseconds / 1000);
        controls.update();
        renderer.render(scene, camera);
      });
    },
  };
}

/** A mesh of three.js for { positions, triangles }. `update` takes new positions. */
export function createSurface({ positions, triangles }, color) {
  const geometry = new THREE.BufferGeometry().setIndex(
    new THREE.BufferAttribute(Uint32Array.from(triangles), 1),
  );
  const attribute = new THREE.BufferAttribute(Float32Array.from(positions), 3).setUsage(
    THREE.DynamicDrawUsage,
  );
  geometry.setAttribute('position', attribute);
  geometry.computeVertexNormals();
  const material = new THREE.MeshStandardMaterial({ color, roughness: 0.65, side: THREE.DoubleSide });
  const object = new THREE.Mesh(geometry, material);
  object.frustumCulled = false; // it moves out of the box that it had at first
  return {
    object,
    update(moved) {
      attribute.array.set(moved);
      attribute.needsUpdate = true;
      geometry.computeVertexNormals();
    },
  };
}

/** Writes into the element with this id; `state` is a class of page.css. */
export function show(id, text, state = '') {
  const element = document.getElementById(id);
  if (element.textContent !== text) element.textContent = text;
  if (element.className !== state) element.className = state;
}

/** "1 pair", "2,000 pairs". */
export function count(number, what) {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
}
