import { InputError } from './input-error.ts';

/** What we read numbers from: any typed array but the BigInt ones, or a plain array without holes. */
export type NumberArray =
  | Float64Array
  | Float32Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | readonly number[];

/** The most vertices, triangles or tetrahedra of one mesh; three times it still fits 32-bit offsets. */
export const COUNT_LIMIT = 2 ** 26;

/** Coordinates stay below this, so that products of three differences stay finite (about 2e90). */
export const COORDINATE_LIMIT = 2 ** 300;

/**
 * An array of finite numbers. `what` names it in the message: `pose[7] is NaN`. Errors: 'wrong-type',
 * 'wrong-length', 'not-finite'. A plain array is read element by element, so its length is settled first.
 */
export function checkNumbers(
  what: string,
  values: unknown,
  expectedLength?: number,
): asserts values is NumberArray {
  checkArray(what, values);
  if (expectedLength !== undefined) checkLength(what, values, expectedLength);
  const i = firstNonFinite(values);
  if (i >= 0) refuseNumber(`${what}[${i}]`, values[i]);
}

/**
 * Three finite coordinates per vertex, each below COORDINATE_LIMIT: `positions[7] (vertex 2, y) is NaN`.
 * Errors: those of `checkNumbers`, and 'out-of-range'.
 */
export function checkCoordinates(
  what: string,
  values: unknown,
  expectedLength?: number,
): asserts values is NumberArray {
  checkArray(what, values);
  if (expectedLength !== undefined) checkLength(what, values, expectedLength);
  const address = (i: number) => `${what}[${i}] (vertex ${Math.trunc(i / 3)}, ${'xyz'[i % 3]})`;
  const i = firstNonFinite(values);
  if (i >= 0) refuseNumber(address(i), values[i]);
  const far = firstBeyond(values, COORDINATE_LIMIT);
  if (far >= 0) {
    throw new InputError('out-of-range', `${address(far)} is ${values[far]}; the limit is 2^300`);
  }
}

/**
 * `size` vertex numbers per element, each an integer in [0, vertexCount): `triangle 4 uses vertex 9, but
 * the mesh has 8 vertices`. Errors: 'wrong-type' for what is not an integer, 'not-finite',
 * 'index-out-of-range'.
 */
export function checkIndices(
  where: string,
  element: string,
  size: number,
  values: NumberArray,
  vertexCount: number,
): void {
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (typeof v === 'number' && v >= 0 && v < vertexCount && Math.trunc(v) === v) continue;
    refuseIndex(`${where}${element} ${Math.trunc(i / size)}`, i % size, v, vertexCount);
  }
}

/** How many groups of `size` numbers there are: at least one, at most COUNT_LIMIT. */
export function checkCount(what: string, values: NumberArray, size: number): number {
  if (values.length === 0) throw new InputError('empty', `${what} is empty`);
  if (values.length > size * COUNT_LIMIT) {
    throw new InputError('too-large', `${what} has ${values.length} numbers; the limit is ${size} × 2^26`);
  }
  if (values.length % size !== 0) {
    throw new InputError(
      'wrong-length',
      `${what} has ${values.length} numbers, which is not a multiple of ${size}`,
    );
  }
  return values.length / size;
}

export function checkArray(what: string, values: unknown): asserts values is NumberArray {
  if (Array.isArray(values)) return;
  if (ArrayBuffer.isView(values) && !(values instanceof DataView)) {
    if (!(values instanceof BigInt64Array) && !(values instanceof BigUint64Array)) return;
  }
  throw new InputError('wrong-type', `${what} must be an array of numbers, not ${describe(values)}`);
}

export function checkLength(what: string, values: NumberArray, expected: number): void {
  if (values.length === expected) return;
  throw new InputError('wrong-length', `${what} has ${values.length} numbers, expected ${expected}`);
}

/** An object whose fields can be read. */
export function checkObject(what: string, value: unknown): asserts value is object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new InputError('wrong-type', `${what} must be an object, not ${describe(value)}`);
}

/** What a function of ours has made: an object with these fields. `maker` is the function that the message names. */
export function checkMade(what: string, value: unknown, maker: string, ...fields: string[]): void {
  checkObject(what, value);
  const found = value as Record<string, unknown>;
  if (fields.every((field) => found[field] !== undefined && found[field] !== null)) return;
  throw new InputError('wrong-type', `${what} must come from ${maker}`);
}

/** The prefix of a mesh's messages: `mesh "hero": ` when it has a name, else nothing. */
export function meshAddress(name: unknown): string {
  if (name === undefined) return '';
  if (typeof name !== 'string') {
    throw new InputError('wrong-type', `name must be a string, not ${describe(name)}`);
  }
  return name === '' ? '' : `mesh "${name.length > 80 ? `${name.slice(0, 80)}…` : name}": `;
}

/** A wrong value in few words; never runs code of the value. */
export function describe(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `the number ${value}`;
  if (Array.isArray(value)) return 'an array';
  if (ArrayBuffer.isView(value)) return `a ${Object.prototype.toString.call(value).slice(8, -1)}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A value as the caller wrote it, where that is safe to do. */
export function quote(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string'
    ? String(value).slice(0, 80)
    : describe(value);
}

function firstNonFinite(values: NumberArray): number {
  if (values instanceof Float64Array) return firstNonFiniteDouble(values); // the common case, kept monomorphic
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return i; // holes and strings too
  return -1;
}

function firstNonFiniteDouble(values: Float64Array): number {
  for (let i = 0; i < values.length; i++) if (values[i] - values[i] !== 0) return i;
  return -1;
}

function firstBeyond(values: NumberArray, limit: number): number {
  for (let i = 0; i < values.length; i++) if (values[i] > limit || values[i] < -limit) return i;
  return -1;
}

function refuseNumber(address: string, value: unknown): never {
  if (typeof value === 'number') throw new InputError('not-finite', `${address} is ${value}`);
  throw new InputError('wrong-type', `${address} is ${describe(value)}, not a number`);
}

function refuseIndex(owner: string, corner: number, value: unknown, vertexCount: number): never {
  if (typeof value !== 'number') {
    throw new InputError(
      'wrong-type',
      `${owner}, corner ${corner}, is ${describe(value)}, not a vertex number`,
    );
  }
  if (!Number.isFinite(value)) throw new InputError('not-finite', `${owner} uses vertex ${value}`);
  if (!Number.isInteger(value)) {
    throw new InputError('wrong-type', `${owner} uses vertex ${value}, which is not an integer`);
  }
  const vertices = `${vertexCount} ${vertexCount === 1 ? 'vertex' : 'vertices'}`;
  throw new InputError('index-out-of-range', `${owner} uses vertex ${value}, but the mesh has ${vertices}`);
}
