import {
  type Body,
  type Certificate,
  createEngine,
  createTriangleMesh,
  type Engine,
} from '../../src/index.ts';
import { grid } from '../arbitraries.ts';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are what these tests are about
export type Any = any;

export const mesh = createTriangleMesh({ ...grid(2, 2), name: 'sheet' });
export const POSE = mesh.positions;
export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
export const withAt = <T>(list: ArrayLike<T>, index: number, value: Any): Any[] =>
  Array.from(list, (x, i) => (i === index ? value : x));

/** What bad input is given to. */
export interface World {
  engine: Engine;
  other: Engine;
  free: Body;
  rigid: Body;
  stranger: Body; // of another engine
  gone: Body; // disposed of
}

export async function createWorld(): Promise<World> {
  const [engine, other] = await Promise.all([createEngine(), createEngine()]);
  const gone = engine.createFreeBody(mesh, { name: 'ghost' });
  gone.dispose();
  return {
    engine,
    other,
    free: engine.createFreeBody(mesh, { name: 'cloak' }),
    rigid: engine.createRigidBody(mesh),
    stranger: other.createFreeBody(mesh),
    gone,
  };
}

/** A proof of nothing. */
export const silent = (body: Body): Certificate => ({
  tree: body.tree,
  begin: () => {},
  clears: () => false,
});
