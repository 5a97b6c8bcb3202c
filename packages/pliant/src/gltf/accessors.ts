import { COUNT_LIMIT } from '../mesh/check-input.ts';
import type { Budget } from './budget.ts';
import type { BufferViews } from './buffer-views.ts';
import type { JsonCheck, JsonObject } from './json-check.ts';

const BYTE = 5120;
const UNSIGNED_BYTE = 5121;
const SHORT = 5122;
const UNSIGNED_SHORT = 5123;
const UNSIGNED_INT = 5125;
const FLOAT = 5126;

export const COMPONENT_BYTES: Readonly<Record<number, number>> = {
  [BYTE]: 1,
  [UNSIGNED_BYTE]: 1,
  [SHORT]: 2,
  [UNSIGNED_SHORT]: 2,
  [UNSIGNED_INT]: 4,
  [FLOAT]: 4,
};

const COMPONENT_NAMES: Readonly<Record<number, string>> = {
  [BYTE]: 'BYTE',
  [UNSIGNED_BYTE]: 'UNSIGNED_BYTE',
  [SHORT]: 'SHORT',
  [UNSIGNED_SHORT]: 'UNSIGNED_SHORT',
  [UNSIGNED_INT]: 'UNSIGNED_INT',
  [FLOAT]: 'FLOAT',
};

export type ElementArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

/** Zeros of a component type. */
export function elementArray(componentType: number, length: number): ElementArray {
  if (componentType === BYTE) return new Int8Array(length);
  if (componentType === UNSIGNED_BYTE) return new Uint8Array(length);
  if (componentType === SHORT) return new Int16Array(length);
  if (componentType === UNSIGNED_SHORT) return new Uint16Array(length);
  return componentType === UNSIGNED_INT ? new Uint32Array(length) : new Float32Array(length);
}

const SIZES: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** What an accessor must be for a purpose. Quantised coordinates are those of KHR_mesh_quantization. */
export interface AccessorUse {
  readonly type: string;
  readonly components: readonly number[];
}

const ANY_VECTOR = [FLOAT, BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT];
export const COORDINATES: AccessorUse = { type: 'VEC3', components: ANY_VECTOR };
export const ROTATIONS: AccessorUse = { type: 'VEC4', components: ANY_VECTOR };
export const NUMBERS: AccessorUse = { type: 'SCALAR', components: ANY_VECTOR };
export const JOINTS: AccessorUse = { type: 'VEC4', components: [UNSIGNED_BYTE, UNSIGNED_SHORT] };
export const WEIGHTS: AccessorUse = { type: 'VEC4', components: [FLOAT, UNSIGNED_BYTE, UNSIGNED_SHORT] };
export const INDICES: AccessorUse = {
  type: 'SCALAR',
  components: [UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT],
};
export const MATRICES: AccessorUse = { type: 'MAT4', components: [FLOAT] };
export const TIMES: AccessorUse = { type: 'SCALAR', components: [FLOAT] };

/** Elements inside a buffer view; without one, zeros. */
export interface Accessor {
  readonly index: number;
  readonly componentType: number;
  readonly type: string;
  readonly size: number; // components per element
  readonly count: number;
  readonly normalized: boolean;
  readonly bufferView: number | undefined;
  readonly byteOffset: number;
  readonly sparse: SparseElements | undefined;
  readonly max: number | undefined; // of scalars, as the file states it; not checked against the elements
}

export interface SparseElements {
  readonly count: number;
  readonly indices: {
    readonly bufferView: number;
    readonly byteOffset: number;
    readonly componentType: number;
  };
  readonly values: { readonly bufferView: number; readonly byteOffset: number };
}

/** The accessors in use, each checked once: known types, a sane count, inside its buffer view. */
export class Accessors {
  readonly used = new Map<number, Accessor>();
  readonly #check: JsonCheck;
  readonly #defs: readonly JsonObject[];
  readonly #views: BufferViews;
  readonly #budget: Budget;

  constructor(check: JsonCheck, json: JsonObject, views: BufferViews, budget: Budget) {
    this.#check = check;
    this.#defs = check.objects(json, 'accessors');
    this.#views = views;
    this.#budget = budget;
  }

  /** `where` names who asks; `isPacked` says that the elements come from elsewhere (Draco), not from a view. */
  use(index: unknown, where: string, use: AccessorUse, isPacked = false): Accessor {
    const i = this.#check.index(index, where, 'accessors', this.#defs.length);
    const accessor = this.used.get(i) ?? this.#read(i, isPacked);
    if (accessor.type !== use.type) {
      this.#check.fail('wrong-type', `${where} is accessor ${i} of type ${accessor.type}, not ${use.type}`);
    }
    if (!use.components.includes(accessor.componentType)) {
      const allowed = use.components.map((component) => COMPONENT_NAMES[component]).join(', ');
      const found = COMPONENT_NAMES[accessor.componentType];
      this.#check.fail('wrong-type', `${where} is accessor ${i} of ${found}, not of ${allowed}`);
    }
    return accessor;
  }

  /** Whether it has elements besides the compressed ones. */
  hasPlainData(index: unknown): boolean {
    return typeof index === 'number' && this.#defs[index]?.bufferView !== undefined;
  }

  #read(index: number, isPacked: boolean): Accessor {
    const check: JsonCheck = this.#check;
    const where = `accessors[${index}]`;
    const def = this.#defs[index];
    const { type, normalized = false } = def;
    if (typeof type !== 'string' || !Object.hasOwn(SIZES, type))
      check.fail('unsupported', `${where}.type is unknown`);
    if (typeof normalized !== 'boolean')
      check.fail('wrong-type', `${where}.normalized must be true or false`);
    const componentType = this.#componentType(def, where);
    const size = SIZES[type];
    const count = check.integer(def.count, `${where}.count`, 0, COUNT_LIMIT);
    this.#budget.take(count * size * (COMPONENT_BYTES[componentType] + 8), where); // as stored, and as float64

    const byteOffset = check.integer(def.byteOffset, `${where}.byteOffset`, 0, Number.MAX_SAFE_INTEGER, 0);
    let bufferView: number | undefined;
    let sparse: SparseElements | undefined;
    if (!isPacked) {
      const elementBytes = size * COMPONENT_BYTES[componentType];
      if (def.bufferView !== undefined) {
        bufferView = this.#views.view(def.bufferView, `${where}.bufferView`);
        this.#checkBounds(where, bufferView, byteOffset, count, elementBytes);
      }
      if (def.sparse !== undefined) sparse = this.#sparse(def.sparse, `${where}.sparse`, count, elementBytes);
    }
    const accessor = {
      index,
      componentType,
      type,
      size,
      count,
      normalized: normalized && componentType !== FLOAT,
      bufferView,
      byteOffset,
      sparse,
      max: Array.isArray(def.max) && typeof def.max[0] === 'number' ? def.max[0] : undefined,
    };
    this.used.set(index, accessor);
    return accessor;
  }

  #componentType(def: JsonObject, where: string): number {
    const { componentType } = def;
    if (typeof componentType === 'number' && Object.hasOwn(COMPONENT_BYTES, componentType))
      return componentType;
    this.#check.fail('unsupported', `${where}.componentType is unknown`);
  }

  #sparse(value: unknown, where: string, elementCount: number, elementBytes: number): SparseElements {
    const check: JsonCheck = this.#check;
    const def = check.object(value, where);
    const count = check.integer(def.count, `${where}.count`, 0, elementCount);
    const indices = check.object(def.indices, `${where}.indices`);
    const values = check.object(def.values, `${where}.values`);
    const componentType = this.#componentType(indices, `${where}.indices`);
    if (!INDICES.components.includes(componentType)) {
      check.fail('wrong-type', `${where}.indices are of ${COMPONENT_NAMES[componentType]}`);
    }
    this.#budget.take(count * (COMPONENT_BYTES[componentType] + elementBytes), where);
    return {
      count,
      indices: {
        ...this.#sparsePart(indices, `${where}.indices`, count, COMPONENT_BYTES[componentType]),
        componentType,
      },
      values: this.#sparsePart(values, `${where}.values`, count, elementBytes),
    };
  }

  #sparsePart(def: JsonObject, where: string, count: number, elementBytes: number) {
    const byteOffset = this.#check.integer(
      def.byteOffset,
      `${where}.byteOffset`,
      0,
      Number.MAX_SAFE_INTEGER,
      0,
    );
    const bufferView = this.#views.view(def.bufferView, `${where}.bufferView`);
    this.#checkBounds(where, bufferView, byteOffset, count, elementBytes);
    return { bufferView, byteOffset };
  }

  #checkBounds(
    where: string,
    bufferView: number,
    byteOffset: number,
    count: number,
    elementBytes: number,
  ): void {
    const { byteLength, byteStride = elementBytes } = this.#views.use(bufferView);
    if (byteStride < elementBytes) {
      const message = `${where}: elements of ${elementBytes} bytes overlap in bufferViews[${bufferView}]`;
      this.#check.fail('out-of-range', `${message}, whose byteStride is ${byteStride}`);
    }
    const end = count === 0 ? byteOffset : byteOffset + (count - 1) * byteStride + elementBytes;
    if (end <= byteLength) return;
    const message = `${where}: ${count} elements end at byte ${end}`;
    this.#check.fail('truncated', `${message}, but bufferViews[${bufferView}] has ${byteLength}`);
  }
}
