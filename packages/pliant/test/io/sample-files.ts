/** Writes binary files by hand. */
export class ByteWriter {
  private readonly values: number[] = [];
  private readonly littleEndian: boolean;

  constructor(littleEndian = true) {
    this.littleEndian = littleEndian;
  }

  text(text: string): this {
    this.values.push(...new TextEncoder().encode(text));
    return this;
  }

  uint8(...values: number[]): this {
    this.values.push(...values);
    return this;
  }

  int16(...values: number[]): this {
    return this.each(values, 2, (view, value) => view.setInt16(0, value, this.littleEndian));
  }

  int32(...values: number[]): this {
    return this.each(values, 4, (view, value) => view.setInt32(0, value, this.littleEndian));
  }

  uint64(...values: number[]): this {
    return this.each(values, 8, (view, value) => view.setBigUint64(0, BigInt(value), this.littleEndian));
  }

  float32(...values: number[]): this {
    return this.each(values, 4, (view, value) => view.setFloat32(0, value, this.littleEndian));
  }

  float64(...values: number[]): this {
    return this.each(values, 8, (view, value) => view.setFloat64(0, value, this.littleEndian));
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.values);
  }

  private each(values: number[], size: number, set: (view: DataView, value: number) => void): this {
    for (const value of values) {
      const bytes = new Uint8Array(size);
      set(new DataView(bytes.buffer), value);
      this.values.push(...bytes);
    }
    return this;
  }
}

export function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

/** Corners of a skewed tetrahedron with a fifth point, none of them alike. */
export const POINTS = [0, 0, 0, 1.5, 0, 0.25, 0, 2, 0, 0.125, 0, 3, -1, -2, -3.5];
/** Two tetrahedra on those points. */
export const TETS = [0, 1, 2, 3, 0, 2, 1, 4];
/** Two triangles and a fanned quad. */
export const TRIANGLES = [0, 1, 2, 0, 3, 1, 0, 1, 2, 0, 2, 3];

const P = (v: number) => POINTS.slice(3 * v, 3 * v + 3).join(' ');

export function objSample(): Uint8Array {
  return text(`# a comment
mtllib a.mtl
o thing
v ${P(0)}
v ${P(1)} 0.5 0.5 0.5
v ${P(2)} 1.0
vt 0 0
vn 0 0 1
v ${P(3)}
v ${P(4)}
g left
usemtl red
f 1 2 3
f 1//1 4//1 2//1
g right
f -5/1/1 -4/1/1 \\
  -3/1/1 -2/1/1
l 1 2
p 1
`);
}

export function offSample(): Uint8Array {
  return text(`OFF
# points
5 3 0
${P(0)}
${P(1)} # the second
${P(2)}
${P(3)}
${P(4)}
3 0 1 2
3 0 3 1 255 0 0
4 0 1 2 3
`);
}

export function asciiPlySample(): Uint8Array {
  return text(`ply
format ascii 1.0
comment made by hand
element vertex 5
property float x
property uchar red
property float y
property list uchar int neighbours
property double z
element edge 2
property int vertex1
property int vertex2
element face 3
property uchar flags
property list uchar int vertex_indices
end_header
0 7 0 2 1 2 0
1.5 7 0 0 0.25
0 7 2 1 3 0
0.125 7 0 0 3
-1 7 -2 0 -3.5
0 1
1 2
9 3 0 1 2
9 3 0 3 1
9 4 0 1 2 3
`);
}

export function binaryPlySample(littleEndian: boolean): Uint8Array {
  const out = new ByteWriter(littleEndian).text(`ply
format binary_${littleEndian ? 'little' : 'big'}_endian 1.0
obj_info none
element vertex 5
property float32 x
property uint8 red
property float32 y
property list uint8 int16 neighbours
property double z
element edge 2
property int vertex1
property int vertex2
element face 3
property uchar flags
property list uchar int vertex_index
end_header
`);
  for (let v = 0; v < 5; v++) {
    const [x, y, z] = POINTS.slice(3 * v, 3 * v + 3);
    out.float32(x).uint8(7).float32(y).uint8(v);
    for (let i = 0; i < v; i++) out.int16(i);
    out.float64(z);
  }
  out.int32(0, 1, 1, 2);
  return out.uint8(9, 3).int32(0, 1, 2).uint8(9, 3).int32(0, 3, 1).uint8(9, 4).int32(0, 1, 2, 3).bytes();
}

export function asciiStlSample(): Uint8Array {
  const facet = (...v: number[]) =>
    ` facet normal nan 0 1\n  outer loop\n${v.map((i) => `   vertex ${P(i)}\n`).join('')}  endloop\n endfacet\n`;
  return text(
    `solid first part\n${facet(0, 1, 2)}${facet(0, 3, 1)}endsolid first part\nSOLID\n${facet(0, 1, 2, 3)}ENDSOLID\n`,
  );
}

export function binaryStlSample(header = 'solid but binary'): Uint8Array {
  const out = new ByteWriter().text(header.padEnd(80, ' ')).int32(TRIANGLES.length / 3);
  for (let t = 0; t < TRIANGLES.length; t += 3) {
    out.float32(Number.NaN, 0, 0);
    for (const v of TRIANGLES.slice(t, t + 3)) out.float32(...POINTS.slice(3 * v, 3 * v + 3));
    out.int16(-1);
  }
  return out.bytes();
}

export function meditSample(): Uint8Array {
  return text(`MeshVersionFormatted 2
Dimension
3
# comment
Vertices
5
${P(0)} 0
${P(1)} 0
${P(2)} 0
${P(3)} 0
${P(4)} 7
Corners
1
3
Triangles
2
1 2 3 0
1 4 2 0
Quadrilaterals 1
1 2 3 4 0
Tetrahedra
2
1 2 3 4 0
1 3 2 5 0
Edges
1
1 2 0
End
`);
}

export function gmsh2Sample(): Uint8Array {
  return text(`$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
3 1 "body"
$EndPhysicalNames
$Nodes
5
10 ${P(0)}
7 ${P(1)}
30 ${P(2)}
4 ${P(3)}
99 ${P(4)}
$EndNodes
$Elements
7
1 15 2 0 1 10
2 1 2 0 1 10 7
3 2 2 0 1 10 7 30
4 2 2 0 1 10 4 7
5 3 2 0 1 10 7 30 4
6 4 2 0 1 10 7 30 4
7 4 0 10 30 7 99
$EndElements
`);
}

export function binaryGmsh2Sample(littleEndian = true): Uint8Array {
  const out = new ByteWriter(littleEndian).text('$MeshFormat\n2.2 1 8\n').int32(1);
  out.text('\n$EndMeshFormat\n$Nodes\n5\n');
  for (let v = 0; v < 5; v++) out.int32(v + 1).float64(...POINTS.slice(3 * v, 3 * v + 3));
  out.text('\n$EndNodes\n$Elements\n6\n');
  out.int32(15, 1, 2, 1, 0, 0, 1);
  out.int32(2, 2, 2, 2, 0, 0, 1, 2, 3, 3, 0, 0, 1, 4, 2);
  out.int32(3, 1, 0, 4, 1, 2, 3, 4);
  out.int32(4, 2, 1, 5, 0, 1, 2, 3, 4, 6, 0, 1, 3, 2, 5);
  return out.text('\n$EndElements\n').bytes();
}

export function gmsh4Sample(): Uint8Array {
  return text(`$MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
0 0 0 0
$EndEntities
$Nodes
2 5 1 5
2 1 1 2
1
2
${P(0)} 0.5 0.5
${P(1)} 0.5 0.5
3 1 0 3
3
4
5
${P(2)}
${P(3)}
${P(4)}
$EndNodes
$Elements
4 6 1 6
1 1 1 1
1 1 2
2 1 2 2
2 1 2 3
3 1 4 2
2 1 3 1
4 1 2 3 4
3 1 4 2
5 1 2 3 4
6 1 3 2 5
$EndElements
$Surface
0
$EndSurface
`);
}

export function binaryGmsh4Sample(littleEndian = true): Uint8Array {
  const out = new ByteWriter(littleEndian).text('$MeshFormat\n4.1 1 8\n').int32(1);
  out.text('\n$EndMeshFormat\n$Entities\n').uint64(0, 0, 0, 0).text('\n$EndEntities\n$Nodes\n');
  out.uint64(2, 5, 1, 5);
  out.int32(2, 1, 1).uint64(2, 1, 2);
  for (let v = 0; v < 2; v++) out.float64(...POINTS.slice(3 * v, 3 * v + 3), 0.5, 0.5);
  out
    .int32(3, 1, 0)
    .uint64(3, 3, 4, 5)
    .float64(...POINTS.slice(6));
  out.text('\n$EndNodes\n$Elements\n').uint64(3, 5, 1, 5);
  out.int32(2, 1, 2).uint64(2, 1, 1, 2, 3, 2, 1, 4, 2);
  out.int32(2, 1, 3).uint64(1, 3, 1, 2, 3, 4);
  out.int32(3, 1, 4).uint64(2, 4, 1, 2, 3, 4, 5, 1, 3, 2, 5);
  return out.text('\n$EndElements\n').bytes();
}

export function nodeSample(base = 1): Uint8Array {
  const lines = [0, 1, 2, 3, 4].map((v) => `${v + base}  ${P(v)}  0.5 ${v}`);
  return text(`# nodes\n5 3 1 1\n${lines.join('\n')}\n# end\n`);
}

export function eleSample(base = 1): Uint8Array {
  const corners = TETS.map((v) => v + base);
  return text(
    `2 4 1\n${base} ${corners.slice(0, 4).join(' ')} 3\n${base + 1} ${corners.slice(4).join(' ')} 3\n`,
  );
}

export function vtkSample(): Uint8Array {
  return text(`# vtk DataFile Version 3.0
a title
ASCII
DATASET UNSTRUCTURED_GRID
FIELD FieldData 1
TIME 1 1 double
0.5
POINTS 5 double
${[0, 1, 2, 3, 4].map(P).join('\n')}
METADATA
INFORMATION 0

CELLS 6 25
1 0
3 0 1 2
3 0 3 1
4 0 1 2 3
4 0 1 2 3
4 0 2 1 4
CELL_TYPES 6
1 5 5 9 10 10
POINT_DATA 5
SCALARS nothing that we read
`);
}

export function binaryVtkSample(): Uint8Array {
  return new ByteWriter(false)
    .text('# vtk DataFile Version 3.0\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n')
    .float32(...POINTS)
    .text('\nCELLS 6 25\n')
    .int32(1, 0, 3, 0, 1, 2, 3, 0, 3, 1, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 2, 1, 4)
    .text('\nCELL_TYPES 6\n')
    .int32(1, 5, 5, 9, 10, 10)
    .text('\nCELL_DATA 6\n')
    .bytes();
}

export function vtk5Sample(isBinary: boolean): Uint8Array {
  const out = new ByteWriter(false).text(
    `# vtk DataFile Version 5.1\ntitle\n${isBinary ? 'BINARY' : 'ASCII'}\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n`,
  );
  const offsets = [0, 1, 4, 7, 11, 15, 19];
  const corners = [0, 0, 1, 2, 0, 3, 1, 0, 1, 2, 3, ...TETS];
  const types = [1, 5, 5, 9, 10, 10];
  if (!isBinary) {
    out.text(`${POINTS.join(' ')}\nCELLS 7 19\nOFFSETS vtktypeint64\n${offsets.join(' ')}\n`);
    out.text(`CONNECTIVITY vtktypeint64\n${corners.join(' ')}\nCELL_TYPES 6\n${types.join('\n')}\n`);
    return out.bytes();
  }
  out
    .float64(...POINTS)
    .text('\nCELLS 7 19\nOFFSETS vtktypeint64\n')
    .uint64(...offsets);
  out
    .text('\nCONNECTIVITY vtktypeint64\n')
    .uint64(...corners)
    .text('\nCELL_TYPES 6\n');
  return out.int32(...types).bytes();
}

export function polydataSample(): Uint8Array {
  return text(`# vtk DataFile Version 2.0
title
ASCII
DATASET POLYDATA
POINTS 5 float
${POINTS.join(' ')}
VERTICES 1 2
1 0
POLYGONS 3 13
3 0 1 2
3 0 3 1
4 0 1 2 3
`);
}

export function vegSample(base = 1): Uint8Array {
  const corners = TETS.map((v) => v + base);
  return text(`# Vega mesh file.
*VERTICES
5 3 0 0
${[0, 1, 2, 3, 4].map((v) => `${v + base} ${P(v)}`).join('\n')}

*ELEMENTS
TET
2 4 0
${base} ${corners.slice(0, 4).join(' ')}
${base + 1} ${corners.slice(4).join(' ')}

*MATERIAL BODY
ENU, 1000, 10000000, 0.4
`);
}

export function mddSample(): Uint8Array {
  const out = new ByteWriter(false).int32(3, 2).float32(0, 0.5, 1);
  for (let k = 0; k < 3; k++) out.float32(k, 1, 2, 3, 4, 5.5);
  return out.bytes();
}
