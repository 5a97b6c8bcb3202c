import type { Shape } from '../../packages/pliant/src/shapes/shape.ts';

const LENGTH = 10;
const RADIUS = 0.1;
/** Turns of the body to either side, and how many of them there are along it. */
const BEND = 2.4;
const WAVES = 1;

/**
 * A snake in the plane y = 0: a tube with round ends whose axis winds from side to side, the bends travelling along it.
 * In the middle of the period it coils up until neighbouring bends touch.
 */
export function createSnake(triangles: number, period: number): Shape {
  const sides = Math.max(8, 2 * Math.round(Math.sqrt((triangles * Math.PI * RADIUS) / LENGTH) / 2));
  const rings = Math.max(8, Math.round(triangles / (2 * sides)));
  const count = rings * sides + 2;
  const place = (time: number, out: Float64Array) => {
    const depth = ((1 - Math.cos((2 * Math.PI * time) / period)) / 2) ** 2;
    const step = LENGTH / (rings - 1);
    let x = 0,
      z = 0;
    for (let ring = 0; ring < rings; ring++) {
      const s = ring / (rings - 1);
      const heading = BEND * depth * Math.cos(2 * Math.PI * (WAVES * s - (0.5 * time) / period));
      const dx = Math.cos(heading),
        dz = Math.sin(heading);
      if (ring > 0) {
        x += step * dx;
        z += step * dz;
      }
      const end = Math.min(1, Math.min(s, 1 - s) / 0.04);
      const radius = RADIUS * (0.15 + 0.85 * Math.sqrt(end * (2 - end))) * (1 - 0.5 * s);
      for (let side = 0; side < sides; side++) {
        const angle = (2 * Math.PI * side) / sides;
        const across = radius * Math.cos(angle);
        out.set([x - across * dz, radius * Math.sin(angle), z + across * dx], 3 * (ring * sides + side));
      }
      if (ring === 0) out.set([x - 0.5 * radius * dx, 0, z - 0.5 * radius * dz], 3 * (count - 2));
      if (ring === rings - 1) out.set([x + 0.5 * radius * dx, 0, z + 0.5 * radius * dz], 3 * (count - 1));
    }
  };
  const positions = new Float64Array(3 * count);
  place(0, positions);
  return {
    source: { name: 'snake', positions, triangles: snakeTriangles(rings, sides) },
    deform: place,
  };
}

/** Two per side between rings, and a fan at either end. */
function snakeTriangles(rings: number, sides: number): Uint32Array {
  const list: number[] = [];
  for (let side = 0; side < sides; side++) {
    const next = (side + 1) % sides;
    for (let ring = 0; ring + 1 < rings; ring++) {
      const a = ring * sides,
        b = a + sides;
      list.push(a + side, b + side, a + next, a + next, b + side, b + next);
    }
    const last = (rings - 1) * sides;
    list.push(rings * sides, side, next, rings * sides + 1, last + next, last + side);
  }
  return Uint32Array.from(list);
}
