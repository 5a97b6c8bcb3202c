import { type Document, type Mesh, type mat4, type Node, NodeIO, type Primitive } from '@gltf-transform/core';
import { sharedFile } from '../io/shared-data.ts';

/** A glTF file as one triangle soup in its default pose: what the truth counts were made from. */
export interface GltfSoup {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
}

/**
 * Nodes with a mesh by ascending index, their primitives in order, vertices in accessor order. World coordinates in
 * float64; a skinned mesh ignores its node's own transform. Weights are normalised first.
 */
export async function readGltfSoup(path: string): Promise<GltfSoup> {
  const document = await readDocument(path);
  const positions: number[] = [],
    triangles: number[] = [];
  for (const node of document.getRoot().listNodes()) {
    const mesh = node.getMesh();
    if (mesh === null) continue;
    for (const primitive of mesh.listPrimitives()) {
      const first = positions.length / 3;
      const indices =
        primitive.getIndices()?.getArray() ??
        [...positionsOf(primitive).keys()].slice(0, primitive.getAttribute('POSITION')!.getCount());
      for (const i of indices) triangles.push(first + i);
      for (const x of worldPositions(node, mesh, primitive)) positions.push(x);
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

async function readDocument(path: string): Promise<Document> {
  const bytes = sharedFile(path);
  const io = new NodeIO();
  if (path.endsWith('.glb')) return io.readBinary(bytes);
  const json = JSON.parse(new TextDecoder().decode(bytes));
  return io.readJSON({ json, resources: {} });
}

function positionsOf(primitive: Primitive): number[] {
  return Array.from(primitive.getAttribute('POSITION')!.getArray()!);
}

function worldPositions(node: Node, mesh: Mesh, primitive: Primitive): number[] {
  const local = morphed(node, mesh, primitive);
  const skin = node.getSkin();
  const joints = primitive.getAttribute('JOINTS_0'),
    weights = primitive.getAttribute('WEIGHTS_0');
  if (skin === null || joints === null || weights === null)
    return local.flatMap((_, i) => (i % 3 ? [] : move(node.getWorldMatrix(), local, i)));
  const inverse = skin.getInverseBindMatrices();
  const matrices = skin.listJoints().map((joint, k) => {
    const bind = inverse ? (inverse.getElement(k, []) as unknown as mat4) : IDENTITY;
    return multiply(joint.getWorldMatrix(), bind);
  });
  return local.flatMap((_, i) => {
    if (i % 3) return [];
    const j = joints.getElement(i / 3, []) as number[],
      w = weights.getElement(i / 3, []) as number[];
    const sum = w.reduce((a, b) => a + b, 0);
    const out = [0, 0, 0];
    j.forEach((joint, k) => {
      if (w[k] === 0) return;
      move(matrices[joint], local, i).forEach((x, axis) => {
        out[axis] += (w[k] / sum) * x;
      });
    });
    return out;
  });
}

function morphed(node: Node, mesh: Mesh, primitive: Primitive): number[] {
  const positions = positionsOf(primitive);
  const weights = node.getWeights().length > 0 ? node.getWeights() : mesh.getWeights();
  primitive.listTargets().forEach((target, k) => {
    const deltas = target.getAttribute('POSITION')?.getArray();
    if (!deltas || !weights[k]) return;
    for (let i = 0; i < positions.length; i++) positions[i] += weights[k] * deltas[i];
  });
  return positions;
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] as mat4;

function move(m: mat4, p: readonly number[], o: number): number[] {
  return [0, 1, 2].map((r) => m[r] * p[o] + m[4 + r] * p[o + 1] + m[8 + r] * p[o + 2] + m[12 + r]);
}

function multiply(a: mat4, b: mat4): mat4 {
  return IDENTITY.map((_, i) => {
    const row = i % 4,
      column = i - row;
    return (
      a[row] * b[column] +
      a[4 + row] * b[column + 1] +
      a[8 + row] * b[column + 2] +
      a[12 + row] * b[column + 3]
    );
  }) as mat4;
}
