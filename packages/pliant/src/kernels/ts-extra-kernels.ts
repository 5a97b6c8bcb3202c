import type { ExtraKernels } from './extra-kernels.ts';
import type { KernelMemory } from './memory.ts';
import { fitMatrices, fitSpokes, gatherSpokes, sumSpokes } from './ts/arap.ts';
import { listCalm, sampleCalm, survey, testCalm } from './ts/calm.ts';
import { combineRows, factorDense, multiplyRows, solveDense, solveDenseTransposed } from './ts/dense.ts';
import { fitElements, sumElements } from './ts/elements.ts';
import { joinEnergies, sumEnergies } from './ts/energy.ts';
import { coupleGroups, gatherGroup, projectGroup } from './ts/groups.ts';
import { testOutline } from './ts/outline.ts';
import { fitParts, fitUpper } from './ts/parts.ts';
import { listOpen } from './ts/planes.ts';

/** The extra kernels in TypeScript. */
export function createTsExtraKernels(memory: KernelMemory): ExtraKernels {
  return {
    sumEnergies: (patches, counts, patchCount, points, near, slots, grams, loose, boxes) =>
      sumEnergies(
        memory.u32,
        memory.f32,
        memory.f64,
        patches >>> 2,
        counts >>> 2,
        patchCount,
        points >>> 3,
        near >>> 2,
        slots >>> 2,
        grams >>> 3,
        loose >>> 3,
        boxes >>> 3,
      ),
    joinEnergies: (gramA, gramB, shared, sharedCount, slots, rests, out) =>
      joinEnergies(
        memory.u32,
        memory.f32,
        memory.f64,
        gramA >>> 3,
        gramB >>> 3,
        shared >>> 2,
        sharedCount,
        slots >>> 2,
        rests >>> 3,
        out >>> 3,
      ),
    survey: (header) => survey(memory, header >>> 2),
    testOutline: (header, item) => testOutline(memory, header >>> 2, item >>> 2),
    fitUpper: (header) => fitUpper(memory, header >>> 2),
    fitParts: (header) => fitParts(memory, header >>> 2),
    listCalm: (header) => listCalm(memory, header >>> 2),
    sampleCalm: (header, first) => sampleCalm(memory, header >>> 2, first),
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
