import { InputError } from '../../mesh/input-error.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { ContactEvent } from '../reduced/contact-forces.ts';
import { ModalSoundBank } from './modal-sound-bank.ts';
import type { SoundModel } from './sound-model.ts';

/** The sound of a `ReducedScene`: hand `onContact` to the scene, and add its bodies in their order. */
export class SceneSound {
  readonly #bodies: { bank: ModalSoundBank; mesh: TriangleMesh }[] = [];

  /** `model` was made from modes on the source vertices of `mesh`, the surface of the body. */
  addBody(model: SoundModel, mesh: TriangleMesh): ModalSoundBank {
    if (model.vertexCount !== mesh.sourceVertexCount) {
      throw new InputError(
        'mismatch',
        `the model sounds on ${model.vertexCount} vertices, the mesh has ${mesh.sourceVertexCount}`,
      );
    }
    const [first] = this.#bodies;
    if (first !== undefined && first.bank.model.sampleRate !== model.sampleRate) {
      throw new InputError('mismatch', 'all bodies of a scene must have one sample rate');
    }
    const bank = new ModalSoundBank(model);
    this.#bodies.push({ bank, mesh });
    return bank;
  }

  /** Strikes the body that the event names; others are silent. */
  readonly onContact = ({ body, vertex, impulse, time }: ContactEvent): void => {
    const struck = this.#bodies[body];
    struck?.bank.strike(time, struck.mesh.sourceVertex[vertex], impulse[0], impulse[1], impulse[2]);
  };

  /** The next `seconds` of all bodies together. */
  render(seconds: number): Float32Array {
    const [first, ...others] = this.#bodies;
    if (first === undefined) throw new InputError('empty', 'no body sounds');
    const mix = first.bank.render(seconds);
    for (const { bank } of others) {
      const sound = bank.render(seconds);
      for (let i = 0; i < mix.length; i++) mix[i] += sound[i];
    }
    return mix;
  }
}
