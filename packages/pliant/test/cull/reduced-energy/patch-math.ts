import { readBlendPoints } from '../../../src/cull/blend-points.ts';
import { NodeFunctions, restOf } from '../../../src/cull/reduced-energy/node-functions.ts';
import type { BlendDeformer } from '../../../src/deform/blend.ts';
import type { Body } from '../../../src/index.ts';
import type { BlendPoseNumbers } from '../blend-cases.ts';
import type { Tried } from './held-nodes.ts';

/** The functions of a node, once more. */
export function functionsOf({ body }: Pick<Tried, 'body'>, node: number): NodeFunctions {
  const { tree, resident, engine } = body;
  const points = readBlendPoints(engine.kernels.memory, resident, body.deformer as BlendDeformer);
  const functions = new NodeFunctions(points, restOf(points));
  functions.load(tree.firstSlot[node], tree.slotCount[node], Infinity, 0);
  return functions;
}

export function pointsOf(body: Body) {
  return readBlendPoints(body.engine.kernels.memory, body.resident, body.deformer as BlendDeformer);
}

/** Y of a pose, columns of three: translations relative to the centre of the node, divided by its size. */
export function columnsOf(functions: NodeFunctions, pose: BlendPoseNumbers, hasSkin: boolean): number[][] {
  const { handles, blockHandle, blockMode, centre, radius } = functions;
  const { joints, modes } = pose;
  const entry = (handle: number, row: number, column: number) => {
    if (!hasSkin) return row === column ? 1 : 0;
    return joints[12 * handle + 4 * row + column] ?? 0; // none: the phantom
  };
  const linear = (handle: number, q: number) =>
    [0, 1, 2].map((column) => [0, 1, 2].map((row) => q * entry(handle, row, column)));
  const columns = handles.flatMap((handle) => {
    const image = [0, 1, 2].map(
      (row) =>
        [0, 1, 2].reduce((sum, c) => sum + entry(handle, row, c) * centre[c], entry(handle, row, 3)) -
        centre[row],
    );
    return hasSkin ? [...linear(handle, 1), image.map((x) => x / radius)] : linear(handle, 1);
  });
  return [...columns, ...blockMode.flatMap((m, b) => linear(handles[blockHandle[b]], modes[m]))];
}

/** F of a patch: rows of k numbers. */
export function factorOf({ certificate: { patches } }: Tried, patch: number): number[][] {
  const k = (patches.firstRest[patch + 1] - patches.firstRest[patch]) / 3;
  const F = Array.from({ length: k }, () => new Array<number>(k).fill(0));
  let e = patches.firstFactor[patch];
  for (let j = 0; j < k; j++) for (let i = j; i < k; i++) F[i][j] = patches.factor[e++];
  return F;
}

/** ψ of all points: F ψ = φ. */
export function whitened(functions: NodeFunctions, F: readonly number[][]): number[][] {
  const { pointCount, functionCount: k, values } = functions;
  return Array.from({ length: pointCount }, (_, p) => {
    const psi: number[] = [];
    for (let i = 0; i < k; i++) {
      const sum = psi.reduce((rest, x, j) => rest - F[i][j] * x, values[p * k + i]);
      psi.push(sum / F[i][i]);
    }
    return psi;
  });
}

/** v with Fᵀ v = d. */
export function solveTransposed(F: readonly number[][], d: readonly number[]): number[] {
  const v = [...d];
  for (let i = d.length - 1; i >= 0; i--) {
    v[i] /= F[i][i];
    for (let j = 0; j < i; j++) v[j] -= F[i][j] * v[i];
  }
  return v;
}

export function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((x, k) => x - b[k]));
}

export function restPoint({ positions }: NodeFunctions, i: number): number[] {
  return [...positions.subarray(3 * i, 3 * i + 3)];
}
