// What the samples of docs/guide/queries.md take for granted: two bodies, the first of which touches itself.
import { createEngine, createTriangleMesh } from 'pliant';
import { createSpring } from 'pliant/shapes';

const spring = createSpring({ triangles: 4_000 });
const mesh = createTriangleMesh(spring.source);
const engine = await createEngine();

export const start = new Float64Array(spring.source.positions.length);
export const end = new Float64Array(spring.source.positions.length);
spring.deform(0.9, start);
spring.deform(1, end);

export const body = engine.createFreeBody(mesh);
export const other = engine.createFreeBody(mesh);
body.setPose(end);
other.setWorldMatrix([1, 0, 0, 0.1, 0, 1, 0, 0.1, 0, 0, 1, 0]);
