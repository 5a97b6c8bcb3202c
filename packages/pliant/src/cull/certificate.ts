import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { QuantisedBoxes, QuantiseScratch } from '../refit/quantised-boxes.ts';
import type { PairBuffer } from '../report/pair-buffer.ts';
import type { Tree } from '../tree/tree.ts';

/** A proof prepared at rest, tried before volumes are compared. Plugs into every self-query. */
export interface Certificate {
  /** The tree whose nodes it speaks of: the body's own. */
  readonly tree: Tree;
  /** The only body it speaks of, where it has to do with more than the tree; a query of another one refuses it. */
  readonly body?: unknown;
  /** Nodes with fewer triangles are never cleared. Default: it may clear any, but children of small ones are not asked about. */
  readonly smallest?: number;
  /** False: it only ever clears a node with itself, so nobody need ask about others. Default: true. */
  readonly provesPairs?: boolean;
  /** True: it has been disposed of, and nobody takes it any more. Default: false. */
  readonly isDisposed?: boolean;
  /** Once per query: computes what depends on the pose only. `swept` asks for proofs about the whole motion. */
  begin(swept: boolean): void;
  /**
   * True proves that no triangle under `a` touches a non-neighbour under `b`, in this pose or throughout the motion,
   * but for those listed by `exceptions`. False says nothing. `a` may equal `b`.
   */
  clears(a: number, b: number): boolean;
  /**
   * The same for a list: keeps the pairs that are not cleared, in place, and returns how many those are. Pairs are
   * two numbers each from `nodes[first]` on. Exceptions of cleared pairs are added to `exceptions`.
   */
  filter?(nodes: Uint32Array, first: number, count: number, exceptions: PairBuffer): number;
  /**
   * All that is left to look at, at once: adds pairs of nodes to `open` outside of which nothing touches but what is
   * listed in `exceptions`. False when there is no such list, or when it would be longer than `most`: then nothing that
   * was added counts, and nodes have to be asked about.
   */
  listOpen?(open: PairBuffer, exceptions: PairBuffer, most: number): boolean;
  /**
   * The same as ranges of the body's static front, ascending: of its inner pairs and of its leaf pairs. False when there
   * is no such list.
   */
  listFront?(inner: PairBuffer, leaf: PairBuffer, exceptions: PairBuffer): boolean;
  /** Asked before `fitOpen`, which it makes no sense to ask when this is false. Default: true. */
  mayFit?(): boolean;
  /**
   * The same before boxes have been fitted: lists what is left, and fits those boxes that this needs. 'nothing' when it
   * has no list; with 'all' the list counts, but it needs so many that all are to be fitted.
   */
  fitOpen?(open: OpenParts): 'nothing' | 'parts' | 'all';
  /** After a query that could have asked `fitOpen`: what was tested in all. */
  learn?(nodePairs: number, trianglePairs: number): void;
  /** True: `clearsFolds` may be true. */
  readonly provesFolds?: boolean;
  /** True proves that no two triangles below a node that share vertices overlap beyond these, in this pose. */
  clearsFolds?(node: number): boolean;
  /** Triangle pairs that the proof for (a, b) leaves out and that must still be tested. Default: none. */
  exceptions?(a: number, b: number, out: PairBuffer): void;
  /** Frees its memory and takes it from its body. Afterwards `isDisposed` is true. Default: it holds none. */
  dispose?(): void;
}

/** What is left of a self-query, and the boxes of nodes that this needs. */
export interface OpenParts {
  /** Ranges of the static front, ascending: of its inner pairs and of its leaf pairs. */
  readonly innerRanges: PairBuffer;
  readonly leafRanges: PairBuffer;
  /** Pairs of nodes that are in none of these ranges. */
  readonly pending: PairBuffer;
  readonly exceptions: PairBuffer;
  /** To be fitted, in the cells of `frame`. */
  readonly boxes: QuantisedBoxes;
  readonly frame: Float64Array;
  readonly scratch: QuantiseScratch;
}

/** Throws where certificates are none, or are not about this body. */
export function checkCertificates(certificates: readonly Certificate[], body: { readonly tree: Tree }): void {
  if (!Array.isArray(certificates)) {
    throw new InputError('bad-option', `certificates must be an array, not ${describe(certificates)}`);
  }
  for (let k = 0; k < certificates.length; k++) {
    const { begin, clears, tree, body: ofBody, isDisposed } = (certificates[k] ?? {}) as Partial<Certificate>;
    if (typeof begin !== 'function' || typeof clears !== 'function') {
      throw new InputError('bad-option', `certificates[${k}] has no begin and clears`);
    }
    if (isDisposed === true) {
      throw new InputError('disposed', `certificates[${k}] has been disposed of`);
    }
    if (tree !== body.tree) {
      throw new InputError(
        'mismatch',
        'this certificate was prepared for another tree than that of the body',
      );
    }
    if (ofBody !== undefined && ofBody !== body) {
      throw new InputError('mismatch', 'this certificate was prepared for another body of the same mesh');
    }
  }
}

export const NO_CERTIFICATES: readonly Certificate[] = [];
