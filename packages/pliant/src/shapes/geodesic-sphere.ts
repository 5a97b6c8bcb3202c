/** An icosahedron with every face cut into frequency² triangles, pushed out to the unit sphere. */
export interface GeodesicSphere {
  readonly frequency: number;
  readonly positions: Float64Array; // 10 · frequency² + 2 vertices
  readonly triangles: Uint32Array; // 20 · frequency² triangles, outward
  readonly lattice: Uint32Array; // 3 per vertex: its steps from the corners of a face, which sum to frequency
}

export function createGeodesicSphere(frequency: number): GeodesicSphere {
  const f = frequency;
  const vertexCount = 10 * f * f + 2;
  const sphere = {
    frequency,
    positions: new Float64Array(3 * vertexCount),
    triangles: new Uint32Array(60 * f * f),
    lattice: new Uint32Array(3 * vertexCount),
  };
  const edgeStart = numberEdges(f);
  let interior = 12 + 30 * (f - 1); // corners first, then edges, then the insides of faces
  let o = 0;

  for (const [a, b, c] of FACES) {
    const id = new Uint32Array((f + 1) * (f + 1)); // of the point j steps towards b and k towards c
    for (let j = 0; j <= f; j++) {
      for (let k = 0; j + k <= f; k++) {
        const i = f - j - k;
        const v = latticeVertex(a, b, c, i, j, k, edgeStart) ?? interior++;
        id[j * (f + 1) + k] = v;
        placeVertex(sphere, v, a, b, c, i, j, k);
      }
    }
    for (let j = 0; j < f; j++) {
      for (let k = 0; j + k < f; k++) {
        const p = j * (f + 1) + k;
        sphere.triangles.set([id[p], id[p + f + 1], id[p + 1]], o);
        o += 3;
        if (j + k + 1 === f) continue;
        sphere.triangles.set([id[p + f + 1], id[p + f + 2], id[p + 1]], o);
        o += 3;
      }
    }
  }
  return sphere;
}

/** The frequency whose triangle count is nearest. */
export function geodesicFrequency(triangles: number): number {
  return Math.max(1, Math.round(Math.sqrt(triangles / 20)));
}

const PHI = (1 + Math.sqrt(5)) / 2;
// biome-ignore format: four to a line
const CORNERS = [
  [-1, PHI, 0], [1, PHI, 0], [-1, -PHI, 0], [1, -PHI, 0],
  [0, -1, PHI], [0, 1, PHI], [0, -1, -PHI], [0, 1, -PHI],
  [PHI, 0, -1], [PHI, 0, 1], [-PHI, 0, -1], [-PHI, 0, 1],
] as const;
// biome-ignore format: five to a line
const FACES = [
  [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
  [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
  [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
  [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
] as const;

/** First vertex of each edge's inside, at [12 · low corner + high corner], walking from low to high. */
function numberEdges(frequency: number): Uint32Array {
  const start = new Uint32Array(144);
  let next = 12;
  for (const face of FACES) {
    for (let k = 0; k < 3; k++) {
      const low = Math.min(face[k], face[(k + 1) % 3]),
        high = Math.max(face[k], face[(k + 1) % 3]);
      if (start[12 * low + high] !== 0) continue;
      start[12 * low + high] = next;
      next += frequency - 1;
    }
  }
  return start;
}

/** The shared vertex at a corner or on an edge; undefined inside the face. */
function latticeVertex(
  a: number,
  b: number,
  c: number,
  i: number,
  j: number,
  k: number,
  edgeStart: Uint32Array,
): number | undefined {
  if (i + j === 0) return c;
  if (j + k === 0) return a;
  if (k + i === 0) return b;
  if (i === 0) return edgeVertex(b, c, j, k, edgeStart);
  if (j === 0) return edgeVertex(c, a, k, i, edgeStart);
  return k === 0 ? edgeVertex(a, b, i, j, edgeStart) : undefined;
}

/** `atU` and `atV` are the weights of the two corners. */
function edgeVertex(u: number, v: number, atU: number, atV: number, edgeStart: Uint32Array): number {
  return u < v ? edgeStart[12 * u + v] + atV - 1 : edgeStart[12 * v + u] + atU - 1;
}

function placeVertex(
  { positions, lattice }: GeodesicSphere,
  v: number,
  a: number,
  b: number,
  c: number,
  i: number,
  j: number,
  k: number,
): void {
  const x = i * CORNERS[a][0] + j * CORNERS[b][0] + k * CORNERS[c][0];
  const y = i * CORNERS[a][1] + j * CORNERS[b][1] + k * CORNERS[c][1];
  const z = i * CORNERS[a][2] + j * CORNERS[b][2] + k * CORNERS[c][2];
  const length = Math.sqrt(x * x + y * y + z * z);
  positions[3 * v] = x / length;
  positions[3 * v + 1] = y / length;
  positions[3 * v + 2] = z / length;
  lattice[3 * v] = i;
  lattice[3 * v + 1] = j;
  lattice[3 * v + 2] = k;
}
