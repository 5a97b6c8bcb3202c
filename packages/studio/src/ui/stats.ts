import type { History } from '../app/history.ts';
import type { FrameResult, Measured } from '../host/protocol.ts';
import { byId, create, setText } from './dom.ts';
import { formatCount, formatMilliseconds, formatRatio } from './format.ts';

const ROWS: readonly (readonly [keyof Measured['counters'], string, string])[] = [
  ['verticesDeformed', 'Vertices moved', 'Vertices whose position was computed'],
  ['volumesRefitted', 'Boxes refitted', 'Bounding boxes computed'],
  ['nodePairsTested', 'Box pairs', 'Pairs of bounding boxes compared'],
  ['trianglePairsTested', 'Triangle pairs', 'Pairs of triangles that reached the exact test'],
  ['exactTests', 'By exact arithmetic', 'Of these, those that floating point could not decide'],
];

/** Speed-up, times and counters. */
export class Stats {
  readonly #cells = new Map<string, [HTMLElement, HTMLElement]>();

  constructor() {
    const body = byId('counters');
    for (const [name, label, title] of ROWS) {
      const cells: [HTMLElement, HTMLElement] = [create('td'), create('td')];
      this.#cells.set(name, cells);
      body.append(create('tr', {}, create('th', { scope: 'row', title }, label), ...cells));
    }
  }

  /** `isPaired`: several bodies, each pair by a method of its own. */
  show(result: FrameResult, history: History, isPaired: boolean): void {
    const { pliant, traditional, pairCount, agree } = result;
    const { speedUp, means } = history;
    setText(byId('speedup'), speedUp === undefined ? '–' : formatRatio(speedUp));
    setText(byId('pliant-ms'), formatMilliseconds(means.pliant));
    setText(byId('traditional-ms'), formatMilliseconds(means.traditional));
    setText(byId('pair-count'), formatCount(pairCount));
    byId('pair-count').classList.toggle('none', pairCount === 0);
    setText(byId('pair-label'), pairCount === 1 ? 'pair of triangles touches' : 'pairs of triangles touch');
    setText(
      byId('agreement'),
      agree ? 'Both methods found the same pairs' : 'The methods disagree: please report this',
    );
    byId('agreement').classList.toggle('bad', !agree);
    const about = isPaired ? 'Last pair of bodies, ' : '';
    setText(byId('method'), `${about}${pliant.method}: ${pliant.reason}`);
    for (const [name] of ROWS) {
      const [own, other] = this.#cells.get(name)!;
      setText(own, formatCount(pliant.counters[name]));
      setText(other, formatCount(traditional.counters[name]));
    }
  }
}
