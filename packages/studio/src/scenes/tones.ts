/** Tones of bodies in turn, and after them those of levels: what is not cleared first, then small parts to large ones. */
export const BODY_TONES = 8;
export const LEVEL_TONES = BODY_TONES;
export const LEVEL_COUNT = 6;
