import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { HANDLES_KINDS } from './handles.ts';
import type { Deformer } from './point-source.ts';

const METHODS = [
  'setPose',
  'setMotion',
  'moveTo',
  'address',
  'ensureAll',
  'ensurePoint',
  'stampsAddress',
  'free',
] as const;

const HANDLE_METHODS = ['matricesAddress', 'weightsAddress'] as const;

/**
 * Throws InputError for an object that is not a deformer of a mesh with this many points: a member is missing, it has
 * another number of points, or it declares handles of an unknown kind.
 */
export function checkDeformer(deformer: Deformer, pointCount: number): void {
  if (typeof deformer !== 'object' || deformer === null) {
    throw new InputError('wrong-type', `a body needs a deformer, not ${describe(deformer)}`);
  }
  checkMethods('the deformer', deformer, METHODS);
  const { epoch, hasMotion, evaluated } = deformer;
  if (!(Number.isInteger(epoch) && epoch > 0)) {
    refuse(`its epoch must be a positive integer, not ${describe(epoch)}`);
  }
  if (typeof hasMotion !== 'boolean') refuse(`hasMotion must be true or false, not ${describe(hasMotion)}`);
  if (typeof evaluated !== 'number') refuse(`evaluated must be a number, not ${describe(evaluated)}`);
  if (deformer.pointCount !== pointCount) {
    const count = describe(deformer.pointCount);
    throw new InputError(
      'wrong-length',
      `the deformer cannot be used: its pointCount is ${count}, and the mesh has ${pointCount} points`,
    );
  }
  checkHandles(deformer);
}

function checkHandles({ handles }: Deformer): void {
  if (handles === undefined) return; // volumes of posed vertices
  if (typeof handles !== 'object' || handles === null) {
    refuse(`handles must be an object or undefined, not ${describe(handles)}`);
  }
  if (!HANDLES_KINDS.includes(handles.kind)) {
    const kind = typeof handles.kind === 'string' ? `"${handles.kind}"` : describe(handles.kind);
    refuse(`its handles are of an unknown kind, ${kind}; known are ${HANDLES_KINDS.join(', ')}`);
  }
  checkMethods('its handles', handles, HANDLE_METHODS);
  if ((handles.kind === 'rest') !== (handles.lists === undefined)) {
    refuse(
      `handles of the kind "${handles.kind}" have ${handles.lists ? 'no' : 'a skin, modes or both in'} lists`,
    );
  }
}

function checkMethods<T extends object>(what: string, object: T, names: readonly (keyof T & string)[]): void {
  for (const name of names) {
    if (typeof object[name] === 'function') continue;
    refuse(`${what}: ${name} must be a function, not ${describe(object[name])}`);
  }
}

function refuse(problem: string): never {
  throw new InputError('wrong-type', `the deformer cannot be used: ${problem}`);
}
