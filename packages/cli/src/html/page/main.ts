import type { ReportRegionRef } from '../report-data.ts';
import { byId, make } from './dom.ts';
import { placeOf } from './model.ts';
import { type PageData, type PageShownFrame, readPayload } from './read-payload.ts';
import { Scene } from './scene.ts';
import { Tables } from './tables.ts';
import { addTheme } from './theme.ts';
import { Timeline } from './timeline.ts';

async function start(): Promise<void> {
  const data = await readPayload(byId('data').textContent!.trim());
  byId('data').remove(); // it may be many megabytes
  const scene = openScene(data);
  const page = new Page(data, scene);
  addTheme(() => page.redraw());
  matchMedia('print').addEventListener('change', () => page.redraw()); // in the colours of the paper
  byId('worst')?.addEventListener('click', () => page.goToWorst());
  page.goToWorst();
  document.documentElement.dataset.ready = 'true';
}

/** Undefined, with words in its place, when there is nothing to draw or the browser cannot. */
function openScene(data: PageData): Scene | undefined {
  const explain = (title: string, text: string) => {
    byId('view').hidden = true;
    byId('no-view').replaceChildren(make('strong', '', title), make('span', 'quiet', text));
    byId('no-view').hidden = false;
  };
  if (data.shown.length === 0) {
    explain('No picture', 'This report holds no frame to show.');
    return undefined;
  }
  try {
    const scene = new Scene(data);
    byId('view').addEventListener('webglcontextlost', () => {
      explain(
        'The picture is lost',
        'The browser took back the graphics memory. Reload the page to see it again.',
      );
    });
    return scene;
  } catch (error) {
    explain('No 3D view', 'This browser offers no WebGL 2. Everything else on this page works without it.');
    if (byId<HTMLCanvasElement>('view').getContext('webgl2')) throw error; // it is there: our fault
    return undefined;
  }
}

/** Keeps timeline, picture and tables at the same frame. */
class Page {
  readonly #data: PageData;
  readonly #scene: Scene | undefined;
  readonly #timeline: Timeline;
  readonly #tables: Tables;

  constructor(data: PageData, scene: Scene | undefined) {
    this.#data = data;
    this.#scene = scene;
    this.#tables = new Tables(data, {
      regionsChosen: (a, b) => this.#showRegions(a, b),
      pairChosen: (a, b) => this.#scene?.flyTo([a, b]),
    });
    this.#timeline = new Timeline(data, (at) => this.#show(data.shown[at]));
  }

  redraw(): void {
    this.#scene?.applyTheme();
    this.#scene?.drawNow();
    this.#timeline.redraw();
  }

  goToWorst(): void {
    const { frames } = this.#data;
    let worst = 0;
    for (let k = 0; k < frames.length; k++) if (frames.count[k] > frames.count[worst]) worst = k;
    this.#timeline.pause();
    this.#timeline.goTo(this.#timeline.nearest(worst));
  }

  #show(shown: PageShownFrame): void {
    this.#tables.clearChoice();
    this.#tables.show(shown);
    this.#scene?.show(shown);
  }

  /** Goes to the embedded frame in which these regions touch most; stays here when none is worse. */
  #showRegions(a: ReportRegionRef, b: ReportRegionRef): void {
    const { shown, frames } = this.#data;
    if (shown.length === 0) return;
    const touching = (at: number) => {
      const triangles = trianglesBetween(this.#data, shown[at].pairs, a, b);
      const listed = shown[at].pairs.length / 2; // perhaps only a part of the frame's contacts
      return { at, triangles, weight: (triangles.length * frames.count[shown[at].frame]) / listed };
    };
    let best = touching(this.#timeline.at);
    for (let at = 0; at < shown.length; at++) {
      const other = touching(at);
      if (other.triangles.length > 0 && !(other.weight <= best.weight)) best = other;
    }
    this.#timeline.pause();
    if (best.triangles.length === 0) {
      this.#scene?.tell('None of the frames in this report shows these regions touching.');
      return;
    }
    this.#timeline.goTo(best.at);
    this.#scene?.flyTo(best.triangles);
  }
}

/** Both triangles of every contact between two regions. */
function trianglesBetween(
  data: PageData,
  pairs: Uint32Array,
  a: ReportRegionRef,
  b: ReportRegionRef,
): number[] {
  const is = (place: ReportRegionRef, ref: ReportRegionRef) => place[0] === ref[0] && place[1] === ref[1];
  const found: number[] = [];
  for (let k = 0; k < pairs.length; k += 2) {
    const first = placeOf(data, pairs[k]),
      second = placeOf(data, pairs[k + 1]);
    if ((is(first, a) && is(second, b)) || (is(first, b) && is(second, a)))
      found.push(pairs[k], pairs[k + 1]);
  }
  return found;
}

start().catch((error: unknown) => {
  byId('trouble').textContent =
    `This report could not be opened: ${error instanceof Error ? error.message : error}`;
  byId('trouble').hidden = false;
  throw error;
});
