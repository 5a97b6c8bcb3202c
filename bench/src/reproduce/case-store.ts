import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseName } from './paper.ts';
import { isRight, readStoredCase, type StoredCase } from './stored-case.ts';

/** Results per case, in folder/code/quick|full/bench-case.json: what is done stays done when a run is interrupted. */
export class CaseStore {
  readonly #folder: string;
  readonly #code: string;
  readonly #mode: 'quick' | 'full';

  constructor(folder: string, code: string, quick: boolean) {
    this.#folder = folder;
    this.#code = code;
    this.#mode = quick ? 'quick' : 'full';
  }

  /** Undefined: not done, or what is stored is damaged. Wrong answers count as found, but not as done. */
  read(name: CaseName): StoredCase | undefined {
    return this.#readFrom(this.#code, name);
  }

  isDone(name: CaseName): boolean {
    const stored = this.read(name);
    return stored !== undefined && isRight(stored);
  }

  /** The newest of another program, for those who would rather have an old figure than none. */
  readStale(name: CaseName): StoredCase | undefined {
    return this.#others()
      .map((code) => this.#readFrom(code, name))
      .filter((stored) => stored !== undefined)
      .sort((a, b) => b.date.localeCompare(a.date))[0];
  }

  write(stored: StoredCase): void {
    const path = this.#pathOf(this.#code, `${stored.bench}/${stored.case}`);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(stored, undefined, 1)}\n`);
    renameSync(`${path}.${process.pid}`, path);
  }

  forget(name: CaseName): void {
    rmSync(this.#pathOf(this.#code, name), { force: true });
  }

  /** Seconds that a case took whenever it was last run. */
  expectedSeconds(name: CaseName): number | undefined {
    const seconds = (this.read(name) ?? this.readStale(name))?.seconds;
    return seconds !== undefined && seconds > 0 ? seconds : undefined;
  }

  #readFrom(code: string, name: CaseName): StoredCase | undefined {
    try {
      const stored = readStoredCase(readFileSync(this.#pathOf(code, name), 'utf8'));
      return stored !== undefined && `${stored.bench}/${stored.case}` === name ? stored : undefined;
    } catch {
      return undefined;
    }
  }

  #others(): string[] {
    try {
      return readdirSync(this.#folder).filter((code) => code !== this.#code);
    } catch {
      return [];
    }
  }

  #pathOf(code: string, name: CaseName): string {
    return join(this.#folder, code, this.#mode, `${name.replace('/', '-')}.json`);
  }
}
