/** The triangles around vertex v are `list[start[v] … start[v + 1])`, ascending. */
export interface VertexTriangles {
  readonly start: Uint32Array;
  readonly list: Uint32Array;
}

/** A triangle with repeated corners is listed once per distinct vertex. */
export function createVertexTriangles(triangles: Uint32Array, vertexCount: number): VertexTriangles {
  const start = new Uint32Array(vertexCount + 1);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t],
      b = triangles[t + 1],
      c = triangles[t + 2];
    start[a + 1]++;
    if (b !== a) start[b + 1]++;
    if (c !== a && c !== b) start[c + 1]++;
  }
  for (let v = 0; v < vertexCount; v++) start[v + 1] += start[v];

  const next = start.slice(0, vertexCount);
  const list = new Uint32Array(start[vertexCount]);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t],
      b = triangles[t + 1],
      c = triangles[t + 2];
    list[next[a]++] = t / 3;
    if (b !== a) list[next[b]++] = t / 3;
    if (c !== a && c !== b) list[next[c]++] = t / 3;
  }
  return { start, list };
}
