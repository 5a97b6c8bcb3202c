import type { Looks } from '../view/view.ts';
import type { LinkState } from './link.ts';

/** Looks as links write them. */
export function looksOf({ show = [], level }: LinkState): Looks {
  return {
    glass: show.includes('glass'),
    contacts: !show.includes('no-contacts'),
    curves: show.includes('curves'),
    boxes: show.includes('boxes'),
    boxLevel: level ?? -1,
    culling: show.includes('culling'),
  };
}

export function linkOf({
  glass,
  contacts,
  curves,
  boxes,
  boxLevel,
  culling,
}: Looks): Pick<LinkState, 'show' | 'level'> {
  const flags = { glass, curves, boxes, culling, 'no-contacts': !contacts };
  const show = Object.entries(flags).filter(([, isSet]) => isSet);
  return {
    show: show.length > 0 ? show.map(([name]) => name) : undefined,
    level: boxLevel >= 0 ? boxLevel : undefined,
  };
}
