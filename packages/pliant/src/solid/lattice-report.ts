import type { TetrahedralMesh } from '../mesh/tetrahedral-mesh.ts';
import { findRoot, unite } from '../mesh/union-find.ts';
import { filledVolume } from './assemble-lattice.ts';
import type { RawLattice } from './build-lattice.ts';
import type { SolidSurface } from './prepare-solid.ts';
import { measureTetrahedra } from './tetrahedron-quality.ts';

/** What came out, in numbers and words. */
export interface LatticeReport {
  readonly vertices: number;
  readonly tetrahedra: number;
  /** The side of a cube of the lattice. */
  readonly cellSize: number;
  /** Tetrahedra beyond the first of those that lie in the same place: the solid passes there more than once. */
  readonly duplicates: number;
  /** Parts of the lattice that nothing connects; tetrahedra of each, largest first. */
  readonly components: readonly number[];
  /** Connected parts of the surface. */
  readonly shells: number;
  readonly openEdges: number;
  readonly nonManifoldEdges: number;
  /** By the divergence theorem: overlapping shells count twice; of an open surface a guess. */
  readonly surfaceVolume: number;
  /** Of the tetrahedra times their fill. */
  readonly fillVolume: number;
  /** Dihedral angles in degrees. */
  readonly smallestAngle: number;
  readonly largestAngle: number;
  /** What was changed to make sense of the surface. */
  readonly repairs: readonly string[];
  /** What should be known before relying on the lattice. */
  readonly warnings: readonly string[];
}

/** The most control points of an embedded body. */
const CONTROL_LIMIT = 65_536;

export function reportLattice(
  given: { readonly vertexCount: number },
  solid: SolidSurface,
  { assembly, fill, cell }: RawLattice,
  mesh: TetrahedralMesh,
  components: readonly number[],
): LatticeReport {
  const scale = solid.size ** 3;
  const { smallestAngle, largestAngle } = measureTetrahedra(mesh);
  const report = {
    vertices: mesh.vertexCount,
    tetrahedra: mesh.tetrahedronCount,
    cellSize: cell * solid.size,
    duplicates: mesh.tetrahedronCount - assembly.latticeTetrahedra,
    components,
    shells: solid.mesh.componentCount,
    openEdges: solid.openEdges,
    nonManifoldEdges: solid.nonManifoldEdges,
    surfaceVolume: solid.volume * scale,
    fillVolume: filledVolume(fill) * cell ** 3 * scale,
    smallestAngle,
    largestAngle,
  };
  const welded = given.vertexCount - solid.mesh.vertexCount;
  const repairs = [...solid.repairs];
  if (welded > 0) repairs.push(`vertices welded to others in the same place: ${welded}`);
  return { ...report, repairs, warnings: [...solid.warnings, ...warningsOf(report, solid)] };
}

/** Parts that glue holds together, the largest first; of equal ones that with the first tetrahedron. */
export function findParts(
  tetrahedra: number,
  glue: Uint32Array,
): { sizes: number[]; ofTetrahedron: Uint32Array } {
  const parent = Int32Array.from({ length: tetrahedra }, (_, i) => i);
  for (let i = 0; i < glue.length; i += 2) unite(parent, glue[i], glue[i + 1]);
  const sizeOf = new Int32Array(tetrahedra); // at roots
  for (let i = 0; i < tetrahedra; i++) sizeOf[findRoot(parent, i)]++;
  const roots: number[] = [];
  for (let i = 0; i < tetrahedra; i++) if (sizeOf[i] > 0) roots.push(i);
  roots.sort((a, b) => sizeOf[b] - sizeOf[a] || a - b);
  const rank = new Uint32Array(tetrahedra);
  roots.forEach((root, i) => {
    rank[root] = i;
  });
  const ofTetrahedron = Uint32Array.from(parent, (_, i) => rank[findRoot(parent, i)]);
  return { sizes: roots.map((root) => sizeOf[root]), ofTetrahedron };
}

function warningsOf(
  report: Omit<LatticeReport, 'repairs' | 'warnings'>,
  { isClosed, mesh }: SolidSurface,
): string[] {
  const { components, openEdges, nonManifoldEdges, surfaceVolume, fillVolume, vertices } = report;
  const warnings: string[] = [];
  if (openEdges > 0) {
    warnings.push(`open edges: ${openEdges}; holes are closed where the winding number is 1/2`);
  }
  if (nonManifoldEdges > 0) warnings.push(`edges of more than two triangles: ${nonManifoldEdges}`);
  if (!isClosed && openEdges === 0)
    warnings.push('the surface does not close: its triangles disagree along edges');
  if (components.length > 1) {
    const sizes = components.slice(0, 8).join(', ') + (components.length > 8 ? ', …' : '');
    warnings.push(
      `the lattice falls into ${components.length} parts that nothing holds together, of ${sizes} tetrahedra`,
    );
  }
  if (mesh.defects.unusedVertices > 0) {
    warnings.push(
      `vertices in no triangle, hung on the nearest of the lattice: ${mesh.defects.unusedVertices}`,
    );
  }
  const missing = fillVolume / surfaceVolume - 1;
  if (isClosed && Math.abs(missing) > 0.01) {
    const percent = (100 * Math.abs(missing)).toFixed(1);
    warnings.push(
      `the tetrahedra hold ${percent} % ${missing < 0 ? 'less' : 'more'} than the surface encloses: it overlaps itself`,
    );
  }
  if (vertices > CONTROL_LIMIT) {
    warnings.push(`${vertices} vertices are more than the ${CONTROL_LIMIT} that an embedded body may have`);
  }
  return warnings;
}
