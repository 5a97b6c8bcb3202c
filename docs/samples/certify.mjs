// What the samples of docs/certify.md take for granted: a model that three.js has loaded, an engine, and a mesh.
import { createEngine, createTriangleMesh } from 'pliant';
import { createCloth } from 'pliant/shapes';

/** @type {import('three/addons/loaders/GLTFLoader.js').GLTF} */
export const gltf = Object.create(null);
export const engine = await createEngine();
export const mesh = createTriangleMesh(createCloth({ triangles: 1_000 }).source);
