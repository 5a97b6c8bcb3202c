import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';
import { PairBuffer } from '../../report/pair-buffer.ts';
import type { ResidentMesh } from '../../tree/resident-mesh.ts';
import type { EnergyData } from './energy-data.ts';
import { type EnergyItem, listEnergyItems } from './energy-items.ts';
import {
  HEADER,
  HEADER_BYTES,
  ITEM,
  normalsBytes,
  PATCH,
  planeBytes,
  SLOT,
  writeItem,
  writePatch,
} from './energy-layout.ts';
import { NEAR, NONE } from './energy-patches.ts';
import { chooseSamples, type Sample } from './energy-samples.ts';
import { type LastingLists, writeLastingLists } from './lasting-lists.ts';

/** Pairs of small patches that may be listed, for each of them; more, and all boxes are fitted. */
const OPEN_PER_PATCH = 2;
/** The patches of a certificate in kernel memory, and the energies of a pose. */
export class EnergyProgram {
  readonly itemCount: number;
  readonly smallCount: number;
  /** Per patch: its item, or −1. */
  readonly itemOfPatch: Int32Array;
  /** Two nodes per item. */
  readonly nodes: Uint32Array;
  /** The node of each small patch. */
  readonly smallNodes: Uint32Array;

  readonly #kernels: AllKernels;
  readonly #pieces: number[] = [];
  readonly #lasting: LastingLists;
  readonly #header: number;
  readonly #items: number;
  readonly #patchCount: number;
  readonly #slotCount: number;
  readonly #slots: [number, number];
  readonly #grams: [number, number];
  readonly #loose: [number, number];
  readonly #boxes: [number, number];
  readonly #foldItems: number; // per patch that is a node; 0: none
  readonly #frame: number;
  readonly #coneStamps: number;
  readonly #marks: number;
  readonly #trianglesOf: Uint32Array; // per small patch
  readonly samples: readonly [Sample, Sample];
  #surveyed = NONE; // the stamp of the last motion that was surveyed
  #bytes = 0;

  /** `donor`: the program of another body of the same mesh, with the same data; what never changes is shared with it. */
  constructor(kernels: Kernels, resident: ResidentMesh, data: EnergyData, donor?: EnergyProgram) {
    const { patches, outlines } = data;
    const { memory } = kernels;
    const { tree, front } = resident; // may allocate
    this.#kernels = withExtra(kernels);
    this.#patchCount = patches.count;
    this.#slotCount = patches.slotCount;
    this.smallCount = patches.smallCount;
    const list = listEnergyItems(tree, front, memory.u32, data);
    const { items, segments } = list;
    this.itemCount = items.length;
    this.itemOfPatch = new Int32Array(patches.count).fill(-1);
    items.forEach(({ patch, pair }, k) => {
      if (pair < 0 && patch >= 0) this.itemOfPatch[patch] = k;
    });
    this.samples = chooseSamples(items, segments, tree, data.sizes.largest);
    this.nodes = Uint32Array.from(items.flatMap(({ nodes }) => nodes));
    this.smallNodes = patches.node.slice(0, patches.smallCount);
    this.#trianglesOf = this.smallNodes.map((node) => tree.slotCount[node]);

    const take = (bytes: number) => this.#take(bytes);
    this.#lasting = donor ? donor.#lasting : writeLastingLists(memory, tree, data, list);
    this.#bytes = donor ? 0 : this.#lasting.bytes;
    const table = take(PATCH * patches.count);
    this.#items = take(ITEM * items.length);
    this.#foldItems = data.folds ? take(ITEM * patches.node.length) : 0;
    this.#header = take(HEADER_BYTES);
    this.#slots = [take(SLOT * patches.slotCount), 0];
    this.#grams = [take(128 * (patches.count + 1)), 0];
    this.#loose = [take(128 * (patches.count + 1)), 0];
    this.#boxes = [take(48 * patches.smallCount), 0];
    const openRoom = OPEN_PER_PATCH * patches.smallCount;
    const most = (values: Uint32Array) => values.reduce((largest, value) => Math.max(largest, value), 0);
    const fields = {
      items: this.#items,
      itemCount: items.length,
      patches: table,
      near: take(NEAR * most(patches.rowCounts)),
      slots: this.#slots[0],
      grams: this.#grams[0],
      loose: this.#loose[0],
      spare: patches.count,
      inner: take(8 * (segments.length + 1)),
      leaf: take(8 * (segments.length + 1)),
      cleared: take(4 * (items.length + 1)),
      boxes: this.#boxes[0],
      segmentCount: segments.length,
      open: take(8 * openRoom),
      openRoom,
      marks: take(patches.smallCount),
      smallCount: patches.smallCount,
      nodeCount: patches.node.length,
      link: resident.link,
      corners: resident.corners,
      stack: take(8 * (2 * tree.levelStart.length + 4)),
      frame: take(48),
      cones: take(16 * patches.smallCount),
      coneStamps: take(4 * patches.smallCount),
      normals: take(normalsBytes(most(this.#trianglesOf))),
      plane: take(planeBytes(outlines.start)),
      proved: take(patches.smallCount),
      ways: take(patches.smallCount),
      ...this.#lasting.fields,
    };
    this.#coneStamps = fields.coneStamps;
    this.#frame = fields.frame;
    this.#marks = fields.marks;
    const { u8, u32, f64 } = memory; // nothing is allocated from here on
    const addresses = { ...this.#lasting, ...fields };
    for (let k = 0; k < patches.count; k++) writePatch(u32, (table + PATCH * k) >>> 2, k, patches, addresses);
    const left = new PairBuffer();
    items.forEach((item, k) => {
      left.clear();
      data.exceptions.list(item.nodes[0], item.nodes[1], left);
      const o = (this.#items + ITEM * k) >>> 2;
      writeItem(u32, f64, o, item, data, this.#lasting, left.count > 0);
    });
    this.#linkToNodes(items, tree.nodeCount);
    u32.fill(0, this.#coneStamps >>> 2, (this.#coneStamps >>> 2) + patches.smallCount);
    for (const first of [fields.proved, fields.ways]) u8.fill(0, first, first + patches.smallCount);
    if (this.#foldItems !== 0) this.#writeFoldItems(data);
    const h = this.#header >>> 2;
    u32.fill(0, h, h + (HEADER_BYTES >>> 2));
    for (const [name, value] of Object.entries(fields)) u32[h + HEADER[name as keyof typeof HEADER]] = value;
  }

  /** What holds kernel memory: the program itself, and what it shares with those of other bodies. */
  get parts(): readonly { free(): void }[] {
    return [this, this.#lasting];
  }

  /** Bytes of kernel memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Room for the end of a motion. */
  reserveMotion(): void {
    if (this.#grams[1] !== 0) return;
    this.#slots[1] = this.#take(SLOT * this.#slotCount);
    this.#grams[1] = this.#take(128 * (this.#patchCount + 1));
    this.#loose[1] = this.#take(128 * (this.#patchCount + 1));
    this.#boxes[1] = this.#take(48 * this.smallCount);
    const { u32 } = this.#kernels.memory;
    u32[(this.#header >>> 2) + HEADER.slots + 1] = this.#slots[1];
    u32[(this.#header >>> 2) + HEADER.grams + 1] = this.#grams[1];
    u32[(this.#header >>> 2) + HEADER.loose + 1] = this.#loose[1];
    u32[(this.#header >>> 2) + HEADER.boxes + 1] = this.#boxes[1];
  }

  /**
   * A new pose: energies are computed when they are asked for. The same points twice: no motion. `goesOn`: the start is
   * the end of the motion that was surveyed last.
   */
  begin(stamp: number, start: number, end: number, goesOn = false): void {
    const { u32 } = this.#kernels.memory;
    const h = this.#header >>> 2;
    if (goesOn) {
      this.#exchange('slots', this.#slots);
      this.#exchange('grams', this.#grams);
      this.#exchange('loose', this.#loose);
      this.#exchange('boxes', this.#boxes);
    }
    u32[h + HEADER.known] = goesOn ? this.#surveyed : NONE;
    u32[h + HEADER.coneCount] = u32[h + HEADER.cornerCount] = u32[h + HEADER.sumCount] = 0;
    u32[h + HEADER.tests] = u32[h + HEADER.failed] = u32[h + HEADER.left] = 0;
    u32[h + HEADER.stamp] = stamp;
    u32[h + HEADER.swept] = start === end ? 0 : 1;
    u32[h + HEADER.points] = start;
    u32[h + HEADER.points + 1] = end;
  }

  /** Stamps begin again at 1. */
  forgetStamps(): void {
    this.#surveyed = NONE;
    const { u32 } = this.#kernels.memory;
    const table = u32[(this.#header >>> 2) + HEADER.patches] >>> 2;
    for (let k = 0; k < this.#patchCount; k++)
      u32.fill(0, table + (PATCH >>> 2) * k + 4, table + (PATCH >>> 2) * k + 6);
    u32.fill(0, this.#coneStamps >>> 2, (this.#coneStamps >>> 2) + this.smallCount);
    for (let k = 0; k < this.itemCount; k++) {
      const o = (this.#items + ITEM * k) >>> 2;
      u32[o + 8] = u32[o + 9] = u32[o + 54] = 0;
    }
  }

  /** Every item is tried again in the next pose. */
  forgetFailures(): void {
    const { u32 } = this.#kernels.memory;
    for (let k = 0; k < this.itemCount; k++) {
      const o = (this.#items + ITEM * k) >>> 2;
      u32.fill(0, o + 9, o + 11);
      u32.fill(0, o + 54, o + 56);
    }
  }

  /** True proves that no neighbours within a patch overlap beyond what they share. */
  isUnfolded(patch: number): boolean {
    return this.#kernels.testCalm(this.#header, this.#foldItems + ITEM * patch) === 1;
  }

  /** Items of two nodes know those of each node with itself. */
  #linkToNodes(items: readonly EnergyItem[], nodeCount: number): void {
    const { u32 } = this.#kernels.memory;
    const ofNode = new Uint32Array(nodeCount);
    items.forEach(({ nodes: [a, b] }, k) => {
      if (a === b) ofNode[a] = this.#items + ITEM * k;
    });
    items.forEach(({ nodes: [a, b] }, k) => {
      if (a !== b) u32.set([ofNode[a], ofNode[b]], (this.#items + ITEM * k + 240) >>> 2);
    });
  }

  /** Those of patches with themselves, with other limits. */
  #writeFoldItems({ folds, rootUnit }: EnergyData): void {
    const { u8, f64 } = this.#kernels.memory;
    for (let patch = 0; patch < folds!.length; patch++) {
      const item = this.itemOfPatch[patch];
      if (item < 0) continue; // nobody asks
      const from = this.#items + ITEM * item,
        to = this.#foldItems + ITEM * patch;
      u8.copyWithin(to, from, from + ITEM);
      const root = folds![patch] * rootUnit * (1 - 2 ** -50);
      f64[(to >>> 3) + 6] = root;
      if (f64[(to >>> 3) + 16] > 0) f64[(to >>> 3) + 16] = root;
    }
  }

  /** True proves that nothing touches within what an item is about, by its outline and by how its triangles face. */
  isSmooth(item: number): boolean {
    const address = this.#items + ITEM * item;
    if (this.#kernels.memory.u32[(address >>> 2) + 53] === 0) return false;
    return this.#kernels.testOutline(this.#header, address) === 1;
  }

  /** √ℰ: below it nothing touches within what an item is about; 0: no proof. */
  limitOf(item: number): number {
    return this.#kernels.memory.f64[((this.#items + ITEM * item) >>> 3) + 6];
  }

  /** The same by its energy. */
  isCalm(item: number): boolean {
    if (!(this.#kernels.memory.f64[((this.#items + ITEM * item) >>> 3) + 6] > 0)) return false;
    return this.#kernels.testCalm(this.#header, this.#items + ITEM * item) === 1;
  }

  /** Boxes of all small patches, and what proofs are likely to need of them. */
  survey(): void {
    this.#kernels.survey(this.#header);
    if (this.#read(HEADER.swept) === 1) this.#surveyed = this.#read(HEADER.stamp);
  }

  /** What was at the end is now at the start. */
  #exchange(name: 'slots' | 'grams' | 'loose' | 'boxes', addresses: [number, number]): void {
    addresses.reverse();
    this.#kernels.memory.u32.set(addresses, (this.#header >>> 2) + HEADER[name]);
  }

  /**
   * What is left, with boxes of small patches and above in the cells of `frame`: the lists below. Boxes go to `boxes`, one
   * per node, those at the end of a motion `stride` bytes further on.
   */
  list(boxes: number, stride: number, frame: Float64Array): void {
    const { u8, u32, f64 } = this.#kernels.memory;
    const h = this.#header >>> 2;
    f64.set(frame, this.#frame >>> 3);
    u32[h + HEADER.nodeBoxes] = boxes;
    u32[h + HEADER.stride] = stride;
    u32[h + HEADER.innerCount] = u32[h + HEADER.leafCount] = u32[h + HEADER.openCount] = 0;
    u32[h + HEADER.left] = u32[h + HEADER.coarseTests] = 0;
    u8.fill(0, this.#marks, this.#marks + this.smallCount);
    this.#kernels.fitUpper(this.#header);
    this.#kernels.listCalm(this.#header);
  }

  /** How proofs fare by some of them: adds to `tests`, `failed` and `leftPairs`. */
  sample({ items }: Sample): void {
    for (const item of items) this.#kernels.sampleCalm(this.#header, item);
  }

  /** Boxes of all nodes below marked patches. `vertexBoxes` has room for a box per point. */
  fitParts(vertexBoxes: number): void {
    this.#kernels.memory.u32[(this.#header >>> 2) + HEADER.vertexBoxes] = vertexBoxes;
    this.#kernels.fitParts(this.#header);
  }

  /** Of the last `list`: two numbers per range in memory.u32, from here on. */
  get innerRanges(): number {
    return this.#read(HEADER.inner) >>> 2;
  }

  get innerCount(): number {
    return this.#read(HEADER.innerCount);
  }

  get leafRanges(): number {
    return this.#read(HEADER.leaf) >>> 2;
  }

  get leafCount(): number {
    return this.#read(HEADER.leafCount);
  }

  /** Pairs of small patches that are not in these ranges; no more than there is room for. */
  get openPairs(): number {
    return this.#read(HEADER.open) >>> 2;
  }

  get openCount(): number {
    return this.#read(HEADER.openCount);
  }

  get hasRoom(): boolean {
    return this.#read(HEADER.openCount) <= this.#read(HEADER.openRoom);
  }

  /** Pairs in the ranges. */
  get leftPairs(): number {
    return this.#read(HEADER.left);
  }

  /** Pairs of nodes above small patches that were tested. */
  get coarseTests(): number {
    return this.#read(HEADER.coarseTests);
  }

  /** Triangles below marked patches. */
  countMarked(): number {
    const { u8 } = this.#kernels.memory;
    let sum = 0;
    for (let k = 0; k < this.smallCount; k++) sum += u8[this.#marks + k] * this.#trianglesOf[k];
    return sum;
  }

  /** Items that were left out and have exceptions. */
  get cleared(): number {
    return this.#read(HEADER.cleared) >>> 2;
  }

  get clearedCount(): number {
    return this.#read(HEADER.clearedCount);
  }

  get tests(): number {
    return this.#read(HEADER.tests);
  }

  /** How much was computed for this pose: small patches whose cones were fitted or energies summed, corners of outlines. */
  get cones(): number {
    return this.#read(HEADER.coneCount);
  }

  get sums(): number {
    return this.#read(HEADER.sumCount);
  }

  get corners(): number {
    return this.#read(HEADER.cornerCount);
  }

  get failed(): number {
    return this.#read(HEADER.failed);
  }

  /** @internal For tests: where it is in kernel memory. */
  get layout(): { readonly header: number; readonly items: number; readonly patchCount: number } {
    return { header: this.#header, items: this.#items, patchCount: this.#patchCount };
  }

  free(): void {
    for (const address of this.#pieces) this.#kernels.memory.free(address);
    this.#pieces.length = 0;
  }

  #read(field: number): number {
    return this.#kernels.memory.u32[(this.#header >>> 2) + field];
  }

  #take(bytes: number): number {
    const address = this.#kernels.memory.allocate(bytes);
    this.#pieces.push(address);
    this.#bytes += bytes;
    return address;
  }
}
