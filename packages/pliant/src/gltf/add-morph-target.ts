import { type FileBytes, fileBytes } from '../io/file-bytes.ts';
import { checkLength, checkMade, checkObject, quote } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { GltfChannel, GltfMesh, GltfScene } from './gltf-scene.ts';
import { sampleChannel } from './interpolation.ts';
import { ContainerEditor, type EditableJson } from './write-container.ts';

const FLOAT = 5126;
const UNSIGNED_INT = 5125;

/** A morph target for the mesh of one node, and how a clip drives it. */
export interface NewMorphTarget {
  /** Which of `scene.meshes`. */
  readonly mesh: number;
  readonly name: string;
  /** Displacements, three per vertex of that mesh. */
  readonly positions: Float32Array;
  /** Changes of normals, as many, where the file has normals. */
  readonly normals?: Float32Array;
  /** Which of `scene.clips` drives it. */
  readonly clip: number;
  /** Seconds, ascending, and the weight at each; between them it is linear. */
  readonly times: Float32Array;
  readonly weights: Float32Array;
}

/**
 * The file with one more morph target, whose weight is 0 but for what the clip says. `file` is a .glb or .gltf that is
 * not gzipped, `scene` what was read from it. All bytes of buffers stay where they are, and all that the JSON says is
 * kept; new data are appended. Other nodes that show the mesh get the target too, with weight 0.
 *
 * Errors: 'unsupported' when the clip drives other targets of this node by steps or splines, or when a node outside
 * of the scene drives targets of the mesh.
 */
export function addMorphTarget(file: FileBytes, scene: GltfScene, target: NewMorphTarget): Uint8Array {
  checkMade('scene', scene, 'readGltf', 'meshes', 'nodes', 'clips');
  checkObject('target', target);
  const bytes = fileBytes(file, scene.name);
  const mesh = scene.meshes[target.mesh];
  if (mesh === undefined) {
    throw new InputError(
      'index-out-of-range',
      `mesh ${quote(target.mesh)}, but ${scene.name} has ${scene.meshes.length}`,
    );
  }
  checkLength('positions', target.positions, mesh.positions.length);
  if (target.normals) checkLength('normals', target.normals, mesh.positions.length);
  checkLength('weights', target.weights, target.times.length);
  const editor = new ContainerEditor(bytes, scene.name);
  const count = mesh.morphs?.count ?? 0;
  const nodes = editor.list('nodes') as EditableJson[];
  addToPrimitives(editor, mesh, count, target);
  for (const node of nodes) {
    if (node.mesh === mesh.mesh && Array.isArray(node.weights)) node.weights.push(0);
  }
  lengthenChannels(editor, scene, mesh, count, target);
  drive(editor, scene, mesh, count, target);
  return editor.write();
}

function addToPrimitives(
  editor: ContainerEditor,
  { mesh, primitives, morphs }: GltfMesh,
  count: number,
  { positions, normals, name }: NewMorphTarget,
): void {
  const def = editor.list('meshes')[mesh] as EditableJson;
  const accessors = editor.list('accessors') as EditableJson[];
  (def.primitives as EditableJson[]).forEach((primitive, k) => {
    const { firstVertex, vertexCount } = primitives[k];
    const attributes = (primitive.attributes ?? {}) as Record<string, number>;
    const targets = (primitive.targets ??= []) as EditableJson[];
    const zeros = () => {
      if (attributes.POSITION === undefined) return {};
      const length = 3 * (accessors[attributes.POSITION].count as number);
      return { POSITION: addVectors(editor, new Float32Array(length)) };
    };
    while (targets.length < count) targets.push(zeros());
    if (vertexCount === 0) {
      targets.push(zeros()); // points and lines stay
      return;
    }
    const from = 3 * firstVertex,
      to = from + 3 * vertexCount;
    const added: EditableJson = { POSITION: addVectors(editor, positions.subarray(from, to)) };
    if (normals && attributes.NORMAL !== undefined) {
      added.NORMAL = addVectors(editor, normals.subarray(from, to));
    }
    targets.push(added);
  });
  if (Array.isArray(def.weights)) def.weights.push(0);
  nameTarget(def, [...(morphs?.names ?? []), name]);
}

/** By the convention that all know; other extras stay. */
function nameTarget(def: EditableJson, names: readonly string[]): void {
  const { extras } = def;
  if (extras !== undefined && (typeof extras !== 'object' || extras === null || Array.isArray(extras)))
    return;
  def.extras = { ...extras, targetNames: names };
}

/** Three numbers per element; only those that are not 0 are stored when most are. */
function addVectors(editor: ContainerEditor, values: Float32Array): number {
  const count = values.length / 3;
  const moved: number[] = [];
  const min = [0, 0, 0],
    max = [0, 0, 0];
  for (let v = 0; v < count; v++) {
    const o = 3 * v;
    for (let a = 0; a < 3; a++) {
      min[a] = v === 0 ? values[o + a] : Math.min(min[a], values[o + a]);
      max[a] = v === 0 ? values[o + a] : Math.max(max[a], values[o + a]);
    }
    if (values[o] !== 0 || values[o + 1] !== 0 || values[o + 2] !== 0) moved.push(v);
  }
  const accessor: EditableJson = { componentType: FLOAT, count, type: 'VEC3', min, max };
  if (2 * moved.length > count)
    return editor.addAccessor({ bufferView: editor.addView(values), ...accessor });
  if (moved.length === 0) return editor.addAccessor(accessor);
  const kept = Float32Array.from(moved.flatMap((v) => Array.from(values.subarray(3 * v, 3 * v + 3))));
  const sparse = {
    count: moved.length,
    indices: { bufferView: editor.addView(Uint32Array.from(moved)), componentType: UNSIGNED_INT },
    values: { bufferView: editor.addView(kept) },
  };
  return editor.addAccessor({ ...accessor, sparse });
}

function addNumbers(editor: ContainerEditor, values: Float32Array, hasRange: boolean): number {
  const accessor = {
    bufferView: editor.addView(values),
    componentType: FLOAT,
    count: values.length,
    type: 'SCALAR',
  };
  if (!hasRange) return editor.addAccessor(accessor);
  return editor.addAccessor({ ...accessor, min: [values[0]], max: [values[values.length - 1]] });
}

/** Weights of all nodes that show the mesh have one number more from now on: 0. */
function lengthenChannels(
  editor: ContainerEditor,
  scene: GltfScene,
  mesh: GltfMesh,
  count: number,
  target: NewMorphTarget,
): void {
  const nodes = editor.list('nodes') as EditableJson[];
  (editor.list('animations') as EditableJson[]).forEach((animation, clip) => {
    for (const channel of animation.channels as EditableJson[]) {
      const to = channel.target as EditableJson;
      if (to.path !== 'weights' || to.node === undefined) continue;
      const node = to.node as number;
      if (nodes[node].mesh !== mesh.mesh) continue;
      if (count === 0) {
        delete to.node; // it had nothing to drive, and does not start now
        continue;
      }
      const known = scene.clips[clip].channels.find(
        (other) => other.node === node && other.path === 'weights',
      );
      if (known === undefined) {
        throw new InputError(
          'unsupported',
          `${scene.name}: animation ${clip} drives morph targets of node ${node}, which is not in the scene`,
        );
      }
      if (clip === target.clip && node === mesh.node) continue; // replaced later
      const samplers = animation.samplers as EditableJson[];
      const before = samplers[channel.sampler as number];
      const output = addNumbers(editor, lengthened(known, count), false);
      channel.sampler = samplers.push({ ...before, output }) - 1;
    }
  });
}

function lengthened({ values }: GltfChannel, count: number): Float32Array {
  const rows = values.length / count;
  const out = new Float32Array(rows * (count + 1));
  for (let r = 0; r < rows; r++) out.set(values.subarray(r * count, (r + 1) * count), r * (count + 1));
  return out;
}

/** The channel of the clip that drives the target, with those that the node had before. */
function drive(
  editor: ContainerEditor,
  scene: GltfScene,
  mesh: GltfMesh,
  count: number,
  { clip, times, weights }: NewMorphTarget,
): void {
  const { node, morphs } = mesh;
  const own: GltfChannel = {
    node,
    path: 'weights',
    interpolation: 'LINEAR',
    size: 1,
    times: Float64Array.from(times),
    values: Float64Array.from(weights),
  };
  const others = scene.clips[clip].channels.find((other) => other.node === node && other.path === 'weights');
  if (others && others.interpolation !== 'LINEAR' && others.times.length > 1) {
    throw new InputError(
      'unsupported',
      `${scene.name}: animation ${clip} drives morph targets of node ${node} by ${others.interpolation}; only LINEAR can be added to`,
    );
  }
  const keys = [...new Set([...own.times, ...(others?.times ?? [])])].sort((a, b) => a - b);
  const output = new Float64Array(keys.length * (count + 1));
  keys.forEach((time, k) => {
    const o = k * (count + 1);
    if (others) sampleChannel(others, time, output, o);
    else output.set(morphs?.defaultWeights ?? [], o);
    sampleChannel(own, time, output, o + count);
  });

  const animation = (editor.list('animations') as EditableJson[])[clip];
  const samplers = animation.samplers as EditableJson[],
    channels = animation.channels as EditableJson[];
  const sampler =
    samplers.push({
      input: addNumbers(editor, Float32Array.from(keys), true),
      interpolation: 'LINEAR',
      output: addNumbers(editor, Float32Array.from(output), false),
    }) - 1;
  const channel = channels.find(({ target }) => {
    const to = target as EditableJson;
    return to.node === node && to.path === 'weights';
  });
  if (channel) channel.sampler = sampler;
  else channels.push({ sampler, target: { node, path: 'weights' } });
}
