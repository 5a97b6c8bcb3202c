import type { Body } from '../body/body.ts';
import type { EnergyCertificate } from '../cull/energy/energy-certificate.ts';
import { computeSurfaceWeights, type SurfaceWeights } from '../cull/energy/surface-weights.ts';
import { findSelfCollisions } from '../query/self-collisions.ts';
import { PairBuffer } from '../report/pair-buffer.ts';
import { PatchCompliance } from './patch-compliance.ts';
import { Verification } from './verification.ts';

/*
 * An independent check of stored energy certificates. Stored are limits: "triangles of this patch do not touch as long as it
 * takes less energy than this". Everything else is computed anew from the mesh at each load. For every patch and every pair
 * of patches with a limit the check looks for a deformation that touches with less energy: two vertices are pulled together
 * in the cheapest way (`PatchCompliance`), over vertices at the rim and then from neighbour to neighbour. Vertices that
 * coincide belong to triangles that touch, so such a deformation with an energy below the limit refutes it.
 *
 * The definition of the energy (surface-weights.ts) is shared with the preparation, the search is not. Limits that are too
 * large by a few percent can escape: pulling vertices together takes a little more energy than the best contact does.
 */

/** Patches with no more vertices are searched over all pairs of them. */
const ALL = 48;
/** Vertices of larger ones from which the search begins. */
const SEEDS = 20;
const CLIMBS = 3; // searches from neighbour to neighbour
/** Patches that share fewer points may be proved as part of a larger one. */
const FIRM = 5;

export function* verifyEnergy(body: Body, certificate: EnergyCertificate): Generator<number, Verification> {
  const check = new EnergyCheck(body, certificate);
  const { verification } = check;
  check.checkRest();
  const count = certificate.program.itemCount;
  for (let item = 0; item < count && verification.refutation === undefined; item++) {
    check.checkItem(item);
    yield item / count;
  }
  return verification;
}

class EnergyCheck {
  readonly verification = new Verification();
  readonly #body: Body;
  readonly #certificate: EnergyCertificate;
  readonly #surface: SurfaceWeights;
  readonly #exceptions = new Set<number>();

  constructor(body: Body, certificate: EnergyCertificate) {
    this.#body = body;
    this.#certificate = certificate;
    this.#surface = computeSurfaceWeights(body.resident);
    const left = new PairBuffer();
    certificate.exceptions(0, 0, left);
    const slots = body.resident.slotOfTriangle;
    for (let k = 0; k < left.count; k++) {
      this.#exceptions.add(this.#key(slots[left.data[2 * k]], slots[left.data[2 * k + 1]]));
    }
  }

  /** At rest no energy is spent: what touches must be an exception, or under no limit. */
  checkRest(): void {
    const { mesh, tree, resident, engine } = this.#body;
    const { program } = this.#certificate;
    const twin = engine.createRigidBody(mesh);
    try {
      const report = findSelfCollisions(twin);
      this.verification.poses++;
      for (let k = 0; k < report.pairCount; k++) {
        const s = resident.slotOfTriangle[report.pairs[2 * k]],
          t = resident.slotOfTriangle[report.pairs[2 * k + 1]];
        if (this.#exceptions.has(this.#key(s, t))) continue;
        for (let item = 0; item < program.itemCount; item++) {
          const [a, b] = [program.nodes[2 * item], program.nodes[2 * item + 1]];
          const isCovered =
            (this.#isBelow(a, s) && this.#isBelow(b, t)) || (this.#isBelow(a, t) && this.#isBelow(b, s));
          if (!isCovered || !(program.limitOf(item) > 0)) continue;
          this.verification.refute(
            `triangles ${tree.order[s]} and ${tree.order[t]} touch at rest, but ${this.#claim(item)}`,
          );
          return;
        }
      }
    } finally {
      twin.dispose();
    }
  }

  checkItem(item: number): void {
    const { program } = this.#certificate;
    const limit = program.limitOf(item);
    const [a, b] = [program.nodes[2 * item], program.nodes[2 * item + 1]];
    if (!(limit > 0)) return;
    this.verification.nodes++;
    const first = this.#slotsOf(a),
      second = a === b ? first : this.#slotsOf(b);
    const isFirm = a === b || this.#sharedPoints(first, second) >= FIRM;
    const patch = new PatchCompliance(this.#surface, a === b ? first : [...first, ...second]);
    if (!patch.isUsable) return;
    const search = new PullSearch(
      patch,
      this.#surface,
      first,
      second,
      (s, t) => !this.#exceptions.has(this.#key(s, t)),
    );
    const { energy, i, j } = search.run();
    this.verification.contacts++;
    if (!(Math.sqrt(energy) * (1 + 1e-6) < limit)) return;
    const pose = this.#poseOf(patch, i, j);
    // A part of a larger patch has more energy there: the certificate itself must clear the pose.
    if (!isFirm && !this.#clears(pose, a, b)) return;
    const points = `vertices ${this.#vertex(patch.points[i])} and ${this.#vertex(patch.points[j])}`;
    this.verification.refute(`${points} meet with an energy of ${energy}, but ${this.#claim(item)}`, pose);
  }

  #claim(item: number): string {
    const { program } = this.#certificate;
    const [a, b] = [program.nodes[2 * item], program.nodes[2 * item + 1]];
    const what = a === b ? `node ${a} is` : `nodes ${a} and ${b} are`;
    return `${what} said to be free of contact below ${program.limitOf(item) ** 2}`;
  }

  /** Positions of all vertices, with i moved to where j is. */
  #poseOf(patch: PatchCompliance, i: number, j: number): Float64Array {
    const { mesh, resident } = this.#body;
    const positions = mesh.positions.slice();
    const { rest } = this.#surface;
    const share = patch.displacement(i, j);
    const [p, q] = [3 * patch.points[i], 3 * patch.points[j]];
    patch.points.forEach((point, k) => {
      for (let axis = 0; axis < 3; axis++) {
        positions[3 * resident.vertexOfPoint[point] + axis] -= share[k] * (rest[p + axis] - rest[q + axis]);
      }
    });
    const [u, v] = [3 * this.#vertex(patch.points[i]), 3 * this.#vertex(patch.points[j])];
    positions.copyWithin(u, v, v + 3); // to the last bit
    return positions;
  }

  #clears(pose: Float64Array, a: number, b: number): boolean {
    const { mesh, engine } = this.#body;
    const twin = engine.createFreeBody(mesh, { split: 'connected' });
    try {
      if (twin.resident !== this.#body.resident) return false;
      const certificate = this.#certificate.forBody(twin);
      twin.setPose(
        Float64Array.from(
          { length: 3 * mesh.sourceVertexCount },
          (_, k) => pose[3 * mesh.weldedVertex[Math.floor(k / 3)] + (k % 3)],
        ),
      );
      this.verification.poses++;
      certificate.rouse();
      certificate.begin(false);
      return certificate.clears(a, b);
    } finally {
      twin.dispose();
    }
  }

  #vertex(point: number): number {
    return this.#body.resident.vertexOfPoint[point];
  }

  #slotsOf(node: number): number[] {
    const { firstSlot, slotCount } = this.#body.tree;
    return Array.from({ length: slotCount[node] }, (_, k) => firstSlot[node] + k);
  }

  #sharedPoints(first: readonly number[], second: readonly number[]): number {
    const { corners } = this.#surface;
    const pointsOf = (slots: readonly number[]) =>
      new Set(slots.flatMap((s) => [...corners.subarray(3 * s, 3 * s + 3)]));
    const other = pointsOf(second);
    return [...pointsOf(first)].filter((p) => other.has(p)).length;
  }

  #isBelow(node: number, slot: number): boolean {
    const { firstSlot, slotCount } = this.#body.tree;
    return slot >= firstSlot[node] && slot < firstSlot[node] + slotCount[node];
  }

  #key(s: number, t: number): number {
    return Math.min(s, t) * this.#body.tree.order.length + Math.max(s, t);
  }
}

/** Two vertices whose triangles may not touch, and that are pulled together with the least energy. */
class PullSearch {
  readonly #patch: PatchCompliance;
  readonly #rest: Float64Array;
  readonly #corners: Uint32Array;
  readonly #isCovered: (s: number, t: number) => boolean;
  readonly #around: readonly [Map<number, number[]>, Map<number, number[]>]; // slots by vertex, of both sides
  #best = { energy: Infinity, i: -1, j: -1 };

  constructor(
    patch: PatchCompliance,
    { rest, corners }: SurfaceWeights,
    first: readonly number[],
    second: readonly number[],
    isCovered: (s: number, t: number) => boolean,
  ) {
    this.#patch = patch;
    this.#rest = rest;
    this.#corners = corners;
    this.#isCovered = isCovered;
    const list = (slots: readonly number[]) => {
      const around = new Map<number, number[]>();
      for (const slot of slots) {
        for (let c = 3 * slot; c < 3 * slot + 3; c++) {
          const v = patch.vertexOf(corners[c]);
          const known = around.get(v);
          if (known) known.push(slot);
          else around.set(v, [slot]);
        }
      }
      return around;
    };
    this.#around = [list(first), list(second)];
  }

  run(): { energy: number; i: number; j: number } {
    const [first, second] = this.#around.map((around) => this.#seedsOf([...around.keys()]));
    const tried: { energy: number; i: number; j: number }[] = [];
    for (const i of first) for (const j of second) tried.push({ energy: this.#energy(i, j), i, j });
    tried.sort((p, q) => p.energy - q.energy);
    for (const start of tried.slice(0, CLIMBS)) this.#climb(start);
    return this.#best;
  }

  /** All, or the farthest from each other. */
  #seedsOf(vertices: readonly number[]): number[] {
    if (vertices.length <= ALL) return [...vertices];
    const distance = new Float64Array(vertices.length).fill(Infinity);
    const seeds: number[] = [];
    for (let next = 0; seeds.length < SEEDS; ) {
      seeds.push(vertices[next]);
      let farthest = -1;
      vertices.forEach((v, k) => {
        distance[k] = Math.min(distance[k], this.#square(v, seeds.at(-1)!));
        if (distance[k] > farthest) {
          farthest = distance[k];
          next = k;
        }
      });
    }
    return seeds;
  }

  #climb(start: { energy: number; i: number; j: number }): void {
    let at = start;
    for (;;) {
      let better = at;
      for (const i of [at.i, ...this.#patch.neighbours(at.i)]) {
        for (const j of [at.j, ...this.#patch.neighbours(at.j)]) {
          const energy = i === at.i || j === at.j ? this.#energy(i, j) : Infinity;
          if (energy < better.energy) better = { energy, i, j };
        }
      }
      if (better === at) break;
      at = better;
    }
    if (at.energy < this.#best.energy) this.#best = at;
  }

  #energy(i: number, j: number): number {
    if (i === j || !this.#mayNotTouch(i, j)) return Infinity;
    return this.#square(i, j) * this.#patch.energy(i, j);
  }

  /** True when triangles at i and j share no vertex, and no exception is made for them. */
  #mayNotTouch(i: number, j: number): boolean {
    const [first, second] = this.#around;
    const corners = this.#corners;
    return (first.get(i) ?? []).some((s) =>
      (second.get(j) ?? []).some((t) => {
        for (let c = 3 * s; c < 3 * s + 3; c++) {
          for (let d = 3 * t; d < 3 * t + 3; d++) if (corners[c] === corners[d]) return false;
        }
        return this.#isCovered(s, t);
      }),
    );
  }

  #square(i: number, j: number): number {
    const [p, q] = [3 * this.#patch.points[i], 3 * this.#patch.points[j]];
    let sum = 0;
    for (let axis = 0; axis < 3; axis++) sum += (this.#rest[p + axis] - this.#rest[q + axis]) ** 2;
    return sum;
  }
}
