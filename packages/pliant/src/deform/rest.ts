import { InputError } from '../mesh/input-error.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { REST_HANDLES } from './handles.ts';
import type { Deformer } from './point-source.ts';

/** No deformation: the rest shape. What a rigid body is made of; its placement does the moving. */
export class RestShape implements Deformer {
  readonly handles = REST_HANDLES;
  readonly epoch = 1;
  readonly hasMotion = false;
  evaluated = 0;
  readonly #mesh: ResidentMesh;

  constructor(mesh: ResidentMesh) {
    this.#mesh = mesh;
  }

  get pointCount(): number {
    return this.#mesh.pointCount;
  }

  setPose(): void {
    throw new InputError('unsupported', 'a rest shape has no pose; a rigid body takes its matrix');
  }

  setMotion(): void {
    this.setPose();
  }

  moveTo(): void {
    this.setPose();
  }

  address(): number {
    return this.#mesh.rest;
  }

  ensureAll(): void {}

  ensurePoint(): void {}

  stampsAddress(): number {
    return 0;
  }

  free(): void {}
}
