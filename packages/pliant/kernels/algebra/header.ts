/**
 * What a factor has in memory, by addresses. Supernode s has the columns first[s] to first[s + 1], and below its triangle
 * the rows row[rowStart[s]] to rowStart[s + 1]. Its panel has one row for each of its columns and of these rows, each of
 * an even number of f64; what pads a row is zero, what is above the diagonal is not read.
 */
@unmanaged
export class Header {
  size: u32;
  count: u32; // supernodes
  first: usize; // u32, count + 1
  rowStart: usize; // u32, count + 1
  row: usize; // u32
  panelStart: usize; // u32, count + 1: numbers before a panel
  panels: usize; // f64
  of: usize; // u32, supernode of a column
  head: usize; // i32, per supernode: the first of those that wait to update it
  next: usize; // i32, per supernode: the next in the same list
  position: usize; // u32, per supernode: rows that have been used
  map: usize; // u32, per column: row in the panel under way
  least: usize; // f64, per column: a pivot must be larger
  scratch: usize; // f64, 224: sums, from 32 on reciprocals of a diagonal, from 128 on a row to waste
  vectors: usize; // f64, 8 per column
  pivot: usize; // f64: the one that was refused
}

export const WIDEST: usize = 96;

// @ts-ignore: decorator
@inline
export function u32At(table: usize, index: usize): usize {
  return load<u32>(table + (index << 2));
}
