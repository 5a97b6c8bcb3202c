/** What the HTML report is made from. Filled by the command; read by `renderHtmlReport`. */

/** One line of the settings or timings list, shown as it is. */
export interface ReportFact {
  readonly label: string;
  readonly value: string;
}

/** The named parts of a mesh: its dominant joints, its materials or its groups. */
export interface ReportRegions {
  readonly names: readonly string[];
  /** Per triangle, an index into `names`. */
  readonly ofTriangle: Uint16Array;
}

/** Linear blend skinning, `influences` joints per vertex. */
export interface ReportSkin {
  readonly influences: number;
  readonly joints: Uint16Array; // influences per vertex
  readonly weights: Float32Array; // influences per vertex; used as they are, not normalised again
  readonly jointNames: readonly string[];
}

/** Morph targets: position = rest + Σ weight · delta, before skinning. */
export interface ReportMorphs {
  readonly count: number;
  readonly deltas: Float32Array; // count × 3 × vertices, target by target
}

export interface ReportMesh {
  readonly name: string;
  /** The node it hangs on: glTF node index, or the object's index in a plain mesh file. */
  readonly node: number;
  /** Global id of its triangle 0. Meshes are listed by ascending `firstTriangle`, without gaps. */
  readonly firstTriangle: number;
  readonly triangleCount: number;
  /** Source vertices at rest, xyz each. */
  readonly positions: Float32Array;
  /** Three indices into `positions` per triangle. */
  readonly triangles: Uint32Array;
  readonly regions: ReportRegions;
  readonly skin?: ReportSkin;
  readonly morphs?: ReportMorphs;
}

/** One checked frame. */
export interface ReportFrame {
  /** As in the JSON: its number within the clip. */
  readonly index: number;
  /** Name of its clip; empty when the file has none. */
  readonly clip: string;
  /** Seconds. */
  readonly time: number;
  /** All its contacts, also those that `--max-pairs` left out of the list. */
  readonly count: number;
}

/** How one mesh stands in one frame: rest → morphs → joints (or, without a skin, nothing) → world. */
export interface ReportPose {
  /** Row-major 3×4. Applied last; the identity when `joints` already lead to world coordinates. */
  readonly world: Float32Array;
  /** Row-major 3×4 per joint, inverse bind matrix included. */
  readonly joints?: Float32Array;
  /** One per morph target. */
  readonly morphWeights?: Float32Array;
  /** Point caches and sequences: the deformed vertices themselves, before `world`. Replaces all of the above. */
  readonly positions?: Float32Array;
}

/** A frame whose picture is in the file. */
export interface ReportShownFrame {
  /** Index into `frames`. */
  readonly frame: number;
  /** Global triangle ids, two per contact. `shownContacts` keeps a fair choice when there are very many. */
  readonly pairs: Uint32Array;
  /** Every triangle that touches, also in contacts that `pairs` leaves out. Default: those in `pairs`. */
  readonly touched?: Uint32Array;
  /** Says that `pairs` lists fewer contacts than the frame's `count`. */
  readonly truncated: boolean;
  /** One per mesh. */
  readonly poses: readonly ReportPose[];
}

/** [index of the mesh, index of its region]. */
export type ReportRegionRef = readonly [mesh: number, region: number];

/** Two regions that touch, counted over all checked frames. */
export interface ReportRegionPair {
  readonly a: ReportRegionRef;
  readonly b: ReportRegionRef;
  /** In how many frames they touch. */
  readonly frames: number;
  /** Contacts between them, summed over the frames. */
  readonly pairs: number;
  /** Index into `frames` of the first one. */
  readonly firstFrame: number;
}

export type ReportState = 'complete' | 'out-of-time' | 'cancelled' | 'truncated';

export interface ReportData {
  readonly title: string;
  /** Base names of the checked files. */
  readonly files: readonly string[];
  readonly state: ReportState;
  readonly settings: readonly ReportFact[];
  readonly timings: readonly ReportFact[];
  /** Clip names in the order in which `frames` runs through them. */
  readonly clips: readonly string[];
  readonly meshes: readonly ReportMesh[];
  /** All checked frames, in order. */
  readonly frames: readonly ReportFrame[];
  /** The frames to embed, by ascending `frame`: choose them with `chooseShownFrames`. */
  readonly shown: readonly ReportShownFrame[];
  /** Over all checked frames, in any order; sorted by the report. */
  readonly regionPairs: readonly ReportRegionPair[];
  /** Per global triangle: in how many of the checked frames it touches another one. */
  readonly hits: Uint32Array;
}
