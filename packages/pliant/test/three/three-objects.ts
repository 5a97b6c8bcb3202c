import {
  Bone,
  BufferAttribute,
  type BufferGeometry,
  InstancedMesh,
  Matrix4,
  type Mesh,
  type Object3D,
  Quaternion,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  Vector3,
} from 'three';

/** Numbers in [−1, 1), the same for the same seed. */
export function createNoise(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** A ball with seams, so that welding has something to do. */
export function ballGeometry(): BufferGeometry {
  return new SphereGeometry(1, 14, 10);
}

/** Somewhere in the world, turned and stretched, below a parent that is as well. */
export function place<Placed extends Object3D>(object: Placed, noise: () => number): Placed {
  const parent = new Bone();
  for (const each of [parent, object]) {
    each.position.set(noise(), noise(), noise());
    each.quaternion.copy(new Quaternion(noise(), noise(), noise(), noise()).normalize());
    each.scale.setScalar(1 + 0.3 * noise());
  }
  parent.add(object);
  parent.updateMatrixWorld(true);
  return object;
}

/** Three bones in a row, weights that blend between them and list joints in any order. */
export function skinnedBall(noise: () => number, geometry = ballGeometry()): SkinnedMesh {
  const position = geometry.getAttribute('position');
  const joints = new Uint16Array(4 * position.count);
  const weights = new Float32Array(4 * position.count);
  for (let v = 0; v < position.count; v++) {
    const along = (position.getY(v) + 1) / 2;
    const order = v % 2 === 0 ? [0, 1, 2] : [2, 1, 0];
    const share = [Math.max(0, 1 - 2 * along), 1 - Math.abs(1 - 2 * along), Math.max(0, 2 * along - 1)];
    order.forEach((joint, k) => {
      joints[4 * v + k] = joint;
      weights[4 * v + k] = share[joint];
    });
  }
  geometry.setAttribute('skinIndex', new BufferAttribute(joints, 4));
  geometry.setAttribute('skinWeight', new BufferAttribute(weights, 4));
  const bones = [0, 1, 2].map(() => new Bone());
  bones[0].position.y = -1;
  bones[1].position.y = bones[2].position.y = 1;
  bones[0].add(bones[1]);
  bones[1].add(bones[2]);
  const mesh = new SkinnedMesh(geometry);
  mesh.add(bones[0]);
  place(mesh, noise);
  mesh.bind(new Skeleton(bones));
  return mesh;
}

export function bend({ skeleton, parent }: SkinnedMesh, noise: () => number, amount: number): void {
  for (const bone of skeleton.bones) {
    bone.quaternion.setFromAxisAngle(new Vector3(noise(), noise(), noise()).normalize(), amount * noise());
    bone.scale.setScalar(1 + 0.2 * noise());
  }
  parent!.updateMatrixWorld(true);
}

/** Two morph targets, as displacements or as whole shapes. */
export function addMorphs(
  geometry: BufferGeometry,
  noise: () => number,
  isRelative: boolean,
): BufferGeometry {
  const position = geometry.getAttribute('position');
  const known = new Map<string, number[]>(); // equal vertices move alike
  geometry.morphAttributes.position = [0, 1].map((target) => {
    const values = new Float32Array(3 * position.count);
    for (let v = 0; v < position.count; v++) {
      const at = [position.getX(v), position.getY(v), position.getZ(v)];
      const key = `${target} ${at}`;
      if (!known.has(key))
        known.set(
          key,
          [noise(), noise(), noise()].map((x) => 0.4 * x),
        );
      known.get(key)!.forEach((x, axis) => {
        values[3 * v + axis] = isRelative ? x : at[axis] + x;
      });
    }
    return new BufferAttribute(values, 3);
  });
  geometry.morphTargetsRelative = isRelative;
  return geometry;
}

export function instancedBalls(count: number, noise: () => number): InstancedMesh {
  const mesh = new InstancedMesh(ballGeometry(), undefined, count);
  for (let k = 0; k < count; k++) moveInstance(mesh, k, noise);
  return place(mesh, noise);
}

export function moveInstance(mesh: InstancedMesh, k: number, noise: () => number): void {
  const turn = new Quaternion(noise(), noise(), noise(), noise()).normalize();
  const at = new Vector3(1.6 * noise(), 1.6 * noise(), 1.6 * noise());
  mesh.setMatrixAt(
    k,
    new Matrix4().compose(at, turn, new Vector3(1, 1, 1).multiplyScalar(1 + 0.3 * noise())),
  );
}

/** Where three.js says the vertices are. */
export function worldVertices(mesh: Mesh, instance?: number): number[] {
  const { count } = mesh.geometry.getAttribute('position');
  const matrix = mesh.matrixWorld.clone();
  if (instance !== undefined) {
    const own = new Matrix4();
    (mesh as InstancedMesh).getMatrixAt(instance, own);
    matrix.multiply(own);
  }
  return Array.from({ length: count }, (_, v) => {
    const point = new Vector3();
    mesh.getVertexPosition(v, point);
    return point.applyMatrix4(matrix).toArray();
  }).flat();
}
