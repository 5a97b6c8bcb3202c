/** Volumes of single nodes, computed when somebody asks. One per body and coordinates. */
export interface Bounds {
  /** Six numbers per node: lo.xyz, hi.xyz. Valid for nodes ensured since the last change of pose. */
  readonly box: Float64Array;
  /** Nodes from here on have no volume: they are too small to be worth one. */
  readonly boundedNodes: number;
  /** How many volumes were computed so far; queries report the difference. */
  readonly refitted: number;
  /** A query begins; `swept` asks for volumes of the whole motion. Forgets volumes of another pose. */
  begin(swept: boolean): void;
  /** Afterwards box[6 · node …] holds every triangle under the node, in this pose or throughout the motion. */
  ensure(node: number): void;
  refitAll(): void;
}
