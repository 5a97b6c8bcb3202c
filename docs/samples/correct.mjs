// What the samples of docs/correct.md take for granted: a model, a vertex of it, and who is told and may stop it.
import { createBentTube } from './bent-tube.mjs';

export const bytes = await createBentTube();
export const vertex = 100;
export const onProgress = () => {};
export const signal = new AbortController().signal;
