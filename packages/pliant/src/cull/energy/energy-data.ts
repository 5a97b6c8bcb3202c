import { floor32 } from '../../algebra/rounding.ts';
import type { Body } from '../../body/body.ts';
import { InputError } from '../../mesh/input-error.ts';
import { CommonVertices } from '../../tree/common-vertices.ts';
import type { Tree } from '../../tree/tree.ts';
import { ExceptionPairs } from '../exception-pairs.ts';
import { findTouchingPairs, RestShapeDistances, type TouchingPairs } from '../rest-pairs.ts';
import { type EnergyPatches, NONE, type OpenPoints, PatchBuilder } from './energy-patches.ts';
import { type FrontPairs, listFrontPairs } from './front-pairs.ts';
import { GreenDistances } from './green.ts';
import { listOutlines, type Outlines } from './outlines.ts';
import { Patch } from './patch.ts';
import { SmallPatchesAt, sharedPoints } from './patch-neighbours.ts';
import { PatchSearch } from './patch-search.ts';
import { computeSurfaceWeights, type SurfaceWeights } from './surface-weights.ts';

/** What is known of patches, or of pairs of them. */
export interface Limits {
  /** √ℰ in units of √`unit`; 0: no proof. */
  readonly root: Float32Array;
  readonly rows: Uint32Array;
  /** Upper bound of the Frobenius norm of |L|: rounding grows with it. */
  readonly norm: Float32Array;
  /** Gram of LX: xx, xy, xz, yy, yz, zz. */
  readonly restGram: Float64Array;
}

/** What takes long to find. All else follows from the body and the sizes. */
export interface EnergyRoots {
  readonly self: Float32Array;
  readonly between: Float32Array;
  readonly folds?: Float32Array;
}

/** Everything that proofs need at run time. */
export interface EnergyData {
  readonly sizes: EnergySizes;
  readonly patches: EnergyPatches;
  readonly pairs: FrontPairs;
  /** Of a patch with itself. */
  readonly self: Limits;
  /** √ℰ of triangles of a patch that share vertices and overlap beyond them, as in `self`; 0: no proof. */
  readonly folds?: Float32Array;
  /** Of the pairs of `pairs`, between one and the other only. */
  readonly between: Limits;
  /** Per pair: the patch that is both together, or −1. */
  readonly jointPatch: Int32Array;
  readonly pairSharedStart: Uint32Array;
  readonly pairShared: Uint32Array; // as in EnergyPatches
  readonly outlines: Outlines;
  readonly exceptions: ExceptionPairs;
  /** √ of the mean area of a point. */
  readonly rootUnit: number;
  /** Upper bound of the distance of two neighbours at rest. */
  readonly restReach: number;
  readonly mostNeighbours: number;
  /** Patches and pairs without a proof because it would have taken more than was allowed. */
  readonly givenUp: number;
  /** What the searches took, see `PatchSearch.visits`. */
  readonly visits: number;
}

export interface EnergySizes {
  readonly small: number;
  readonly largest: number;
  /** True: folds are proved as well. */
  readonly folds: boolean;
}

/** Closer than this share of the body's diagonal at rest, a pair is always tested. */
const TOUCHING = 1e-6;
const EXCEPTION_SHARE = 1 / 32;
/** Fewer shared points hold two patches together too loosely. */
const LEAST_SHARED = 3;
/** … and fewer than this are held together better by the patches around them. */
const FIRM = 5;
/** Squared triangles of pairs of patches, per triangle and size of the largest patch: surfaces need 2 to 7. */
const PAIR_WORK = 32;
/** What is given away of an energy to rounding before it is stored. */
const KEEP = 1 - 1e-6;

/** Yields the share that is done, after every patch. With the roots of an earlier run there is little to do. */
export function* prepareEnergyData(
  body: Body,
  sizes: EnergySizes,
  known?: EnergyRoots,
  hasOutlines = true,
  effort = Infinity,
): Generator<number, EnergyData> {
  const { tree, resident, engine } = body;
  const surface = computeSurfaceWeights(resident);
  const distances = new RestShapeDistances(tree, surface.rest, surface.corners);
  const touching = findTouchingPairs(tree, distances, TOUCHING * distances.diagonal, EXCEPTION_SHARE);
  yield 0;
  const patch = new Patch(surface);
  const patches = new PatchBuilder(tree, surface, patch, sizes);
  const { inner, leaf } = resident.front; // may allocate
  const common = new CommonVertices(tree, resident.mesh);
  const { u32 } = engine.kernels.memory;
  const listOf = ({ address, list }: typeof inner) =>
    u32.subarray(address >>> 2, (address >>> 2) + 2 * list.pairCount);
  const pairs = listFrontPairs(tree, common, listOf(inner), listOf(leaf), sizes.small);
  yield 0;
  const maker = new LimitMaker(tree, surface, distances, touching, patch, patches, pairs, sizes, effort);
  if (known) maker.take(known);
  yield* maker.run();
  return maker.finish(hasOutlines);
}

/** Of typed arrays. */
export function bytesOfData(data: EnergyData): number {
  const { patches, pairs, self, between, outlines, sizes: _, ...rest } = data;
  const values = [patches, pairs, self, between, outlines, rest].flatMap((part): unknown[] =>
    Object.values(part),
  );
  return values.reduce<number>(
    (sum, value) => sum + (ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? value.byteLength : 0),
    0,
  );
}

class LimitMaker {
  readonly #tree: Tree;
  readonly #surface: SurfaceWeights;
  readonly #distances: RestShapeDistances;
  readonly #touching: TouchingPairs;
  readonly #patch: Patch;
  readonly #green: GreenDistances;
  readonly #search: PatchSearch;
  readonly #patches: PatchBuilder;
  readonly #smallOnesAt: SmallPatchesAt;
  readonly #pairs: FrontPairs;
  readonly #sizes: EnergySizes;
  readonly #self: Limits;
  readonly #between: Limits;
  readonly #folds: Float32Array | undefined;
  readonly #jointPatch: Int32Array;
  readonly #sharedStart: Uint32Array;
  readonly #shared: number[] = [];
  readonly #effort: number;
  #givenUp = 0;
  #squares = 0; // of the triangles of all patches and pairs that were prepared
  #mostNeighbours = 0;
  #known: EnergyRoots | undefined;

  constructor(
    tree: Tree,
    surface: SurfaceWeights,
    distances: RestShapeDistances,
    touching: TouchingPairs,
    patch: Patch,
    patches: PatchBuilder,
    pairs: FrontPairs,
    sizes: EnergySizes,
    effort: number,
  ) {
    this.#effort = effort;
    this.#tree = tree;
    this.#surface = surface;
    this.#distances = distances;
    this.#touching = touching;
    this.#patch = patch;
    this.#patches = patches;
    this.#smallOnesAt = new SmallPatchesAt(patches);
    this.#pairs = pairs;
    this.#sizes = sizes;
    this.#green = new GreenDistances(surface);
    const keys = new Set<number>();
    const slots = tree.order.length;
    for (let k = 0; k < touching.slots.length; k += 2)
      keys.add(touching.slots[k] * slots + touching.slots[k + 1]);
    this.#search = new PatchSearch(tree, surface, distances, (s, t) =>
      keys.has(Math.min(s, t) * slots + Math.max(s, t)),
    );
    this.#self = createLimits(patches.nodes.length);
    this.#between = createLimits(pairs.count);
    this.#folds = sizes.folds ? new Float32Array(patches.nodes.length) : undefined;
    this.#jointPatch = new Int32Array(pairs.count).fill(-1);
    this.#sharedStart = new Uint32Array(pairs.count + 1);
  }

  /** Error 'mismatch' when these are roots of something else. */
  take(known: EnergyRoots): void {
    const { self, between, folds } = known;
    const isOurs =
      self.length === this.#self.root.length &&
      between.length === this.#between.root.length &&
      folds?.length === this.#folds?.length;
    if (!isOurs) throw new InputError('mismatch', 'these proofs are about another body');
    this.#known = known;
  }

  *run(): Generator<number, void> {
    const { slotCount } = this.#tree;
    const patches = this.#patches;
    const pairs = this.#pairs;
    const owner = ownersOf(pairs);
    const isUsable = (k: number) => this.#isJoint(k, owner[k]);
    let work = 0,
      done = 0;
    const { nodes } = patches;
    for (const node of nodes) work += slotCount[node] ** 2;
    for (let k = 0; k < pairs.count; k++) {
      if (isUsable(k)) work += (slotCount[pairs.a[k]] + slotCount[pairs.b[k]]) ** 2;
    }
    for (let k = 0; k < nodes.length; k++) {
      this.#preparePatch(k);
      done += slotCount[nodes[k]] ** 2;
      yield done / work;
    }
    for (let k = 0; k < pairs.count; k++) {
      this.#sharedStart[k] = this.#shared.length / 3;
      if (this.#jointPatch[k] >= 0 || !isUsable(k)) continue;
      this.#preparePair(k);
      done += (slotCount[pairs.a[k]] + slotCount[pairs.b[k]]) ** 2;
      yield Math.min(1, done / work);
    }
    this.#sharedStart[pairs.count] = this.#shared.length / 3;
  }

  finish(hasOutlines: boolean): EnergyData {
    const patches = this.#patches.finish();
    const { rest, corners } = this.#surface;
    return {
      sizes: this.#sizes,
      patches,
      outlines: listOutlines(this.#tree, rest, corners, patches, this.#pairs, hasOutlines),
      pairs: this.#pairs,
      self: this.#self,
      between: this.#between,
      ...(this.#folds && { folds: this.#folds }),
      jointPatch: this.#jointPatch,
      pairSharedStart: this.#sharedStart,
      pairShared: Uint32Array.from(this.#shared),
      exceptions: new ExceptionPairs(this.#tree, this.#touching.slots),
      rootUnit: Math.sqrt(this.#surface.unit),
      restReach: this.#distances.diagonal * (1 + 1e-9),
      mostNeighbours: this.#mostNeighbours,
      givenUp: this.#givenUp,
      visits: this.#search.visits,
    };
  }

  /** A patch with itself, and its two halves with each other. */
  #preparePatch(k: number): void {
    const { firstSlot, slotCount } = this.#tree;
    const node = this.#patches.nodes[k];
    this.#patch.load(firstSlot[node], slotCount[node]);
    this.#measure(this.#self, k);
    const pair = this.#pairs.ofNode[node];
    const hasPair = k >= this.#patches.smallCount && pair < this.#pairs.count;
    if (hasPair) {
      this.#jointPatch[pair] = k;
      this.#measure(this.#between, pair);
    }
    if (this.#known) {
      this.#self.root[k] = this.#known.self[k];
      if (this.#folds) this.#folds[k] = this.#known.folds![k];
      if (hasPair) this.#between.root[pair] = this.#known.between[pair];
      return;
    }
    const { below, isCrowded } = this.#touching;
    if (isCrowded[node] || below[node] > 2 + EXCEPTION_SHARE * slotCount[node]) return;
    if (slotCount[node] < 2 || this.#surface.unit === 0 || !this.#green.compute(this.#patch)) return;
    this.#search.load(this.#patch, this.#green, node);
    this.#search.allow(this.#effort * slotCount[node]);
    this.#searchPatch(k, node, hasPair ? pair : -1);
    if (this.#search.isSpent) this.#givenUp++;
  }

  /** `pair`: of its two halves, or −1. */
  #searchPatch(k: number, node: number, pair: number): void {
    const { link } = this.#tree;
    if (this.#folds) this.#folds[k] = this.#stored(this.#search.leastFold(node, Infinity));
    if (pair < 0) {
      this.#store(this.#self, k, this.#search.leastRoot(node, node, Infinity));
      return;
    }
    const child = link[node];
    const across = this.#search.leastRoot(child, child + 1, Infinity);
    this.#store(this.#between, pair, across);
    const first = this.#search.leastRoot(child, child, across);
    this.#store(this.#self, k, Math.min(first, this.#search.leastRoot(child + 1, child + 1, first)));
  }

  #preparePair(k: number): void {
    const { firstSlot, slotCount } = this.#tree;
    const a = this.#pairs.a[k],
      b = this.#pairs.b[k];
    const { patchOfNode, open } = this.#patches;
    const first = patchOfNode[a],
      second = patchOfNode[b];
    const points = sharedPoints(open[first], open[second]);
    const isLast = this.#pairs.next[k] === k + 1;
    const between = isLast && points.length < FIRM ? this.#around(points, a, b) : [];
    const nodes = [a, b, ...between.map((patch) => this.#patches.nodes[patch])];
    const triangles = nodes.reduce((sum, node) => sum + slotCount[node], 0);
    const isBridged = between.length > 0 && triangles <= this.#sizes.largest;
    if (!isBridged && points.length < LEAST_SHARED) return;
    const used = isBridged ? nodes : [a, b];
    this.#patch.load(...used.flatMap((node) => [firstSlot[node], slotCount[node]]));
    this.#measure(this.#between, k);
    if (this.#known) this.#between.root[k] = this.#known.between[k];
    else if (!this.#isAffordable(isBridged ? triangles : slotCount[a] + slotCount[b])) this.#givenUp++;
    else if (this.#green.compute(this.#patch)) {
      this.#search.load(this.#patch, this.#green, a, b);
      this.#search.allow(this.#effort * (slotCount[a] + slotCount[b]));
      this.#store(this.#between, k, this.#search.leastRoot(a, b, Infinity));
      if (this.#search.isSpent) this.#givenUp++;
    }
    if (this.#between.root[k] === 0) return;
    if (isBridged) this.#jointPatch[k] = this.#bridge(first, second, between);
    else this.#share(open[first], open[second]);
  }

  /** Whether one pair more, of so many triangles, is within what bodies of this size may take; if so, it is counted. */
  #isAffordable(triangles: number): boolean {
    const most = PAIR_WORK * this.#sizes.largest * this.#tree.order.length;
    if (this.#squares + triangles ** 2 > most) return false;
    this.#squares += triangles ** 2;
    return true;
  }

  /** Small patches at these points that are below neither node. */
  #around(points: readonly number[], a: number, b: number): number[] {
    const { firstSlot, slotCount } = this.#tree;
    const { nodes } = this.#patches;
    const isBelow = (slot: number, node: number) =>
      slot >= firstSlot[node] && slot < firstSlot[node] + slotCount[node];
    return this.#smallOnesAt.list(points).filter((patch) => {
      const slot = firstSlot[nodes[patch]];
      return !isBelow(slot, a) && !isBelow(slot, b);
    });
  }

  /** One patch of several: each that is added shares points with what is there. */
  #bridge(first: number, second: number, between: readonly number[]): number {
    const { open } = this.#patches;
    const rest = [...between, second];
    let joint = first;
    while (rest.length > 0) {
      const shared = rest.map((patch) => sharedPoints(open[joint], open[patch]).length);
      const [next] = rest.splice(shared.indexOf(Math.max(...shared)), 1);
      joint = this.#patches.unite(joint, next);
    }
    return joint;
  }

  /** True for pairs that get a proof of their own. */
  #isJoint(k: number, owner: number): boolean {
    const { slotCount } = this.#tree;
    const a = this.#pairs.a[k],
      b = this.#pairs.b[k];
    const { patchOfNode } = this.#patches;
    return (
      patchOfNode[a] >= 0 &&
      patchOfNode[b] >= 0 &&
      slotCount[a] + slotCount[b] <= this.#sizes.largest &&
      !this.#touching.isCrowded[owner] &&
      this.#surface.unit > 0
    );
  }

  /** Lists the points that two patches share. */
  #share(a: OpenPoints, b: OpenPoints): void {
    for (let i = 0, j = 0; i < a.points.length && j < b.points.length; ) {
      if (a.points[i] < b.points[j]) i++;
      else if (a.points[i] > b.points[j]) j++;
      else this.#shared.push(a.slots[i++], b.slots[j++], NONE);
    }
  }

  #store(limits: Limits, k: number, root: number): void {
    limits.root[k] = this.#stored(root);
  }

  #stored(root: number): number {
    return floor32((root / Math.sqrt(this.#surface.unit)) * KEEP);
  }

  /** Of the patch that is loaded. */
  #measure({ rows, norm, restGram }: Limits, k: number): void {
    const { vertexCount, points, start, neighbour, weight, size } = this.#patch;
    const { rest, scale } = this.#surface;
    rows[k] = vertexCount;
    let squares = 0;
    for (let v = 0; v < vertexCount; v++) {
      let x = 0,
        y = 0,
        z = 0;
      const o = 3 * points[v];
      for (let e = start[v]; e < start[v + 1]; e++) {
        const q = 3 * points[neighbour[e]];
        x += weight[e] * (rest[q] - rest[o]);
        y += weight[e] * (rest[q + 1] - rest[o + 1]);
        z += weight[e] * (rest[q + 2] - rest[o + 2]);
      }
      const s = scale[points[v]];
      squares += (s * size[v]) ** 2;
      addProducts(restGram, 6 * k, x * s, y * s, z * s);
      this.#mostNeighbours = Math.max(this.#mostNeighbours, start[v + 1] - start[v]);
    }
    norm[k] = Math.sqrt(squares) * (1 + 1e-6);
  }
}

function addProducts(gram: Float64Array, o: number, x: number, y: number, z: number): void {
  gram[o] += x * x;
  gram[o + 1] += x * y;
  gram[o + 2] += x * z;
  gram[o + 3] += y * y;
  gram[o + 4] += y * z;
  gram[o + 5] += z * z;
}

function createLimits(count: number): Limits {
  return {
    root: new Float32Array(count),
    rows: new Uint32Array(count),
    norm: new Float32Array(count),
    restGram: new Float64Array(6 * count),
  };
}

/** The node between whose children each pair lies. */
function ownersOf({ count, ofNode, next }: FrontPairs): Uint32Array {
  const owner = new Uint32Array(count);
  for (let node = 0; node < ofNode.length; node++) {
    if (ofNode[node] < count) owner.fill(node, ofNode[node], next[ofNode[node]]);
  }
  return owner;
}
