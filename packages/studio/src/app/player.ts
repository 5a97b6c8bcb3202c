/** Which frame is due. It runs by the clock, and leaves frames out rather than falling behind. */
export class Player {
  clip = 0;
  frame = 0;
  isPlaying = true;
  speed = 1;
  #frameCount = 1;
  #fps = 30;
  #origin: { time: number; frame: number } | undefined; // where playing began

  /** A new motion, from a frame on. */
  load(frameCount: number, fps: number, frame = 0): void {
    this.#frameCount = frameCount;
    this.#fps = fps;
    this.seek(frame);
  }

  get frameCount(): number {
    return this.#frameCount;
  }

  /** Simulated motions have no end; every frame follows from the one before. */
  get isEndless(): boolean {
    return this.#frameCount === Number.POSITIVE_INFINITY;
  }

  get canMove(): boolean {
    return this.#frameCount > 1;
  }

  seek(frame: number): void {
    this.frame = this.isEndless ? Math.max(0, frame) : wrap(frame, this.#frameCount);
    this.#origin = undefined;
  }

  toggle(isPlaying = !this.isPlaying): void {
    this.isPlaying = isPlaying;
    this.#origin = undefined;
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.#origin = undefined;
  }

  /** Moves to the frame that is due at `now` (milliseconds). Called when the last frame has been shown. */
  advance(now: number): void {
    if (!this.isPlaying || !this.canMove) return;
    this.#origin ??= { time: now, frame: this.frame };
    const due = this.#origin.frame + Math.floor(((now - this.#origin.time) / 1000) * this.#fps * this.speed);
    if (!this.isEndless) {
      this.frame = wrap(due, this.#frameCount);
    } else if (due > this.frame) {
      this.frame++;
      if (due > this.frame + 1) this.#origin = { time: now, frame: this.frame }; // too slow: no catching up
    }
  }
}

function wrap(frame: number, count: number): number {
  return ((frame % count) + count) % count;
}
