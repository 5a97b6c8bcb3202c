import { InputError } from '../../mesh/input-error.ts';
import type { Analysis } from './analysis.ts';

/** Where the header stands; below is what AssemblyScript may want. */
export const HEADER = 4096;
/** In this order, as in kernels/algebra/header.ts. */
const HEADER_FIELDS = [
  ...(['size', 'count', 'first', 'rowStart', 'row', 'panelStart', 'panels', 'of'] as const),
  ...(['head', 'next', 'position', 'map', 'least', 'scratch', 'vectors', 'pivot'] as const),
];
const PAGE = 65536;
/** What one wasm memory can have, less a page so that every end is an address. */
export const MOST_BYTES = 65536 * PAGE - PAGE;
/** Numbers: 32 for sums, 96 for the reciprocals of a diagonal, 96 for a row to waste. */
const SCRATCH = 224;
export const COLUMNS_AT_ONCE = 8;

/** Two counts, and the byte addresses of the parts of a factor. */
export interface FactorLayout {
  readonly size: number;
  readonly count: number;
  readonly first: number;
  readonly rowStart: number;
  readonly row: number;
  readonly panelStart: number;
  readonly panels: number;
  readonly of: number;
  readonly head: number;
  readonly next: number;
  readonly position: number;
  readonly map: number;
  readonly least: number;
  readonly scratch: number;
  readonly vectors: number;
  readonly pivot: number;
  /** Not in the header: where everything ends, a whole number of pages. */
  readonly bytes: number;
}

/** Refuses with the bytes needed when they are more than `maximumBytes`; nothing has been allocated then. */
export function layOut(analysis: Analysis, maximumBytes = MOST_BYTES): FactorLayout {
  const { blockSize, supernodes, order, panelStart } = analysis;
  const { count } = supernodes;
  const size = order.length,
    rows = supernodes.row.length * blockSize;
  let end = HEADER + 4 * HEADER_FIELDS.length;
  const place = (bytes: number) => {
    const address = Math.ceil(end / 16) * 16;
    end = address + bytes;
    return address;
  };
  const layout = {
    size,
    count,
    first: place(4 * (count + 1)),
    rowStart: place(4 * (count + 1)),
    row: place(4 * rows),
    panelStart: place(4 * (count + 1)),
    of: place(4 * size),
    head: place(4 * count),
    next: place(4 * count),
    position: place(4 * count),
    map: place(4 * size),
    least: place(8 * size),
    scratch: place(8 * SCRATCH),
    pivot: place(8),
    vectors: place(8 * COLUMNS_AT_ONCE * size),
    panels: place(8 * panelStart[count]),
    bytes: 0,
  };
  layout.bytes = Math.ceil(end / PAGE) * PAGE;
  const most = Math.min(maximumBytes, MOST_BYTES);
  if (layout.bytes > most) {
    throw new InputError(
      'too-large',
      `the factor of this matrix of ${size} unknowns needs ${layout.bytes} bytes; there may be ${most}`,
    );
  }
  return layout;
}

/** Writes header and tables, which stay as they are from then on. */
export function writeTables(buffer: ArrayBuffer, layout: FactorLayout, analysis: Analysis): void {
  const { blockSize: b, supernodes, panelStart } = analysis;
  const { size, count, first, rowStart, row, of } = layout;
  new Uint32Array(buffer, HEADER, HEADER_FIELDS.length).set(HEADER_FIELDS.map((field) => layout[field]));
  const table = (address: number, length: number) => new Uint32Array(buffer, address, length);
  const firsts = table(first, count + 1),
    rowStarts = table(rowStart, count + 1),
    rows = table(row, supernodes.row.length * b),
    ofs = table(of, size);
  for (let s = 0; s <= count; s++) {
    firsts[s] = supernodes.first[s] * b;
    rowStarts[s] = supernodes.rowStart[s] * b;
  }
  table(layout.panelStart, count + 1).set(panelStart);
  for (let k = 0; k < rows.length; k++) rows[k] = supernodes.row[Math.trunc(k / b)] * b + (k % b);
  for (let k = 0; k < size; k++) ofs[k] = supernodes.of[Math.trunc(k / b)];
}
