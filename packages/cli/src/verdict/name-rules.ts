import type { PartMesh, SceneMesh } from '../scene/scene.ts';

/** Contacts between what `pattern` names and what `other` names do not count; without `other`, all of its contacts. */
export interface IgnoreRule {
  readonly pattern: string;
  readonly other?: string;
}

/** Decides by the names of node, mesh, material, object or group which pairs of triangles are ignored. */
export class NameRules {
  readonly isEmpty: boolean;
  readonly #regionOf: Uint32Array; // per triangle
  readonly #sides: { readonly a: Uint8Array; readonly b: Uint8Array }[]; // per rule and region: does it match?

  constructor(meshes: readonly SceneMesh[], rules: readonly IgnoreRule[]) {
    this.isEmpty = rules.length === 0;
    const regions = this.isEmpty ? [] : meshes.flatMap((mesh) => mesh.regions);
    this.#regionOf = this.isEmpty ? new Uint32Array(0) : regionOfTriangles(meshes);
    this.#sides = rules.map(({ pattern, other = '*' }) => ({
      a: Uint8Array.from(regions, ({ names }) => Number(names.some((name) => matchesGlob(pattern, name)))),
      b: Uint8Array.from(regions, ({ names }) => Number(names.some((name) => matchesGlob(other, name)))),
    }));
  }

  ignores(i: number, j: number): boolean {
    if (this.isEmpty) return false;
    const r = this.#regionOf[i],
      s = this.#regionOf[j];
    for (const { a, b } of this.#sides) if ((a[r] && b[s]) || (a[s] && b[r])) return true;
    return false;
  }
}

/** Patterns that match no name at all: probably mistyped. */
export function unusedPatterns(meshes: readonly PartMesh[], rules: readonly IgnoreRule[]): string[] {
  const names = new Set(meshes.flatMap(({ regions }) => regions.flatMap((region) => region.names)));
  const patterns = rules.flatMap(({ pattern, other }) =>
    other === undefined ? [pattern] : [pattern, other],
  );
  return patterns.filter((pattern) => ![...names].some((name) => matchesGlob(pattern, name)));
}

function regionOfTriangles(meshes: readonly SceneMesh[]): Uint32Array {
  const count = meshes.reduce((sum, { triangles }) => sum + triangles.length / 3, 0);
  const regionOf = new Uint32Array(count);
  let region = 0;
  for (const { regions, firstTriangle } of meshes) {
    for (const run of regions) {
      const first = firstTriangle + run.firstTriangle;
      regionOf.fill(region++, first, first + run.triangleCount);
    }
  }
  return regionOf;
}

/** `*` stands for any text, `?` for one character. Takes time in proportion to the lengths' product at most. */
export function matchesGlob(pattern: string, text: string): boolean {
  let p = 0,
    t = 0,
    star = -1,
    mark = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
