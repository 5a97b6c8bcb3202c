// biome-ignore-all format: the coordinates of a point stay on one line

/*
 * Signs of orientation determinants, exact where no component underflows or overflows; callers see to that. A filter
 * decides nearly everything. What is left is summed up as an expansion: float64 numbers, smallest first, that do not
 * overlap, so that the last one has the sign of the sum (Shewchuk 1997). Differences of coordinates are taken with their
 * rounding errors, which are mostly 0 where points are close; so few products are left, and few components of their sum.
 */

/** Of the permanent: 7ε and 3ε to first order, ε = 2⁻⁵³; see narrow/orient.ts. */
const ERROR_3D = 2 ** -50;
const ERROR_2D = 2 ** -51;
const SPLITTER = 2 ** 27 + 1;

// Scratch: written before it is read in every call.
const differences = new Float64Array(18); // of 9 coordinates: rounded, then the rest
const sum = new Float64Array(192); // one component for each that is added, at most: 6 terms · 8 products · 4

/** Below 0 where d is above the plane abc (seen from there, abc turns counter-clockwise), above 0 below it, 0 on it. */
export function orient3d(
  ax: number, ay: number, az: number, bx: number, by: number, bz: number,
  cx: number, cy: number, cz: number, dx: number, dy: number, dz: number,
): number {
  const adx = ax - dx, bdx = bx - dx, cdx = cx - dx;
  const ady = ay - dy, bdy = by - dy, cdy = cy - dy;
  const adz = az - dz, bdz = bz - dz, cdz = cz - dz;
  const bc = bdx * cdy, cb = cdx * bdy, ca = cdx * ady, ac = adx * cdy, ab = adx * bdy, ba = bdx * ady;
  const determinant = adz * (bc - cb) + bdz * (ca - ac) + cdz * (ab - ba);
  const permanent =
    (Math.abs(bc) + Math.abs(cb)) * Math.abs(adz) +
    (Math.abs(ca) + Math.abs(ac)) * Math.abs(bdz) +
    (Math.abs(ab) + Math.abs(ba)) * Math.abs(cdz);
  if (Math.abs(determinant) > ERROR_3D * permanent) return determinant;

  setDifference(0, ax, dx); setDifference(2, ay, dy); setDifference(4, az, dz);
  setDifference(6, bx, dx); setDifference(8, by, dy); setDifference(10, bz, dz);
  setDifference(12, cx, dx); setDifference(14, cy, dy); setDifference(16, cz, dz);
  let n = addTerm(0, 1, 6, 14, 4); // the product of b − d in x, c − d in y and a − d in z
  n = addTerm(n, -1, 12, 8, 4);
  n = addTerm(n, 1, 12, 2, 10);
  n = addTerm(n, -1, 0, 14, 10);
  n = addTerm(n, 1, 0, 8, 16);
  n = addTerm(n, -1, 6, 2, 16);
  return n === 0 ? 0 : sum[n - 1];
}

/** Below 0 where a, b, c turn counter-clockwise, above 0 where they turn clockwise, 0 on a line. */
export function orient2d(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ay - cy) * (bx - cx), right = (ax - cx) * (by - cy);
  const determinant = left - right;
  if (Math.abs(determinant) > ERROR_2D * (Math.abs(left) + Math.abs(right))) return determinant;

  setDifference(0, ay, cy); setDifference(2, bx, cx);
  setDifference(4, ax, cx); setDifference(6, by, cy);
  differences[8] = 1; differences[9] = 0;
  let n = addTerm(0, 1, 0, 2, 8);
  n = addTerm(n, -1, 4, 6, 8);
  return n === 0 ? 0 : sum[n - 1];
}

function setDifference(o: number, x: number, y: number): void {
  const high = x - y, back = high - x;
  differences[o] = high;
  differences[o + 1] = x - (high - back) - (y + back);
}

/** Adds the product of three differences to n components; returns how many there are now. */
function addTerm(n: number, sign: number, i: number, j: number, k: number): number {
  let count = n;
  for (let a = i; a < i + 2; a++) {
    for (let b = j; b < j + 2; b++) {
      const x = sign * differences[a], y = differences[b];
      if (x === 0 || y === 0) continue;
      const high = x * y, low = productError(x, y, high);
      for (let c = k; c < k + 2; c++) {
        const z = differences[c];
        if (z === 0) continue;
        const first = low * z, second = high * z;
        count = add(count, productError(low, z, first));
        count = add(count, first);
        count = add(count, productError(high, z, second));
        count = add(count, second);
      }
    }
  }
  return count;
}

/** x y − product, exactly: Dekker's product with Veltkamp's split. */
function productError(x: number, y: number, product: number): number {
  const xScaled = SPLITTER * x, xHigh = xScaled - (xScaled - x), xLow = x - xHigh;
  const yScaled = SPLITTER * y, yHigh = yScaled - (yScaled - y), yLow = y - yHigh;
  return xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
}

/** Shewchuk's grow-expansion, without zeros; in place, since no more is written than has been read. */
function add(n: number, x: number): number {
  if (x === 0) return n;
  let carry = x, count = 0;
  for (let i = 0; i < n; i++) {
    const y = sum[i];
    const high = carry + y, back = high - carry;
    const low = carry - (high - back) + (y - back);
    if (low !== 0) sum[count++] = low;
    carry = high;
  }
  if (carry !== 0) sum[count++] = carry;
  return count;
}
