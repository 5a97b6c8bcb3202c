import type { ResidentMesh } from '../../tree/resident-mesh.ts';
import type { EnergyProgram } from './energy-program.ts';

/**
 * What things cost, in units of about a nanosecond: per triangle energies, fitting all boxes, and fitting those of some
 * patches; a proof, and one that fails; a pair of nodes above small patches, and of small patches; then of what is searched
 * a pair of nodes and a pair of triangles, in a pose and over a motion.
 *
 * When a pose costs more than it would without proofs, the next ones do without: 1, then 3, then 7.
 */
const COST = {
  energies: 4.2,
  boxes: 5,
  partBoxes: 12,
  proof: 240,
  failure: 700,
  coarsePair: 6,
  patchPair: 60,
  pair: [1.5, 3],
  triangles: [26, 400],
};
const LONGEST_PAUSE = 3;
/** After so many poses with proofs one is done without, to see what these cost at present. */
const LOOK_AGAIN = 64;
/** After it has rested this often on end, a sample is looked at first; unless that promises a gain, it goes on resting. */
const WEARY = 1;
/** What share of a large body that is; of a small one it is more, and it is looked at less often. */
const SAMPLED = 1 / 16;
/** Of what a pose costs without proofs: samples are not all there is. */
const WORTH_WHILE = 0.85;
/** A proof that fails is left alone for a while: so many times as long as one that does not. */
const PATIENCE = 3;
/** Pairs of nodes above small patches that are looked at in most poses, for each of these patches. */
const COARSE_PAIRS = 4;
/** Boxes of this share of the triangles are fitted more quickly when all are. */
const MOST_PARTS = 0.4;

/** Whether proofs pay, by counts alone: the same on every machine. */
export class EnergyThrift {
  readonly #program: EnergyProgram;
  readonly #resident: ResidentMesh;
  #swept = false;
  #pause = 0; // how many poses are still done without
  #idleRounds = WEARY; // how often on end it did not pay; nothing is known at first
  #isPaused = false;
  #active = 0; // poses with proofs since one without
  #spent = -1; // on proofs, for this pose; −1: nobody asked
  // What the last pose without proofs cost, and the last motion: pairs of nodes, and of triangles. 0: not known.
  readonly #plainNodes = new Float64Array(2);
  readonly #plainTriangles = new Float64Array(2);
  #marksPerPair = 4; // how much larger the share of triangles below open patches is than that of pairs that are left

  constructor(program: EnergyProgram, resident: ResidentMesh) {
    this.#program = program;
    this.#resident = resident;
  }

  /** True while this pose is done without proofs. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** True when a sample is to be looked at before all else. */
  get isWeary(): boolean {
    return this.#idleRounds >= WEARY;
  }

  /** The next pose is looked at whatever the last ones were like. */
  rouse(): void {
    this.#pause = this.#idleRounds = this.#active = 0;
  }

  /** A new pose, or motion. */
  begin(swept: boolean): void {
    this.#swept = swept;
    this.#spent = -1;
    this.#isPaused = this.#pause > 0 || this.#active === LOOK_AGAIN;
    if (this.#pause > 0) this.#pause--;
    this.#active = this.#isPaused ? 0 : this.#active + 1;
  }

  /** Does without proofs in this pose. */
  giveUp(): void {
    this.#isPaused = true;
  }

  /** Goes by a sample of the program: rests unless it promises a gain. `goesOn`: energies of the start are there. */
  judgeSample(goesOn: boolean): void {
    const program = this.#program;
    const plain = this.#plainNodes[this.#kind] || this.#frontPairs * COST.pair[this.#kind];
    const share = program.leftPairs / Math.max(1, program.sampledPairs);
    const calm = (program.tests - program.failed) / program.sampledShare,
      failed = program.failed / program.sampledShare;
    const boxes = this.#boxesOf(share * this.#marksPerPair * this.#triangles);
    const coarse = COARSE_PAIRS * program.smallCount * COST.coarsePair;
    const cost = this.#costOf(calm, failed / PATIENCE, goesOn) + coarse + boxes + share * plain;
    if (cost < WORTH_WHILE * (plain + this.#boxes)) return;
    this.#rest(Math.max(1, Math.round(program.sampledShare / SAMPLED)));
    this.#isPaused = true;
  }

  /** True when boxes below so many triangles take longer than all. */
  fitsAll(marked: number): boolean {
    return marked > MOST_PARTS * this.#triangles;
  }

  /**
   * Notes what the list of the program has cost, and boxes of the patches that are left; after a pause, what it will cost
   * when proofs that have failed are left alone.
   */
  spend(marked: number, goesOn: boolean): void {
    const program = this.#program;
    const failed = this.#active === 1 ? program.failed / PATIENCE : program.failed;
    this.#spent =
      this.#costOf(program.tests - program.failed, failed, goesOn) +
      (program.hasRoom ? this.#boxesOf(marked) : this.#boxes) +
      program.coarseTests * COST.coarsePair +
      Math.min(program.openCount, this.#triangles) * COST.patchPair;
    if (program.hasRoom && program.leftPairs > 0)
      this.#marksPerPair = (marked / this.#triangles / program.leftPairs) * this.#frontPairs;
  }

  /** What was tested in all: whether the next pose does without. */
  learn(nodePairs: number, trianglePairs: number): void {
    const kind = this.#kind;
    const nodes = nodePairs * COST.pair[kind],
      triangles = trianglePairs * COST.triangles[kind];
    if (this.#isPaused) {
      this.#plainNodes[kind] = nodes;
      this.#plainTriangles[kind] = triangles;
    }
    if (this.#spent < 0) return; // it was not asked, or boxes were there already
    const spared = (this.#frontPairs - this.#program.leftPairs) * COST.pair[kind];
    const plain = this.#plainNodes[kind]
      ? this.#plainNodes[kind] + this.#plainTriangles[kind]
      : nodes + triangles + spared;
    if (this.#spent + nodes + triangles < plain + this.#boxes) this.#idleRounds = this.#pause = 0;
    else this.#rest(1);
  }

  /** Does without for longer than the last time; longer still when it takes much to find out that it should. */
  #rest(times: number): void {
    this.#idleRounds = Math.min(LONGEST_PAUSE, this.#idleRounds + 1);
    this.#pause = times * ((1 << this.#idleRounds) - 1);
  }

  /** Energies, and so many proofs that are made or fail. */
  #costOf(calm: number, failed: number, goesOn: boolean): number {
    const energies = this.#triangles * COST.energies * (goesOn ? 1 : this.#ends);
    return energies + (calm * COST.proof + failed * COST.failure) * this.#ends;
  }

  /** Of the patches that so many triangles are in. */
  #boxesOf(marked: number): number {
    return this.fitsAll(marked) ? this.#boxes : marked * COST.partBoxes * this.#ends;
  }

  /** What it costs to fit all of them. */
  get #boxes(): number {
    return this.#triangles * COST.boxes * this.#ends;
  }

  get #triangles(): number {
    return this.#resident.tree.order.length;
  }

  /** Of the static front. */
  get #frontPairs(): number {
    const { inner, leaf } = this.#resident.front;
    return inner.list.pairCount + leaf.list.pairCount;
  }

  /** Which costs count: those of poses or of motions. */
  get #kind(): 0 | 1 {
    return this.#swept ? 1 : 0;
  }

  get #ends(): number {
    return this.#swept ? 2 : 1;
  }
}
