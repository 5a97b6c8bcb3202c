type Parents = Int32Array | Uint32Array;

/** The set's smallest member; halves the path. */
export function findRoot(parent: Parents, i: number): number {
  let at = i;
  while (parent[at] !== at) at = parent[at] = parent[parent[at]];
  return at;
}

/** True when the two were apart. The smaller root wins, so the outcome does not depend on sizes. */
export function unite(parent: Parents, i: number, j: number): boolean {
  const a = findRoot(parent, i),
    b = findRoot(parent, j);
  if (a < b) parent[b] = a;
  else parent[a] = b;
  return a !== b;
}
