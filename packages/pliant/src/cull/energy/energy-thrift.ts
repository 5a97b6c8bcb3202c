import type { ResidentMesh } from '../../tree/resident-mesh.ts';
import type { EnergyProgram } from './energy-program.ts';

/**
 * What things cost, in units of about a nanosecond: per triangle energies, and cones of normals, in a pose and over a motion; a
 * corner of an outline; per triangle fitting all boxes, and fitting those of some patches; a proof by energies, and one that
 * fails; a pair of nodes above small patches, and of small patches; then of what is searched a pair of nodes and a pair of
 * triangles, in a pose and over a motion.
 *
 * When a pose costs more than it would without proofs, the next ones do without.
 */
const COST = {
  energies: 4.2,
  cones: [4.4, 12],
  corner: 13,
  boxes: 5,
  partBoxes: 12,
  proof: 240,
  failure: 700,
  coarsePair: 6,
  patchPair: 60,
  pair: [1.5, 3],
  triangles: [26, 60],
};
/** For how many poses it rests, one time after the other; from the last time on for longer where looking costs much. */
const PAUSES = [1, 3, 7, 7];
const LONGEST_PAUSE = 63;
/** After so many poses with proofs one is done without, to see what these cost at present; of clear gains after more. */
const LOOK_AGAIN = 64;
const LOOK_AGAIN_LATER = 256;
const CLEAR_GAIN = 1.5;
/** After it has rested this often on end, a sample is looked at first; unless that promises a gain, it goes on resting. */
const WEARY = 1;
/** Samples may take this share of what poses without proofs cost: to keep to that, it rests for longer. */
const LOOKING = 0.01;
/** Of what a pose costs without proofs: samples are not all there is. With more than the second no more is looked at. */
const WORTH_WHILE = 0.85;
const HOPELESS = 1.15;
/** A proof that fails is left alone for a while: so many times as long as one that does not. */
const PATIENCE = 3;
/** Of the corners in a sample: parts of it that outlines prove are often in larger ones, whose outlines are shorter. */
const LARGER_OUTLINES = 0.5;
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
  #lookAgain = LOOK_AGAIN; // … and how many of these there may be
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
    this.#isPaused = this.#pause > 0 || this.#active >= this.#lookAgain;
    if (this.#pause > 0) this.#pause--;
    this.#active = this.#isPaused ? 0 : this.#active + 1;
  }

  /** Does without proofs in this pose. */
  giveUp(): void {
    this.#isPaused = true;
  }

  /** Looks at a sample: rests unless it promises a gain. `goesOn`: energies of the start are there. */
  sample(goesOn: boolean): void {
    const [few, others] = this.#program.samples;
    const promised = (share: number, pairs: number) => this.#promisedCost(share, pairs, goesOn);
    this.#program.sample(few);
    if (!(few.share > 0 && promised(few.share, few.pairs) > HOPELESS)) {
      this.#program.sample(others);
      if (promised(few.share + others.share, few.pairs + others.pairs) < WORTH_WHILE) return;
    }
    this.#isPaused = true;
    const plain = this.#plainPairs + this.#plainTriangles[this.#kind] + this.#boxes;
    this.#rest(Math.round(this.#costOfProofs(1, goesOn) / (LOOKING * plain)));
  }

  /** Of this pose, in units of what it costs without proofs: by what the program has found in a share of all. */
  #promisedCost(share: number, pairs: number, goesOn: boolean): number {
    const program = this.#program;
    const plain = this.#plainPairs;
    const left = program.leftPairs / Math.max(1, pairs);
    const boxes = this.#boxesOf(left * this.#marksPerPair * this.#triangles);
    const coarse = COARSE_PAIRS * program.smallCount * COST.coarsePair;
    const cost = this.#costOfProofs(share, goesOn, PATIENCE, LARGER_OUTLINES) + coarse + boxes + left * plain;
    return cost / (plain + this.#boxes);
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
    this.#spent =
      this.#costOfProofs(1, goesOn, this.#active === 1 ? PATIENCE : 1) +
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
    const gain = (plain + this.#boxes) / (this.#spent + nodes + triangles);
    this.#lookAgain = gain > CLEAR_GAIN ? LOOK_AGAIN_LATER : LOOK_AGAIN;
    if (gain > 1) this.#idleRounds = this.#pause = 0;
    else this.#rest(0);
  }

  /** Does without for a while. `enough`: for how many poses, when it has done so often. */
  #rest(enough: number): void {
    this.#idleRounds = Math.min(PAUSES.length, this.#idleRounds + 1);
    this.#pause = PAUSES[this.#idleRounds - 1] ?? 0;
    if (this.#idleRounds === PAUSES.length)
      this.#pause = Math.min(LONGEST_PAUSE, Math.max(this.#pause, enough));
  }

  /**
   * All that the program has computed, which is of a share of the body. Of proofs that fail one in `patience` counts, as they
   * are left alone for a while; of corners `corner`.
   */
  #costOfProofs(share: number, goesOn: boolean, patience = 1, corner = 1): number {
    const { cones, sums, corners, tests, failed, smallCount } = this.#program;
    const ends = this.#ends;
    const perPatch = this.#triangles / smallCount;
    const energies = Math.min(smallCount, sums / share) * perPatch * COST.energies * (goesOn ? 1 : ends),
      normals = Math.min(smallCount, cones / share) * perPatch * COST.cones[this.#kind];
    const proofs = (tests - failed) * COST.proof + (failed / patience) * COST.failure;
    return energies + normals + ((proofs + corners * corner * COST.corner) * ends) / share;
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

  /** What pairs of nodes cost without proofs, or all of the front. */
  get #plainPairs(): number {
    return this.#plainNodes[this.#kind] || this.#frontPairs * COST.pair[this.#kind];
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
