/** Valid files that are extreme: many triangles around few vertices, many copies, many nodes. */

/** A flat polygon as one face. */
export function polygonObj(corners: number): string {
  const lines: string[] = [];
  for (let k = 0; k < corners; k++) {
    const angle = (2 * Math.PI * k) / corners;
    lines.push(`v ${Math.cos(angle).toFixed(9)} ${Math.sin(angle).toFixed(9)} 0`);
  }
  lines.push(`f ${Array.from({ length: corners }, (_, k) => k + 1).join(' ')}`);
  return `${lines.join('\n')}\n`;
}

/** One triangle again and again; with `own` vertices, which are in the same places. */
export function copiesObj(count: number, own = false): string {
  const corners = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';
  if (!own) return corners + 'f 1 2 3\n'.repeat(count);
  const faces = Array.from({ length: count }, (_, k) => `f ${3 * k + 1} ${3 * k + 2} ${3 * k + 3}\n`);
  return corners.repeat(count) + faces.join('');
}

/** Triangles whose corners are all in one point. */
export function pointObj(count: number): string {
  const faces = Array.from({ length: count }, (_, k) => `f ${3 * k + 1} ${3 * k + 2} ${3 * k + 3}\n`);
  return 'v 1 2 3\n'.repeat(3 * count) + faces.join('');
}

/** Slivers from one vertex in all directions: no two touch but there. */
export function starObj(count: number): string {
  const lines = ['v 0 0 0'];
  for (let k = 0; k < count; k++) {
    const z = 1 - (2 * k + 1) / count,
      r = Math.sqrt(1 - z * z);
    for (const angle of [2.399963 * k, 2.399963 * k + 1e-4]) {
      lines.push(`v ${r * Math.cos(angle)} ${r * Math.sin(angle)} ${z}`);
    }
    lines.push(`f 1 ${2 * k + 2} ${2 * k + 3}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Two discs of `count` triangles, one close above the other: nodes of a tree have triangles of both. */
export function discsObj(count: number): string {
  const lines: string[] = [];
  for (const z of [0, 1e-9]) {
    lines.push(`v 0 0 ${z}`);
    for (let k = 0; k < count; k++) {
      const angle = (2 * Math.PI * k) / count;
      lines.push(`v ${Math.cos(angle)} ${Math.sin(angle)} ${z}`);
    }
  }
  for (const first of [1, count + 2]) {
    for (let k = 0; k < count; k++)
      lines.push(`f ${first} ${first + 1 + k} ${first + 1 + ((k + 1) % count)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** A long, thin strip. */
export function stripObj(quads: number): string {
  const lines = ['v 0 0 0', 'v 0 1e-3 0'];
  for (let k = 1; k <= quads; k++) {
    const o = 2 * k + 1; // the two new vertices
    lines.push(`v ${k} 0 0`, `v ${k} 1e-3 0`, `f ${o - 2} ${o} ${o - 1}`, `f ${o - 1} ${o} ${o + 1}`);
  }
  return `${lines.join('\n')}\n`;
}

/** A mesh of one triangle in so many primitives. */
export function primitivesGlb(count: number): Uint8Array {
  const primitive = { attributes: { POSITION: 0 } };
  return glb({
    meshes: [{ primitives: new Array(count).fill(primitive) }],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
  });
}

/** A mesh of one triangle, shown by so many nodes: in one place, or apart by `step`. */
export function nodesGlb(count: number, step = 0): Uint8Array {
  const side = Math.ceil(Math.sqrt(count));
  const nodes = Array.from({ length: count }, (_, k) => {
    const translation = [step * (k % side), step * Math.floor(k / side), 0];
    return step === 0 ? { mesh: 0, name: `n${k}` } : { mesh: 0, name: `n${k}`, translation };
  });
  return glb({
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes,
    scenes: [{ nodes: Array.from({ length: count }, (_, k) => k) }],
  });
}

function glb(parts: object): Uint8Array {
  const points = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
  const json = JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    ...parts,
    buffers: [{ byteLength: 36 }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [
      { bufferView: 0, componentType: 5126, type: 'VEC3', count: 3, min: [0, 0, 0], max: [1, 1, 0] },
    ],
  });
  const text = new TextEncoder().encode(json.padEnd(4 * Math.ceil(json.length / 4)));
  const file = new Uint8Array(12 + 8 + text.length + 8 + 36);
  const view = new DataView(file.buffer);
  [0x46546c67, 2, file.length, text.length, 0x4e4f534a].forEach((word, k) => {
    view.setUint32(4 * k, word, true);
  });
  file.set(text, 20);
  view.setUint32(20 + text.length, 36, true);
  view.setUint32(24 + text.length, 0x4e4942, true);
  file.set(new Uint8Array(points.buffer), 28 + text.length);
  return file;
}
