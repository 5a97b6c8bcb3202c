import type { ControlValue } from '../scenes/scene.ts';

/** What a link restores. Everything is optional; what is not sensible is left out. */
export interface LinkState {
  readonly scene?: string;
  readonly values: Readonly<Record<string, string>>; // of the scene's controls
  readonly clip?: number;
  readonly frame?: number;
  readonly paused?: boolean;
  readonly show?: readonly string[]; // looks that differ from plain bodies with contacts
  readonly level?: number; // of boxes
  readonly theme?: 'light' | 'dark';
  readonly camera?: readonly number[]; // position and target
  readonly open?: string; // 'served': files that the command offers
  readonly kernels?: 'ts';
}

export const LOOK_NAMES = ['glass', 'curves', 'boxes', 'culling', 'no-contacts'] as const;

const OWN = new Set([
  'scene',
  'clip',
  'frame',
  'paused',
  'show',
  'level',
  'theme',
  'camera',
  'open',
  'kernels',
]);
const MOST_VALUES = 32;

/** Reads `#scene=crowd&people=50&frame=12`. */
export function parseLink(hash: string): LinkState {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (name: string) => params.get(name) ?? undefined;
  const theme = text('theme');
  const camera = text('camera')?.split(',').map(Number);
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of [...params].slice(0, MOST_VALUES)) if (!OWN.has(name)) values[name] = value;
  const show = text('show')
    ?.split(',')
    .filter((name) => (LOOK_NAMES as readonly string[]).includes(name));
  return withoutGaps({
    scene: text('scene'),
    values,
    clip: wholeNumber(text('clip')),
    frame: wholeNumber(text('frame')),
    paused: params.has('paused') ? text('paused') !== '0' : undefined,
    show,
    level: wholeNumber(text('level')),
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    camera: camera?.length === 6 && camera.every(Number.isFinite) ? camera : undefined,
    open: text('open'),
    kernels: text('kernels') === 'ts' ? 'ts' : undefined,
  });
}

/** The other way round; `parseLink` gives the same state back. */
export function formatLink(
  state: Omit<LinkState, 'values'> & { values: Readonly<Record<string, ControlValue>> },
): string {
  const params = new URLSearchParams();
  const set = (name: string, value: unknown) => {
    if (value !== undefined && value !== '') params.set(name, String(value));
  };
  set('scene', state.scene);
  set('open', state.open);
  for (const [name, value] of Object.entries(state.values))
    if (!OWN.has(name)) params.set(name, String(value));
  set('clip', state.clip || undefined);
  set('frame', state.frame);
  set('paused', state.paused ? 1 : undefined);
  set('show', state.show?.join(','));
  set('level', state.level);
  set('theme', state.theme);
  set('camera', state.camera?.map((x) => Number(x.toPrecision(5))).join(','));
  set('kernels', state.kernels);
  return `#${params.toString().replaceAll('%2C', ',')}`;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function withoutGaps<State extends object>(state: State): State {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)) as State;
}
