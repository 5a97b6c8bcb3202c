import type { Modes, Skin, VertexAttribute } from 'pliant';
import type { PartInput } from './inputs.ts';

/** Everything a check can be asked about: the meshes of one file, or of two that are held against each other. */
export interface Scene {
  readonly inputs: readonly PartInput[];
  readonly parts: readonly ScenePart[];
  readonly meshes: readonly SceneMesh[]; // of all parts, in order
  readonly triangleCount: number;
}

/** What one file (or one sequence of files) brings. */
export interface ScenePart {
  readonly path: string; // for messages
  readonly meshes: readonly PartMesh[];
  readonly clips: readonly SceneClip[];
  readonly sequence?: SceneSequence; // then there are no clips
  readonly notes: readonly string[]; // worth a line on stderr
  /** How every mesh stands at a moment. The arrays are the caller's. */
  poses(moment: PartMoment): Promise<MeshPose[]>;
}

export interface SceneClip {
  readonly name: string; // the index, as text, when unnamed
  readonly duration: number; // seconds
}

export interface SceneSequence {
  readonly frameCount: number;
  readonly times: Float64Array | undefined; // seconds; undefined: evenly spaced by --fps
}

/** A clip of this part at a time in seconds, or a frame of its sequence; neither: at rest. */
export interface PartMoment {
  readonly clip?: number;
  readonly time?: number;
  readonly frame?: number;
}

/** One node's mesh. Ids count from 0 in each mesh. */
export interface PartMesh {
  readonly name: string;
  readonly node: number | null; // null where the format has no nodes
  readonly kind: 'rigid' | 'skinned' | 'modal' | 'free';
  readonly positions: Float64Array; // 3 per source vertex, at rest
  readonly triangles: Uint32Array; // possibly none
  readonly regions: readonly SceneRegion[]; // in order; together they cover every triangle once
  readonly attributes: readonly VertexAttribute[]; // what vertices must share to be one
  readonly skin?: Skin & { readonly jointNames: readonly string[] };
  readonly modes?: Modes & { readonly names: readonly string[] };
  /** As it is in the file, where this one is in world coordinates. */
  readonly unsettled?: PartMesh;
}

/** A run of triangles with the same names: of node, mesh, material, object or group. */
export interface SceneRegion {
  readonly names: readonly string[]; // not empty; the most telling first
  readonly firstTriangle: number;
  readonly triangleCount: number;
}

export interface SceneMesh extends PartMesh {
  readonly part: number;
  readonly indexInPart: number;
  readonly firstTriangle: number; // among all meshes of the scene
  readonly firstTriangleInFile: number; // as reports count
}

/** Row-major 3×4 matrices. What is absent does not apply to the kind of mesh. */
export interface MeshPose {
  readonly world: Float64Array; // the identity where joints or positions are in world coordinates already
  readonly joints?: Float64Array;
  readonly weights?: Float64Array;
  readonly positions?: Float64Array; // of every source vertex
}

export const IDENTITY_MATRIX: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
