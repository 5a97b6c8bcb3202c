import type { TaskPool } from 'pliant';
import { restoreShape, type Shape, type ShapeObstacle } from 'pliant/edit';
import { readStored, writeStored } from 'pliant/io';
import type { Clusters } from './edits.ts';

/** The option `rotationLevel` of a shape. */
export function rotationLevelOf(clusters: Clusters): number | false | undefined {
  return clusters === 'auto' ? undefined : clusters === 'off' ? false : clusters;
}

/** The same shape with other clusters. The one that is given stays as it is. */
export function changeClusters(
  shape: Shape,
  clusters: Clusters,
  { obstacles, pool }: { obstacles: readonly ShapeObstacle[]; pool?: TaskPool },
): Promise<Shape> {
  const stored = readStored(shape.serialize(), 'the shape', 'shape');
  const settings = { ...stored.settings, rotationLevel: rotationLevelOf(clusters) ?? null };
  return restoreShape(writeStored({ ...stored, settings }), { obstacles, pool });
}
