// What the samples of docs/energy.md take for granted.
import { createEngine, createTriangleMesh } from 'pliant';
import { prepareCertificates as prepare } from 'pliant/cull';
import { createCloth } from 'pliant/shapes';

export const prepareCertificates = prepare;
export const engine = await createEngine();
export const mesh = createTriangleMesh(createCloth({ triangles: 1_000 }).source);
