/** Where a body's frame stands: `position` of its centre of mass, and how it is turned. */
export class RigidFrame {
  readonly position = new Float64Array(3);
  /** w, x, y, z; of length 1. Call `update` after writing it. */
  readonly orientation = Float64Array.of(1, 0, 0, 0);
  /** The same as a row-major matrix: from the body's directions to the world's. */
  readonly rotation = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

  /** Makes `rotation` what `orientation` says. */
  update(): void {
    setRotation(this.orientation, this.rotation);
  }

  /** A vector of the world, in the body's directions. */
  toBody(x: number, y: number, z: number, out: Float64Array): void {
    const R = this.rotation;
    out[0] = R[0] * x + R[3] * y + R[6] * z;
    out[1] = R[1] * x + R[4] * y + R[7] * z;
    out[2] = R[2] * x + R[5] * y + R[8] * z;
  }

  toWorld(x: number, y: number, z: number, out: Float64Array): void {
    const R = this.rotation;
    out[0] = R[0] * x + R[1] * y + R[2] * z;
    out[1] = R[3] * x + R[4] * y + R[5] * z;
    out[2] = R[6] * x + R[7] * y + R[8] * z;
  }

  copy(other: RigidFrame): void {
    this.position.set(other.position);
    this.orientation.set(other.orientation);
    this.rotation.set(other.rotation);
  }

  /** Turns by the vector `angle`, given in the body's directions. */
  turn(x: number, y: number, z: number): void {
    const angle = Math.sqrt(x * x + y * y + z * z);
    const s = angle > 1e-8 ? Math.sin(angle / 2) / angle : 0.5;
    const bw = Math.cos(angle / 2),
      bx = s * x,
      by = s * y,
      bz = s * z;
    const aw = this.orientation[0],
      ax = this.orientation[1],
      ay = this.orientation[2],
      az = this.orientation[3];
    const w = aw * bw - ax * bx - ay * by - az * bz,
      i = aw * bx + ax * bw + ay * bz - az * by,
      j = aw * by - ax * bz + ay * bw + az * bx,
      k = aw * bz + ax * by - ay * bx + az * bw;
    const length = Math.sqrt(w * w + i * i + j * j + k * k);
    this.orientation[0] = w / length;
    this.orientation[1] = i / length;
    this.orientation[2] = j / length;
    this.orientation[3] = k / length;
    this.update();
  }
}

function setRotation(q: Float64Array, out: Float64Array): void {
  const w = q[0],
    x = q[1],
    y = q[2],
    z = q[3];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[3] = 2 * (x * y + w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - w * x);
  out[6] = 2 * (x * z - w * y);
  out[7] = 2 * (y * z + w * x);
  out[8] = 1 - 2 * (x * x + y * y);
}
