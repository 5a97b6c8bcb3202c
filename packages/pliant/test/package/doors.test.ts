import { describe, expect, test } from 'vitest';
import * as cull from '../../src/cull/index.ts';
import * as edit from '../../src/edit/index.ts';
import * as gltf from '../../src/gltf/index.ts';
import * as core from '../../src/index.ts';
import * as io from '../../src/io/index.ts';
import * as shapes from '../../src/shapes/index.ts';
import * as simulate from '../../src/simulate/index.ts';
import * as solid from '../../src/solid/index.ts';
import * as three from '../../src/three/index.ts';

/** Hot functions on arrays and offsets, which check nothing, and say so. */
const UNCHECKED = ['intersectionSegment', 'triangleDistance', 'trianglesIntersect'];

/** What others make: errors, and classes that are exported for their types. */
const MADE_ELSEWHERE = [
  ...['NotConverged', 'NotPositiveDefinite', 'WorkerStopped'],
  ...['Body', 'BodyDrop', 'Correction', 'LiveSound', 'ModalSoundBank', 'PairBuffer', 'PoseContacts'],
  ...['ReducedModel', 'Shape', 'ShapeBasis', 'SpringDrop'],
];

const WRONG: readonly unknown[] = [
  ...[undefined, null, false, 5, Number.NaN, -1, 5n, '', 'x', Symbol('s')],
  ...[{}, [], [null], () => 1, new Map(), Object.create(null)],
  ...[new Float64Array(3), new Uint8Array(5), new ArrayBuffer(200), new DataView(new ArrayBuffer(8))],
];
const SECOND: readonly unknown[] = [null, 5, 'x', {}, []];

/** Without options, or with those of another thing, these do their work, which takes a while. */
const isLong = (name: string) => /^create(Engine|TaskPool)$|Drop|Decoders$|^create[A-Z]\w+Scene$/.test(name);

function* callsOf(name: string, isShape: boolean): Generator<unknown[]> {
  if (isShape || isLong(name)) {
    for (const value of [null, 5, 'x', Symbol('s')]) yield [value];
    return;
  }
  for (const first of WRONG) {
    yield [first];
    for (const second of SECOND) yield [first, second];
    yield [first, 'x', null];
    yield [first, 5, {}];
  }
}

type Door = (...args: unknown[]) => unknown;

async function failuresOf(name: string, door: Door, isShape: boolean): Promise<string[]> {
  const failures = new Set<string>();
  const isClass = Function.prototype.toString.call(door).startsWith('class');
  for (const args of callsOf(name, isShape)) {
    try {
      await (isClass ? Reflect.construct(door, args) : door(...args));
    } catch (error) {
      if (error instanceof core.InputError && error.message.length > 5) continue;
      const kinds = args.map((value) => Object.prototype.toString.call(value).slice(8, -1)).join(', ');
      failures.add(`${name}(${kinds}): ${String(error).slice(0, 120)}`);
      if (failures.size > 2) break;
    }
  }
  return [...failures];
}

const MODULES = { core, cull, edit, gltf, io, shapes, simulate, solid, three };

describe.each(Object.entries(MODULES))('%s', (subpath, names) => {
  const doors = Object.entries(names).filter(
    (entry): entry is [string, Door] =>
      typeof entry[1] === 'function' && ![...UNCHECKED, ...MADE_ELSEWHERE].includes(entry[0]),
  );

  test.each(doors)('%s refuses what it cannot use with an InputError', async (name, door) => {
    expect(await failuresOf(name, door, subpath === 'shapes')).toEqual([]);
  });
});
