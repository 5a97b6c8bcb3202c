import type { Cage, ResidentEnergy, Shape } from 'pliant/edit';

/** What the editor shows of a shape beyond its public interface: rows of contacts, and functions in use. */
export interface InnerShape {
  readonly solver: {
    readonly rows: ContactRows | undefined;
    readonly lambda: Float64Array; // below 0 where a row pushes
    readonly controls: Float64Array; // positions of the cage, in its coordinates
    readonly oracle: { readonly groups: number[]; readonly isFading: boolean };
  };
  readonly parts: { readonly cage: Cage; readonly energy: ResidentEnergy };
}

interface ContactRows {
  readonly count: number;
  readonly terms: Uint8Array;
  readonly vertices: Uint32Array; // four per row, of the surface
  readonly depth: Float64Array;
  toArray(): import('pliant/edit').ContactRow[];
}

export function innerOf(shape: Shape): InnerShape {
  return shape as unknown as InnerShape;
}
