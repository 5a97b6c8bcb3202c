import type { Graph } from './graph.ts';

export const LEFT = 0,
  RIGHT = 1,
  SEPARATOR = 2;

/** Shares of the nodes on the left that are tried. */
const CUTS = [0.42, 0.5, 0.58];
/** Neither side gets fewer than this share by refining. */
const LEAST_SHARE = 0.3;
const REFINING_PASSES = 3;

/** Finds small sets of nodes that part a piece of a graph in two. */
export class Separators {
  /** After `find`: the side of each node of the piece. */
  readonly side: Uint8Array;
  readonly #graph: Graph;
  readonly #piece: Int32Array;
  readonly #points: Float64Array | undefined;
  readonly #candidate: Uint8Array;
  readonly #level: Int32Array;
  readonly #queue: Int32Array;
  readonly #key: Float64Array; // by which the nodes of a piece are cut, in their order
  readonly #gain: Int32Array; // what moving a separator node to the left and to the right saves, two per node
  readonly #moved: Uint8Array;

  /** `piece` says which nodes belong together; nodes of other pieces are not there. */
  constructor(graph: Graph, piece: Int32Array, points?: Float64Array) {
    this.#graph = graph;
    this.#piece = piece;
    this.#points = points;
    this.side = new Uint8Array(graph.size);
    this.#candidate = new Uint8Array(graph.size);
    this.#level = new Int32Array(graph.size).fill(-1);
    this.#queue = new Int32Array(graph.size);
    this.#key = new Float64Array(graph.size);
    this.#gain = new Int32Array(2 * graph.size);
    this.#moved = new Uint8Array(graph.size);
  }

  /**
   * Sorts `nodes`, all of one piece, by connected component and returns where groups of components end: each a component
   * of its own, or several with at most `most` nodes together.
   */
  groupComponents(nodes: Int32Array, most: number): number[] {
    const level = this.#level;
    this.#clearLevels(nodes);
    const found = new Int32Array(nodes.length);
    const ends: number[] = [];
    let count = 0,
      begin = 0; // of the group
    for (let k = 0; k < nodes.length; k++) {
      if (level[nodes[k]] >= 0) continue;
      const reached = this.#search(nodes[k]);
      if (count > begin && count + reached - begin > most) {
        ends.push(count);
        begin = count;
      }
      found.set(this.#queue.subarray(0, reached), count);
      count += reached;
    }
    ends.push(count);
    nodes.set(found);
    return ends;
  }

  /** Sets `side` for the nodes of a connected piece; false when no separator is worth it. */
  find(nodes: Int32Array): boolean {
    let best = Infinity;
    const keep = (cost: number) => {
      if (cost >= best) return;
      best = cost;
      for (let k = 0; k < nodes.length; k++) this.side[nodes[k]] = this.#candidate[nodes[k]];
    };
    if (this.#points) this.#cutAxes(nodes, this.#points, keep);
    this.#cutLevels(nodes, keep);
    if (best === Infinity) return false;
    for (let pass = 0; pass < REFINING_PASSES; pass++) if (!this.#refine(nodes)) break;
    let separator = 0;
    for (let k = 0; k < nodes.length; k++) if (this.side[nodes[k]] === SEPARATOR) separator++;
    return separator < nodes.length / 3;
  }

  #cutAxes(nodes: Int32Array, points: Float64Array, keep: (cost: number) => void): void {
    const key = this.#key;
    for (let axis = 0; axis < 3; axis++) {
      for (let k = 0; k < nodes.length; k++) key[k] = points[3 * nodes[k] + axis];
      this.#cut(nodes, keep);
    }
  }

  /**
   * Cuts by the number of steps from a node at one end. (Also cutting halfway between four far nodes saved a fifth of the
   * operations on lattices and took longer than that.)
   */
  #cutLevels(nodes: Int32Array, keep: (cost: number) => void): void {
    let from = nodes[0],
      depth = -1;
    for (let round = 0; round < 4; round++) {
      this.#clearLevels(nodes);
      const farthest = this.#queue[this.#search(from) - 1];
      if (this.#level[farthest] <= depth) break;
      depth = this.#level[farthest];
      from = farthest;
    }
    for (let k = 0; k < nodes.length; k++) this.#key[k] = this.#level[nodes[k]];
    this.#cut(nodes, keep);
  }

  #clearLevels(nodes: Int32Array): void {
    for (let k = 0; k < nodes.length; k++) this.#level[nodes[k]] = -1;
  }

  /** The nodes with the smallest keys, about a given share of them, against the rest. */
  #cut(nodes: Int32Array, keep: (cost: number) => void): void {
    const key = this.#key,
      side = this.#candidate;
    const sorted = key.slice(0, nodes.length).sort();
    let before = sorted[0]; // nothing is smaller: no cut
    for (const share of CUTS) {
      let cut = sorted[Math.floor(share * nodes.length)];
      if (cut === sorted[0]) cut = sorted.find((value) => value > cut) ?? cut; // many equal ones at the front
      if (cut === before) continue;
      before = cut;
      for (let k = 0; k < nodes.length; k++) side[nodes[k]] = key[k] < cut ? LEFT : RIGHT;
      keep(this.#separate(nodes));
    }
  }

  /** Fills `queue` with what can be reached in the piece of `from`, marking levels; they must be -1 before. */
  #search(from: number): number {
    const { start, neighbour } = this.#graph;
    const piece = this.#piece,
      level = this.#level,
      queue = this.#queue;
    const own = piece[from];
    let count = 1;
    queue[0] = from;
    level[from] = 0;
    for (let q = 0; q < count; q++) {
      const node = queue[q];
      for (let p = start[node]; p < start[node + 1]; p++) {
        const other = neighbour[p];
        if (piece[other] !== own || level[other] !== -1) continue;
        level[other] = level[node] + 1;
        queue[count++] = other;
      }
    }
    return count;
  }

  /** Makes the nodes of one side that touch the other the separator, on the side that has fewer. What it costs. */
  #separate(nodes: Int32Array): number {
    const { start, neighbour } = this.#graph;
    const piece = this.#piece,
      side = this.#candidate;
    const own = piece[nodes[0]];
    const isAtBorder = this.#moved; // free meanwhile
    const count = [0, 0],
      border = [0, 0];
    for (let k = 0; k < nodes.length; k++) {
      const node = nodes[k];
      const s = side[node],
        other = 1 - s,
        end = start[node + 1];
      let p = start[node];
      while (p < end && (side[neighbour[p]] !== other || piece[neighbour[p]] !== own)) p++;
      isAtBorder[node] = p < end ? 1 : 0;
      count[s]++;
      border[s] += isAtBorder[node];
    }
    const chosen = border[LEFT] <= border[RIGHT] ? LEFT : RIGHT;
    for (let k = 0; k < nodes.length; k++) {
      if (side[nodes[k]] === chosen && isAtBorder[nodes[k]]) side[nodes[k]] = SEPARATOR;
    }
    count[chosen] -= border[chosen];
    return costOf(count[LEFT], count[RIGHT], border[chosen]);
  }

  /**
   * Moves separator nodes to one side, which draws their neighbours on the other side into the separator; the best moves
   * first, also a few bad ones, then back to the best state (Fiduccia and Mattheyses 1982). True if it helped.
   */
  #refine(nodes: Int32Array): boolean {
    const { start, neighbour } = this.#graph;
    const side = this.side,
      piece = this.#piece,
      moved = this.#moved;
    const own = piece[nodes[0]];
    const count = [0, 0, 0];
    const active: number[] = [];
    for (let k = 0; k < nodes.length; k++) {
      moved[nodes[k]] = 0;
      count[side[nodes[k]]]++;
      if (side[nodes[k]] === SEPARATOR) active.push(nodes[k]);
    }
    for (const node of active) this.#weigh(node, own);
    const journal: number[] = []; // node, side before
    const first = costOf(count[LEFT], count[RIGHT], count[SEPARATOR]);
    let best = first,
      bestLength = 0,
      sinceBest = 0;
    const patience = 20 + active.length / 4;
    const least = LEAST_SHARE * nodes.length;
    while (active.length > 0 && sinceBest++ < patience) {
      const move = this.#bestMove(active, count, least);
      if (move < 0) break;
      const index = move >> 1,
        to = move & 1;
      const node = active[index];
      active[index] = active[active.length - 1];
      active.pop();
      journal.push(node, SEPARATOR);
      moved[node] = 1;
      side[node] = to;
      count[to]++;
      count[SEPARATOR]--;
      for (let p = start[node]; p < start[node + 1]; p++) {
        const other = neighbour[p];
        if (piece[other] !== own) continue;
        if (side[other] === SEPARATOR) this.#weigh(other, own);
        else if (side[other] !== to) {
          journal.push(other, side[other]);
          count[side[other]]--;
          count[SEPARATOR]++;
          side[other] = SEPARATOR;
          this.#weigh(other, own);
          if (!moved[other]) active.push(other);
          for (let q = start[other]; q < start[other + 1]; q++) {
            const third = neighbour[q];
            if (piece[third] === own && side[third] === SEPARATOR) this.#weigh(third, own);
          }
        }
      }
      const cost = costOf(count[LEFT], count[RIGHT], count[SEPARATOR]);
      if (cost < best) {
        best = cost;
        bestLength = journal.length;
        sinceBest = 0;
      }
    }
    for (let k = journal.length - 2; k >= bestLength; k -= 2) side[journal[k]] = journal[k + 1];
    return best < first;
  }

  /** How many nodes moving `node` to either side would draw into the separator. */
  #weigh(node: number, own: number): void {
    const { start, neighbour } = this.#graph;
    let left = 0,
      right = 0;
    for (let p = start[node]; p < start[node + 1]; p++) {
      if (this.#piece[neighbour[p]] !== own) continue;
      const s = this.side[neighbour[p]];
      if (s === LEFT) left++;
      else if (s === RIGHT) right++;
    }
    this.#gain[2 * node + LEFT] = 1 - right;
    this.#gain[2 * node + RIGHT] = 1 - left;
  }

  /** 2 × index in `active` + side, or -1; of equal ones the one towards the smaller side, then the first. */
  #bestMove(active: readonly number[], count: readonly number[], least: number): number {
    const gain = this.#gain;
    const smaller = count[LEFT] <= count[RIGHT] ? LEFT : RIGHT;
    let best = -Infinity,
      move = -1;
    for (let k = 0; k < active.length; k++) {
      for (let turn = 0; turn < 2; turn++) {
        const to = turn === 0 ? smaller : 1 - smaller;
        const g = gain[2 * active[k] + to];
        if (g <= best || (to !== smaller && count[smaller] - (1 - g) < least)) continue;
        best = g;
        move = 2 * k + to;
      }
    }
    return move;
  }
}

/** Small for few separator nodes between equal halves (Leiserson and Lewis 1987); Infinity for no cut at all. */
function costOf(left: number, right: number, separator: number): number {
  return left === 0 || right === 0 ? Infinity : separator / (left * right);
}
