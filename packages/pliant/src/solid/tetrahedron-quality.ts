import { checkTetrahedralMesh } from '../mesh/check-mesh.ts';
import type { TetrahedralMesh } from '../mesh/tetrahedral-mesh.ts';

export interface TetrahedronQuality {
  /** Smallest and largest dihedral angle in degrees; flat tetrahedra count as 0 and 180. */
  readonly smallestAngle: number;
  readonly largestAngle: number;
  /** Sum of the volumes, each positive. */
  readonly volume: number;
  readonly smallestVolume: number;
  readonly largestVolume: number;
}

/** Corners of the faces, each opposite the corner of its number. */
const FACES = [1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1];

/** How well tetrahedra are shaped, of a lattice or a file. */
export function measureTetrahedra(mesh: TetrahedralMesh): TetrahedronQuality {
  checkTetrahedralMesh(mesh);
  const { positions: p, tetrahedra } = mesh;
  const n = new Float64Array(12);
  let highest = -1,
    lowest = 1; // cosines
  let volume = 0,
    smallestVolume = Infinity,
    largestVolume = 0;
  for (let o = 0; o < tetrahedra.length; o += 4) {
    const size = Math.abs(setNormals(p, tetrahedra, o, n)) / 6;
    volume += size;
    smallestVolume = Math.min(smallestVolume, size);
    largestVolume = Math.max(largestVolume, size);
    for (let i = 0; i < 12; i += 3) {
      for (let j = i + 3; j < 12; j += 3) {
        const dot = n[i] * n[j] + n[i + 1] * n[j + 1] + n[i + 2] * n[j + 2];
        const lengths =
          (n[i] * n[i] + n[i + 1] * n[i + 1] + n[i + 2] * n[i + 2]) *
          (n[j] * n[j] + n[j + 1] * n[j + 1] + n[j + 2] * n[j + 2]);
        const cosine = -dot / Math.sqrt(lengths);
        highest = Math.max(highest, size > 0 && cosine <= 1 ? cosine : 1);
        lowest = Math.min(lowest, size > 0 && cosine >= -1 ? cosine : -1);
      }
    }
  }
  const degrees = (cosine: number) => (Math.acos(cosine) * 180) / Math.PI;
  return {
    smallestAngle: degrees(highest),
    largestAngle: degrees(lowest),
    volume,
    smallestVolume,
    largestVolume,
  };
}

/** Outward normals of the four faces, all turned round together in a mirrored tetrahedron. Returns six volumes. */
function setNormals(p: Float64Array, tetrahedra: Uint32Array, o: number, n: Float64Array): number {
  for (let face = 0; face < 4; face++) {
    const a = 3 * tetrahedra[o + FACES[3 * face]],
      b = 3 * tetrahedra[o + FACES[3 * face + 1]],
      c = 3 * tetrahedra[o + FACES[3 * face + 2]];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a],
      vy = p[c + 1] - p[a + 1],
      vz = p[c + 2] - p[a + 2];
    n[3 * face] = uy * vz - uz * vy;
    n[3 * face + 1] = uz * vx - ux * vz;
    n[3 * face + 2] = ux * vy - uy * vx;
  }
  const a = 3 * tetrahedra[o],
    b = 3 * tetrahedra[o + 1];
  return (p[b] - p[a]) * n[0] + (p[b + 1] - p[a + 1]) * n[1] + (p[b + 2] - p[a + 2]) * n[2];
}
