import { recallText, remember } from '../app/theme.ts';
import { byId } from './dom.ts';

const KEY = 'pliant-studio-hints';

/** A few words for those who are here for the first time. */
export function showHints(): void {
  const hints = byId('hints');
  if (recallText(KEY) === 'seen') return;
  hints.hidden = false;
  const close = () => {
    hints.hidden = true;
    remember(KEY, 'seen');
  };
  byId('hints-close').onclick = close;
}
