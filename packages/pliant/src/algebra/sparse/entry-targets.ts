import { type Analysis, panelStride } from './analysis.ts';
import { inversePermutation, type SymmetricMatrix } from './symmetric-matrix.ts';

/** Where each entry of the matrix goes in the panels: a number's position, for every entry of `matrix.value`. */
export function entryTargets(matrix: SymmetricMatrix, analysis: Analysis): Uint32Array {
  const { size, start, row } = matrix;
  const { supernodes, blockSize: b, order, panelStart } = analysis;
  const place = inversePermutation(order, size);
  const { entryStart, entry } = entriesByColumn(matrix, place);
  const target = new Uint32Array(row.length);
  const panelRow = new Int32Array(size / b); // of a node, in the panel under way
  const columnOf = new Int32Array(row.length);
  for (let j = 0; j < size; j++) columnOf.fill(j, start[j], start[j + 1]);
  for (let s = 0; s < supernodes.count; s++) {
    const first = supernodes.first[s],
      last = supernodes.first[s + 1],
      rows = supernodes.rowStart[s];
    for (let node = first; node < last; node++) panelRow[node] = node - first;
    for (let p = rows; p < supernodes.rowStart[s + 1]; p++)
      panelRow[supernodes.row[p]] = last - first + p - rows;
    const stride = panelStride((last - first) * b);
    for (let column = first * b; column < last * b; column++) {
      for (let k = entryStart[column]; k < entryStart[column + 1]; k++) {
        const p = entry[k];
        const low = Math.max(place[row[p]], place[columnOf[p]]);
        const line = panelRow[Math.trunc(low / b)] * b + (low % b);
        target[p] = panelStart[s] + line * stride + column - first * b;
      }
    }
  }
  return target;
}

/** The entries of each column of the permuted lower triangle. */
function entriesByColumn({ size, start, row }: SymmetricMatrix, place: Int32Array) {
  const entryStart = new Int32Array(size + 1);
  for (let j = 0; j < size; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) entryStart[Math.min(place[j], place[row[p]]) + 1]++;
  }
  for (let j = 0; j < size; j++) entryStart[j + 1] += entryStart[j];
  const next = entryStart.slice(0, size);
  const entry = new Int32Array(row.length);
  for (let j = 0; j < size; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) entry[next[Math.min(place[j], place[row[p]])]++] = p;
  }
  return { entryStart, entry };
}
