import {
  type Body,
  CollisionReport,
  findAllCollisions,
  findSelfCollisions,
} from '../../packages/pliant/src/index.ts';
import { finishHash, mixHash } from '../../packages/pliant/src/mesh/hash.ts';
import { bruteForcePairs, type Placed } from './brute-force.ts';
import type { CharacterScene } from './character-scenes.ts';
import { hashReport } from './hash.ts';
import type { Answer, Contender } from './measure.ts';
import type { BodyMethod } from './moving-bodies.ts';

/** What `pliant check` asks about a frame: each body with itself, where its shape changes, and all with each other. */
export class CharacterContender implements Contender {
  readonly name: BodyMethod;
  /** Of each body with itself, and of all with each other. */
  readonly own: readonly CollisionReport[];
  readonly between = new CollisionReport();
  readonly #scene: CharacterScene;
  readonly #bodies: readonly Body[];

  constructor(scene: CharacterScene, bodies: readonly Body[], method: BodyMethod) {
    this.name = method;
    this.#scene = scene;
    this.#bodies = bodies;
    this.own = bodies.map((body) => findSelfCollisions(body, { method }));
  }

  run(frame: number): void {
    const method = this.name;
    const bodies = this.#bodies;
    const { deforms } = this.#scene;
    this.#scene.pose(bodies, frame);
    for (let m = 0; m < bodies.length; m++) {
      if (deforms[m]) findSelfCollisions(bodies[m], { method, report: this.own[m] });
    }
    if (bodies.length > 1) findAllCollisions(bodies, { method, report: this.between });
  }

  answer(): Answer {
    let hash = mixHash(0, this.own.length),
      pairs = 0;
    for (const report of [...this.own, this.between]) {
      hash = mixHash(hash, hashReport(report));
      pairs += report.pairCount;
    }
    return { hash: finishHash(hash) >>> 0, pairs };
  }

  /** The frame once more by brute force; one line for each pair of bodies about which it says something else. */
  compareWithBruteForce(frame: number): string[] {
    this.run(frame);
    const bodies = this.#bodies;
    const lines: string[] = [];
    const compare = (a: number, b: number, found: string, expected: [number, number][]) => {
      if (found === expected.join(' ')) return;
      lines.push(`frame ${frame}: bodies ${a} and ${b}: brute force finds other pairs, ${expected.length}`);
    };
    const placed = bodies.map((body): Placed => ({ mesh: body.mesh, positions: body.getPositions() }));
    bodies.forEach((body, m) => {
      const local = { mesh: body.mesh, positions: body.getLocalPositions() };
      compare(m, m, this.own[m].sortedPairs().join(' '), bruteForcePairs(local, local));
    });
    const found = this.#pairsBetween();
    for (let a = 0; a < bodies.length; a++) {
      for (let b = a + 1; b < bodies.length; b++) {
        const pairs = found.get(a * bodies.length + b) ?? [];
        compare(a, b, pairs.join(' '), bruteForcePairs(placed[a], placed[b]));
      }
    }
    return lines;
  }

  /** By the first body × bodies + the second. */
  #pairsBetween(): Map<number, [number, number][]> {
    const { between } = this;
    const found = new Map<number, [number, number][]>();
    between.sortedPairs().forEach((pair, k) => {
      const key = between.bodies![2 * k] * this.#bodies.length + between.bodies![2 * k + 1];
      const known = found.get(key);
      if (known) known.push(pair);
      else found.set(key, [pair]);
    });
    return found;
  }
}
