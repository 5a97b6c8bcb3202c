import { type FileBytes, fileBytes } from '../io/file-bytes.ts';
import { gunzip, isGzip } from '../io/gzip.ts';
import { meshName } from '../io/mesh-file.ts';
import { checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { Accessors } from './accessors.ts';
import { Budget } from './budget.ts';
import { BufferViews } from './buffer-views.ts';
import { buildClip, type ClipPlan, planClip } from './clips.ts';
import { type GltfContainer, openContainer } from './container.ts';
import { decodeAccessors } from './decode.ts';
import type { GltfDecoders } from './decoders.ts';
import { type DracoPrimitive, unpackDraco } from './draco.ts';
import { Elements } from './elements.ts';
import { checkExtensions } from './extensions.ts';
import type { GltfMesh, GltfMorphs, GltfNodes, GltfScene, GltfSkin } from './gltf-scene.ts';
import { JsonCheck, type JsonObject, nameOf } from './json-check.ts';
import { buildMesh, type MeshData } from './mesh-data.ts';
import { type MeshPlan, planMesh } from './mesh-plan.ts';
import { nodesInScene, readNodes } from './nodes.ts';
import type { ReadResource } from './resources.ts';
import { planSkin, readInverseBind, type SkinPlan } from './skins.ts';

export interface ReadGltfOptions {
  /**
   * Bytes of a buffer that is a file of its own. The path is relative and has no `..`; the caller joins it to the
   * model's folder, and minds symbolic links. Default: such models are refused.
   */
  readResource?: ReadResource;
  /** For compressed files. Default: none. */
  decoders?: GltfDecoders;
  /** Joints per vertex: all the file has, or 4 at most, which is what three.js draws. Default: 'all'. */
  influences?: 'all' | 4;
  /** Refuse files that unpack to more. Default: 2 GiB, and at most 256 times the file's size beyond 64 MiB. */
  maxBytes?: number;
}

/**
 * Reads a .glb or .gltf (2.0), gzip-compressed or not: the meshes of its scene, their skins and morph targets, and
 * all clips. Throws InputError with the place; nothing is fetched, images are never looked at.
 */
export async function readGltf(
  file: FileBytes,
  fileName: string,
  options: ReadGltfOptions = {},
): Promise<GltfScene> {
  const bytes = fileBytes(file, fileName);
  checkObject('options', options);
  const { readResource, decoders = {}, influences = 'all', maxBytes } = options;
  if (influences !== 'all' && influences !== 4) {
    throw new InputError('bad-option', `influences must be 'all' or 4, not ${describe(influences)}`);
  }
  const plain = isGzip(bytes) ? await gunzip(bytes, fileName) : bytes;
  const check = new JsonCheck(fileName);
  const container = openContainer(plain, fileName);
  checkVersion(check, container.json);
  const ignoredExtensions = checkExtensions(check, container.json, decoders);

  const budget = new Budget(check, plain.length, maxBytes);
  const views = new BufferViews(check, container.json, container.binary, decoders, budget);
  const accessors = new Accessors(check, container.json, views, budget);
  const mostInfluences = influences === 'all' ? Number.POSITIVE_INFINITY : influences;
  const plan = planScene(check, container, accessors, views, decoders, mostInfluences);

  const elements = await loadElements(check, plan, accessors, views, decoders, readResource);
  const known = new Set<Float64Array>();
  return {
    name: meshName(fileName),
    nodes: plan.nodes,
    meshes: buildMeshes(check, plan, elements, budget),
    clips: plan.clips.map((clip) => buildClip(check, clip, elements, known)),
    ignoredExtensions,
  };
}

/** Everything in the file that matters, before any of its numbers are read. */
interface ScenePlan {
  readonly nodeDefs: readonly JsonObject[];
  readonly nodes: GltfNodes;
  readonly shown: readonly ShownMesh[];
  readonly meshes: ReadonlyMap<number, MeshPlan>;
  readonly skins: ReadonlyMap<number, SkinPlan>;
  readonly clips: readonly ClipPlan[];
}

interface ShownMesh {
  readonly node: number;
  readonly mesh: number;
  readonly skin: number | undefined;
}

function checkVersion(check: JsonCheck, json: JsonObject): void {
  const { version } = check.object(json.asset, 'asset');
  if (typeof version !== 'string') check.fail('wrong-type', 'asset.version must be a string');
  if (!/^2\.\d+$/.test(version)) check.fail('unsupported', 'the glTF version is not 2');
}

function planScene(
  check: JsonCheck,
  { json }: GltfContainer,
  accessors: Accessors,
  views: BufferViews,
  decoders: GltfDecoders,
  mostInfluences: number,
): ScenePlan {
  const nodeDefs = check.objects(json, 'nodes');
  const meshDefs = check.objects(json, 'meshes');
  const skinDefs = check.objects(json, 'skins');
  const nodes = readNodes(check, nodeDefs);
  const inScene = nodesInScene(check, json, nodes);
  const shown: ShownMesh[] = [];
  const skinned = new Set<number>();
  for (let n = 0; n < nodeDefs.length; n++) {
    const mesh = check.optionalIndex(nodeDefs[n].mesh, `nodes[${n}].mesh`, 'meshes', meshDefs.length);
    const skin = check.optionalIndex(nodeDefs[n].skin, `nodes[${n}].skin`, 'skins', skinDefs.length);
    if (mesh === undefined || inScene[n] === 0) continue;
    shown.push({ node: n, mesh, skin });
    if (skin !== undefined) skinned.add(mesh);
  }

  const meshes = new Map<number, MeshPlan>();
  const skins = new Map<number, SkinPlan>();
  const context = {
    check,
    accessors,
    views,
    decoders,
    materials: check.objects(json, 'materials'),
    mostInfluences,
  };
  for (const { mesh, skin } of shown) {
    if (!meshes.has(mesh)) meshes.set(mesh, planMesh(context, meshDefs[mesh], mesh, skinned.has(mesh)));
    if (skin !== undefined && !skins.has(skin)) {
      skins.set(skin, planSkin(check, accessors, skinDefs[skin], skin, nodeDefs.length));
    }
  }

  const morphCounts = new Uint32Array(nodeDefs.length);
  for (const { node, mesh } of shown) morphCounts[node] = meshes.get(mesh)!.targetCount;
  const clips = check
    .objects(json, 'animations')
    .map((def, index) => planClip(check, accessors, def, index, morphCounts));
  return { nodeDefs, nodes, shown, meshes, skins, clips };
}

async function loadElements(
  check: JsonCheck,
  { meshes }: ScenePlan,
  accessors: Accessors,
  views: BufferViews,
  { draco }: GltfDecoders,
  readResource: ReadResource | undefined,
): Promise<Elements> {
  const packed: DracoPrimitive[] = [];
  for (const { primitives } of meshes.values()) {
    for (const primitive of primitives) if (primitive.draco !== undefined) packed.push(primitive.draco);
  }
  const fromDraco = new Set(
    packed.flatMap(({ attributes, indices }) => [
      ...attributes.map(({ accessor }) => accessor.index),
      ...(indices === undefined ? [] : [indices.index]),
    ]),
  );

  const viewBytes = await views.load(readResource);
  const plain = [...accessors.used.values()].filter(({ index }) => !fromDraco.has(index));
  const arrays = await decodeAccessors(check, plain, (index) => views.use(index), viewBytes);
  for (const primitive of packed) {
    unpackDraco(check, draco!, viewBytes.get(primitive.bufferView)!, primitive, arrays);
  }
  return new Elements(check, arrays);
}

function buildMeshes(check: JsonCheck, plan: ScenePlan, elements: Elements, budget: Budget): GltfMesh[] {
  const data = new Map<number, MeshData>();
  for (const [index, mesh] of plan.meshes) data.set(index, buildMesh(check, mesh, elements, budget));
  const inverseBind = new Map<number, Float64Array>();
  for (const [index, skin] of plan.skins) inverseBind.set(index, readInverseBind(check, skin, elements));

  return plan.shown.map(({ node, mesh, skin }) => {
    const meshPlan = plan.meshes.get(mesh)!;
    const meshData = data.get(mesh)!;
    const { primitives, positions, triangles } = meshData;
    const shown = {
      name: meshPlan.name,
      mesh,
      node,
      nodeName: nameOf(plan.nodeDefs[node]),
      primitives,
      positions,
      triangles,
    };
    const bound =
      skin === undefined
        ? undefined
        : bindSkin(check, plan.skins.get(skin)!, inverseBind.get(skin)!, meshPlan, meshData);
    const morphs =
      meshPlan.targetCount === 0
        ? undefined
        : createMorphs(check, plan.nodeDefs[node], node, meshPlan, meshData);
    return { ...shown, ...(bound && { skin: bound }), ...(morphs && { morphs }) };
  });
}

function bindSkin(
  check: JsonCheck,
  { joints, where }: SkinPlan,
  inverseBind: Float64Array,
  mesh: MeshPlan,
  { influences: found }: MeshData,
): GltfSkin | undefined {
  if (found === undefined) return undefined; // no triangles, hence nothing to bind
  const { influences, jointIndex, weights, renormalised, weightless, highestJoint, highestVertex } = found;
  if (highestJoint >= joints.length) {
    const message = `${mesh.where}: vertex ${highestVertex} uses joint ${highestJoint}`;
    check.fail('index-out-of-range', `${message}, but ${where} has ${joints.length} joints`);
  }
  return { joints, inverseBind, influences, jointIndex, weights, renormalised, weightless };
}

function createMorphs(
  check: JsonCheck,
  nodeDef: JsonObject,
  node: number,
  { targetCount: count, targetNames: names, weights }: MeshPlan,
  { deltas }: MeshData,
): GltfMorphs {
  const own = check.numbers(nodeDef.weights, `nodes[${node}].weights`, count);
  return {
    count,
    names,
    deltas,
    defaultWeights: Float64Array.from(own ?? weights ?? new Array(count).fill(0)),
  };
}
