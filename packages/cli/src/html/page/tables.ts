import type { ReportRegionRef } from '../report-data.ts';
import { formatCount, type RegionLabel, regionLabel } from '../summary.ts';
import { byId, make } from './dom.ts';
import { placeOf } from './model.ts';
import type { PageData, PageShownFrame } from './read-payload.ts';

const LISTED = 300; // contacts of one frame

export interface TableEvents {
  regionsChosen(a: ReportRegionRef, b: ReportRegionRef): void;
  pairChosen(a: number, b: number): void;
}

/** The panel beside the picture: regions over all frames, and the contacts of the present frame. */
export class Tables {
  readonly #data: PageData;
  readonly #events: TableEvents;
  #shown: PageShownFrame | undefined;
  #listed: PageShownFrame | undefined;

  constructor(data: PageData, events: TableEvents) {
    this.#data = data;
    this.#events = events;
    addTabs(['regions', 'frame'], () => this.#listContacts());
    this.#addRegionRows();
    addSorting();
  }

  show(shown: PageShownFrame): void {
    this.#shown = shown;
    byId('frame-count').textContent = ` (${formatCount(this.#data.frames.count[shown.frame])})`;
    this.#listContacts();
  }

  clearChoice(): void {
    for (const row of document.querySelectorAll('tr[aria-current]')) row.removeAttribute('aria-current');
  }

  #choose(row: HTMLElement, act: () => void): void {
    act();
    this.clearChoice();
    row.setAttribute('aria-current', 'true');
  }

  #addRegionRows(): void {
    for (const bar of document.querySelectorAll<HTMLElement>('[data-share]')) {
      bar.style.width = `${Math.max(4, 100 * Number(bar.dataset.share))}%`;
      bar.style.marginLeft = 'auto';
    }
    for (const row of document.querySelectorAll<HTMLElement>('#regions tr.row')) {
      const [a, b] = [row.dataset.a!, row.dataset.b!].map(
        (text) => text.split(',').map(Number) as unknown as ReportRegionRef,
      );
      row.addEventListener('click', () => this.#choose(row, () => this.#events.regionsChosen(a, b)));
    }
  }

  /** Only when the tab is open, and once per frame: playing stays smooth. */
  #listContacts(): void {
    const panel = byId('panel-frame');
    if (panel.hidden || this.#listed === this.#shown || !this.#shown) return;
    this.#listed = this.#shown;
    panel.scrollTop = 0;
    const { pairs, frame } = this.#shown;
    if (pairs.length === 0) {
      panel.replaceChildren(make('p', 'empty', 'Nothing touches in this frame.'));
      return;
    }
    const head = make('tr', '', heading('Regions', ''), heading('Triangles', 'number wide'));
    const body = make('tbody', '');
    for (let k = 0; k < pairs.length && k < 2 * LISTED; k += 2)
      body.append(this.#contactRow(pairs[k], pairs[k + 1]));
    panel.replaceChildren(make('table', '', make('thead', '', head), body));
    const rest = this.#data.frames.count[frame] - Math.min(LISTED, pairs.length / 2);
    if (rest > 0) panel.append(make('p', 'more', `and ${formatCount(rest)} more`));
  }

  #contactRow(i: number, j: number): HTMLElement {
    const [first, second] = [placeOf(this.#data, i), placeOf(this.#data, j)];
    const [a, b] = [first, second].map((place) => regionLabel(this.#data.meshes, place));
    const same = first[0] === second[0] && first[1] === second[1];
    const other = make('span', 'other', make('span', 'with', '×'), ...(same ? ['itself'] : labelNodes(b)));
    const button = make('button', 'link', ...labelNodes(a), ' ', other);
    (button as HTMLButtonElement).type = 'button';
    const row = make('tr', 'row', make('td', '', button), make('td', 'number', `${i} × ${j}`));
    row.addEventListener('click', () => this.#choose(row, () => this.#events.pairChosen(i, j)));
    return row;
  }
}

function labelNodes({ mesh, region }: RegionLabel): (Node | string)[] {
  return mesh === '' ? [region] : [make('span', 'mesh', `${mesh} / `), region];
}

function heading(text: string, className: string): HTMLElement {
  const element = make('th', className, text);
  element.setAttribute('scope', 'col');
  return element;
}

function addTabs(names: readonly string[], opened: () => void): void {
  const tabs = names.map((name) => byId(`tab-${name}`));
  const open = (chosen: number) => {
    tabs.forEach((tab, k) => {
      tab.setAttribute('aria-selected', String(k === chosen));
      tab.tabIndex = k === chosen ? 0 : -1;
      byId(`panel-${names[k]}`).hidden = k !== chosen;
    });
    opened();
  };
  tabs.forEach((tab, k) => {
    tab.addEventListener('click', () => open(k));
    tab.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      const other = (k + 1) % tabs.length; // there are two
      event.preventDefault();
      open(other);
      tabs[other].focus();
    });
  });
}

/** A click on a heading sorts by it: most first, or for the first frame earliest first; again turns it round. */
function addSorting(): void {
  const headings = [...document.querySelectorAll<HTMLElement>('#regions th')];
  headings.forEach((th, column) => {
    th.querySelector('button')?.addEventListener('click', () => {
      const natural = column === headings.length - 1 ? 'ascending' : 'descending';
      const turned = natural === 'ascending' ? 'descending' : 'ascending';
      const order = th.getAttribute('aria-sort') === natural ? turned : natural;
      for (const other of headings) other.removeAttribute('aria-sort');
      th.setAttribute('aria-sort', order);
      const sign = order === 'ascending' ? 1 : -1;
      const body = document.querySelector('#regions tbody')!;
      const value = (row: Element) => Number((row.children[column] as HTMLElement).dataset.value);
      body.append(...[...body.children].sort((x, y) => sign * (value(x) - value(y))));
    });
  });
}
