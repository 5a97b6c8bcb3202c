import type { Engine } from 'pliant';

const KEPT = 3; // one may still be shown while others are prepared and given up

/** What takes long to prepare, remembered by key for each engine: lighter settings then do not prepare it anew. */
export class Prepared<Value> {
  readonly #known = new WeakMap<Engine, Map<string, Value>>();
  readonly #free: (value: Value) => void;

  /** `free` is told what is forgotten. */
  constructor(free: (value: Value) => void) {
    this.#free = free;
  }

  async get(engine: Engine, key: string, create: () => Promise<Value>): Promise<Value> {
    let known = this.#known.get(engine);
    if (known === undefined) this.#known.set(engine, (known = new Map()));
    const value = known.get(key) ?? (await create());
    known.delete(key);
    known.set(key, value); // now the newest
    if (known.size > KEPT) {
      const [oldest, old] = known.entries().next().value!;
      known.delete(oldest);
      this.#free(old);
    }
    return value;
  }
}
