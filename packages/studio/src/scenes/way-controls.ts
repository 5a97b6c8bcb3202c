import type { Control, ControlValues } from './scene.ts';

/** The largest amplitude, in certified radii. */
export const FARTHEST = 6;

/** From the rest pose straight to where a contact is known, or along one mode. */
export type Way = 'nearest' | number;

/** Controls of a way; moving one shows `clip`. */
export function wayControls(
  clip: number,
  { modes, what = 'mode', least = -FARTHEST }: { modes: number; what?: string; least?: number },
): Control[] {
  return [
    {
      kind: 'choice',
      name: 'way',
      label: 'To the limit',
      initial: 'nearest',
      choices: [
        ['nearest', 'Nearest contact'],
        ['mode', `Along a ${what}`],
      ],
      live: true,
      clip,
    },
    { kind: 'number', name: 'mode', label: what, initial: 1, min: 1, max: modes, step: 1, live: true, clip },
    {
      kind: 'number',
      name: 'amplitude',
      label: 'Amplitude (radii)',
      initial: 1.1,
      min: least,
      max: FARTHEST,
      step: 0.01,
      live: true,
      clip,
    },
  ].map((control) => ({ ...control, label: capitalise(control.label) })) as Control[];
}

export function wayOf({ way, mode }: ControlValues): Way {
  return way === 'nearest' ? 'nearest' : Number(mode) - 1;
}

function capitalise(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}
