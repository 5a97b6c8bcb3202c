import { COUNT_LIMIT, describe } from '../mesh/check-input.ts';
import { InputError, type InputErrorCode } from '../mesh/input-error.ts';

export type JsonObject = { readonly [key: string]: unknown };

const LONGEST_NAME = 60; // characters of a name in a message

/** Reads values out of parsed JSON and refuses the wrong ones, with the place: `hero.glb: nodes[3].mesh is 7`. */
export class JsonCheck {
  readonly fileName: string;

  constructor(fileName: string) {
    this.fileName = fileName;
  }

  fail(code: InputErrorCode, message: string): never {
    throw new InputError(code, `${this.fileName}: ${message}`);
  }

  object(value: unknown, where: string): JsonObject {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
    this.fail('wrong-type', `${where} must be an object, not ${describe(value)}`);
  }

  optionalObject(value: unknown, where: string): JsonObject | undefined {
    return value === undefined ? undefined : this.object(value, where);
  }

  /** The objects of a list; none when it is absent. */
  objects(owner: JsonObject, key: string, where = key): JsonObject[] {
    return this.array(owner, key, where).map((value, i) => this.object(value, `${where}[${i}]`));
  }

  array(owner: JsonObject, key: string, where = key): readonly unknown[] {
    const value = owner[key];
    if (value === undefined) return [];
    if (!Array.isArray(value)) this.fail('wrong-type', `${where} must be an array, not ${describe(value)}`);
    return value;
  }

  /** A list of texts; none when it is absent. */
  texts(owner: JsonObject, key: string): string[] {
    return this.array(owner, key).map((value, i) => {
      if (typeof value !== 'string')
        this.fail('wrong-type', `${key}[${i}] must be a string, not ${describe(value)}`);
      return value;
    });
  }

  /** An integer from `min` to `max`; `fallback` when it is absent, which is refused without one. */
  integer(value: unknown, where: string, min: number, max: number, fallback?: number): number {
    if (value === undefined && fallback !== undefined) return fallback;
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      this.fail('wrong-type', `${where} must be an integer, not ${describe(value)}`);
    }
    if (value >= min && value <= max) return value;
    if (value > max && max >= COUNT_LIMIT)
      this.fail('too-large', `${where} is ${value}; the limit is ${max}`);
    const range = max >= COUNT_LIMIT ? `at least ${min}` : `from ${min} to ${max}`;
    this.fail('out-of-range', `${where} is ${value}, which is not ${range}`);
  }

  /** A reference into a list of `count`. */
  index(value: unknown, where: string, list: string, count: number): number {
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      this.fail('wrong-type', `${where} must be an integer, not ${describe(value)}`);
    }
    if (value >= 0 && value < count) return value;
    this.fail('index-out-of-range', `${where} is ${value}, but there are ${count} ${list}`);
  }

  optionalIndex(value: unknown, where: string, list: string, count: number): number | undefined {
    return value === undefined ? undefined : this.index(value, where, list, count);
  }

  /** Finite numbers; undefined when absent. */
  numbers(value: unknown, where: string, length?: number): readonly number[] | undefined {
    if (value === undefined) return undefined;
    if (!Array.isArray(value))
      this.fail('wrong-type', `${where} must be an array of numbers, not ${describe(value)}`);
    if (length !== undefined && value.length !== length) {
      this.fail('wrong-length', `${where} has ${value.length} numbers, expected ${length}`);
    }
    for (let i = 0; i < value.length; i++) {
      if (typeof value[i] !== 'number')
        this.fail('wrong-type', `${where}[${i}] must be a number, not ${describe(value[i])}`);
      if (!Number.isFinite(value[i])) this.fail('not-finite', `${where}[${i}] is ${value[i]}`); // 1e999
    }
    return value;
  }
}

/** A name in the file; '' when there is none. */
export function nameOf(object: JsonObject | undefined): string {
  return typeof object?.name === 'string' ? object.name : '';
}

/** `mesh 3 "Body"`, on one line and of bounded length. */
export function address(kind: string, index: number, name: string): string {
  return name === '' ? `${kind} ${index}` : `${kind} ${index} "${oneLine(name, LONGEST_NAME)}"`;
}

export function oneLine(text: string, limit: number): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '·');
}
