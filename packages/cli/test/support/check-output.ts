import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface CheckFile {
  readonly version: number;
  readonly files: string[];
  readonly meshes: {
    name: string;
    node: number | null;
    vertices: number;
    triangles: number;
    firstTriangle: number;
  }[];
  readonly method: string;
  readonly shard?: object;
  readonly frames: {
    index: number;
    clip: string | null;
    time: number;
    count: number;
    pairs: [number, number][];
    times?: number[];
  }[];
  readonly total: number;
  readonly state: string;
}

export function readCheck(pathOrText: string): CheckFile {
  return JSON.parse(pathOrText.startsWith('{') ? pathOrText : readFileSync(pathOrText, 'utf8'));
}

type Schema = { readonly [key: string]: unknown };

/** Where a value breaks our schema; only the keywords it uses. */
export function schemaErrors(value: unknown): string[] {
  const path = fileURLToPath(new URL('../../schema/check.schema.json', import.meta.url));
  return errorsOf(JSON.parse(readFileSync(path, 'utf8')), value, '$');
}

function errorsOf(schema: Schema, value: unknown, where: string): string[] {
  const errors: string[] = [];
  const refuse = (why: string) => errors.push(`${where}: ${why}`);
  if ('const' in schema && value !== schema.const) refuse(`is not ${schema.const}`);
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) refuse(`is none of ${schema.enum}`);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type as string))) refuse(`is not ${types}`);
  if (typeof value === 'number' && value < Number(schema.minimum ?? -Infinity)) refuse('is too small');
  if (typeof value === 'number' && value > Number(schema.maximum ?? Infinity)) refuse('is too large');
  if (typeof value === 'string' && schema.pattern && !new RegExp(schema.pattern as string).test(value))
    refuse('no match');
  if (Array.isArray(value)) {
    if (value.length < Number(schema.minItems ?? 0)) refuse('has too few items');
    if (value.length > Number(schema.maxItems ?? Infinity)) refuse('has too many items');
    if (schema.items)
      errors.push(...value.flatMap((item, k) => errorsOf(schema.items as Schema, item, `${where}[${k}]`)));
  } else if (typeof value === 'object' && value !== null) {
    const properties = (schema.properties ?? {}) as Record<string, Schema>;
    for (const name of (schema.required ?? []) as string[]) if (!(name in value)) refuse(`lacks ${name}`);
    for (const [name, item] of Object.entries(value)) {
      if (properties[name]) errors.push(...errorsOf(properties[name], item, `${where}.${name}`));
      else if (schema.additionalProperties === false) refuse(`has ${name}`);
    }
  }
  return errors;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
