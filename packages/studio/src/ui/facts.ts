import type { OpenedScene, ShownFacts } from '../host/protocol.ts';
import type { Legend } from '../scenes/scene.ts';
import { PALETTES, type Theme, toneColour } from '../view/palette.ts';
import { byId, create, setText } from './dom.ts';

const WIDEST = 1.5; // times the limit: where the bar ends

/** What a scene itself says about a frame: rows, and how far the pose is from the limit of its certificate. */
export class Facts {
  readonly #section = byId<HTMLDetailsElement>('facts');
  readonly #rows = byId('facts-rows');
  readonly #gauge = byId('gauge');
  readonly #bar = byId('gauge-bar');
  readonly #legend = byId('legend');
  #ofScene: Legend = [];
  #entries: Legend = [];
  #theme: Theme = 'light';

  open({ legend }: OpenedScene, theme: Theme): void {
    this.#section.hidden = true;
    this.#rows.replaceChildren();
    this.#ofScene = this.#entries = legend;
    this.restyle(theme);
  }

  /** Swatches of tones in the legend of the picture. */
  restyle(theme: Theme): void {
    this.#theme = theme;
    for (const old of this.#legend.querySelectorAll('.tone')) old.remove();
    this.#legend.prepend(
      ...this.#entries.map(([tone, text]) => {
        const swatch = create('span', { className: 'swatch' });
        swatch.style.background = toneColour(PALETTES[theme], tone).getStyle();
        return create('li', { className: 'tone' }, swatch, text);
      }),
    );
  }

  show(facts: ShownFacts | undefined): void {
    this.#section.hidden = facts === undefined;
    if (facts === undefined) return;
    const { rows, gauge, legend = this.#ofScene } = facts;
    if (JSON.stringify(legend) !== JSON.stringify(this.#entries)) {
      this.#entries = legend;
      this.restyle(this.#theme);
    }
    while (this.#rows.childElementCount > rows.length) this.#rows.lastElementChild!.remove();
    while (this.#rows.childElementCount < rows.length) {
      this.#rows.append(create('tr', {}, create('th', { scope: 'row' }), create('td')));
    }
    rows.forEach(([label, value, title = ''], k) => {
      const [head, cell] = this.#rows.children[k].children as unknown as HTMLElement[];
      setText(head, label);
      setText(cell, value);
      if (head.title !== title) head.title = title;
    });
    this.#gauge.hidden = gauge === undefined;
    if (gauge) this.#showGauge(gauge);
  }

  #showGauge({ value, limit, whose }: NonNullable<ShownFacts['gauge']>): void {
    const share = value / limit;
    const isInside = share < 1; // false where it is not known
    const far = Number.isFinite(share) ? Math.min(1, share / WIDEST) : 1;
    this.#bar.style.width = `${(100 * far).toFixed(1)}%`;
    this.#gauge.classList.toggle('beyond', !isInside);
    const text = Number.isFinite(share) ? share.toFixed(3) : '–';
    setText(byId('gauge-share'), `${whose ? `${whose}: ` : ''}${text} certified radii`);
    setText(byId('gauge-text'), isInside ? 'proved: no part touches another' : 'beyond it: looked into');
  }
}
