/** Volumes of single nodes, computed when somebody asks. One per body and coordinates. */
export interface Bounds {
  /** Six numbers at `stride` · node: lo.xyz, hi.xyz. Valid for nodes ensured since the last change of pose. */
  readonly box: Float32Array | Float64Array;
  readonly stride: number;
  /** Nodes from here on have no volume: they are too small to be worth one. */
  readonly boundedNodes: number;
  /** How many volumes were computed so far; queries report the difference. */
  readonly refitted: number;
  /** A query begins; `swept` asks for volumes of the whole motion. Forgets volumes of another pose. */
  begin(swept: boolean): void;
  /** Afterwards box[stride · node …] holds every triangle under the node, in this pose or throughout the motion. */
  ensure(node: number): void;
  refitAll(): void;
  /** True for nodes that a traversal opens without looking at their volumes. */
  skips?(node: number): boolean;
  /** For volumes other than boxes: true proves that nothing below two large nodes touches; undefined asks the boxes. */
  areApart?(node: number, other: Bounds, otherNode: number): boolean | undefined;
  free(): void;
}
