import { byId } from './dom.ts';

const KEY = 'pliant-report-theme';

/** The button that changes between light and dark. Remembers the choice where the browser allows it. */
export function addTheme(changed: () => void): void {
  const button = byId('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const show = () => {
    button.lastElementChild!.textContent = isDark() ? 'Light' : 'Dark';
    button.title = `Change to ${isDark() ? 'light' : 'dark'} colours`;
    changed();
  };
  const stored = recall();
  if (stored) root.dataset.theme = stored;
  button.hidden = false;
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remember(root.dataset.theme);
    show();
  });
  system.addEventListener('change', show);
  show();
}

function recall(): string | undefined {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : undefined;
  } catch {
    return undefined; // storage is closed to this page
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // it holds until the page is closed
  }
}
