/** Numbers in a typed array that doubles as it fills. */
class TypedList<T extends Float64Array | Uint32Array> {
  length = 0;
  protected data: T;
  private readonly allocate: (length: number) => T;

  constructor(allocate: (length: number) => T, capacity: number) {
    this.allocate = allocate;
    this.data = allocate(capacity);
  }

  push3(a: number, b: number, c: number): void {
    const at = this.length;
    if (at + 3 > this.data.length) this.grow();
    this.data[at] = a;
    this.data[at + 1] = b;
    this.data[at + 2] = c;
    this.length = at + 3;
  }

  push4(a: number, b: number, c: number, d: number): void {
    const at = this.length;
    if (at + 4 > this.data.length) this.grow();
    this.data[at] = a;
    this.data[at + 1] = b;
    this.data[at + 2] = c;
    this.data[at + 3] = d;
    this.length = at + 4;
  }

  /** The values so far, in an array of exactly that length. */
  toArray(): T {
    return (this.length === this.data.length ? this.data : this.data.slice(0, this.length)) as T;
  }

  private grow(): void {
    const larger = this.allocate(2 * this.data.length + 4);
    larger.set(this.data);
    this.data = larger;
  }
}

export class Float64List extends TypedList<Float64Array> {
  constructor(capacity = 64) {
    super((length) => new Float64Array(length), capacity);
  }
}

export class Uint32List extends TypedList<Uint32Array> {
  constructor(capacity = 64) {
    super((length) => new Uint32Array(length), capacity);
  }
}
