import { cosTurns, sinTurns } from '../algebra/trigonometry.ts';
import { createVertexTriangles, type VertexTriangles } from '../mesh/adjacency.ts';
import { createGeodesicSphere, type GeodesicSphere } from './geodesic-sphere.ts';

/** A ball with tentacles at rest: what the motion needs to place every vertex. */
export interface TentacleBody {
  readonly vertexCount: number;
  readonly triangles: Uint32Array;
  readonly ball: Float64Array; // positions; those of tentacle vertices are overwritten
  readonly tentacles: Tentacle[];
}

/** Local coordinates: two across the axis, then the height along it, from the foot on the unit sphere. */
export interface Tentacle {
  readonly axis: readonly number[]; // unit; also the foot
  readonly across: readonly number[];
  readonly across2: readonly number[];
  readonly vertices: Uint32Array;
  readonly local: Float64Array; // 3 per vertex
}

interface Resolution {
  readonly spacing: number; // lattice steps between neighbouring tentacles
  readonly patch: number; // lattice steps from the axis to the rim of a patch
  readonly rings: number; // along a tentacle
}

/** `coarse` is the frequency of the lattice on which tentacles stand. */
export function createTentacleBody(target: number, coarse: number, length: number): TentacleBody {
  const resolution = chooseResolution(target, coarse, length);
  const sphere = createGeodesicSphere(coarse * resolution.spacing);
  const around = createVertexTriangles(sphere.triangles, sphere.positions.length / 3);
  const patches = findSites(sphere, resolution.spacing).map((site) =>
    findPatch(sphere, around, site, resolution.patch),
  );

  const added = patches.reduce((sum, { rim }) => sum + resolution.rings * rim.length, 0);
  const vertexCount = sphere.positions.length / 3 + added;
  const triangles = new Uint32Array(sphere.triangles.length + 6 * added);
  triangles.set(sphere.triangles);
  const ball = new Float64Array(3 * vertexCount);
  ball.set(sphere.positions);

  let vertex = sphere.positions.length / 3;
  let corner = sphere.triangles.length;
  const tentacles = patches.map((patch) => {
    addColumn(patch, resolution.rings, vertex, triangles, corner);
    const tentacle = createTentacle(sphere, patch, resolution, length, vertex);
    vertex += resolution.rings * patch.rim.length;
    corner += 6 * resolution.rings * patch.rim.length;
    return tentacle;
  });
  return { vertexCount, triangles, ball, tentacles };
}

const MIN_SPACING = 3; // two patches of one step must not share a vertex

/** The spacing whose count is nearest below or above, then the rings that make up the difference. */
function chooseResolution(target: number, coarse: number, length: number): Resolution {
  const edge = 1.107 / coarse; // angle between neighbouring tentacles; the icosahedron's is 1.107
  const ringsPerStep = length / edge;
  let spacing = MIN_SPACING;
  while (countTriangles(coarse, resolutionAt(spacing + 1, ringsPerStep)) <= target) spacing++;
  const { patch } = resolutionAt(spacing, ringsPerStep);
  const perRing = countTriangles(coarse, { spacing, patch, rings: 1 }) - 20 * (coarse * spacing) ** 2;
  const rings = Math.max(2, Math.round((target - 20 * (coarse * spacing) ** 2) / perRing));
  return { spacing, patch, rings };
}

function resolutionAt(spacing: number, ringsPerStep: number): Resolution {
  const patch = Math.max(1, Math.round(PATCH_SHARE * spacing));
  return { spacing, patch, rings: Math.max(2, Math.round(ringsPerStep * spacing)) };
}

const PATCH_SHARE = 0.26;

/** Twelve patches have five sides, all others six. */
function countTriangles(coarse: number, { spacing, patch, rings }: Resolution): number {
  const rimVertices = patch * (6 * (10 * coarse * coarse + 2) - 12);
  return 20 * (coarse * spacing) ** 2 + 2 * rings * rimVertices;
}

/** The vertices of the coarse lattice. */
function findSites({ lattice }: GeodesicSphere, spacing: number): number[] {
  const sites: number[] = [];
  for (let v = 0; 3 * v < lattice.length; v++) {
    if (lattice[3 * v] % spacing === 0 && lattice[3 * v + 1] % spacing === 0) sites.push(v);
  }
  return sites;
}

interface Patch {
  readonly site: number;
  readonly inside: number[]; // vertices less than `patch` steps from the site, the site first
  readonly steps: Map<number, number>; // of every vertex inside and on the rim
  readonly rim: number[]; // in order, counter-clockwise from outside
  readonly faces: number[];
}

function findPatch(sphere: GeodesicSphere, around: VertexTriangles, site: number, size: number): Patch {
  const { triangles } = sphere;
  const steps = new Map([[site, 0]]);
  const inside: number[] = [];
  const faces = new Set<number>();
  for (const v of steps.keys()) {
    // grows while we walk: breadth first
    const step = steps.get(v)!;
    if (step === size) continue;
    inside.push(v);
    for (let i = around.start[v]; i < around.start[v + 1]; i++) {
      const t = around.list[i];
      faces.add(t);
      for (let k = 0; k < 3; k++) {
        if (!steps.has(triangles[3 * t + k])) steps.set(triangles[3 * t + k], step + 1);
      }
    }
  }
  return { site, inside, steps, rim: orderRim(triangles, faces, steps, size), faces: [...faces] };
}

/** Follows the edges of patch faces that lie on the rim. */
function orderRim(
  triangles: Uint32Array,
  faces: Iterable<number>,
  steps: Map<number, number>,
  size: number,
): number[] {
  const next = new Map<number, number>();
  for (const t of faces) {
    for (let k = 0; k < 3; k++) {
      const u = triangles[3 * t + k],
        v = triangles[3 * t + ((k + 1) % 3)];
      if (steps.get(u) === size && steps.get(v) === size) next.set(u, v);
    }
  }
  const first = Math.min(...next.keys());
  const rim = [first];
  for (let v = next.get(first)!; v !== first; v = next.get(v)!) rim.push(v);
  return rim;
}

/** Rings from the rim on the ball to a new rim, to which the faces of the patch move. */
function addColumn(
  patch: Patch,
  rings: number,
  firstVertex: number,
  triangles: Uint32Array,
  corner: number,
): void {
  const { rim, faces } = patch;
  const sides = rim.length;
  const id = (ring: number, side: number) =>
    ring === 0 ? rim[side % sides] : firstVertex + (ring - 1) * sides + (side % sides);
  for (let ring = 0; ring < rings; ring++) {
    for (let side = 0; side < sides; side++) {
      const a = id(ring, side),
        b = id(ring, side + 1),
        c = id(ring + 1, side),
        d = id(ring + 1, side + 1);
      triangles.set([a, b, d, a, d, c], corner);
      corner += 6;
    }
  }
  const top = new Map(rim.map((v, side) => [v, id(rings, side)]));
  for (const t of faces) {
    for (let i = 3 * t; i < 3 * t + 3; i++) triangles[i] = top.get(triangles[i]) ?? triangles[i];
  }
}

function createTentacle(
  sphere: GeodesicSphere,
  patch: Patch,
  { patch: size, rings }: Resolution,
  length: number,
  firstVertex: number,
): Tentacle {
  const frame = createFrame(sphere.positions, patch.site);
  const rim = patch.rim.map((v) => toLocal(frame, sphere.positions, v));
  const radius = ROOT_TO_TIP * Math.min(...rim.map(([x, y]) => Math.sqrt(x * x + y * y)));
  const column = Math.max(length - radius, length / 2); // the rest is the round tip
  const vertices: number[] = [];
  const local: number[] = [];

  for (let ring = 1; ring <= rings; ring++) {
    for (let side = 0; side < rim.length; side++) {
      const [x, y, foot] = rim[side];
      const r = Math.sqrt(x * x + y * y);
      const narrowed = 1 - ring / rings;
      const scale = (radius + (r - radius) * narrowed * narrowed * narrowed) / r;
      vertices.push(firstVertex + (ring - 1) * rim.length + side);
      local.push(scale * x, scale * y, foot + ((column - foot) * ring) / rings);
    }
  }
  for (const v of patch.inside) {
    const [x, y] = toLocal(frame, sphere.positions, v);
    const r = Math.sqrt(x * x + y * y);
    const turns = patch.steps.get(v)! / size / 4; // a quarter from the tip to the rim
    const scale = r === 0 ? 0 : (radius * sinTurns(turns)) / r;
    vertices.push(v);
    local.push(scale * x, scale * y, column + radius * cosTurns(turns));
  }
  return { ...frame, vertices: Uint32Array.from(vertices), local: Float64Array.from(local) };
}

const ROOT_TO_TIP = 0.75; // radius of a tentacle, in radii of its root

type Frame = Pick<Tentacle, 'axis' | 'across' | 'across2'>;

/** The axis and two unit vectors across it; any pair will do, so we avoid the axis' largest coordinate. */
function createFrame(positions: Float64Array, site: number): Frame {
  const axis = Array.from(positions.subarray(3 * site, 3 * site + 3));
  const [x, y, z] = axis;
  const helper = Math.abs(x) < 0.5 ? [1, 0, 0] : Math.abs(y) < 0.5 ? [0, 1, 0] : [0, 0, 1];
  const along = helper[0] * x + helper[1] * y + helper[2] * z;
  const px = helper[0] - along * x,
    py = helper[1] - along * y,
    pz = helper[2] - along * z;
  const norm = Math.sqrt(px * px + py * py + pz * pz);
  const across = [px / norm, py / norm, pz / norm];
  const [u, v, w] = across;
  return { axis, across, across2: [y * w - z * v, z * u - x * w, x * v - y * u] };
}

function toLocal(
  { axis, across, across2 }: Frame,
  positions: Float64Array,
  v: number,
): [number, number, number] {
  const x = positions[3 * v] - axis[0],
    y = positions[3 * v + 1] - axis[1],
    z = positions[3 * v + 2] - axis[2];
  return [
    x * across[0] + y * across[1] + z * across[2],
    x * across2[0] + y * across2[1] + z * across2[2],
    x * axis[0] + y * axis[1] + z * axis[2],
  ];
}
