import type { ReportFact, ReportRegionPair, ReportState } from './report-data.ts';

/**
 * The data block of the report: `gzip(length of the header as uint32, header as JSON, arrays)`, in base64. All
 * little endian. Arrays start at multiples of 8 after the header's end, which is rounded up to one as well.
 * `pack-payload.ts` writes it, `page/read-payload.ts` reads it.
 */
export interface PayloadHeader {
  readonly arrays: readonly PackedArray[];
  readonly title: string;
  readonly state: ReportState;
  readonly settings: readonly ReportFact[];
  readonly clips: readonly string[];
  readonly meshes: readonly PackedMesh[];
  readonly frames: PackedFrames;
  readonly shown: readonly PackedShownFrame[];
  readonly regionPairs: readonly ReportRegionPair[];
  readonly hits: ArrayRef;
}

/** Index into `arrays`. Equal arrays are stored once. */
export type ArrayRef = number;

export type PackedType = 'u8' | 'u16' | 'u32' | 'f32' | 'f64';

export interface PackedArray {
  readonly type: PackedType;
  readonly offset: number;
  readonly length: number;
  /** When positive, each number is stored as the difference, modulo its type, to the one `delta` before it. */
  readonly delta: number;
}

/** Rows of `step.length` numbers, rounded to 16 bits: value = origin + step · stored. */
export interface PackedRows {
  readonly values: ArrayRef;
  readonly origin: readonly number[];
  readonly step: readonly number[];
}

export interface PackedMesh {
  readonly name: string;
  readonly node: number;
  readonly firstTriangle: number;
  readonly triangleCount: number;
  readonly positions: PackedRows;
  readonly triangles: ArrayRef;
  readonly regionNames: readonly string[];
  readonly regionOfTriangle: ArrayRef;
  readonly skin?: { readonly influences: number; readonly joints: ArrayRef; readonly weights: PackedRows };
  readonly morphs?: readonly PackedRows[];
}

export interface PackedFrames {
  readonly index: ArrayRef;
  readonly clip: ArrayRef; // into `clips`
  readonly time: ArrayRef;
  readonly count: ArrayRef;
}

export interface PackedShownFrame {
  readonly frame: number;
  readonly pairs: ArrayRef;
  readonly touched: ArrayRef; // one bit per triangle, lowest first
  readonly truncated: boolean;
  readonly world: ArrayRef; // 12 per mesh
  readonly poses: readonly PackedPose[]; // per mesh
}

export interface PackedPose {
  readonly joints?: ArrayRef;
  readonly morphWeights?: ArrayRef;
  readonly positions?: PackedRows;
}

export const BYTES_OF: Readonly<Record<PackedType, number>> = { u8: 1, u16: 2, u32: 4, f32: 4, f64: 8 };
