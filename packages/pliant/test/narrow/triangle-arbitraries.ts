import fc from 'fast-check';

/** Two triangles as 18 numbers, and the class they were drawn from. */
export interface TrianglePair {
  kind: string;
  points: Float64Array;
}

/** Pairs from all classes below: most of the ways in which a triangle test has ever been wrong. */
export function trianglePair(): fc.Arbitrary<TrianglePair> {
  return fc.oneof(
    { weight: 3, arbitrary: labelled('lattice', coordinates(fc.integer({ min: 0, max: 3 }))) },
    { weight: 2, arbitrary: labelled('reals', coordinates(real())) },
    { weight: 2, arbitrary: labelled('coplanar', coplanar()) },
    { weight: 2, arbitrary: labelled('touching', touching()) },
    { weight: 3, arbitrary: labelled('few ulps', perturbed(fc.oneof(touching(), coplanar()))) },
    { weight: 1, arbitrary: labelled('duplicates', duplicates()) },
    { weight: 1, arbitrary: labelled('degenerate', degenerate()) },
    { weight: 1, arbitrary: labelled('scaled', scaled(fc.oneof(touching(), coordinates(real())))) },
    { weight: 1, arbitrary: labelled('mixed exponents', coordinates(anyExponent())) },
  );
}

/** Small integers: sums, products and scaling by two stay exact. */
export function latticePair(): fc.Arbitrary<Float64Array> {
  return coordinates(fc.integer({ min: 0, max: 3 }));
}

/** Uniform in (−1, 1) with all 53 bits; `fc.double` would be uniform over exponents. */
export function real(): fc.Arbitrary<number> {
  return fc.maxSafeInteger().map((n) => n / 2 ** 53);
}

/** A number of any exponent, subnormal ones included, and often 0. */
export function anyExponent(): fc.Arbitrary<number> {
  const power = fc.tuple(
    fc.integer({ min: -8, max: 8 }),
    fc.constantFrom(-1074, -1022, -600, -300, -240, -52, 0, 1, 240, 500, 1020),
  );
  return fc.oneof(
    fc.constant(0),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    power.map(([m, e]) => m * 2 ** e),
  );
}

/** Both triangles in one plane: small integer combinations of two integer directions. */
export function coplanar(): fc.Arbitrary<Float64Array> {
  const direction = fc.tuple(small(), small(), small());
  const weights = fc.array(small(), { minLength: 12, maxLength: 12 });
  return fc.tuple(direction, direction, direction, weights).map(([o, u, v, w]) => {
    const out = new Float64Array(18);
    for (let p = 0; p < 6; p++) {
      for (let k = 0; k < 3; k++) out[3 * p + k] = o[k] + w[2 * p] * u[k] + w[2 * p + 1] * v[k];
    }
    return out;
  });
}

/** Corners of B, one to three of them, on A: at quarters of integer corners, so exactly there. */
export function touching(): fc.Arbitrary<Float64Array> {
  const quarters = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }));
  return fc
    .tuple(coordinates(small()), fc.array(quarters, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([points, placed, farther]) => {
      placed.forEach(([s, t], c) => {
        const a = s / 4,
          b = Math.min(t, 4 - s) / 4;
        const e = farther ? 2 * a - b : a; // also points of A's plane that are outside
        for (let k = 0; k < 3; k++) {
          points[9 + 3 * c + k] =
            points[k] + e * (points[3 + k] - points[k]) + b * (points[6 + k] - points[k]);
        }
      });
      return points;
    });
}

/** Moves some coordinates by a few units in the last place. */
export function perturbed(pairs: fc.Arbitrary<Float64Array>): fc.Arbitrary<Float64Array> {
  const moves = fc.array(fc.constantFrom(0, 0, 0, 0, 1, -1, 2, -3), { minLength: 18, maxLength: 18 });
  return fc
    .tuple(pairs, moves, fc.constantFrom(1, 1 / 3, Math.PI, 0.1))
    .map(([points, move, factor]) => points.map((x, i) => moveByUlps(x * factor, move[i])));
}

function moveByUlps(x: number, ulps: number): number {
  const unit = x === 0 ? 2 ** -60 : 2 ** (Math.floor(Math.log2(Math.abs(x))) - 52);
  return x + ulps * unit;
}

function duplicates(): fc.Arbitrary<Float64Array> {
  const corner = fc.integer({ min: 0, max: 2 });
  return fc
    .tuple(
      coordinates(fc.oneof(small(), real())),
      fc.array(fc.tuple(corner, corner), { minLength: 1, maxLength: 4 }),
    )
    .map(([points, copies]) => {
      for (const [from, to] of copies) points.copyWithin(9 + 3 * to, 3 * from, 3 * from + 3);
      return points;
    });
}

/** Triangles that are segments or points, on their own or on the other triangle. */
function degenerate(): fc.Arbitrary<Float64Array> {
  const corner = fc.integer({ min: 0, max: 5 });
  const onLine = fc.tuple(corner, corner, corner, fc.integer({ min: -1, max: 2 }));
  return fc
    .tuple(coordinates(small()), fc.array(onLine, { minLength: 1, maxLength: 4 }))
    .map(([points, changes]) => {
      for (const [to, p, q, t] of changes) {
        for (let k = 0; k < 3; k++)
          points[3 * to + k] = points[3 * p + k] + t * (points[3 * q + k] - points[3 * p + k]);
      }
      return points;
    });
}

function scaled(pairs: fc.Arbitrary<Float64Array>): fc.Arbitrary<Float64Array> {
  const exponent = fc.constantFrom(-1070, -1040, -500, -345, -240, -200, 200, 240, 340, 500, 1010);
  return fc.tuple(pairs, exponent).map(([points, e]) => points.map((x) => x * 2 ** e));
}

function coordinates(x: fc.Arbitrary<number>): fc.Arbitrary<Float64Array> {
  return fc.array(x, { minLength: 18, maxLength: 18 }).map((values) => Float64Array.from(values));
}

function labelled(kind: string, points: fc.Arbitrary<Float64Array>): fc.Arbitrary<TrianglePair> {
  return points.map((p) => ({ kind, points: p }));
}

function small(): fc.Arbitrary<number> {
  return fc.integer({ min: -2, max: 2 });
}
