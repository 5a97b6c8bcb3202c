// A small GLB: a tube with two joints and a clip, Walk, in which it is bent until it touches itself.
import { Document, NodeIO } from '@gltf-transform/core';

const LENGTH = 24;
const AROUND = 12;

/** @returns {Promise<Uint8Array>} */
export async function createBentTube() {
  const document = new Document();
  const buffer = document.createBuffer();
  /** @type {(type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4', array: any) => import('@gltf-transform/core').Accessor} */
  const accessor = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const { positions, joints, weights, triangles } = listTube();
  const primitive = document
    .createPrimitive()
    .setIndices(accessor('SCALAR', Uint16Array.from(triangles)))
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(positions)))
    .setAttribute('JOINTS_0', accessor('VEC4', Uint8Array.from(joints)))
    .setAttribute('WEIGHTS_0', accessor('VEC4', Float32Array.from(weights)));
  const mesh = document.createMesh('tube').addPrimitive(primitive);
  const lower = document.createNode('lower'),
    upper = document.createNode('upper').setTranslation([0, 1, 0]);
  lower.addChild(upper);
  // prettier-ignore
  const inverseBind = [
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,
  ];
  const skin = document.createSkin().addJoint(lower).addJoint(upper);
  skin.setInverseBindMatrices(accessor('MAT4', Float32Array.from(inverseBind)));
  const node = document.createNode('tube').setMesh(mesh).setSkin(skin);
  document.createScene().addChild(lower).addChild(node);

  const half = Math.sin(Math.PI / 2.6),
    rest = Math.cos(Math.PI / 2.6);
  const sampler = document
    .createAnimationSampler()
    .setInput(accessor('SCALAR', Float32Array.of(0, 0.5, 1)))
    .setOutput(accessor('VEC4', Float32Array.of(0, 0, 0, 1, 0, 0, half, rest, 0, 0, 0, 1)));
  const channel = document
    .createAnimationChannel()
    .setTargetNode(upper)
    .setTargetPath('rotation')
    .setSampler(sampler);
  document.createAnimation('Walk').addSampler(sampler).addChannel(channel);
  return new NodeIO().writeBinary(document);
}

/** Closed, 2 high and 0.4 thick; the joint is in the middle. */
function listTube() {
  /** @type {number[]} */
  const positions = [],
    /** @type {number[]} */ joints = [],
    /** @type {number[]} */ weights = [],
    /** @type {number[]} */ triangles = [];
  /** @type {(x: number, y: number, z: number) => void} */
  const add = (x, y, z) => {
    const share = Math.min(1, Math.max(0, (y - 0.85) / 0.3));
    positions.push(x, y, z);
    joints.push(0, 1, 0, 0);
    weights.push(1 - share, share, 0, 0);
  };
  for (let k = 0; k <= LENGTH; k++) {
    for (let i = 0; i < AROUND; i++) {
      const angle = (2 * Math.PI * i) / AROUND;
      add(0.2 * Math.cos(angle), (2 * k) / LENGTH, 0.2 * Math.sin(angle));
    }
  }
  add(0, 0, 0);
  add(0, 2, 0);
  /** @type {(k: number, i: number) => number} */
  const at = (k, i) => k * AROUND + (i % AROUND);
  const ends = (LENGTH + 1) * AROUND;
  for (let i = 0; i < AROUND; i++) {
    for (let k = 0; k < LENGTH; k++) {
      triangles.push(at(k, i), at(k + 1, i), at(k, i + 1), at(k, i + 1), at(k + 1, i), at(k + 1, i + 1));
    }
    triangles.push(ends, at(0, i), at(0, i + 1), ends + 1, at(LENGTH, i + 1), at(LENGTH, i));
  }
  return { positions, joints, weights, triangles };
}
