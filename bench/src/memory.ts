import { createEngine, findSelfCollisions } from '../../packages/pliant/src/index.ts';
import type { Track } from './scenes.ts';

/** Bytes of one free body, measured where they lie in kernel memory and added up where they are JS arrays. */
export interface MemoryFigures {
  /** Tree, front, boxes and the resident triangles, per triangle: what a batch query needs. */
  readonly batchPerTriangle: number;
  /** What on-demand queries add to that. */
  readonly onDemandPerTriangle: number;
  /** Positions of the pose: the deformer's, whatever the method. */
  readonly pointsPerTriangle: number;
  /** Working memory of a running query, in all; shared by the bodies of an engine. */
  readonly scratch: number;
}

export async function measureMemory({ mesh, poses }: Track): Promise<MemoryFigures> {
  const engine = await createEngine({ kernels: 'ts' });
  const body = engine.createFreeBody(mesh);
  const { resident, tree } = body;
  const points = 24 * resident.pointCount;
  body.prepare();
  const prepared = engine.usage.bytes;
  body.setPose(poses[0]);
  findSelfCollisions(body, { method: 'batch' });
  const boxes = 16 * tree.nodeCount;
  const scratch = engine.usage.bytes - prepared - boxes;

  const { inner, leaf } = resident.front;
  const arrays = [tree.link, tree.firstSlot, tree.slotCount, tree.order, resident.vertexOfPoint];
  for (const { list } of [inner, leaf]) arrays.push(list.start, list.end, list.pairs);
  const beside = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);

  findSelfCollisions(body, { method: 'on-demand' });
  const onDemand =
    engine.usage.bytes - prepared - boxes - scratch + body.getLocalBounds(false).box.byteLength;
  engine.dispose();
  return {
    batchPerTriangle: (prepared - points + boxes + beside) / mesh.triangleCount,
    onDemandPerTriangle: onDemand / mesh.triangleCount,
    pointsPerTriangle: points / mesh.triangleCount,
    scratch,
  };
}
