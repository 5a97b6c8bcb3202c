import type { Body } from '../body/body.ts';

/** Tells a certificate when it has to begin anew: with another pose, or when a stronger proof is asked for. */
export class PoseWatch {
  /** True: proofs are about the whole motion. */
  swept = false;
  readonly #body: Body;
  #epoch = -1;

  constructor(body: Body) {
    this.#body = body;
  }

  /**
   * True when what was found before counts no longer. A query may run inside another one and ask about the pose only,
   * while the outer one goes on about the motion. A proof for the motion holds for its start, so as long as several
   * queries are under way the stronger one is given.
   */
  begin(swept: boolean): boolean {
    this.#body.checkUsable();
    const { epoch, hasMotion } = this.#body.deformer;
    const isFresh = this.#epoch === epoch;
    const isAlone = this.#body.engine.queries <= 2; // a self-query counts its body twice
    const wanted = (swept && hasMotion) || (!isAlone && this.swept && isFresh);
    if (isFresh && this.swept === wanted) return false;
    this.#epoch = epoch;
    this.swept = wanted;
    return true;
  }
}
