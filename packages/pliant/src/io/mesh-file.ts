/**
 * What a file of triangles says. Nothing is welded: vertices and triangles keep the file's order.
 * The id of a triangle is its position after fanning polygons; degenerate ones keep theirs, points
 * and lines have none.
 */
export interface MeshFile {
  readonly kind: 'triangles';
  readonly name: string; // the file's name without folder and extension
  readonly positions: Float64Array; // 3 per vertex, finite
  readonly triangles: Uint32Array; // 3 vertices per triangle, each below the vertex count
  readonly groups: readonly MeshGroup[]; // in order; together they cover every triangle once
}

/** A run of triangles with the same names. A format without a kind of name leaves it empty. */
export interface MeshGroup {
  readonly object: string;
  readonly name: string;
  readonly material: string;
  readonly firstTriangle: number;
  readonly triangleCount: number;
}

/** What a file of tetrahedra says. Corners keep the file's order, whatever the sign of the volume. */
export interface TetFile {
  readonly kind: 'tetrahedra';
  readonly name: string;
  readonly positions: Float64Array; // 3 per vertex, finite
  readonly tetrahedra: Uint32Array; // 4 vertices per tetrahedron
  readonly triangles: Uint32Array; // surface triangles the file lists besides; often none
}

/** Positions of the same vertices over time. Frames are decoded when asked for. */
export interface PointCache {
  readonly pointCount: number;
  readonly frameCount: number;
  readonly timeUnit: 'frames' | 'seconds'; // PC2 counts scene frames, MDD seconds
  readonly times: Float64Array; // of each frame, in that unit
  readonly startTime: number; // times[0]
  readonly frameRate: number; // samples per unit; NaN when the file gives no even spacing
  /** Fills `out` (3 per point) with frame `k` and returns it. */
  frame(k: number, out: Float64Array): Float64Array;
}

/** `models/hero.obj.gz` → `hero`. */
export function meshName(fileName: string): string {
  const base = baseName(fileName).replace(/\.gz$/i, '');
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(0, dot) : base;
}

/** `models/hero.obj.gz` → `obj`; lower case, empty when there is none. */
export function meshExtension(fileName: string): string {
  const base = baseName(fileName).replace(/\.gz$/i, '');
  const dot = base.lastIndexOf('.');
  return dot >= 0 ? base.slice(dot + 1).toLowerCase() : '';
}

/** One unnamed run over all triangles; none for none. */
export function singleGroup(triangleCount: number): MeshGroup[] {
  return triangleCount > 0 ? [{ object: '', name: '', material: '', firstTriangle: 0, triangleCount }] : [];
}

function baseName(fileName: string): string {
  return fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
}
