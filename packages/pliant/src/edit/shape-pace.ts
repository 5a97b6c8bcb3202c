import type { ContactState } from './contact/contact-finder.ts';
import type { Controls } from './controls.ts';
import type { PoseState, ShapeSolver } from './shape-solver.ts';

/** Depth beyond which handles wait, in margins, and for how many steps before they go back. */
const DEEP = 0.5;
const PATIENCE = 4;
/** Depth at which a contact must not be found: half-way through thin parts nobody knows which way is out. In edges. */
const TOO_DEEP = 0.3;
/** The way of handles per step while something touches, and after a step that went too far, in edges of the cage. */
const TOUCHING_SPEED = 0.3;
const SLOW_SPEED = 0.1;
const SLOW_STEPS = 8;

/** The beginning of a step. */
interface Beginning {
  readonly pose: PoseState;
  readonly held: Float64Array[];
  readonly contacts: ContactState | undefined;
}

/**
 * How fast handles go, so that contacts are found while they are shallow: slower while something touches, not at all
 * while something is deep in something, back when that does not help. A step that led deep into something new is taken
 * back, and done again slowly.
 */
export class ShapePace {
  readonly #solver: ShapeSolver;
  readonly #controls: Controls;
  #beginning: Beginning | undefined; // of the last step
  #spare: ContactState | undefined; // memory of one before
  #deepSteps = 0;
  #slowSteps = 0;
  #depthBefore = 0;

  constructor(solver: ShapeSolver, controls: Controls) {
    this.#solver = solver;
    this.#controls = controls;
  }

  /** After a jump to another state. */
  reset(): void {
    this.#beginning = this.#spare = undefined;
    this.#deepSteps = this.#slowSteps = this.#depthBefore = 0;
  }

  /** Moves handles by at most `speed`, if they may, lets the shape follow as a whole and finds contacts. */
  begin(speed: number, mayGoOn: boolean): void {
    const solver = this.#solver;
    const beginning = this.#remember();
    const direction = this.#direction();
    this.#advance(direction === 'on' && !mayGoOn ? 'wait' : direction, this.#speed(speed));
    const tooDeep = TOO_DEEP * solver.cage.spacing;
    if (solver.depth > tooDeep && this.#depthBefore <= tooDeep && this.#slowSteps === 0 && this.#beginning) {
      this.#goBack(this.#beginning);
      this.#slowSteps = SLOW_STEPS;
      this.#advance('on', this.#speed(speed));
    } else {
      this.#spare = this.#beginning?.contacts;
      this.#beginning = beginning;
      if (this.#slowSteps > 0) this.#slowSteps--;
    }
    this.#depthBefore = solver.depth;
  }

  #advance(direction: 'on' | 'wait' | 'back', speed: number): void {
    const { contacts } = this.#solver;
    const hasMoved = this.#controls.advance(direction, speed, (vertex, target) => {
      contacts?.pushOut(vertex, target);
    });
    this.#solver.begin(this.#controls.targets, this.#controls.softTargets, hasMoved);
  }

  #direction(): 'on' | 'wait' | 'back' {
    const { contacts, depth } = this.#solver;
    if (!contacts || depth <= DEEP * contacts.margin) {
      this.#deepSteps = 0;
      return 'on';
    }
    return ++this.#deepSteps <= PATIENCE ? 'wait' : 'back';
  }

  #speed(speed: number): number {
    const { cage, rows } = this.#solver;
    if (this.#slowSteps > 0) return Math.min(speed, SLOW_SPEED * cage.spacing);
    return rows && rows.count > 0 ? Math.min(speed, TOUCHING_SPEED * cage.spacing) : speed;
  }

  #remember(): Beginning | undefined {
    const { contacts } = this.#solver;
    if (!contacts) return undefined;
    return {
      pose: this.#solver.savePose(),
      held: this.#controls.saveHeld(),
      contacts: contacts.save(this.#spare),
    };
  }

  #goBack({ pose, held, contacts }: Beginning): void {
    this.#solver.restorePose(pose, true); // contacts will be where they were found
    this.#controls.restoreHeld(held);
    if (contacts) this.#solver.contacts?.restore(contacts);
  }
}
