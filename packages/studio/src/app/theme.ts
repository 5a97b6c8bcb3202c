import type { Theme } from '../view/palette.ts';

const KEY = 'pliant-studio-theme';

/** Light or dark: by the link, else as chosen before, else as the system says. */
export class ThemeChoice {
  readonly #system = matchMedia('(prefers-color-scheme: dark)');
  readonly #changed: (theme: Theme) => void;
  #chosen: Theme | undefined;

  constructor(linked: Theme | undefined, changed: (theme: Theme) => void) {
    this.#changed = changed;
    this.#chosen = linked ?? recall();
    this.#system.addEventListener('change', () => this.#apply());
    this.#apply();
  }

  get current(): Theme {
    return this.#chosen ?? (this.#system.matches ? 'dark' : 'light');
  }

  /** Undefined while the system decides. */
  get chosen(): Theme | undefined {
    return this.#chosen;
  }

  toggle(): void {
    this.set(this.current === 'dark' ? 'light' : 'dark');
    remember(KEY, this.current);
  }

  set(theme: Theme): void {
    this.#chosen = theme;
    this.#apply();
  }

  #apply(): void {
    document.documentElement.dataset.theme = this.current;
    this.#changed(this.current);
  }
}

function recall(): Theme | undefined {
  const value = recallText(KEY);
  return value === 'light' || value === 'dark' ? value : undefined;
}

/** Storage may be closed to this page; then things hold until it is closed. */
export function recallText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // see above
  }
}
