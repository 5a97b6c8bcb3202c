import { EDITOR } from '../editor/entry.ts';
import { SCENES } from '../scenes/registry.ts';
import type { Shortcut } from '../ui/shortcuts.ts';
import type { App } from './app.ts';

interface Elsewhere {
  toggleTheme(): void;
  showHelp(): void;
  openFiles(): void;
}

const TURN = 0.12; // radians

/** All keys, in the order of the help overlay. */
export function keysOf(app: App, { toggleTheme, showHelp, openFiles }: Elsewhere): Shortcut[] {
  const look = (key: string, name: Parameters<App['settings']['toggle']>[0], what: string): Shortcut => ({
    keys: [key],
    label: key.toUpperCase(),
    what,
    run: () => app.settings.toggle(name),
  });
  return [
    { keys: [' '], label: 'Space', what: 'play or pause', run: () => app.play() },
    {
      keys: [',', '.'],
      label: ', .',
      what: 'one frame back, on',
      run: ({ key }) => app.step(key === '.' ? 1 : -1),
    },
    { keys: ['Home'], label: 'Home', what: 'back to the start', run: () => app.restart() },
    {
      keys: ['n', 'p'],
      label: 'N P',
      what: 'next, previous pair',
      run: ({ key }) => app.pairs.step(key.toLowerCase() === 'n' ? 1 : -1),
    },
    {
      keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'],
      label: '← → ↑ ↓',
      what: 'turn the picture',
      run: ({ key }) => {
        const [sideways, upwards] = {
          ArrowLeft: [-1, 0],
          ArrowRight: [1, 0],
          ArrowUp: [0, 1],
          ArrowDown: [0, -1],
        }[key]!;
        app.turn(TURN * sideways, TURN * upwards);
      },
    },
    {
      keys: ['+', '=', '-'],
      label: '+ −',
      what: 'closer, farther',
      run: ({ key }) => app.turn(0, 0, key === '-' ? 1.12 : 1 / 1.12),
    },
    { keys: ['f'], label: 'F', what: 'all in the picture', run: () => app.fit() },
    look('x', 'glass', 'see through bodies'),
    look('c', 'curves', 'intersection curves'),
    look('v', 'culling', 'walk: tree levels'),
    look('b', 'boxes', 'walk: boxes'),
    look('r', 'contacts', 'touching triangles'),
    {
      keys: SCENES.map((_, k) => String(k + 1)),
      label: `1 … ${SCENES.length}`,
      what: 'scenes',
      run: ({ key }) => app.openScene(SCENES[Number(key) - 1].id),
      isEverywhere: true,
    },
    { keys: ['e'], label: EDITOR.key, what: 'shape editor', run: () => app.openEditor() },
    { keys: ['o'], label: 'O', what: 'open a model', run: openFiles },
    { keys: ['s'], label: 'S', what: 'save a screenshot', run: () => void app.screenshot() },
    { keys: ['t'], label: 'T', what: 'light or dark', run: toggleTheme, isEverywhere: true },
    { keys: ['?'], label: '?', what: 'this help', run: showHelp, isEverywhere: true },
  ];
}
