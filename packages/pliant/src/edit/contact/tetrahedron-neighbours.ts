import type { Cage } from '../types.ts';

/** The neighbours of tetrahedron t through its faces are `list[start[t] … start[t + 1])`. */
export interface TetrahedronNeighbours {
  readonly start: Uint32Array;
  readonly list: Uint32Array;
  /** Which corner the face lies opposite to; 4 when they have all corners in common, or too few. */
  readonly face: Uint8Array;
}

export function createTetrahedronNeighbours({ tetrahedra: mesh, glue }: Cage): TetrahedronNeighbours {
  const start = new Uint32Array(mesh.tetrahedronCount + 1);
  for (let i = 0; i < glue.length; i++) start[glue[i] + 1]++;
  for (let t = 0; t < mesh.tetrahedronCount; t++) start[t + 1] += start[t];
  const next = start.slice();
  const list = new Uint32Array(glue.length),
    face = new Uint8Array(glue.length);
  for (let i = 0; i < glue.length; i++) {
    const s = glue[i],
      t = glue[i ^ 1];
    face[next[s]] = cornerBeside(mesh.tetrahedra, s, t);
    list[next[s]++] = t;
  }
  return { start, list, face };
}

/** The one corner of s that t does not have. */
function cornerBeside(tetrahedra: Uint32Array, s: number, t: number): number {
  let corner = 4,
    count = 0;
  for (let k = 0; k < 4; k++) {
    const v = tetrahedra[4 * s + k];
    let isShared = false;
    for (let j = 4 * t; j < 4 * t + 4; j++) isShared ||= tetrahedra[j] === v;
    if (isShared) continue;
    corner = k;
    count++;
  }
  return count === 1 ? corner : 4;
}
