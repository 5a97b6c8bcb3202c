import { floor32 } from '../../algebra/rounding.ts';
import type { Body } from '../../body/body.ts';
import type { Tree } from '../../tree/tree.ts';
import { ExceptionPairs } from '../exception-pairs.ts';
import { findTouchingPairs, RestShapeDistances, type TouchingPairs } from '../rest-pairs.ts';
import { createEnergyPatches, type EnergyPatches, NONE } from './energy-patches.ts';
import { type FrontPairs, listFrontPairs } from './front-pairs.ts';
import { GreenDistances } from './green.ts';
import { Patch } from './patch.ts';
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

/** Everything that proofs need at run time. */
export interface EnergyData {
  readonly patches: EnergyPatches;
  readonly pairs: FrontPairs;
  /** Of a patch with itself. */
  readonly self: Limits;
  /** Of the pairs of `pairs`, between one and the other only. */
  readonly between: Limits;
  /** Per pair: the patch that is both together, or −1. */
  readonly jointPatch: Int32Array;
  readonly pairSharedStart: Uint32Array;
  readonly pairShared: Uint32Array; // as in EnergyPatches
  readonly exceptions: ExceptionPairs;
  /** √ of the mean area of a point. */
  readonly rootUnit: number;
  /** Upper bound of the distance of two neighbours at rest. */
  readonly restReach: number;
  readonly mostNeighbours: number;
}

export interface EnergySizes {
  readonly small: number;
  readonly largest: number;
}

/** Closer than this share of the body's diagonal at rest, a pair is always tested. */
const TOUCHING = 1e-6;
const EXCEPTION_SHARE = 1 / 32;
/** Fewer shared points hold two patches together too loosely. */
const LEAST_SHARED = 3;
/** What is given away of an energy to rounding before it is stored. */
const KEEP = 1 - 1e-6;

/** Yields the share that is done, after every patch. */
export function* prepareEnergyData(body: Body, sizes: EnergySizes): Generator<number, EnergyData> {
  const { tree, resident, engine } = body;
  const surface = computeSurfaceWeights(resident);
  const distances = new RestShapeDistances(tree, surface.rest, surface.corners);
  const touching = findTouchingPairs(tree, distances, TOUCHING * distances.diagonal, EXCEPTION_SHARE);
  yield 0;
  const patch = new Patch(surface);
  const patches = createEnergyPatches(tree, surface, patch, sizes);
  const { inner, leaf } = resident.front; // may allocate
  const { u32 } = engine.kernels.memory;
  const pairs = listFrontPairs(
    tree,
    { pairs: u32, at: inner.address >>> 2 },
    { pairs: u32, at: leaf.address >>> 2 },
    sizes.small,
  );
  yield 0;
  const maker = new LimitMaker(tree, surface, distances, touching, patch, patches, pairs, sizes);
  yield* maker.run();
  return maker.finish();
}

class LimitMaker {
  readonly #tree: Tree;
  readonly #surface: SurfaceWeights;
  readonly #distances: RestShapeDistances;
  readonly #touching: TouchingPairs;
  readonly #patch: Patch;
  readonly #green: GreenDistances;
  readonly #search: PatchSearch;
  readonly #patches: EnergyPatches;
  readonly #pairs: FrontPairs;
  readonly #sizes: EnergySizes;
  readonly #self: Limits;
  readonly #between: Limits;
  readonly #jointPatch: Int32Array;
  readonly #sharedStart: Uint32Array;
  readonly #shared: number[] = [];
  #mostNeighbours = 0;

  constructor(
    tree: Tree,
    surface: SurfaceWeights,
    distances: RestShapeDistances,
    touching: TouchingPairs,
    patch: Patch,
    patches: EnergyPatches,
    pairs: FrontPairs,
    sizes: EnergySizes,
  ) {
    this.#tree = tree;
    this.#surface = surface;
    this.#distances = distances;
    this.#touching = touching;
    this.#patch = patch;
    this.#patches = patches;
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
    this.#self = createLimits(patches.count);
    this.#between = createLimits(pairs.count);
    this.#jointPatch = new Int32Array(pairs.count).fill(-1);
    this.#sharedStart = new Uint32Array(pairs.count + 1);
  }

  *run(): Generator<number, void> {
    const { slotCount } = this.#tree;
    const patches = this.#patches;
    const pairs = this.#pairs;
    const owner = ownersOf(pairs);
    const isUsable = (k: number) => this.#isJoint(k, owner[k]);
    let work = 0,
      done = 0;
    for (let k = 0; k < patches.count; k++) work += slotCount[patches.node[k]] ** 2;
    for (let k = 0; k < pairs.count; k++) {
      if (isUsable(k)) work += (slotCount[pairs.a[k]] + slotCount[pairs.b[k]]) ** 2;
    }
    for (let k = 0; k < patches.count; k++) {
      this.#preparePatch(k);
      done += slotCount[patches.node[k]] ** 2;
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

  finish(): EnergyData {
    return {
      patches: this.#patches,
      pairs: this.#pairs,
      self: this.#self,
      between: this.#between,
      jointPatch: this.#jointPatch,
      pairSharedStart: this.#sharedStart,
      pairShared: Uint32Array.from(this.#shared),
      exceptions: new ExceptionPairs(this.#tree, this.#touching.slots),
      rootUnit: Math.sqrt(this.#surface.unit),
      restReach: this.#distances.diagonal * (1 + 1e-9),
      mostNeighbours: this.#mostNeighbours,
    };
  }

  /** A patch with itself, and its two halves with each other. */
  #preparePatch(k: number): void {
    const { firstSlot, slotCount, link } = this.#tree;
    const node = this.#patches.node[k];
    this.#patch.load(firstSlot[node], slotCount[node]);
    this.#measure(this.#self, k);
    const pair = this.#pairs.ofNode[node];
    const hasPair = k >= this.#patches.smallCount && pair < this.#pairs.count;
    if (hasPair) {
      this.#jointPatch[pair] = k;
      this.#measure(this.#between, pair);
    }
    const { below, isCrowded } = this.#touching;
    if (isCrowded[node] || below[node] > 2 + EXCEPTION_SHARE * slotCount[node]) return;
    if (slotCount[node] < 2 || this.#surface.unit === 0 || !this.#green.compute(this.#patch)) return;
    this.#search.load(this.#patch, this.#green, node);
    if (!hasPair) {
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
    if (!this.#share(open[patchOfNode[a]], open[patchOfNode[b]])) return;
    this.#patch.load(firstSlot[a], slotCount[a], firstSlot[b], slotCount[b]);
    this.#measure(this.#between, k);
    if (!this.#green.compute(this.#patch)) return;
    this.#search.load(this.#patch, this.#green, a, b);
    this.#store(this.#between, k, this.#search.leastRoot(a, b, Infinity));
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

  /** Lists the points that two patches share; false when they are too few. */
  #share(
    a: { readonly points: Uint32Array; readonly slots: Uint32Array },
    b: { readonly points: Uint32Array; readonly slots: Uint32Array },
  ): boolean {
    const before = this.#shared.length;
    for (let i = 0, j = 0; i < a.points.length && j < b.points.length; ) {
      if (a.points[i] < b.points[j]) i++;
      else if (a.points[i] > b.points[j]) j++;
      else this.#shared.push(a.slots[i++], b.slots[j++], NONE);
    }
    if (this.#shared.length - before >= 3 * LEAST_SHARED) return true;
    this.#shared.length = before;
    return false;
  }

  #store(limits: Limits, k: number, root: number): void {
    limits.root[k] = floor32((root / Math.sqrt(this.#surface.unit)) * KEEP);
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
