/**
 * What a glTF file says, as plain data: it can be posted to a worker. Arrays of a mesh that several nodes show are
 * the same arrays, so do not write into them.
 */
export interface GltfScene {
  readonly name: string; // the file's name without folder and extension
  readonly nodes: GltfNodes;
  readonly meshes: readonly GltfMesh[]; // one per node with a mesh in the scene, by ascending node
  readonly clips: readonly GltfClip[]; // in file order
  readonly ignoredExtensions: readonly string[]; // optional ones that could have changed shape or motion
}

/** Every node of the file, in the scene or not. Rest transforms; matrices are row-major 3×4. */
export interface GltfNodes {
  readonly names: readonly string[]; // '' when unnamed
  readonly parent: Int32Array; // −1 for a root
  readonly order: Uint32Array; // parents before children
  readonly translation: Float64Array; // 3 per node
  readonly rotation: Float64Array; // 4 per node: x, y, z, w; as in the file, which means unit length
  readonly scale: Float64Array; // 3 per node
  readonly matrix: Float64Array; // 12 per node: composed of the above, or as in the file
}

/**
 * The triangles that one node shows: the primitives of its mesh, one after the other. Strips and fans are expanded;
 * degenerate triangles keep their ids. Points, lines and primitives without positions bring neither triangles nor
 * vertices, so a mesh may be empty.
 */
export interface GltfMesh {
  readonly name: string; // of the mesh, '' when unnamed
  readonly mesh: number; // its index in the file
  readonly node: number;
  readonly nodeName: string;
  readonly primitives: readonly GltfPrimitive[];
  readonly positions: Float64Array; // 3 per vertex, finite
  readonly triangles: Uint32Array; // 3 vertices per triangle
  readonly skin?: GltfSkin; // with it, the node's own transform has no effect
  readonly morphs?: GltfMorphs; // applied before the skin
}

export interface GltfPrimitive {
  readonly firstTriangle: number;
  readonly triangleCount: number;
  readonly firstVertex: number;
  readonly vertexCount: number;
  readonly material: string; // its name; '' for none
}

export interface GltfSkin {
  readonly joints: readonly number[]; // node of each joint
  readonly inverseBind: Float64Array; // 12 per joint: a row-major 3×4 matrix
  readonly influences: number; // per vertex: a multiple of 4
  readonly jointIndex: Uint16Array; // `influences` per vertex, into `joints`; 0 where the weight is 0
  readonly weights: Float64Array; // as many; of each vertex they sum to 1 up to rounding
  readonly renormalised: number; // vertices whose weights in the file were off 1 by more than 1e-4
  readonly weightless: number; // those of them that had none: they follow their first joint, as in three.js
}

export interface GltfMorphs {
  readonly count: number;
  readonly names: readonly string[]; // the index, as text, when unnamed
  readonly deltas: Float64Array; // target after target, 3 per vertex
  readonly defaultWeights: Float64Array; // of the node, else of the mesh, else 0
}

export interface GltfClip {
  readonly name: string; // '' when unnamed
  readonly duration: number; // seconds: the last key of all channels, as the file states it before rounding to float32
  readonly channels: readonly GltfChannel[];
}

export type GltfPath = 'translation' | 'rotation' | 'scale' | 'weights';
export type GltfInterpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE';

/** Keys of one property of one node. CUBICSPLINE has three values per key: in-tangent, value, out-tangent. */
export interface GltfChannel {
  readonly node: number;
  readonly path: GltfPath;
  readonly interpolation: GltfInterpolation;
  readonly size: number; // numbers per value
  readonly times: Float64Array; // seconds, never decreasing, at least one
  readonly values: Float64Array;
}
