import { recallText, remember } from '../app/theme.ts';
import { byId } from './dom.ts';

const KEY = 'pliant-studio-hints';

/** A few words for those who are here for the first time, above the picture; Escape or the button sends them away. */
export function showHints(): void {
  const hints = byId('hints');
  if (recallText(KEY) === 'seen') return;
  hints.hidden = false;
  const close = () => {
    if (hints.contains(document.activeElement)) byId('view').focus();
    hints.hidden = true;
    remember(KEY, 'seen');
    removeEventListener('keydown', closeByKey, { capture: true });
  };
  const closeByKey = ({ key }: KeyboardEvent) => {
    const isMeantElsewhere = document.querySelector('.menu[open], dialog[open]') !== null;
    if (key === 'Escape' && !isMeantElsewhere) close();
  };
  byId('hints-close').onclick = close;
  addEventListener('keydown', closeByKey, { capture: true }); // before open menus close themselves
}
