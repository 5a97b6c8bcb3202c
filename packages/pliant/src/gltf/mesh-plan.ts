import {
  type Accessor,
  type Accessors,
  type AccessorUse,
  COORDINATES,
  INDICES,
  JOINTS,
  WEIGHTS,
} from './accessors.ts';
import type { BufferViews } from './buffer-views.ts';
import type { GltfDecoders } from './decoders.ts';
import { DRACO, type DracoPrimitive } from './draco.ts';
import { address, type JsonCheck, type JsonObject, nameOf } from './json-check.ts';

export const TRIANGLES = 4;
export const TRIANGLE_STRIP = 5;
export const TRIANGLE_FAN = 6;

/** What one mesh of the file consists of, checked as far as its JSON goes. */
export interface MeshPlan {
  readonly name: string;
  readonly where: string; // mesh 3 "Body"
  readonly primitives: readonly PrimitivePlan[];
  readonly targetCount: number; // of the primitive with the most morph targets
  readonly targetNames: readonly string[];
  readonly weights: readonly number[] | undefined;
  readonly isSkinned: boolean; // some node shows it with a skin
}

export interface PrimitivePlan {
  readonly where: string; // mesh 3 "Body", primitive 1
  readonly material: string;
  readonly mode: number;
  readonly positions: Accessor | undefined; // without it, or if not of triangles, nothing is shown
  readonly indices: Accessor | undefined;
  readonly joints: readonly Accessor[]; // per set
  readonly weights: readonly Accessor[];
  readonly targets: readonly (Accessor | undefined)[]; // deltas of positions
  readonly draco: DracoPrimitive | undefined;
}

export interface MeshPlanContext {
  readonly check: JsonCheck;
  readonly accessors: Accessors;
  readonly views: BufferViews;
  readonly decoders: GltfDecoders;
  readonly materials: readonly JsonObject[];
  readonly mostInfluences: number;
}

export function planMesh(
  context: MeshPlanContext,
  def: JsonObject,
  index: number,
  isSkinned: boolean,
): MeshPlan {
  const { check } = context;
  const name = nameOf(def);
  const where = address('mesh', index, name);
  const primitives = check
    .objects(def, 'primitives', `${where}: primitives`)
    .map((primitive, k) => planPrimitive(context, primitive, `${where}, primitive ${k}`, isSkinned));
  const targetCount = primitives.reduce((most, { targets }) => Math.max(most, targets.length), 0);
  const weights = check.numbers(def.weights, `${where}: weights`);
  if (weights !== undefined && weights.length !== targetCount) {
    check.fail('mismatch', `${where}: ${weights.length} weights, but ${targetCount} morph targets`);
  }
  return {
    name,
    where,
    primitives,
    targetCount,
    targetNames: targetNames(def, targetCount),
    weights,
    isSkinned,
  };
}

function planPrimitive(
  context: MeshPlanContext,
  def: JsonObject,
  where: string,
  isSkinned: boolean,
): PrimitivePlan {
  const { check, materials } = context;
  const mode = check.integer(def.mode, `${where}: mode`, 0, 6, TRIANGLES);
  const material = check.optionalIndex(def.material, `${where}: material`, 'materials', materials.length);
  const attributes = check.optionalObject(def.attributes, `${where}: attributes`) ?? {};
  const nothing: PrimitivePlan = {
    where,
    material: material === undefined ? '' : nameOf(materials[material]),
    mode,
    positions: undefined,
    indices: undefined,
    joints: [],
    weights: [],
    targets: [],
    draco: undefined,
  };
  if (mode < TRIANGLES || attributes.POSITION === undefined) return nothing;

  const packed = readDraco(context, def, where);
  const ids = packed?.attributes ?? {};
  const used: { id: number; accessor: Accessor }[] = [];
  const attribute = (semantic: string, use: AccessorUse): Accessor => {
    const isPacked = Object.hasOwn(ids, semantic);
    const accessor = context.accessors.use(attributes[semantic], `${where}, ${semantic}`, use, isPacked);
    if (isPacked) {
      const id = check.integer(ids[semantic], `${where}: ${DRACO}.attributes.${semantic}`, 0, 2 ** 31 - 1);
      used.push({ id, accessor });
    }
    return accessor;
  };

  const positions = attribute('POSITION', COORDINATES);
  const indices =
    def.indices === undefined
      ? undefined
      : context.accessors.use(def.indices, `${where}, indices`, INDICES, packed !== undefined);
  const { joints, weights } = isSkinned
    ? planInfluences(context, attributes, where, attribute)
    : { joints: [], weights: [] };
  const targets = check
    .objects(def, 'targets', `${where}: targets`)
    .map((target, k) =>
      target.POSITION === undefined
        ? undefined
        : context.accessors.use(target.POSITION, `${where}, target ${k} POSITION`, COORDINATES),
    );
  for (const other of [...joints, ...weights, ...targets]) {
    if (other === undefined || other.count === positions.count) continue;
    const found = `accessor ${other.index} has ${other.count} elements`;
    check.fail('mismatch', `${where}: ${found}, but POSITION has ${positions.count}`);
  }
  const draco =
    packed === undefined ? undefined : { where, bufferView: packed.bufferView, attributes: used, indices };
  if (draco !== undefined && mode !== TRIANGLES)
    check.fail('unsupported', `${where}: ${DRACO} of strips or fans`);
  return { ...nothing, positions, indices, joints, weights, targets, draco };
}

/** JOINTS_0 and WEIGHTS_0, then JOINTS_1 and so on, as many as wanted. */
function planInfluences(
  { check, mostInfluences }: MeshPlanContext,
  attributes: JsonObject,
  where: string,
  attribute: (semantic: string, use: AccessorUse) => Accessor,
): Pick<PrimitivePlan, 'joints' | 'weights'> {
  const joints: Accessor[] = [];
  const weights: Accessor[] = [];
  for (let set = 0; 4 * set < mostInfluences; set++) {
    const hasJoints = attributes[`JOINTS_${set}`] !== undefined;
    const hasWeights = attributes[`WEIGHTS_${set}`] !== undefined;
    if (hasJoints !== hasWeights) {
      const [present, absent] = hasJoints ? ['JOINTS', 'WEIGHTS'] : ['WEIGHTS', 'JOINTS'];
      check.fail('mismatch', `${where} has ${present}_${set}, but no ${absent}_${set}`);
    }
    if (!hasJoints) break;
    joints.push(attribute(`JOINTS_${set}`, JOINTS));
    weights.push(attribute(`WEIGHTS_${set}`, WEIGHTS));
  }
  if (joints.length === 0)
    check.fail('mismatch', `${where} is shown with a skin, but has no JOINTS_0 and WEIGHTS_0`);
  return { joints, weights };
}

interface PackedPrimitive {
  bufferView: number;
  attributes: JsonObject;
}

/** Undefined when not packed, or when there is no decoder and the accessors have plain data as well. */
function readDraco(context: MeshPlanContext, def: JsonObject, where: string): PackedPrimitive | undefined {
  const { check, views } = context;
  const packed = check.optionalObject(def.extensions, `${where}: extensions`)?.[DRACO];
  if (packed === undefined) return undefined;
  if (context.decoders.draco === undefined) {
    const position = check.object(def.attributes, `${where}: attributes`).POSITION;
    if (context.accessors.hasPlainData(position)) return undefined;
    check.fail('unsupported', `${where} is packed with ${DRACO}, and no decoder for it was given`);
  }
  const extension = check.object(packed, `${where}: ${DRACO}`);
  const bufferView = views.view(extension.bufferView, `${where}: ${DRACO}.bufferView`);
  views.use(bufferView);
  return { bufferView, attributes: check.object(extension.attributes, `${where}: ${DRACO}.attributes`) };
}

function targetNames(def: JsonObject, count: number): string[] {
  const extras = def.extras as { targetNames?: unknown } | null | undefined;
  const names: readonly unknown[] = Array.isArray(extras?.targetNames) ? extras.targetNames : [];
  return Array.from({ length: count }, (_, k) => (typeof names[k] === 'string' ? names[k] : String(k)));
}
