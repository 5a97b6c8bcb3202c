import type { Handles } from '../deform/handles.ts';
import type { PlacedPoints } from '../deform/placed.ts';
import type { HandledDeformer, MotionEnd } from '../deform/point-source.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { type BlendNodes, shareBlendNodes } from './blend-nodes.ts';
import type { Bounds } from './bounds.ts';
import { SmallPairs } from './small-pairs.ts';

/** Words of the block that describes a side to kernels/side.ts, in its order. */
const WORD = {
  link: 0,
  corners: 1,
  nodes: 2,
  entries: 3,
  modeEntries: 4,
  volumes: 5,
  tables: 6,
  dense: 7,
  bounded: 8,
  frame: 9,
  previous: 10,
  ends: 11,
  support: 12,
  refitted: 13,
  evaluated: 14,
  handleCount: 15,
  end: 16, // two of these, END_WORDS each: local points, their stamps and epoch; placed ones; the matrices
  rest: 40,
  skin: 41, // start, index, value
  modes: 44,
  hasPhantom: 47,
  morePasses: 82,
  smallPairs: 83, // four, see SmallPairs
} as const;
const END_WORDS = 12;
const LAST_FRAME = 0xffffffff;
// Numbers (f64) of the same block.
const CENTRE = 32;
const WEIGHT_SUM = 35;
const FACTOR_SUM = 36;
const REACH = 37; // two per end
const BLOCK_BYTES = 352;
const VOLUME_BYTES = 32;
const HANDLE_BYTES = 128;
const COMPUTED = 6; // the word of a volume that says in which frame it was computed
/** What a float32 may lose beside its relative error, and the largest numbers that are tried in it. */
const UNDERFLOW = 1.2e-38;
const LARGEST = 1e30;

/** How many there have been. */
let created = 0;

export interface HandleBoxOptions {
  /**
   * `best`: how far what each handle moves reaches in 26 directions, and the best weights. `two-largest`: the box of
   * the whole node and the two largest supports, Eq. 11 of Steinemann et al.
   */
  readonly variant?: 'best' | 'two-largest';
  /** Takes the union of the children where the last pose was looked at further down. Default true. */
  readonly followsFront?: boolean;
}

/**
 * Boxes of nodes moved by affine handles (skins, morph targets, modes, meshless nodes, cages, or just a matrix), at a
 * cost that follows the number of handles and not the number of points below. In direction g,
 *
 *     g·x ≤ Σ l_j b_j + max { Σ δ_j b_j : 0 ≤ δ_j ≤ cap_j, Σ δ_j = R }                 BOUNDS §2, Theorem 1
 *
 * where b_j is the support of handle j's image of the points it moves. The maximum is bounded by its dual,
 * λR + Σ cap_j max(b_j − λ, 0), which holds for any λ; the best λ is one of the b_j.
 *
 * The support of T p in direction g is that of the points at rest in direction Aᵀg, which is a sum of three of the 26
 * directions from the middle of a cube to its faces, edges and corners. Nodes know how far they reach in these. The box
 * of a turned box would be larger: by 1.45 instead of 1.1 times the best box, in bodies that turn.
 *
 * The kernels do it in float32, relative to the body, and round outward by a margin per node.
 *
 * Kernels read everything from the block at `side`, so that a whole traversal runs in them.
 */
export class HandleBoxes implements Bounds {
  readonly boundedNodes: number;
  readonly stride = VOLUME_BYTES / 4;
  readonly side: number;
  readonly nodes: BlendNodes;

  readonly #kernels: Kernels;
  readonly #mesh: ResidentMesh;
  readonly #deformer: HandledDeformer;
  readonly #placed: PlacedPoints | undefined;
  readonly #followsFront: boolean;
  readonly #pieces: number[] = []; // addresses to free
  readonly #volumes: number;
  readonly #identity: number;
  readonly #handles: number;
  readonly #weights: number;
  readonly #handleCount: number;
  readonly #modeCount: number;
  #box: Float32Array;
  #epoch = 0;
  #swept = false;
  #frame = 0;
  #small: SmallPairs | undefined;
  readonly #serial = ++created;

  /** `placed` for boxes in the world, without it in the body's own coordinates. */
  constructor(
    kernels: Kernels,
    mesh: ResidentMesh,
    deformer: HandledDeformer,
    placed: PlacedPoints | undefined,
    { variant = 'best', followsFront = true }: HandleBoxOptions = {},
  ) {
    const { memory } = kernels;
    const { nodeCount } = mesh.tree;
    const { handles } = deformer;
    this.#kernels = kernels;
    this.#mesh = mesh;
    this.#deformer = deformer;
    this.#placed = placed;
    this.#followsFront = followsFront;
    this.nodes = shareBlendNodes(memory, mesh, handles, variant === 'best');
    this.boundedNodes = this.nodes.boundedNodes;
    this.#modeCount = handles.modeCount;
    const joints = handles.skinList ? handles.jointCount : 1;
    this.#handleCount = joints + (this.nodes.hasPhantom ? 1 : 0);
    this.#volumes = this.#allocate(VOLUME_BYTES * nodeCount);
    this.#identity = this.#allocate(96);
    this.#handles = this.#allocate(2 * HANDLE_BYTES * this.#handleCount);
    this.#weights = this.#allocate(2 * 4 * Math.max(1, this.#modeCount));
    const support = this.#allocate(32 * this.nodes.mostEntries);
    this.side = this.#allocate(BLOCK_BYTES);
    this.#box = this.#readBoxes();
    this.#describe(handles, support, variant === 'best');
  }

  get box(): Float32Array {
    const { buffer } = this.#kernels.memory;
    if (this.#box.buffer !== buffer) this.#box = this.#readBoxes();
    return this.#box;
  }

  get refitted(): number {
    return this.#kernels.memory.u32[(this.side >>> 2) + WORD.refitted];
  }

  /** Points that the kernels have evaluated since this was last asked. */
  takeEvaluated(): number {
    const { u32 } = this.#kernels.memory;
    const o = (this.side >>> 2) + WORD.evaluated;
    const count = u32[o];
    u32[o] = 0;
    return count;
  }

  begin(swept: boolean): void {
    const source = this.#placed ?? this.#deformer;
    const wanted = swept && source.hasMotion;
    const { epoch } = source;
    if (this.#epoch === epoch && this.#swept === wanted) return;
    this.#epoch = epoch;
    this.#swept = wanted;
    this.#nextFrame();
    this.#kernels.memory.u32[(this.side >>> 2) + WORD.ends] = wanted ? 2 : 1;
    this.#setEnd(0);
    if (wanted) this.#setEnd(1);
  }

  /** Whether boxes computed from now on follow the last front. Where few are needed, those of the front are too many. */
  followFront(isOn: boolean): void {
    const { u32 } = this.#kernels.memory;
    u32[(this.side >>> 2) + WORD.previous] = isOn && this.#followsFront ? this.#frame - 1 : 0;
  }

  /** Before each call of `testSmallPairs`: another body of the mesh may have made one since. */
  beginSmallPairs(): void {
    this.#small ??= SmallPairs.of(this.#kernels.memory, this.#mesh); // may allocate, so before the views are read
    const { slotBoxes, ranges, newPoints } = this.#small;
    this.#small.begin(this.#serial, this.#frame);
    const { u32 } = this.#kernels.memory;
    const o = (this.side >>> 2) + WORD.smallPairs;
    u32[o] = slotBoxes;
    u32[o + 1] = ranges;
    u32[o + 2] = newPoints;
    u32[o + 3] = this.#small.stamp;
  }

  /** True when the box of a node has been computed for this pose. */
  isFresh(node: number): boolean {
    return this.#kernels.memory.u32[(this.#volumes >>> 2) + this.stride * node + COMPUTED] === this.#frame;
  }

  /** True when the boxes of two nodes overlap. */
  overlaps(node: number, other: HandleBoxes, otherNode: number): boolean {
    return this.#kernels.testBoxes(this.side, node, other.side, otherNode) === 1;
  }

  ensure(node: number): void {
    this.#kernels.ensureBox(this.side, node);
  }

  refitAll(): void {
    for (let node = 0; node < this.boundedNodes; node++) this.ensure(node);
  }

  free(): void {
    for (const address of this.#pieces) this.#kernels.memory.free(address);
    this.#pieces.length = 0;
  }

  #readBoxes(): Float32Array {
    return new Float32Array(
      this.#kernels.memory.buffer,
      this.#volumes,
      this.stride * this.#mesh.tree.nodeCount,
    );
  }

  #allocate(bytes: number): number {
    const { memory } = this.#kernels;
    const address = memory.allocate(bytes);
    memory.u8.fill(0, address, address + bytes);
    this.#pieces.push(address);
    return address;
  }

  /** What never changes. */
  #describe({ skinList, modeList }: Handles, support: number, isBest: boolean): void {
    const { rest } = this.#mesh; // may allocate, so before the views are read
    const { u32, f64 } = this.#kernels.memory;
    const o = this.side >>> 2,
      p = this.side >>> 3;
    const { nodes } = this;
    u32[o + WORD.link] = this.#mesh.link;
    u32[o + WORD.corners] = this.#mesh.corners;
    u32[o + WORD.nodes] = nodes.nodes;
    u32[o + WORD.entries] = nodes.entries;
    u32[o + WORD.modeEntries] = nodes.modeEntries;
    u32[o + WORD.volumes] = this.#volumes;
    u32[o + WORD.tables] = nodes.tables;
    u32[o + WORD.bounded] = this.boundedNodes;
    u32[o + WORD.support] = support;
    u32[o + WORD.handleCount] = this.#handleCount;
    u32[o + WORD.rest] = rest;
    u32[o + WORD.hasPhantom] = nodes.hasPhantom ? 1 : 0;
    u32[o + WORD.morePasses] = isBest ? 1 : 0;
    if (skinList) u32.set([skinList.start, skinList.index, skinList.value], o + WORD.skin);
    if (modeList) u32.set([modeList.start, modeList.index, modeList.value], o + WORD.modes);
    // Entries of a point are in order and none is there twice, so this many are all.
    const isDense = modeList?.entryCount === this.#modeCount * this.#mesh.pointCount;
    u32[o + WORD.dense] = isDense ? this.#modeCount : 0;
    f64.set(nodes.centre, p + CENTRE);
    f64[p + WEIGHT_SUM] = nodes.largestWeightSum;
    f64[p + FACTOR_SUM] = nodes.largestFactor;
    const i = this.#identity >>> 3;
    f64[i] = f64[i + 5] = f64[i + 10] = 1;
  }

  /** Forgets all volumes; what was looked at becomes the last front. */
  #nextFrame(): void {
    const { u32 } = this.#kernels.memory;
    const previous = this.#frame;
    if (previous === LAST_FRAME) {
      u32.fill(0, this.#volumes >>> 2, (this.#volumes >>> 2) + this.stride * this.#mesh.tree.nodeCount);
      this.#frame = 0;
    }
    this.#frame++;
    u32[(this.side >>> 2) + WORD.frame] = this.#frame;
    this.followFront(true);
  }

  /** Where positions are, and the handles of one end of the motion. */
  #setEnd(end: MotionEnd): void {
    const deformer = this.#deformer,
      placed = this.#placed;
    const { handles } = deformer;
    // All of these may allocate, so before the views are read.
    const local = deformer.address(end),
      localStamps = deformer.stampsAddress(end);
    const world = placed?.address(end) ?? 0,
      worldStamps = placed?.stampsAddress(end) ?? 0;
    const { u32, f64 } = this.#kernels.memory;
    const o = (this.side >>> 2) + WORD.end + END_WORDS * end;
    u32[o] = local;
    u32[o + 1] = localStamps;
    u32[o + 2] = deformer.epoch;
    u32[o + 3] = world;
    u32[o + 4] = worldStamps;
    u32[o + 5] = placed?.epoch ?? 0;
    u32[o + 6] = placed ? placed.matrixAddress + 96 * (placed.hasMotion ? end : 0) : 0;
    u32[o + 7] = handles.skinList ? handles.matricesAddress(end) : this.#identity;
    u32[o + 8] = handles.modeList ? handles.weightsAddress(end) : 0;
    u32[o + 9] = this.#handles + HANDLE_BYTES * this.#handleCount * end;
    u32[o + 10] = this.#weights + 4 * this.#modeCount * end;
    const r = (this.side >>> 3) + REACH + 2 * end;
    const growth = this.#storeWeights(u32[o + 8] >>> 3, u32[o + 10] >>> 2);
    f64[r] = (this.nodes.reach + growth) * (1 + 2 ** -40);
    f64[r + 1] = this.nodes.largestCoordinate + growth;
    this.#kernels.placeHandles(this.side, end);
  }

  /** Mode weights as float32. Returns by how much they can displace a point. */
  #storeWeights(from: number, to: number): number {
    const { f64, f32 } = this.#kernels.memory;
    let growth = 0;
    for (let m = 0; m < this.#modeCount; m++) {
      const q = Math.abs(f64[from + m]),
        most = this.nodes.largestDisplacement[m];
      f32[to + m] = f64[from + m];
      growth += q * most + (q + most) * UNDERFLOW;
      if (!(q < LARGEST && most < LARGEST)) growth = Infinity;
    }
    return growth;
  }
}
