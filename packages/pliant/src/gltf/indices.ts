import type { ElementArray } from './accessors.ts';
import type { Elements } from './elements.ts';
import type { GltfPrimitive } from './gltf-scene.ts';
import type { JsonCheck } from './json-check.ts';
import { type PrimitivePlan, TRIANGLE_STRIP, TRIANGLES } from './mesh-plan.ts';

export function triangleCountOf(
  check: JsonCheck,
  { where, mode, positions, indices }: PrimitivePlan,
): number {
  if (positions === undefined) return 0;
  const corners = (indices ?? positions).count;
  if (mode !== TRIANGLES) return Math.max(0, corners - 2);
  if (corners % 3 === 0) return corners / 3;
  const what = indices === undefined ? 'vertices' : 'indices';
  check.fail('wrong-length', `${where}: ${corners} ${what} are not three per triangle`);
}

/** Writes the corners of a primitive's triangles, counted in vertices of the whole mesh. */
export function expandTriangles(
  check: JsonCheck,
  { where, mode, indices }: PrimitivePlan,
  elements: Elements,
  { firstTriangle, triangleCount, firstVertex, vertexCount }: GltfPrimitive,
  out: Uint32Array,
): void {
  const corners = indices === undefined ? undefined : elements.raw(indices);
  if (corners !== undefined) checkCorners(check, corners, vertexCount, where);
  const vertex = (i: number) => firstVertex + (corners === undefined ? i : corners[i]);
  for (let t = 0, o = 3 * firstTriangle; t < triangleCount; t++, o += 3) {
    if (mode === TRIANGLES) {
      out[o] = vertex(3 * t);
      out[o + 1] = vertex(3 * t + 1);
      out[o + 2] = vertex(3 * t + 2);
    } else if (mode === TRIANGLE_STRIP) {
      out[o] = vertex(t); // every second one is turned round, as glTF 2.0 §3.7.2.1 writes it
      out[o + 1] = vertex(t + 1 + (t % 2));
      out[o + 2] = vertex(t + 2 - (t % 2));
    } else {
      out[o] = vertex(t + 1);
      out[o + 1] = vertex(t + 2);
      out[o + 2] = vertex(0);
    }
  }
}

function checkCorners(check: JsonCheck, corners: ElementArray, vertexCount: number, where: string): void {
  for (let i = 0; i < corners.length; i++) {
    if (corners[i] < vertexCount) continue;
    const place = `${where}, indices: element ${i}`;
    check.fail(
      'index-out-of-range',
      `${place} is vertex ${corners[i]}, but the primitive has ${vertexCount}`,
    );
  }
}
