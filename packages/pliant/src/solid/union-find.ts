/** The set's smallest member; halves the path. */
export function findRoot(parent: Int32Array, i: number): number {
  let at = i;
  while (parent[at] !== at) {
    parent[at] = parent[parent[at]];
    at = parent[at];
  }
  return at;
}

/** True when the two were apart. */
export function unite(parent: Int32Array, i: number, j: number): boolean {
  const a = findRoot(parent, i),
    b = findRoot(parent, j);
  if (a < b) parent[b] = a;
  else parent[a] = b;
  return a !== b;
}
