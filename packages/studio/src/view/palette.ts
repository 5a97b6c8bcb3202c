import { Color } from 'three';
import { BODY_TONES, LEVEL_COUNT } from '../scenes/tones.ts';

/** Colours of the 3D view; those of the page are in styles/tokens.css. */
export interface Palette {
  readonly background: Color;
  readonly ground: Color;
  readonly grid: Color;
  readonly sky: Color; // light from above
  readonly bounce: Color; // light from below
  readonly contact: Color;
  readonly curve: Color;
  readonly picked: Color;
  readonly shadow: number; // opacity
  readonly tones: readonly Color[]; // of bodies, taken in turn
  readonly levels: readonly Color[]; // of parts that are cleared: none, then small to large
}

export type Theme = 'light' | 'dark';

const colours = (...list: string[]) => list.map((text) => new Color(text));

/** Those of bodies, then those of levels. */
export const TONES = BODY_TONES + LEVEL_COUNT;

export function toneColour({ tones, levels }: Palette, tone: number): Color {
  return tone < BODY_TONES ? tones[tone] : levels[tone - BODY_TONES];
}

export const PALETTES: Readonly<Record<Theme, Palette>> = {
  light: {
    background: new Color('#e9ecf0'),
    ground: new Color('#dde1e7'),
    grid: new Color('#b9c1cb'),
    sky: new Color('#ffffff'),
    bounce: new Color('#8b97a8'),
    contact: new Color('#e0202e'),
    curve: new Color('#5b0009'),
    picked: new Color('#ffb000'),
    shadow: 0.16,
    tones: colours('#9fb4cf', '#d5bd96', '#a5c3ae', '#c3abc9', '#d0a89f', '#9cc0c4', '#b9b9a1', '#aeb3bd'),
    levels: colours('#e6dccb', '#e8c832', '#7cba4a', '#17a692', '#2b7fd6', '#5b3fb5'),
  },
  dark: {
    background: new Color('#14181e'),
    ground: new Color('#1a1f27'),
    grid: new Color('#333c48'),
    sky: new Color('#f2f6ff'),
    bounce: new Color('#3f4b5e'),
    contact: new Color('#ff4a52'),
    curve: new Color('#fff0c9'),
    picked: new Color('#ffc02e'),
    shadow: 0.38,
    tones: colours('#7d96b8', '#b59b70', '#7fa38a', '#a187aa', '#b3857b', '#7aa2a7', '#999980', '#8b929e'),
    levels: colours('#d8d2c6', '#d6b52a', '#6dab3f', '#159482', '#2f7fd0', '#6d54c4'),
  },
};

/**
 * Tree levels from the root downwards: readable on both grounds, and never near the red of contacts. The legend repeats
 * them in styles/stage.css.
 */
const LEVEL_STOPS = [
  '#6a4fc4',
  '#3f6fe0',
  '#1d8fdb',
  '#12a7ba',
  '#1fb08a',
  '#55b552',
  '#98b52b',
  '#d8b40f',
].map((text) => new Color(text));

export function levelColour(level: number, levels: number): Color {
  const at = (Math.min(level, levels - 1) / Math.max(1, levels - 1)) * (LEVEL_STOPS.length - 1);
  const low = Math.min(LEVEL_STOPS.length - 2, Math.floor(at));
  return new Color().lerpColors(LEVEL_STOPS[low], LEVEL_STOPS[low + 1], at - low);
}
