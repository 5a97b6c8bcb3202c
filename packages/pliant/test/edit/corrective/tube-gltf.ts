import { createPoser, type GltfScene, weldAttributes } from '../../../src/gltf/index.ts';
import { createEngine, createTriangleMesh, findSelfCollisions } from '../../../src/index.ts';
import { posedPositions } from '../../gltf/posed-positions.ts';
import { RawGltf } from '../../gltf/raw-gltf.ts';

export interface TubeOptions {
  /** Degrees, one per joint between the ends of the tube. */
  readonly bends: readonly number[];
  readonly rings?: number;
  readonly sides?: number;
  readonly radius?: number;
  /** Over how much of the tube's length, which is 1, the skin goes from one joint to the next. */
  readonly blend?: number;
  /** 2: bends; 0: twists. Default: 2. */
  readonly axis?: 0 | 2;
}

/**
 * A closed tube along x from 0 to 1, bent at joints by the clip "Bend" (1 s) and not by the clip "Still" (1 s). One column of
 * vertices is there twice, as at the seam of a texture.
 */
export function tubeGltf(options: TubeOptions): RawGltf {
  const { bends, rings = 40, sides = 12, radius = 0.07, axis = 2 } = options;
  const gltf = new RawGltf();
  const { positions, normals, triangles } = tubeSurface(rings, sides, radius);
  const { joints, weights } = tubeSkin(positions, bends.length, options.blend ?? 0.06);
  const node = (name: string, x: number, children: number[]) => ({ name, translation: [x, 0, 0], children });
  const places = bends.map((_, k) => (k + 1) / (bends.length + 1));
  const count = bends.length + 1;
  gltf.json.nodes = [
    { name: 'Tube', mesh: 0, skin: 0 },
    node('joint 0', 0, count > 1 ? [2] : []),
    ...places.map((x, k) => node(`joint ${k + 1}`, x - (places[k - 1] ?? 0), k + 2 < count ? [k + 3] : [])),
  ];
  gltf.json.scenes = [{ nodes: [0, 1] }];
  gltf.json.scene = 0;
  gltf.json.meshes = [
    {
      name: 'Tube',
      primitives: [
        {
          attributes: {
            POSITION: gltf.accessor(positions, 'VEC3'),
            NORMAL: gltf.accessor(normals, 'VEC3'),
            JOINTS_0: gltf.accessor(joints, 'VEC4'),
            WEIGHTS_0: gltf.accessor(weights, 'VEC4'),
          },
          indices: gltf.accessor(triangles, 'SCALAR'),
        },
      ],
    },
  ];
  const inverse = [0, ...places].flatMap((x) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, 0, 0, 1]);
  gltf.json.skins = [
    {
      joints: Array.from({ length: count }, (_, k) => k + 1),
      inverseBindMatrices: gltf.accessor(Float32Array.from(inverse), 'MAT4'),
    },
  ];
  const times = gltf.accessor(Float32Array.of(0, 1), 'SCALAR', { min: [0], max: [1] });
  const turned = (degrees: number) => {
    const half = (degrees * Math.PI) / 360;
    const end = [0, 0, 0, Math.cos(half)];
    end[axis] = Math.sin(half);
    return gltf.accessor(Float32Array.of(0, 0, 0, 1, ...end), 'VEC4');
  };
  const clip = (name: string, degrees: readonly number[]) => ({
    name,
    samplers: degrees.map((angle) => ({ input: times, output: turned(angle) })),
    channels: degrees.map((_, k) => ({ sampler: k, target: { node: k + 2, path: 'rotation' } })),
  });
  gltf.json.animations = [
    clip('Bend', bends),
    clip(
      'Still',
      bends.map(() => 0),
    ),
  ];
  return gltf;
}

/** Twisted a little: a mirror image of itself would touch itself exactly in its plane, where rounding decides. */
function tubeSurface(rings: number, sides: number, radius: number) {
  const positions: number[] = [],
    normals: number[] = [],
    triangles: number[] = [];
  const columns = sides + 1; // the last is the first again
  for (let ring = 0; ring <= rings; ring++) {
    for (let side = 0; side < columns; side++) {
      const angle = (2 * Math.PI * (side % sides)) / sides + 0.002 * ring;
      positions.push(ring / rings, radius * Math.cos(angle), radius * Math.sin(angle));
      normals.push(0, Math.cos(angle), Math.sin(angle));
    }
  }
  const at = (ring: number, side: number) => ring * columns + side;
  for (let ring = 0; ring < rings; ring++) {
    for (let side = 0; side < sides; side++) {
      const [a, b, c, d] = [at(ring, side), at(ring, side + 1), at(ring + 1, side + 1), at(ring + 1, side)];
      triangles.push(a, b, c, a, c, d);
    }
  }
  const first = (rings + 1) * columns;
  positions.push(0, 0, 0, 1, 0, 0);
  normals.push(-1, 0, 0, 1, 0, 0);
  for (let side = 0; side < sides; side++) {
    triangles.push(first, at(0, side + 1), at(0, side), first + 1, at(rings, side), at(rings, side + 1));
  }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    triangles: Uint32Array.from(triangles),
  };
}

/** From each joint to the next, linear around the place between them. */
function tubeSkin(positions: Float32Array, bends: number, blend: number) {
  const count = positions.length / 3;
  const joints = new Uint8Array(4 * count),
    weights = new Float32Array(4 * count);
  for (let v = 0; v < count; v++) {
    const along = positions[3 * v] * (bends + 1);
    const nearest = Math.min(bends, Math.max(1, Math.round(along)));
    const share = Math.min(1, Math.max(0, 0.5 + (positions[3 * v] - nearest / (bends + 1)) / blend));
    joints.set([nearest - 1, nearest, 0, 0], 4 * v);
    weights.set([Math.fround(1 - share), Math.fround(share), 0, 0], 4 * v);
  }
  return { joints, weights };
}

/** World positions of a mesh, vertex by vertex. */
export function positionsAt(scene: GltfScene, m: number, clip: number, time: number): Float64Array {
  const poser = createPoser(scene);
  poser.pose(clip, time);
  return posedPositions(scene, poser, m);
}

/** Pairs of triangles of a mesh that touch at a time, exactly. */
export async function touchingPairs(
  scene: GltfScene,
  m: number,
  clip: number,
  time: number,
): Promise<number> {
  const { positions, triangles } = scene.meshes[m];
  const engine = await createEngine();
  try {
    const attributes = weldAttributes(scene.meshes[m]);
    const body = engine.createFreeBody(createTriangleMesh({ positions, triangles, attributes }));
    body.setPose(positionsAt(scene, m, clip, time));
    return findSelfCollisions(body).pairCount;
  } finally {
    engine.dispose();
  }
}
