import type { Player } from '../app/player.ts';
import type { OpenedScene } from '../host/protocol.ts';
import { byId, create, setText } from './dom.ts';
import { formatCount, formatSeconds } from './format.ts';

export interface TransportActions {
  play(): void;
  step(by: number): void;
  seek(frame: number): void;
  restart(): void;
  chooseClip(clip: number): void;
  setSpeed(speed: number): void;
}

/** Play, step, scrub, choose a clip. */
export class Transport {
  readonly #play = byId<HTMLButtonElement>('play');
  readonly #scrub = byId<HTMLInputElement>('scrub');
  readonly #clip = byId<HTMLSelectElement>('clip');

  constructor(actions: TransportActions) {
    this.#play.onclick = () => actions.play();
    byId('step-back').onclick = () => actions.step(-1);
    byId('step-forward').onclick = () => actions.step(1);
    byId('restart').onclick = () => actions.restart();
    this.#scrub.oninput = () => actions.seek(Number(this.#scrub.value));
    this.#clip.onchange = () => actions.chooseClip(Number(this.#clip.value));
    const speed = byId<HTMLSelectElement>('speed');
    speed.onchange = () => actions.setSpeed(Number(speed.value));
  }

  open({ clips }: OpenedScene): void {
    const options = clips.map(({ name }, k) => create('option', { value: String(k) }, name ?? 'motion'));
    this.#clip.replaceChildren(...options);
    byId('clip-field').hidden = clips.length < 2;
  }

  show(player: Player, shownFrame: number, time: number): void {
    const { isPlaying, isEndless, canMove, frameCount, clip } = player;
    if (this.#play.getAttribute('aria-pressed') !== String(isPlaying)) {
      this.#play.setAttribute('aria-pressed', String(isPlaying));
      this.#play.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
      this.#play.title = `${isPlaying ? 'Pause' : 'Play'} (Space)`;
    }
    for (const id of ['play', 'step-forward', 'restart']) byId<HTMLButtonElement>(id).disabled = !canMove;
    byId<HTMLButtonElement>('step-back').disabled = !canMove || isEndless;
    this.#scrub.disabled = !canMove;
    this.#scrub.hidden = isEndless;
    byId('endless').hidden = !isEndless;
    if (!isEndless) this.#scrub.max = String(Math.max(0, frameCount - 1));
    if (document.activeElement !== this.#scrub || isPlaying)
      this.#scrub.value = String(isEndless ? 0 : shownFrame);
    this.#clip.value = String(clip);
    const last = isEndless ? '' : ` of ${formatCount(frameCount - 1)}`;
    setText(byId('frame-label'), `Frame ${formatCount(shownFrame)}${last}`);
    setText(byId('time-label'), formatSeconds(time));
    this.#scrub.setAttribute('aria-valuetext', `frame ${shownFrame}${last}`);
  }
}
