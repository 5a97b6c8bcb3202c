import type { FrameResult, OpenedScene } from '../host/protocol.ts';
import type { Looks } from '../view/view.ts';
import { byId, setText } from './dom.ts';
import { plural } from './format.ts';

/** What the colours of the picture mean, of those that can be seen in it. */
export function showLegend(
  { contacts, culling, boxes }: Looks,
  scene: OpenedScene | undefined,
  result: FrameResult | undefined,
): void {
  const { boxesLeftOut = 0 } = result?.trace ?? {};
  byId('legend-boxes').hidden = !boxes || boxesLeftOut === 0;
  setText(byId('legend-boxes'), `${plural(boxesLeftOut, 'smaller box', 'smaller boxes')} not drawn`);
  byId('legend-contacts').hidden = !contacts;
  byId('legend-levels').hidden = !(culling || boxes);
  byId('legend-rest').hidden = !culling;
  const tones = result?.facts?.legend ?? scene?.legend ?? [];
  byId('legend').hidden = !(contacts || culling || boxes || tones.length > 0);
}
