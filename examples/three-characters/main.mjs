// Two skinned characters of three.js walk through one another; where they touch, they turn red. Paste it into any
// project with a bundler that has three and pliant, and put your own SkinnedMesh in their place.
import { createEngine, findCollisions } from 'pliant';
import { createDwarf, createMan } from 'pliant/shapes';
import { bodyFromObject3D, CollisionHelper } from 'pliant/three';
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const camera = new THREE.PerspectiveCamera(40, innerWidth / innerHeight, 0.1, 50).translateZ(4).translateY(1);
const scene = new THREE.Scene().add(new THREE.HemisphereLight('white', 'slategrey', 3));

const characters = [createMan(), createDwarf()];
const meshes = characters.map(({ mesh, skin, jointNames }, k) => {
  const geometry = new THREE.BufferGeometry().setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(mesh.positions, 3));
  geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(skin.joints, 4));
  geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(skin.weights, 4));
  geometry.computeVertexNormals();
  const color = ['lightsteelblue', 'tan'][k];
  const object = new THREE.SkinnedMesh(geometry, new THREE.MeshStandardMaterial({ color }));
  const bones = jointNames.map(() => Object.assign(new THREE.Bone(), { matrixAutoUpdate: false }));
  const inverses = bones.map(() => new THREE.Matrix4());
  object.add(...bones).bind(new THREE.Skeleton(bones, inverses));
  return object.rotateY(Math.PI * (k - 0.5)); // face to face
});

const helper = new CollisionHelper();
scene.add(...meshes, helper);
const engine = await createEngine();
const [man, dwarf] = meshes.map((mesh) => bodyFromObject3D(engine, mesh));

renderer.setAnimationLoop((milliseconds) => {
  meshes.forEach(({ skeleton, position }, k) => {
    const joints = characters[k].walk(milliseconds / 1000); // three rows of a matrix per joint
    for (const [j, bone] of skeleton.bones.entries())
      bone.matrix.set(...joints.subarray(12 * j, 12 * j + 12), 0, 0, 0, 1);
    position.x = 0.5 + (2 * k - 1) * (((milliseconds / 3000 + 0.7) % 2) - 1) * 0.9; // towards each other
  });
  scene.updateMatrixWorld();
  man.update();
  dwarf.update();
  const report = findCollisions(man.body, dwarf.body);
  helper.update(report, [man.body, dwarf.body]);
  document.title = `${report.pairCount} pairs of triangles touch`;
  renderer.render(scene, camera);
});
