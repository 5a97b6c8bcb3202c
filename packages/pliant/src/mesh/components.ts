import { findRoot, unite } from './union-find.ts';

export interface Components {
  readonly componentCount: number;
  readonly component: Uint32Array; // per triangle, numbered by first triangle
}

/** Triangles that share a vertex share a component. Union-find over vertices, halving paths. */
export function findComponents(triangles: Uint32Array, vertexCount: number): Components {
  const parent = new Uint32Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) parent[v] = v;
  for (let t = 0; t < triangles.length; t += 3) {
    unite(parent, triangles[t], triangles[t + 1]);
    unite(parent, triangles[t], triangles[t + 2]);
  }

  const component = new Uint32Array(triangles.length / 3);
  const idOfRoot = new Uint32Array(vertexCount); // plus one; 0 is none yet
  let componentCount = 0;
  for (let t = 0; t < component.length; t++) {
    const root = findRoot(parent, triangles[3 * t]);
    if (idOfRoot[root] === 0) idOfRoot[root] = ++componentCount;
    component[t] = idOfRoot[root] - 1;
  }
  return { componentCount, component };
}
