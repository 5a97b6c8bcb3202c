import { createPoser, readGltf, weldAttributes } from '../../src/gltf/index.ts';
import {
  type Body,
  type CollisionReport,
  createEngine,
  createTriangleMesh,
  findCollisions,
  findSelfCollisions,
} from '../../src/index.ts';
import { ContentHash } from '../../src/mesh/content-hash.ts';
import { createMan, createSpring } from '../../src/shapes/index.ts';

/** What a JavaScript engine makes of a clip, a walk and a motion, to the bit: poses, contacts and their times. */
export async function probeEngine(glb: Uint8Array): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const kernels of ['wasm', 'ts'] as const) {
    const engine = await createEngine({ kernels });
    rows[`clip, ${kernels}`] = await probeClip(glb, (mesh, skin) => engine.createSkinnedBody(mesh, skin));
    const man = createMan({ triangles: 4000 });
    const [one, other] = [0, 1].map(() => engine.createSkinnedBody(man.mesh, man.skin));
    rows[`walk, ${kernels}`] = trace(12, (k, add) => {
      one.setPose(add(man.walk(0.1 * k)));
      other.setPose(add(man.walk(0.1 * k + 0.55)));
      return findCollisions(one, other);
    });
    const spring = createSpring({ triangles: 3000 });
    const body = engine.createFreeBody(createTriangleMesh(spring.source));
    const pose = new Float64Array(spring.source.positions.length);
    rows[`motion, ${kernels}`] = trace(6, (k, add) => {
      spring.deform(0.25 * k, pose);
      body.moveTo(add(pose));
      return findSelfCollisions(body, { continuous: true });
    });
    engine.dispose();
  }
  return rows;
}

type CreateSkinned = (
  mesh: ReturnType<typeof createTriangleMesh>,
  skin: Parameters<Awaited<ReturnType<typeof createEngine>>['createSkinnedBody']>[1],
) => Body;

async function probeClip(glb: Uint8Array, create: CreateSkinned): Promise<string> {
  const scene = await readGltf(glb, 'clip.glb');
  const [mesh] = scene.meshes;
  const { joints, jointIndex, influences, weights } = mesh.skin!;
  const poser = createPoser(scene);
  const matrices = new Float64Array(12 * joints.length);
  const body = create(createTriangleMesh({ ...mesh, attributes: weldAttributes(mesh) }), {
    jointCount: joints.length,
    influences,
    joints: jointIndex,
    weights,
  });
  const place = (time: number, add: Add) => {
    poser.pose(0, time);
    poser.jointMatrices(0, matrices);
    return add(matrices);
  };
  return trace(20, (k, add) => {
    for (let i = 1; i < 500; i++) place((k + i / 500) / 20, add); // engines seldom differ, in one bit of one number
    body.setPose(place(k / 20, add));
    return findSelfCollisions(body);
  });
}

type Add = (values: Float64Array) => Float64Array;

/** Number of contacts, hash of all poses, and of all contacts. */
function trace(frames: number, frame: (k: number, add: Add) => CollisionReport): string {
  const poses = new ContentHash(),
    contacts = new ContentHash();
  let count = 0;
  for (let k = 0; k < frames; k++) {
    const report = frame(k, (values) => {
      poses.addNumbers(values);
      return values;
    });
    count += report.pairCount;
    contacts.addNumbers(Uint32Array.from(report.sortedPairs().flat()));
    if (report.times) contacts.addNumbers(report.times.slice(0, report.pairCount));
  }
  return `${count} ${poses.finish()} ${contacts.finish()}`;
}
