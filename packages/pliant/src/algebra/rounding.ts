const buffer = new DataView(new ArrayBuffer(4));

/** The largest float32 that is not above x. */
export function floor32(x: number): number {
  const f = Math.fround(x);
  return f > x ? step32(f, -1) : f;
}

/** The smallest float32 that is not below x. */
export function ceil32(x: number): number {
  const f = Math.fround(x);
  return f < x ? step32(f, 1) : f;
}

/** The float32 next to f, upwards or downwards. */
function step32(f: number, direction: 1 | -1): number {
  if (f === 0) return direction * 2 ** -149;
  if (f === Infinity) return direction > 0 ? f : 3.4028234663852886e38;
  if (f === -Infinity) return direction < 0 ? f : -3.4028234663852886e38;
  buffer.setFloat32(0, f);
  buffer.setInt32(0, buffer.getInt32(0) + (f > 0 === direction > 0 ? 1 : -1));
  return buffer.getFloat32(0);
}
