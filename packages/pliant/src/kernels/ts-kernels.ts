import type { Kernels } from './kernels.ts';
import type { KernelMemory } from './memory.ts';
import { pointBounds, quantise, refit } from './ts/boxes.ts';
import { gatherPoints, morphPoints, skinPoints, transformPoints } from './ts/deform.ts';
import { descend, refitBoxes } from './ts/depth-first.ts';
import { placeHandles } from './ts/handle-boxes.ts';
import { narrowPairs } from './ts/narrow.ts';
import { descendOnDemand, ensureBox, testBoxes } from './ts/on-demand.ts';
import { dropSeparated } from './ts/separation.ts';
import { testSmallPairs } from './ts/small-pairs.ts';
import {
  dropAdjacent,
  expandMovingPairs,
  expandPairs,
  testAlike,
  testMovingPairs,
  testPairs,
  testSiblings,
} from './ts/traverse.ts';

/** The kernels in TypeScript: where WebAssembly is refused, and as the oracle of the fast ones. */
export function createTsKernels(memory: KernelMemory): Kernels {
  return {
    name: 'ts',
    memory,
    pointBounds: (points, count, out) => pointBounds(memory.f64, points >>> 3, count, out >>> 3),
    quantise: (points, count, frame, boxes) =>
      quantise(memory.f64, points >>> 3, count, frame >>> 3, memory.i32, boxes >>> 2),
    refit: (nodeCount, link, corners, vertexBoxes, nodeBoxes) =>
      refit(memory.i32, nodeCount, link >>> 2, corners >>> 2, vertexBoxes >>> 2, nodeBoxes >>> 2),
    testPairs: (pairs, count, boxesA, boxesB, next, leaves, counts) =>
      testPairs(
        memory.i32,
        pairs >>> 2,
        count,
        boxesA >>> 2,
        boxesB >>> 2,
        next >>> 2,
        leaves >>> 2,
        counts >>> 2,
      ),
    testAlike: (pairs, count, boxesA, boxesB, out) =>
      testAlike(memory.i32, pairs >>> 2, count, boxesA >>> 2, boxesB >>> 2, out >>> 2),
    testSiblings: (from, to, link, boxes, next, leaves, counts) =>
      testSiblings(memory.i32, from, to, link >>> 2, boxes >>> 2, next >>> 2, leaves >>> 2, counts >>> 2),
    expandPairs: (pairs, count, linkA, boxesA, linkB, boxesB, next, leaves, counts) =>
      expandPairs(
        memory.i32,
        pairs >>> 2,
        count,
        linkA >>> 2,
        boxesA >>> 2,
        linkB >>> 2,
        boxesB >>> 2,
        next >>> 2,
        leaves >>> 2,
        counts >>> 2,
      ),
    testMovingPairs: (pairs, count, boxesA, strideA, boxesB, strideB, next, leaves, counts) =>
      testMovingPairs(
        memory.i32,
        pairs >>> 2,
        count,
        boxesA >>> 2,
        strideA >>> 2,
        boxesB >>> 2,
        strideB >>> 2,
        next >>> 2,
        leaves >>> 2,
        counts >>> 2,
      ),
    expandMovingPairs: (pairs, count, linkA, boxesA, strideA, linkB, boxesB, strideB, next, leaves, counts) =>
      expandMovingPairs(
        memory.i32,
        pairs >>> 2,
        count,
        linkA >>> 2,
        boxesA >>> 2,
        strideA >>> 2,
        linkB >>> 2,
        boxesB >>> 2,
        strideB >>> 2,
        next >>> 2,
        leaves >>> 2,
        counts >>> 2,
      ),
    dropAdjacent: (pairs, count, link, corners) =>
      dropAdjacent(memory.i32, pairs >>> 2, count, link >>> 2, corners >>> 2),
    dropSeparated: (
      pairs,
      count,
      linkA,
      cornersA,
      startA,
      endA,
      linkB,
      cornersB,
      startB,
      endB,
      levels,
      room,
    ) =>
      dropSeparated(
        memory,
        pairs >>> 2,
        count,
        linkA >>> 2,
        cornersA >>> 2,
        startA >>> 3,
        endA >>> 3,
        linkB >>> 2,
        cornersB >>> 2,
        startB >>> 3,
        endB >>> 3,
        levels,
        room >>> 3,
      ),
    narrowPairs: (
      pairs,
      count,
      linkA,
      cornersA,
      pointsA,
      linkB,
      cornersB,
      pointsB,
      bound,
      hits,
      unsure,
      counts,
    ) =>
      narrowPairs(
        memory.i32,
        memory.f64,
        pairs >>> 2,
        count,
        linkA >>> 2,
        cornersA >>> 2,
        pointsA >>> 3,
        linkB >>> 2,
        cornersB >>> 2,
        pointsB >>> 3,
        bound,
        hits >>> 2,
        unsure >>> 2,
        counts >>> 2,
      ),
    refitBoxes: (nodeCount, link, corners, points, boxes, grow) =>
      refitBoxes(
        memory.i32,
        memory.f64,
        nodeCount,
        link >>> 2,
        corners >>> 2,
        points >>> 3,
        boxes >>> 3,
        grow,
      ),
    descend: (stack, depth, linkA, boxesA, linkB, boxesB, leaves, room, steps, self, counts) =>
      descend(
        memory.i32,
        memory.f64,
        stack >>> 2,
        depth,
        linkA >>> 2,
        boxesA >>> 3,
        linkB >>> 2,
        boxesB >>> 3,
        leaves >>> 2,
        room,
        steps,
        self,
        counts >>> 2,
      ),
    placeHandles: (side, end) => placeHandles(memory, side >>> 2, end),
    ensureBox: (side, node) => void ensureBox(memory, side >>> 2, node),
    testBoxes: (a, n, b, m) => testBoxes(memory, a >>> 2, n, b >>> 2, m),
    descendOnDemand: (a, b, stack, depth, leaves, room, steps, self, counts) =>
      descendOnDemand(
        memory,
        a >>> 2,
        b >>> 2,
        stack >>> 2,
        depth,
        leaves >>> 2,
        room,
        steps,
        self,
        counts >>> 2,
      ),
    testSmallPairs: (side, stack, depth, leaves, room, steps, counts) =>
      testSmallPairs(memory, side >>> 2, stack >>> 2, depth, leaves >>> 2, room, steps, counts >>> 2),
    gatherPoints: (from, fromCount, source, count, out) =>
      gatherPoints(memory, from >>> 3, fromCount, source >>> 2, count, out >>> 3),
    transformPoints: (rest, count, matrix, out) =>
      transformPoints(memory.f64, rest >>> 3, count, matrix >>> 3, out >>> 3),
    morphPoints: (rest, count, start, mode, delta, weights, out) =>
      morphPoints(
        memory.f64,
        memory.u32,
        rest >>> 3,
        count,
        start >>> 2,
        mode >>> 2,
        delta >>> 3,
        weights >>> 3,
        out >>> 3,
      ),
    skinPoints: (points, count, start, joint, weight, matrices, out) =>
      skinPoints(
        memory.f64,
        memory.u32,
        points >>> 3,
        count,
        start >>> 2,
        joint >>> 2,
        weight >>> 3,
        matrices >>> 3,
        out >>> 3,
      ),
  };
}
