import type { Engine } from 'pliant';
import type { Stage } from './scene.ts';

const KEPT = 3; // also when nobody uses them

/** Something prepared, and the promise that it lasts until it is released. */
export interface Lease<Value> {
  readonly value: Value;
  release(): void;
}

interface Entry<Value> {
  readonly value: Value;
  leases: number;
}

/** What takes long to prepare, remembered by key for each engine: lighter settings then do not prepare it anew. */
export class Prepared<Value> {
  readonly #known = new WeakMap<Engine, Map<string, Entry<Value>>>();
  readonly #free: (value: Value) => void;

  /** `free` is told what is forgotten: never what is still leased. */
  constructor(free: (value: Value) => void) {
    this.#free = free;
  }

  async lease(engine: Engine, key: string, create: () => Promise<Value>): Promise<Lease<Value>> {
    let known = this.#known.get(engine);
    if (known === undefined) this.#known.set(engine, (known = new Map()));
    const entry = known.get(key) ?? this.#add(known, key, await create());
    known.delete(key);
    known.set(key, entry); // now the newest
    entry.leases++;
    this.#forget(known);
    let isOver = false;
    return {
      value: entry.value,
      release: () => {
        if (isOver) return;
        isOver = true;
        entry.leases--;
        this.#forget(known);
      },
    };
  }

  /** A request that was given up may have prepared the same in the meantime. */
  #add(known: Map<string, Entry<Value>>, key: string, value: Value): Entry<Value> {
    const other = known.get(key);
    if (other === undefined) return { value, leases: 0 };
    this.#free(value);
    return other;
  }

  #forget(known: Map<string, Entry<Value>>): void {
    for (const [key, { value, leases }] of known) {
      if (known.size <= KEPT) return;
      if (leases > 0) continue;
      known.delete(key);
      this.#free(value);
    }
  }
}

/** A stage made of what is leased; disposing of the stage ends the lease. */
export async function stageOn<Value>(
  lease: Lease<Value>,
  create: (value: Value) => Stage | Promise<Stage>,
): Promise<Stage> {
  try {
    const stage = await create(lease.value);
    const dispose = () => {
      stage.dispose?.();
      lease.release();
    };
    return { ...stage, dispose };
  } catch (error) {
    lease.release();
    throw error;
  }
}
