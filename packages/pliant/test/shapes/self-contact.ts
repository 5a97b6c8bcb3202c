import { trianglesIntersect } from '../../src/narrow/triangle-triangle.ts';

/**
 * How many pairs of triangles touch and share no vertex, found through a uniform grid: no tree, no culling,
 * only the exact narrow phase. A pair is counted in the cell of the lower corner of its common box.
 */
export function countSelfContacts(positions: Float64Array, triangles: Uint32Array): number {
  const boxes = triangleBoxes(positions, triangles);
  const grid = createGrid(boxes);
  let contacts = 0;
  for (let cell = 0; cell + 1 < grid.start.length; cell++) {
    for (let i = grid.start[cell]; i < grid.start[cell + 1]; i++) {
      for (let j = i + 1; j < grid.start[cell + 1]; j++) {
        const s = grid.list[i],
          t = grid.list[j];
        if (!boxesMeet(boxes, s, t) || shareVertex(triangles, s, t)) continue;
        if (grid.cellOf(...lowerCorner(boxes, s, t)) === cell && touch(positions, triangles, s, t))
          contacts++;
      }
    }
  }
  return contacts;
}

function triangleBoxes(positions: Float64Array, triangles: Uint32Array): Float64Array {
  const boxes = new Float64Array(2 * triangles.length);
  for (let t = 0; 3 * t < triangles.length; t++) {
    for (let axis = 0; axis < 3; axis++) {
      const a = positions[3 * triangles[3 * t] + axis];
      const b = positions[3 * triangles[3 * t + 1] + axis];
      const c = positions[3 * triangles[3 * t + 2] + axis];
      boxes[6 * t + axis] = Math.min(a, b, c);
      boxes[6 * t + 3 + axis] = Math.max(a, b, c);
    }
  }
  return boxes;
}

function createGrid(boxes: Float64Array) {
  const count = boxes.length / 6;
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  let size = 0;
  for (let t = 0; t < count; t++) {
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], boxes[6 * t + axis]);
      high[axis] = Math.max(high[axis], boxes[6 * t + 3 + axis]);
      size += boxes[6 * t + 3 + axis] - boxes[6 * t + axis];
    }
  }
  const cell = Math.max((1.5 * size) / (3 * count), (high[0] - low[0]) / 300, (high[1] - low[1]) / 300);
  const n = low.map((l, axis) => Math.floor((high[axis] - l) / cell) + 1);
  const step = (x: number, axis: number) => Math.floor((x - low[axis]) / cell);
  const cellOf = (x: number, y: number, z: number) => step(x, 0) + n[0] * (step(y, 1) + n[1] * step(z, 2));

  const start = new Uint32Array(n[0] * n[1] * n[2] + 1);
  const visit = (t: number, use: (cell: number) => void) => {
    const o = 6 * t;
    for (let z = step(boxes[o + 2], 2); z <= step(boxes[o + 5], 2); z++) {
      for (let y = step(boxes[o + 1], 1); y <= step(boxes[o + 4], 1); y++) {
        for (let x = step(boxes[o], 0); x <= step(boxes[o + 3], 0); x++) use(x + n[0] * (y + n[1] * z));
      }
    }
  };
  for (let t = 0; t < count; t++) visit(t, (c) => start[c + 1]++);
  for (let c = 1; c < start.length; c++) start[c] += start[c - 1];
  const next = start.slice();
  const list = new Uint32Array(start[start.length - 1]);
  for (let t = 0; t < count; t++) visit(t, (c) => (list[next[c]++] = t));
  return { start, list, cellOf };
}

function boxesMeet(boxes: Float64Array, s: number, t: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (boxes[6 * s + axis] > boxes[6 * t + 3 + axis] || boxes[6 * t + axis] > boxes[6 * s + 3 + axis])
      return false;
  }
  return true;
}

function lowerCorner(boxes: Float64Array, s: number, t: number): [number, number, number] {
  const at = (axis: number) => Math.max(boxes[6 * s + axis], boxes[6 * t + axis]);
  return [at(0), at(1), at(2)];
}

export function shareVertex(triangles: Uint32Array, s: number, t: number): boolean {
  for (let i = 3 * s; i < 3 * s + 3; i++) {
    for (let j = 3 * t; j < 3 * t + 3; j++) if (triangles[i] === triangles[j]) return true;
  }
  return false;
}

export function touch(positions: Float64Array, triangles: Uint32Array, s: number, t: number): boolean {
  const [a, b, c] = [triangles[3 * s], triangles[3 * s + 1], triangles[3 * s + 2]];
  const [d, e, f] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
  return trianglesIntersect(positions, 3 * a, 3 * b, 3 * c, positions, 3 * d, 3 * e, 3 * f);
}
