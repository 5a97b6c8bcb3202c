import type { SubspaceCertificate } from '../../../src/cull/index.ts';
import { type Body, type Certificate, findSelfCollisions, type Method } from '../../../src/index.ts';
import { trianglesIntersect } from '../../../src/narrow/triangle-triangle.ts';
import { PairBuffer } from '../../../src/report/pair-buffer.ts';
import { isLeaf, ROOT, type Tree } from '../../../src/tree/tree.ts';
import { shareVertex } from '../../oracles/brute-force.ts';

/** Compares what a certificate clears with what touches: by the plain tree, or pair by pair. */
export class PoseChecker {
  readonly lies: string[] = [];
  contacts = 0;
  readonly #body: Body;
  readonly #certificate: Certificate;
  readonly #slots: Uint32Array; // of triangles
  readonly #touched: Uint32Array; // per node: the last pose with a contact under it
  readonly #crossed: Uint32Array; // and with one between its children
  readonly #exceptions = new PairBuffer();
  #poses = 0;

  constructor(body: Body, certificate: Certificate) {
    this.#body = body;
    this.#certificate = certificate;
    this.#slots = new Uint32Array(body.tree.order.length);
    body.tree.order.forEach((triangle, slot) => {
      this.#slots[triangle] = slot;
    });
    this.#touched = new Uint32Array(body.tree.nodeCount);
    this.#crossed = new Uint32Array(body.tree.nodeCount);
  }

  /** A pose of a given gauge, in a direction to which noise is added. */
  setGauge(
    certificate: SubspaceCertificate,
    towards: Float64Array | undefined,
    noise: number,
    size: number,
    random: () => number,
  ): void {
    const { gauge, balls } = certificate;
    const { centre } = balls[0];
    const way = Array.from(centre, (c, m) => (towards === undefined ? 0 : towards[m] - c));
    const length = Math.hypot(...way) || 1;
    const direction = way.map((x) => {
      const any = (gauge === 'ball' ? 2 * random() - 1 : random()) * noise;
      return x / length + any;
    });
    this.#body.setPose(direction.map((x, m) => centre[m] + 1e-3 * x));
    const unit = certificate.gaugeOfPose() / 1e-3;
    this.#body.setPose(direction.map((x, m) => centre[m] + (size / unit) * x));
  }

  /** Notes every lie about the pose that the body has, and returns how many pairs touch. */
  check(isSpotCheck = false): number {
    const body = this.#body;
    const stamp = ++this.#poses;
    const truth = pairsOf(body, 'depth-first', []);
    this.contacts += truth.length / 2;
    if (isSpotCheck) this.#compare('the plain tree', truth, everyPair(body));
    const method = (['auto', 'batch', 'on-demand'] as const)[stamp % 3];
    this.#compare(method, pairsOf(body, method, [this.#certificate]), truth);
    this.#checkNodes(truth, stamp);
    return truth.length / 2;
  }

  #compare(name: string, found: Uint32Array, expected: Uint32Array): void {
    if (found.length === expected.length && found.every((x, k) => x === expected[k])) return;
    this.lies.push(`pose ${this.#poses}: ${name} found ${found.length / 2} pairs of ${expected.length / 2}`);
  }

  #checkNodes(pairs: Uint32Array, stamp: number): void {
    const { tree } = this.#body;
    const certificate = this.#certificate;
    certificate.begin(false);
    this.#exceptions.clear();
    certificate.exceptions?.(ROOT, ROOT, this.#exceptions);
    const { data, count } = this.#exceptions;
    const known = new Set<number>();
    for (let k = 0; k < count; k++) known.add(keyOf(tree, data[2 * k], data[2 * k + 1]));
    for (let k = 0; k < pairs.length; k += 2) {
      if (!known.has(keyOf(tree, pairs[k], pairs[k + 1]))) this.#mark(pairs[k], pairs[k + 1], stamp);
    }
    for (let node = 0; node < tree.nodeCount; node++) {
      if (isLeaf(tree, node)) continue;
      const child = tree.link[node];
      if (this.#touched[node] === stamp && certificate.clears(node, node)) {
        this.lies.push(`pose ${stamp}: node ${node}`);
      }
      if (this.#crossed[node] === stamp && certificate.clears(child, child + 1)) {
        this.lies.push(`pose ${stamp}: nodes ${child} and ${child + 1}`);
      }
    }
  }

  /** All nodes that two triangles are both under. */
  #mark(i: number, j: number, stamp: number): void {
    const { link, firstSlot } = this.#body.tree;
    const s = this.#slots[i],
      t = this.#slots[j];
    for (let node = ROOT; ; ) {
      this.#touched[node] = stamp;
      const second = link[node] + 1;
      if (s < firstSlot[second] !== t < firstSlot[second]) {
        this.#crossed[node] = stamp;
        return;
      }
      node = s < firstSlot[second] ? second - 1 : second;
    }
  }
}

function keyOf({ order }: Tree, i: number, j: number): number {
  return Math.min(i, j) * order.length + Math.max(i, j);
}

/** Two triangles per pair, sorted. */
function pairsOf(body: Body, method: 'auto' | Method, certificates: readonly Certificate[]): Uint32Array {
  const { pairs, pairCount } = findSelfCollisions(body, { method, certificates });
  return sorted(
    Array.from({ length: pairCount }, (_, k) => keyOf(body.tree, pairs[2 * k], pairs[2 * k + 1])),
    body,
  );
}

/** The same by holding each triangle against each other whose box is not apart. */
function everyPair(body: Body): Uint32Array {
  const { mesh } = body;
  const { triangles, triangleCount } = mesh;
  const p = body.getLocalPositions();
  const low = new Float64Array(3 * triangleCount),
    high = new Float64Array(3 * triangleCount);
  for (let t = 0; t < 3 * triangleCount; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [x, y, z] = [0, 1, 2].map((corner) => p[3 * triangles[t + corner] + k]);
      low[t + k] = Math.min(x, y, z);
      high[t + k] = Math.max(x, y, z);
    }
  }
  const at = (corner: number) => 3 * triangles[corner];
  const keys: number[] = [];
  for (let i = 0; i < 3 * triangleCount; i += 3) {
    for (let j = i + 3; j < 3 * triangleCount; j += 3) {
      if (low[i] > high[j] || low[j] > high[i] || low[i + 1] > high[j + 1] || low[j + 1] > high[i + 1])
        continue;
      if (low[i + 2] > high[j + 2] || low[j + 2] > high[i + 2] || shareVertex(mesh, i / 3, j / 3)) continue;
      if (trianglesIntersect(p, at(i), at(i + 1), at(i + 2), p, at(j), at(j + 1), at(j + 2))) {
        keys.push(keyOf(body.tree, i / 3, j / 3));
      }
    }
  }
  return sorted(keys, body);
}

function sorted(keys: readonly number[], { tree }: Body): Uint32Array {
  const ordered = Float64Array.from(keys).sort();
  const pairs = new Uint32Array(2 * ordered.length);
  ordered.forEach((key, k) => {
    pairs[2 * k] = Math.floor(key / tree.order.length);
    pairs[2 * k + 1] = key % tree.order.length;
  });
  return pairs;
}
