import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Group,
  Matrix4,
  Mesh,
  PlaneGeometry,
  type Ray,
  Raycaster,
  type ShaderMaterial,
  SphereGeometry,
} from 'three';
import { createSurface, type SharedUniforms } from '../../view/materials.ts';
import type { ShownMesh, ShownObstacle } from '../engine/protocol.ts';
import { CHOSEN, OBSTACLE } from './colours.ts';

/** Obstacles as they stand. */
export class ObstacleMeshes {
  readonly group = new Group();
  readonly #shared: SharedUniforms;
  readonly #drawn = new Map<
    number,
    { obstacle: ShownObstacle; mesh: Mesh<BufferGeometry, ShaderMaterial> }
  >();
  readonly #surfaces = new Map<number, BufferGeometry>();
  readonly #caster = new Raycaster();
  size = 1; // of the model: the ground reaches that much further

  constructor(shared: SharedUniforms) {
    this.#shared = shared;
  }

  clear(): void {
    for (const id of [...this.#drawn.keys()]) this.#remove(id);
    for (const geometry of this.#surfaces.values()) geometry.dispose();
    this.#surfaces.clear();
  }

  show(obstacles: readonly ShownObstacle[], meshes: readonly ShownMesh[], chosen: number | undefined): void {
    for (const { key, positions, triangles } of meshes)
      this.#surfaces.set(key, surfaceGeometry(positions, triangles));
    const left = new Set(this.#drawn.keys());
    for (const obstacle of obstacles) {
      left.delete(obstacle.id);
      const before = this.#drawn.get(obstacle.id);
      if (before && String(before.obstacle.size) !== String(obstacle.size)) this.#remove(obstacle.id);
      const { mesh } = this.#drawn.get(obstacle.id) ?? this.#add(obstacle);
      mesh.matrix.copy(matrixOf(obstacle.matrix));
      mesh.matrixWorldNeedsUpdate = true;
      mesh.material.uniforms.colour.value.copy(obstacle.id === chosen ? CHOSEN : OBSTACLE);
    }
    for (const id of left) this.#remove(id);
  }

  /** Where an obstacle is put while it is moved, before the worker says so. */
  place(id: number, matrix: Matrix4): void {
    const drawn = this.#drawn.get(id);
    if (drawn) {
      drawn.mesh.matrix.copy(matrix);
      drawn.mesh.matrixWorldNeedsUpdate = true;
    }
  }

  /** The first one that a ray meets; the ground cannot be chosen so, it is everywhere. */
  pick(ray: Ray): { id: number; distance: number } | undefined {
    this.#caster.ray.copy(ray);
    let best: { id: number; distance: number } | undefined;
    for (const [id, { mesh, obstacle }] of this.#drawn) {
      if (obstacle.kind === 'ground') continue;
      mesh.updateMatrixWorld();
      const [hit] = this.#caster.intersectObject(mesh, false);
      if (hit && (best === undefined || hit.distance < best.distance)) best = { id, distance: hit.distance };
    }
    return best;
  }

  #add(obstacle: ShownObstacle) {
    const isGround = obstacle.kind === 'ground';
    const material = createSurface(this.#shared, { colour: OBSTACLE, opacity: isGround ? 0.35 : 1 });
    if (isGround) material.depthWrite = false;
    const mesh = new Mesh(this.#geometryOf(obstacle), material);
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    this.group.add(mesh);
    const drawn = { obstacle, mesh };
    this.#drawn.set(obstacle.id, drawn);
    return drawn;
  }

  #geometryOf({ kind, size, mesh }: ShownObstacle): BufferGeometry {
    const geometry = this.#plainGeometry(kind, size, mesh);
    if (!geometry.attributes.tone) {
      const tone = new Float32Array(geometry.attributes.position.count);
      geometry.setAttribute('tone', new BufferAttribute(tone, 1));
    }
    return geometry;
  }

  #plainGeometry(
    kind: ShownObstacle['kind'],
    size: readonly number[],
    mesh: number | undefined,
  ): BufferGeometry {
    switch (kind) {
      case 'ground':
        return new PlaneGeometry(4 * this.size, 4 * this.size).rotateX(-Math.PI / 2);
      case 'sphere':
        return new SphereGeometry(size[0], 48, 32);
      case 'capsule':
        return new CapsuleGeometry(size[0], 2 * size[1], 12, 40);
      case 'box':
        return new BoxGeometry(2 * size[0], 2 * size[1], 2 * size[2]);
      case 'mesh':
        return this.#surfaces.get(mesh!) ?? new BufferGeometry();
    }
  }

  #remove(id: number): void {
    const { mesh, obstacle } = this.#drawn.get(id)!;
    this.group.remove(mesh);
    mesh.material.dispose();
    if (obstacle.kind !== 'mesh') mesh.geometry.dispose();
    this.#drawn.delete(id);
  }
}

/** Row-major 3×4. */
export function matrixOf(m: readonly number[]): Matrix4 {
  return new Matrix4().set(
    m[0], m[1], m[2], m[3],
    m[4], m[5], m[6], m[7],
    m[8], m[9], m[10], m[11],
    0, 0, 0, 1,
  ); // biome-ignore format: as it is written on paper
}

export function numbersOf({ elements: e }: Matrix4): number[] {
  return [e[0], e[4], e[8], e[12], e[1], e[5], e[9], e[13], e[2], e[6], e[10], e[14]];
}

function surfaceGeometry(positions: Float32Array, triangles: Uint32Array): BufferGeometry {
  const geometry = new BufferGeometry().setIndex(new BufferAttribute(triangles, 1));
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.computeVertexNormals();
  return geometry;
}
