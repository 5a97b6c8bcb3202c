import type { Kernels } from './kernels.ts';
import type { KernelMemory } from './memory.ts';
import { fitMatrices, fitSpokes, gatherSpokes, sumSpokes } from './ts/arap.ts';
import { pointBounds, quantise, refit } from './ts/boxes.ts';
import { listCalm, testCalm } from './ts/calm.ts';
import { morphPoints, skinPoints, transformPoints } from './ts/deform.ts';
import { combineRows, factorDense, multiplyRows, solveDense, solveDenseTransposed } from './ts/dense.ts';
import { descend, refitBoxes } from './ts/depth-first.ts';
import { fitElements, sumElements } from './ts/elements.ts';
import { joinEnergies, sumEnergies } from './ts/energy.ts';
import { coupleGroups, gatherGroup, projectGroup } from './ts/groups.ts';
import { placeHandles } from './ts/handle-boxes.ts';
import { narrowPairs } from './ts/narrow.ts';
import { descendOnDemand, ensureBox, testBoxes } from './ts/on-demand.ts';
import { listOpen } from './ts/planes.ts';
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
    sumEnergies: (patches, counts, patchCount, points, near, slots, grams) =>
      sumEnergies(
        memory.u32,
        memory.f32,
        memory.f64,
        patches >>> 2,
        counts >>> 2,
        patchCount,
        points >>> 3,
        near >>> 3,
        slots >>> 3,
        grams >>> 3,
      ),
    joinEnergies: (gramA, gramB, shared, sharedCount, slots, out) =>
      joinEnergies(
        memory.u32,
        memory.f64,
        gramA >>> 3,
        gramB >>> 3,
        shared >>> 2,
        sharedCount,
        slots >>> 3,
        out >>> 3,
      ),
    listCalm: (header) => listCalm(memory, header >>> 2),
    testCalm: (header, item) => testCalm(memory, header >>> 2, item >>> 2),
    listOpen: (tree, pose, ends, most, room, queue, out, places) =>
      listOpen(memory, tree >>> 2, pose >>> 2, ends, most, room, queue >>> 2, out >>> 2, places >>> 2),
    factorDense: (A, L, stride, from, to, least) =>
      factorDense(memory.f64, A >>> 3, L >>> 3, stride, from, to, least),
    solveDense: (L, stride, from, to, rows, rowStride, count) =>
      solveDense(memory.f64, L >>> 3, stride, from, to, rows >>> 3, rowStride, count),
    solveDenseTransposed: (L, stride, size, rows, rowStride, count) =>
      solveDenseTransposed(memory.f64, L >>> 3, stride, size, rows >>> 3, rowStride, count),
    multiplyRows: (a, aStride, aCount, b, bStride, bCount, length, lower, out, outStride) =>
      multiplyRows(
        memory.f64,
        a >>> 3,
        aStride,
        aCount,
        b >>> 3,
        bStride,
        bCount,
        length,
        lower,
        out >>> 3,
        outStride,
      ),
    combineRows: (c, cStride, count, rows, rowStride, rowCount, length, out, outStride) =>
      combineRows(
        memory.f64,
        c >>> 3,
        cStride,
        count,
        rows >>> 3,
        rowStride,
        rowCount,
        length,
        out >>> 3,
        outStride,
      ),
    gatherGroup: (rows, rowCount, weights, columns, v, stride, p, isAdding) =>
      gatherGroup(
        memory.u32,
        memory.f32,
        memory.f64,
        rows === 0 ? -1 : rows >>> 2,
        rowCount,
        weights >>> 2,
        columns,
        v >>> 3,
        stride,
        p >>> 3,
        isAdding,
      ),
    projectGroup: (rows, rowCount, weights, columns, b, out, stride) =>
      projectGroup(
        memory.u32,
        memory.f32,
        memory.f64,
        rows === 0 ? -1 : rows >>> 2,
        rowCount,
        weights >>> 2,
        columns,
        b >>> 3,
        out >>> 3,
        stride,
      ),
    coupleGroups: (start, column, value, rows, from, to, weights, columns, place, other, width, out) =>
      coupleGroups(
        memory,
        start >>> 2,
        column >>> 2,
        value >>> 3,
        rows === 0 ? -1 : rows >>> 2,
        from,
        to,
        weights >>> 2,
        columns,
        place === 0 ? -1 : place >>> 2,
        other >>> 2,
        width,
        out >>> 3,
      ),
    gatherSpokes: (count, points, start, neighbour, spoke, labels, groups, matrices) =>
      gatherSpokes(
        memory.f64,
        memory.u32,
        count,
        points >>> 3,
        start >>> 2,
        neighbour >>> 2,
        spoke >>> 3,
        labels >>> 2,
        groups,
        matrices >>> 3,
      ),
    fitSpokes: (count, points, start, neighbour, spoke, rotations, b, scratch) =>
      fitSpokes(
        memory.f64,
        memory.u32,
        count,
        points >>> 3,
        start >>> 2,
        neighbour >>> 2,
        spoke >>> 3,
        rotations >>> 3,
        b >>> 3,
        scratch >>> 3,
      ),
    sumSpokes: (count, start, neighbour, spoke, labels, rotations, b) =>
      sumSpokes(
        memory.f64,
        memory.u32,
        count,
        start >>> 2,
        neighbour >>> 2,
        spoke >>> 3,
        labels >>> 2,
        rotations >>> 3,
        b >>> 3,
      ),
    fitMatrices: (count, matrices, rotations, scratch) =>
      fitMatrices(memory.f64, count, matrices >>> 3, rotations >>> 3, scratch >>> 3),
    fitElements: (count, points, corners, elements, rotations, targets, least, most, scratch) =>
      fitElements(
        memory.f64,
        memory.u32,
        count,
        points >>> 3,
        corners >>> 2,
        elements >>> 3,
        rotations >>> 3,
        targets >>> 3,
        least,
        most,
        scratch >>> 3,
      ),
    sumElements: (count, vertices, corners, elements, targets, b) =>
      sumElements(
        memory.f64,
        memory.u32,
        count,
        vertices,
        corners >>> 2,
        elements >>> 3,
        targets >>> 3,
        b >>> 3,
      ),
  };
}
