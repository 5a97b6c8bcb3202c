import { type Accessor, type Accessors, MATRICES } from './accessors.ts';
import type { Elements } from './elements.ts';
import { address, type JsonCheck, type JsonObject, nameOf } from './json-check.ts';
import { fromColumns } from './transforms.ts';

const AFFINE_TOLERANCE = 1e-5;

/** A skin of the file, checked as far as its JSON goes. */
export interface SkinPlan {
  readonly where: string; // skin 0 "Armature"
  readonly joints: readonly number[];
  readonly inverseBind: Accessor | undefined;
}

export function planSkin(
  check: JsonCheck,
  accessors: Accessors,
  def: JsonObject,
  index: number,
  nodeCount: number,
): SkinPlan {
  const where = address('skin', index, nameOf(def));
  const joints = check
    .array(def, 'joints', `${where}: joints`)
    .map((value, j) => check.index(value, `${where}: joints[${j}]`, 'nodes', nodeCount));
  if (joints.length === 0) check.fail('empty', `${where} has no joints`);
  if (def.inverseBindMatrices === undefined) return { where, joints, inverseBind: undefined };
  const inverseBind = accessors.use(def.inverseBindMatrices, `${where}, inverseBindMatrices`, MATRICES);
  if (inverseBind.count < joints.length) {
    check.fail(
      'mismatch',
      `${where}: ${inverseBind.count} inverse bind matrices for ${joints.length} joints`,
    );
  }
  return { where, joints, inverseBind };
}

/** 12 numbers per joint; identities when the file has none. */
export function readInverseBind(
  check: JsonCheck,
  { where, joints, inverseBind }: SkinPlan,
  elements: Elements,
): Float64Array {
  const out = new Float64Array(12 * joints.length);
  if (inverseBind === undefined) {
    for (let o = 0; o < out.length; o += 12) out[o] = out[o + 5] = out[o + 10] = 1;
    return out;
  }
  const columns = elements.doubles(inverseBind, `${where}, inverseBindMatrices`);
  for (let j = 0; j < joints.length; j++) {
    checkAffine(check, columns, 16 * j, `${where}, inverseBindMatrices: element ${j}`);
    fromColumns(columns, 16 * j, out, 12 * j);
  }
  return out;
}

function checkAffine(check: JsonCheck, columns: ArrayLike<number>, c: number, where: string): void {
  const off = Math.max(
    Math.abs(columns[c + 3]),
    Math.abs(columns[c + 7]),
    Math.abs(columns[c + 11]),
    Math.abs(columns[c + 15] - 1),
  );
  if (off > AFFINE_TOLERANCE) check.fail('unsupported', `${where}: the last row is not 0 0 0 1`);
}
