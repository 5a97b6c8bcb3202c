export { type ReadShapeBasisOptions, readShapeBasis, writeShapeBasis } from './basis-file.ts';
export type { BasisGroup } from './basis-group.ts';
export { createShapeBasis, type ShapeBasisOptions } from './create-shape-basis.ts';
export { NONE } from './farthest-points.ts';
export type { Hierarchy, HierarchyOptions } from './hierarchy.ts';
export { ShapeBasis } from './shape-basis.ts';
