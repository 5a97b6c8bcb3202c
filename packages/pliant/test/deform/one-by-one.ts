import type { Body, Engine } from '../../src/index.ts';

/** Local positions at the start of the motion, each point evaluated on its own. */
export function evaluateOneByOne(engine: Engine, { deformer, resident, mesh }: Body): Float64Array {
  const positions = new Float64Array(3 * mesh.vertexCount);
  for (let p = 0; p < mesh.vertexCount; p++) {
    deformer.ensurePoint(0, p);
    const o = deformer.address(0) / 8 + 3 * p;
    positions.set(engine.kernels.memory.f64.subarray(o, o + 3), 3 * resident.vertexOfPoint[p]);
  }
  return positions;
}
