import type { StoredModes } from 'pliant/io';
import type { Solid } from './solid.ts';

/** Modes, and what to tell about them. */
export interface MadeModes {
  readonly model: StoredModes;
  readonly solid?: Solid;
  readonly volume?: number;
  /** Vertices of the tetrahedra that are held. */
  readonly fixed?: number;
  /** Motions without strain that were left out. */
  readonly rigidModes?: number;
  readonly notes: readonly string[];
}
