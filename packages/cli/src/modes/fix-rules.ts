import { CommandError } from '../command-error.ts';

/** Which vertices are held: those for which all conditions are true. */
export interface FixRule {
  readonly text: string; // as given
  readonly conditions: readonly FixCondition[];
}

interface FixCondition {
  readonly axis: 0 | 1 | 2;
  readonly isBelow: boolean;
  readonly value: number;
  readonly isPercent: boolean; // of the way from the lowest to the highest point
}

const CONDITION = /^\s*([xyz])\s*([<>])=?\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(%?)\s*$/i;

/** `y<0.1`, `z>95%`, or several with commas. */
export function parseFixRule(option: string, text: string): FixRule {
  const conditions = text.split(',').map((part): FixCondition => {
    const [, axis, operator, value, percent] = CONDITION.exec(part) ?? [];
    if (axis === undefined || !Number.isFinite(Number(value))) {
      throw new CommandError(
        `${option} must be like "y<0.1", "z>95%" or "x<0,y>1", not "${text.slice(0, 60)}"`,
      );
    }
    return {
      axis: 'xyz'.indexOf(axis.toLowerCase()) as 0 | 1 | 2,
      isBelow: operator === '<',
      value: Number(value),
      isPercent: percent === '%',
    };
  });
  return { text, conditions };
}

/**
 * The vertices that any of the rules holds, ascending. Percentages are of the box of `shape`, the surface; bounds
 * themselves count as held.
 */
export function selectFixed(
  rules: readonly FixRule[],
  positions: Float64Array,
  shape: Float64Array,
): Uint32Array {
  const { low, high } = boxOf(shape);
  const isHeld = new Uint8Array(positions.length / 3);
  for (const { text, conditions } of rules) {
    const limits = conditions.map(({ axis, isBelow, value, isPercent }) => ({
      axis,
      isBelow,
      limit: isPercent ? low[axis] + (value / 100) * (high[axis] - low[axis]) : value,
    }));
    let count = 0;
    for (let v = 0; v < isHeld.length; v++) {
      const holds = limits.every(({ axis, isBelow, limit }) => {
        const x = positions[3 * v + axis];
        return isBelow ? x <= limit : x >= limit;
      });
      if (!holds) continue;
      isHeld[v] = 1;
      count++;
    }
    if (count === 0) {
      const { axis } = conditions[0];
      throw new CommandError(
        `--fix ${text} holds no vertex: ${'xyz'[axis]} runs from ${low[axis]} to ${high[axis]}`,
      );
    }
  }
  return Uint32Array.from(isHeld.keys()).filter((v) => isHeld[v] === 1);
}

function boxOf(positions: Float64Array): { low: number[]; high: number[] } {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return { low, high };
}
