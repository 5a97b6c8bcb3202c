import { plural, regionLabel } from '../summary.ts';
import { Camera } from './camera.ts';
import { addControls } from './controls.ts';
import { byId, cssColour, make, rgb } from './dom.ts';
import { Model, placeOf, type Vec3 } from './model.ts';
import { firstTriangleOnRay, trianglesInFront } from './ray.ts';
import type { PageData, PageShownFrame } from './read-payload.ts';
import { MARK, View } from './view.ts';

/** The 3D part of the page: the model in the chosen frame, its colours, and where one looks from. */
export class Scene {
  readonly #data: PageData;
  readonly #model: Model;
  readonly #camera = new Camera();
  readonly #view: View;
  readonly #marks: Uint8Array;
  readonly #heat: Uint8Array;
  readonly #mostHits: number;
  #shown: PageShownFrame | undefined;
  #chosen: ReadonlySet<number> = new Set();
  #fitted: { centre: Vec3; radius: number } | undefined;

  /** Throws when the browser cannot draw. */
  constructor(data: PageData) {
    this.#data = data;
    this.#model = new Model(data);
    const canvas = byId<HTMLCanvasElement>('view');
    this.#view = new View(canvas, this.#model, this.#camera);
    this.#marks = new Uint8Array(this.#model.triangleCount);
    this.#mostHits = largest(data.hits);
    this.#heat = Uint8Array.from({ length: this.#model.triangleCount }, (_, t) =>
      data.hits[t] > 0 ? Math.max(1, Math.round((255 * data.hits[t]) / this.#mostHits)) : 0,
    );
    addControls(canvas, this.#camera, {
      moved: () => {
        byId('hint').hidden = true; // they know
        this.#view.ask();
      },
      clicked: (x, y) => this.#pick(x, y),
      fit: () => this.fit(),
    });
    this.#addTools();
    this.#showLegend();
  }

  /** Shows a frame; what was chosen before is forgotten. */
  show(shown: PageShownFrame): void {
    this.#shown = shown;
    this.#model.pose(shown);
    this.#view.setPose(this.#model.box());
    this.choose([]);
    const { centre, radius } = this.#view;
    this.#camera.setScale(radius);
    if (this.#fitted === undefined) this.#firstLook();
    else if (hasLeft(this.#fitted, centre, radius)) this.#camera.fly(this.#fitStand());
    else return;
    this.#fitted = { centre, radius };
  }

  /** Sets these triangles off against the other touching ones. */
  choose(triangles: Iterable<number>): void {
    this.#chosen = new Set(triangles);
    this.#marks.fill(MARK.none);
    for (const t of this.#shown?.touched ?? []) this.#marks[t] = MARK.touches;
    for (const t of this.#chosen) this.#marks[t] = MARK.chosen;
    this.#view.setMarks(this.#marks, this.#heat, this.#chosen.size > 0);
    this.#showLegend();
    this.tell('');
  }

  /** Chooses triangles and flies to a side from which they can be seen. */
  flyTo(triangles: readonly number[]): void {
    if (this.#view.look.heat) this.#setHeat(false);
    this.choose(triangles);
    const { low, high } = this.#model.box(this.#chosen);
    const middle = low.map((value, k) => (value + high[k]) / 2) as Vec3;
    const size = Math.hypot(...low.map((value, k) => high[k] - value)) / 2;
    const nearest = triangles.map((t) => this.#model.centreOf(t)).sort(byDistanceTo(middle))[0];
    const distance = Math.max(4.5 * size, 0.45 * this.#view.radius);
    this.#camera.fly(this.#camera.lookAt(middle, distance, this.#clearDirection(nearest)));
    this.#view.ask();
  }

  fit(): void {
    this.#camera.fly(this.#fitStand());
    this.#view.ask();
  }

  /** One line over the picture; empty hides it. */
  tell(text: string): void {
    byId('picked').textContent = text;
    byId('picked').hidden = text === '';
  }

  applyTheme(): void {
    this.#view.setColours(rgb(cssColour('--solid')), rgb(cssColour('--grid')));
  }

  drawNow(): void {
    this.#view.drawNow();
  }

  /** From in front and a little above; from the side that shows more of the contacts. */
  #firstLook(): void {
    const { clientWidth, clientHeight } = this.#view.canvas;
    this.#camera.aspect = clientWidth / Math.max(1, clientHeight);
    const sides = [0.55, -0.55, Math.PI - 0.55, Math.PI + 0.55].map(
      (yaw): Vec3 => [Math.sin(yaw) * 0.975, 0.22, Math.cos(yaw) * 0.975],
    );
    const touched = [...(this.#shown?.touched ?? [])];
    const sample = touched.filter((_, k) => k % Math.ceil(touched.length / 12) === 0);
    const cover = sides.map((side) =>
      this.#covered(
        sample.map((t) => this.#model.centreOf(t)),
        side,
      ),
    );
    this.#camera.jump(this.#fitStand(sides[cover.indexOf(Math.min(...cover))]));
  }

  #fitStand(direction?: Vec3): ReturnType<Camera['fit']> {
    const tools = 46 / Math.max(200, this.#view.canvas.clientHeight); // pixels at the top
    return this.#camera.fit(this.#model.cornerPositions, tools, direction);
  }

  /** How much stands in front of these points, seen from `side`. */
  #covered(points: readonly Vec3[], side: Vec3): number {
    const start = 0.01 * this.#view.radius;
    return points.reduce((sum, point) => {
      const from = point.map((value, k) => value + start * side[k]) as Vec3;
      return sum + trianglesInFront(this.#model.cornerPositions, from, side, 4);
    }, 0);
  }

  /** The direction with least in front of the point; among equals the one closest to the present. */
  #clearDirection(point: Vec3): Vec3 {
    const now = this.#camera.direction;
    const candidates = [now, ...spread(48).filter((d) => Math.abs(d[1]) < 0.8)];
    const score = (d: Vec3) => {
      const turn = 1 - (d[0] * now[0] + d[1] * now[1] + d[2] * now[2]);
      return 3 * this.#covered([point], d) + turn + Math.abs(d[1] - 0.15);
    };
    const scores = candidates.map(score);
    return candidates[scores.indexOf(Math.min(...scores))];
  }

  #pick(x: number, y: number): void {
    const triangle = firstTriangleOnRay(
      this.#model.cornerPositions,
      this.#camera.eye,
      this.#camera.ray(x, y),
    );
    if (triangle < 0 || !this.#shown) {
      this.choose([]);
      return;
    }
    const { pairs } = this.#shown;
    const partners = [...pairs.keys()].filter((k) => pairs[k] === triangle).map((k) => pairs[k ^ 1]);
    this.choose(partners.length > 0 ? [triangle, ...partners] : []);
    const { mesh, region } = regionLabel(this.#data.meshes, placeOf(this.#data, triangle));
    const touches = pairs.length > 0 && this.#shown.touched.includes(triangle);
    const others = partners.length > 0 ? plural(partners.length, 'other') : touches ? 'others' : 'nothing';
    const hits = plural(this.#data.hits[triangle], 'frame');
    this.tell(
      `${mesh === '' ? '' : `${mesh} / `}${region}, triangle ${triangle}: touches ${others} in this frame, hit in ${hits}`,
    );
  }

  #addTools(): void {
    byId('tools').hidden = byId('hint').hidden = byId('legend').hidden = false;
    byId('fit').addEventListener('click', () => this.fit());
    byId('colour-contacts').addEventListener('click', () => this.#setHeat(false));
    byId('colour-heat').addEventListener('click', () => this.#setHeat(true));
    const addSwitch = (id: string, key: 'seeThrough' | 'edges') => {
      byId(id).addEventListener('click', () => {
        this.#view.look[key] = !this.#view.look[key];
        byId(id).setAttribute('aria-pressed', String(this.#view.look[key]));
        this.#view.ask();
      });
    };
    addSwitch('see-through', 'seeThrough');
    addSwitch('edges', 'edges');
  }

  #setHeat(heat: boolean): void {
    this.#view.look.heat = heat;
    byId('colour-contacts').setAttribute('aria-pressed', String(!heat));
    byId('colour-heat').setAttribute('aria-pressed', String(heat));
    this.#showLegend();
    this.#view.ask();
  }

  #showLegend(): void {
    const entry = (className: string, text: string) =>
      make('span', '', make('i', `swatch ${className}`), text);
    const entries: Node[] = [];
    if (this.#view.look.heat) {
      entries.push(entry('solid', 'Never hit'));
      if (this.#mostHits === 1) entries.push(entry('most', 'Hit'));
      if (this.#mostHits > 1) {
        entries.push(make('span', '', 'Hit in 1', make('i', 'ramp'), plural(this.#mostHits, 'frame')));
      }
    } else {
      const touching = this.#shown && this.#shown.touched.length > 0;
      entries.push(
        touching
          ? entry('contact', 'Touching, pale where hidden')
          : entry('solid', 'Nothing touches in this frame'),
      );
      if (this.#chosen.size > 0) entries.push(entry('chosen', 'Chosen'));
    }
    byId('legend').replaceChildren(...entries);
  }
}

/** The model is no longer where the camera was set up for it. */
function hasLeft(fitted: { centre: Vec3; radius: number }, centre: Vec3, radius: number): boolean {
  const moved = Math.hypot(...centre.map((value, k) => value - fitted.centre[k]));
  return moved > 0.5 * fitted.radius || radius > 1.5 * fitted.radius || radius < fitted.radius / 2;
}

function byDistanceTo(point: Vec3): (a: Vec3, b: Vec3) => number {
  const distance = (p: Vec3) => Math.hypot(p[0] - point[0], p[1] - point[1], p[2] - point[2]);
  return (a, b) => distance(a) - distance(b);
}

/** Directions spread evenly over the sphere. */
function spread(count: number): Vec3[] {
  return Array.from({ length: count }, (_, k): Vec3 => {
    const y = 1 - (2 * k + 1) / count;
    const r = Math.sqrt(1 - y * y),
      angle = k * Math.PI * (3 - Math.sqrt(5));
    return [r * Math.cos(angle), y, r * Math.sin(angle)];
  });
}

function largest(values: ArrayLike<number>): number {
  let result = 0;
  for (let k = 0; k < values.length; k++) if (values[k] > result) result = values[k];
  return result;
}
