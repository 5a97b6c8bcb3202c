import type { GltfNodes } from './gltf-scene.ts';
import { type JsonCheck, type JsonObject, nameOf } from './json-check.ts';
import { composeMatrix, decomposeMatrix, fromColumns } from './transforms.ts';

const UNKNOWN = -2;
const ROOT = -1;

export function readNodes(check: JsonCheck, defs: readonly JsonObject[]): GltfNodes {
  const count = defs.length;
  const parent = readParents(check, defs);
  const nodes: GltfNodes = {
    names: defs.map(nameOf),
    parent,
    order: orderNodes(check, parent),
    translation: new Float64Array(3 * count),
    rotation: new Float64Array(4 * count),
    scale: new Float64Array(3 * count),
    matrix: new Float64Array(12 * count),
  };
  for (let n = 0; n < count; n++) readTransform(check, defs[n], n, nodes);
  return nodes;
}

/** The nodes of the default scene; of all scenes when none is the default; all nodes when there is no scene. */
export function nodesInScene(check: JsonCheck, json: JsonObject, nodes: GltfNodes): Uint8Array {
  const { parent, order } = nodes;
  const scenes = check.objects(json, 'scenes');
  const chosen = check.optionalIndex(json.scene, 'scene', 'scenes', scenes.length);
  const inScene = new Uint8Array(parent.length);
  if (scenes.length === 0) return inScene.fill(1);
  for (let s = 0; s < scenes.length; s++) {
    if (chosen !== undefined && s !== chosen) continue;
    const where = `scenes[${s}].nodes`;
    check.array(scenes[s], 'nodes', where).forEach((value, i) => {
      inScene[check.index(value, `${where}[${i}]`, 'nodes', parent.length)] = 1;
    });
  }
  for (const n of order) if (parent[n] >= 0 && inScene[parent[n]] === 1) inScene[n] = 1;
  return inScene;
}

function readParents(check: JsonCheck, defs: readonly JsonObject[]): Int32Array {
  const parent = new Int32Array(defs.length).fill(ROOT);
  for (let n = 0; n < defs.length; n++) {
    const where = `nodes[${n}].children`;
    const children = check.array(defs[n], 'children', where);
    for (let i = 0; i < children.length; i++) {
      const child = check.index(children[i], `${where}[${i}]`, 'nodes', defs.length);
      if (parent[child] !== ROOT && parent[child] !== n) {
        check.fail('mismatch', `node ${child} is a child of node ${parent[child]} and of node ${n}`);
      }
      parent[child] = n;
    }
  }
  return parent;
}

/** Parents first. A node that is its own ancestor is never reached from a root. */
function orderNodes(check: JsonCheck, parent: Int32Array): Uint32Array {
  const order = new Uint32Array(parent.length);
  const depth = new Int32Array(parent.length).fill(UNKNOWN);
  const path: number[] = [];
  let deepest = 0;
  for (let n = 0; n < parent.length; n++) {
    let at = n;
    while (at !== ROOT && depth[at] === UNKNOWN) {
      depth[at] = ROOT; // on the path
      path.push(at);
      at = parent[at];
    }
    if (at !== ROOT && depth[at] === ROOT) check.fail('mismatch', `node ${at} is its own ancestor`);
    let level = at === ROOT ? 0 : depth[at] + 1;
    for (let i = path.length - 1; i >= 0; i--) depth[path[i]] = level++;
    deepest = Math.max(deepest, level);
    path.length = 0;
  }

  const next = new Uint32Array(deepest + 1); // counting sort by depth
  for (const level of depth) next[level + 1]++;
  for (let level = 0; level < deepest; level++) next[level + 1] += next[level];
  for (let n = 0; n < parent.length; n++) order[next[depth[n]]++] = n;
  return order;
}

function readTransform(check: JsonCheck, def: JsonObject, n: number, nodes: GltfNodes): void {
  const where = `nodes[${n}]`;
  const matrix = check.numbers(def.matrix, `${where}.matrix`, 16);
  if (matrix !== undefined) {
    fromColumns(matrix, 0, nodes.matrix, 12 * n);
    decomposeMatrix(nodes, n);
    return;
  }
  nodes.translation.set(check.numbers(def.translation, `${where}.translation`, 3) ?? [0, 0, 0], 3 * n);
  nodes.rotation.set(check.numbers(def.rotation, `${where}.rotation`, 4) ?? [0, 0, 0, 1], 4 * n);
  nodes.scale.set(check.numbers(def.scale, `${where}.scale`, 3) ?? [1, 1, 1], 3 * n);
  composeMatrix(nodes, n, nodes.matrix);
}
