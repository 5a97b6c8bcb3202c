/** A ball that moves from one point to another while its radius changes: limbs, bodies, fins. */
export interface RoundPart {
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
  readonly fromRadius: number;
  readonly toRadius: number;
  /** How much thinner it is along each axis. Default: 1, 1, 1. */
  readonly thin?: readonly [number, number, number];
}

/**
 * About the distance from the part's surface, negative inside: that from the nearest point of the axis, less the
 * radius there. It changes by at most the largest of `thin` times 1 + the change of radius per length.
 */
export function partValue(part: RoundPart, x: number, y: number, z: number): number {
  const { from, to, fromRadius, toRadius, thin = NOT_THIN } = part;
  const ux = thin[0] * (to[0] - from[0]),
    uy = thin[1] * (to[1] - from[1]),
    uz = thin[2] * (to[2] - from[2]);
  const wx = thin[0] * (x - from[0]),
    wy = thin[1] * (y - from[1]),
    wz = thin[2] * (z - from[2]);
  const uu = ux * ux + uy * uy + uz * uz;
  const t = uu === 0 ? 0 : Math.min(1, Math.max(0, (wx * ux + wy * uy + wz * uz) / uu));
  const dx = wx - t * ux,
    dy = wy - t * uy,
    dz = wz - t * uz;
  return Math.sqrt(dx * dx + dy * dy + dz * dz) - (fromRadius + t * (toRadius - fromRadius));
}

const NOT_THIN = [1, 1, 1] as const;

/** All parts together, with rounded seams where they meet. Never changes faster than the parts do. */
export function unionValue(
  parts: readonly RoundPart[],
  seam: number,
  x: number,
  y: number,
  z: number,
): number {
  let value = partValue(parts[0], x, y, z);
  for (let i = 1; i < parts.length; i++) {
    const other = partValue(parts[i], x, y, z);
    const h = Math.max(0, seam - Math.abs(value - other));
    value = Math.min(value, other) - (h * h) / (4 * seam);
  }
  return value;
}
