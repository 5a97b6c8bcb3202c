import { InputError } from 'pliant';
import type { StoredArray } from 'pliant/io';
import type { Obstacle } from './obstacles.ts';

/** Meshes of obstacles stand beside the header, each once. */
export class MeshArrays {
  readonly arrays: Record<string, StoredArray>;
  readonly #known = new Map<unknown, number>();
  readonly #read = new Map<number, Obstacle['mesh']>();

  constructor(arrays: Readonly<Record<string, StoredArray>> = {}) {
    this.arrays = { ...arrays };
  }

  put({ mesh, ...obstacle }: Obstacle): Obstacle & { meshNumber?: number } {
    if (mesh === undefined) return obstacle;
    let meshNumber = this.#known.get(mesh);
    if (meshNumber === undefined) {
      meshNumber = this.#known.size;
      this.#known.set(mesh, meshNumber);
      this.arrays[`obstacle${meshNumber}Positions`] = mesh.positions;
      this.arrays[`obstacle${meshNumber}Triangles`] = mesh.triangles;
    }
    return { ...obstacle, meshNumber };
  }

  take(stored: Omit<Obstacle, 'mesh'> & { meshNumber?: number }, fileName: string): Obstacle {
    const { meshNumber, ...obstacle } = stored;
    if (meshNumber === undefined) return obstacle;
    let mesh = this.#read.get(meshNumber);
    if (mesh === undefined) {
      const positions = this.arrays[`obstacle${meshNumber}Positions`];
      const triangles = this.arrays[`obstacle${meshNumber}Triangles`];
      if (!(positions instanceof Float64Array && triangles instanceof Uint32Array)) {
        throw new InputError('syntax', `${fileName}: the surface of ${obstacle.name} is missing`);
      }
      mesh = { positions, triangles };
      this.#read.set(meshNumber, mesh);
    }
    return { ...obstacle, mesh };
  }
}
