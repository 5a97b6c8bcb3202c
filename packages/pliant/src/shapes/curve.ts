/** A smooth function of period 1 through (phase, value) keys, flat where it turns: it never overshoots. */
export class Curve {
  readonly #phases: Float64Array;
  readonly #values: Float64Array;
  readonly #slopes: Float64Array;

  /** Phases ascend within [0, 1). */
  constructor(keys: readonly (readonly [phase: number, value: number])[]) {
    const n = keys.length;
    const at = (i: number) => keys[(i + n) % n];
    this.#phases = Float64Array.from([...keys, at(n)], ([phase], i) => phase + (i === n ? 1 : 0));
    this.#values = Float64Array.from([...keys, at(n)], ([, value]) => value);
    this.#slopes = Float64Array.from([...keys, at(n)], (_, i) => {
      const k = i % n;
      const [before, now, after] = [at(k - 1), at(k), at(k + 1)];
      const left = now[0] - before[0] + (k === 0 ? 1 : 0),
        right = after[0] - now[0] + (k === n - 1 ? 1 : 0);
      const d1 = (now[1] - before[1]) / left,
        d2 = (after[1] - now[1]) / right;
      if (d1 * d2 <= 0) return 0;
      return (3 * (left + right)) / ((2 * right + left) / d1 + (right + 2 * left) / d2);
    });
  }

  /** At any phase. */
  at(phase: number): number {
    const phases = this.#phases,
      first = phases[0];
    const x = first + (phase - first - Math.floor(phase - first));
    let i = 0;
    while (i + 2 < phases.length && x >= phases[i + 1]) i++;
    const width = phases[i + 1] - phases[i];
    const t = (x - phases[i]) / width;
    const u = 1 - t;
    return (
      u * u * (1 + 2 * t) * this.#values[i] +
      t * t * (1 + 2 * u) * this.#values[i + 1] +
      width * t * u * (u * this.#slopes[i] - t * this.#slopes[i + 1])
    );
  }
}
