import { Uint32List } from './growable.ts';
import { type MeshFile, meshName, singleGroup, type TetFile } from './mesh-file.ts';

/** Tetrahedra and surface polygons, collected from a file that may hold both. */
export class SolidElements {
  private readonly tetrahedra = new Uint32List();
  private readonly triangles = new Uint32List();

  /** The four corners from `first` on. */
  addTetrahedron(corners: ArrayLike<number>, first = 0): void {
    this.tetrahedra.push4(corners[first], corners[first + 1], corners[first + 2], corners[first + 3]);
  }

  /** Fanned from its first corner. */
  addPolygon(corners: ArrayLike<number>, first = 0, count = corners.length): void {
    for (let i = first + 1; i + 1 < first + count; i++) {
      this.triangles.push3(corners[first], corners[i], corners[i + 1]);
    }
  }

  /** Every second triangle is turned to keep the side. */
  addStrip(corners: ArrayLike<number>, first: number, count: number): void {
    for (let i = 0; i + 2 < count; i++) {
      const a = first + i + (i % 2);
      const b = first + i + 1 - (i % 2);
      this.triangles.push3(corners[a], corners[b], corners[first + i + 2]);
    }
  }

  /** With any tetrahedron the file is a solid, else a surface. */
  toFile(fileName: string, positions: Float64Array): MeshFile | TetFile {
    const name = meshName(fileName);
    const triangles = this.triangles.toArray();
    if (this.tetrahedra.length > 0) {
      return { kind: 'tetrahedra', name, positions, tetrahedra: this.tetrahedra.toArray(), triangles };
    }
    return { kind: 'triangles', name, positions, triangles, groups: singleGroup(triangles.length / 3) };
  }
}
