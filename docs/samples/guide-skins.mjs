// What the samples of docs/guide/skins.md take for granted: the bytes of a model.
import { createBentTube } from './bent-tube.mjs';

export const bytes = await createBentTube();
