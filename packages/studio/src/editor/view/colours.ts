import { Color } from 'three';

/** Of manipulators, by level; deeper ones have the last. The legend repeats them in styles/editor.css. */
export const LEVELS = ['#2f9e5f', '#d9a514', '#a8612a', '#7a4fc0'].map((text) => new Color(text));

/** From functions that are barely felt to those of a single vertex; never near the red of contacts. */
export const HEAT = ['#3f6fe0', '#12a7ba', '#98b52b', '#f0c420'].map((text) => new Color(text));

export const HANDLE = new Color('#2467e6');
export const CHOSEN = new Color('#ffa600');
export const PINNED = new Color('#0b8a9c');
export const RIGID = new Color('#8d5fd3');
export const OBSTACLE = new Color('#8b95a3');
