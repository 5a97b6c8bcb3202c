/** From a few hits to most hits: dark enough on light ground, light enough on dark ground, also in greyscale. */
export const HEAT_RAMP = ['#f5d76e', '#f39c3d', '#e2572b', '#b3173c', '#5e0b52'] as const;

/** The ramp as `linear-gradient` stops. */
export function heatGradient(): string {
  return HEAT_RAMP.join(', ');
}

/** The ramp as red, green, blue in 0…1, three numbers per stop. */
export function heatColours(): number[] {
  return HEAT_RAMP.flatMap((hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255));
}
