import type { MeshDefects, TriangleMesh } from 'pliant';
import { refuseClashes } from '../output/clashes.ts';
import { coloursFor } from '../output/colours.ts';
import { writeOutput } from '../output/output-file.ts';
import { printOut } from '../output/streams.ts';
import { grouped, plural, printable, table } from '../output/text.ts';
import { filesOf, findInputs, inputNames } from '../scene/inputs.ts';
import { openScene } from '../scene/open-scene.ts';
import type { Scene, SceneMesh } from '../scene/scene.ts';
import { createShape } from '../scene/stage.ts';
import { openStored, storedJson, storedText } from './stored-info.ts';

interface MeshInfo {
  readonly name: string;
  readonly node: number | null;
  readonly kind: string;
  readonly vertices: number;
  readonly weldedVertices: number; // distinct ones
  readonly triangles: number;
  readonly firstTriangle: number;
  readonly joints: number;
  readonly morphTargets: number;
  readonly names: readonly string[]; // that --ignore can match
  readonly closed: boolean;
  readonly components: number;
  readonly defects: MeshDefects | null; // null: no triangles
}

interface SceneInfo {
  readonly version: 1;
  readonly files: readonly string[];
  readonly meshes: readonly MeshInfo[];
  readonly clips: readonly { readonly name: string; readonly duration: number }[];
  readonly frames: number | null; // of a sequence
  readonly notes: readonly string[];
}

/** Runs `pliant info`. */
export async function info(paths: readonly string[], json: string | undefined): Promise<number> {
  const stored = paths.length === 1 ? await openStored(paths[0]) : undefined;
  if (stored !== undefined) {
    await refuseClashes([{ option: '--json', path: json }]);
    if (json !== undefined)
      await writeOutput(json, `${JSON.stringify(storedJson(stored), null, 1)}\n`, 'json');
    if (json !== '-') await printOut(storedText(stored));
    return 0;
  }
  const scene = await openScene(await findInputs(paths, false));
  const found = describeScene(scene);
  await refuseClashes([{ option: '--json', path: json }], scene.inputs.flatMap(filesOf));
  if (json !== undefined) await writeOutput(json, `${JSON.stringify(found, null, 1)}\n`, 'json');
  if (json !== '-') await printOut(infoText(found));
  return 0;
}

function describeScene(scene: Scene): SceneInfo {
  const [part] = scene.parts;
  return {
    version: 1,
    files: inputNames(scene.inputs),
    meshes: scene.meshes.map((mesh) => describeMesh(scene, mesh)),
    clips: part.clips,
    frames: part.sequence?.frameCount ?? null,
    notes: part.notes,
  };
}

function describeMesh(scene: Scene, mesh: SceneMesh): MeshInfo {
  const { name, node, kind, positions, triangles, firstTriangleInFile, skin, modes, regions } = mesh;
  const shape: TriangleMesh | undefined = triangles.length > 0 ? createShape(scene, mesh) : undefined;
  return {
    name,
    node,
    kind,
    vertices: positions.length / 3,
    weldedVertices: shape?.vertexCount ?? 0,
    triangles: triangles.length / 3,
    firstTriangle: firstTriangleInFile,
    joints: skin?.jointCount ?? 0,
    morphTargets: modes?.count ?? 0,
    names: [...new Set(regions.flatMap(({ names }) => names))],
    closed: shape?.isClosed ?? false,
    components: shape?.componentCount ?? 0,
    defects: shape?.defects ?? null,
  };
}

function infoText({ files, meshes, clips, frames, notes }: SceneInfo): string {
  const { bold, dim } = coloursFor(process.stdout);
  const triangles = meshes.reduce((sum, mesh) => sum + mesh.triangles, 0);
  const name = files.length > 3 ? `${files[0]} … ${files.at(-1)}` : files.join(' + ');
  const counts = [
    plural(meshes.length, 'mesh', 'meshes'),
    plural(triangles, 'triangle'),
    frames === null ? plural(clips.length, 'clip') : plural(frames, 'frame'),
  ];
  const lines = [`${bold(printable(name, 100))}  ${dim(counts.join(', '))}`, ''];
  const [heading, ...rows] = table(
    [
      'mesh',
      'kind',
      '>vertices',
      '>welded',
      '>triangles',
      '>joints',
      '>targets',
      '>parts',
      'closed',
      'defects',
    ],
    meshes.map(meshRow),
  );
  lines.push(dim(heading), ...rows);
  if (clips.length > 0) {
    const clipRows = clips.map(({ name: clip, duration }) => [printable(clip), `${duration.toFixed(3)} s`]);
    const [clipHeading, ...clipLines] = table(['clip', '>duration'], clipRows);
    lines.push('', dim(clipHeading), ...clipLines);
  }
  if (notes.length > 0) lines.push('', ...notes.map((note) => printable(note, 200)));
  return `${lines.join('\n')}\n`;
}

function meshRow(mesh: MeshInfo): string[] {
  const { vertices, weldedVertices, triangles, joints, morphTargets, components, defects } = mesh;
  const numbers = [vertices, weldedVertices, triangles, joints, morphTargets, components].map((n) =>
    grouped(n),
  );
  return [printable(mesh.name), mesh.kind, ...numbers, mesh.closed ? 'yes' : 'no', describeDefects(defects)];
}

const DEFECTS: readonly [keyof MeshDefects, string][] = [
  ['boundaryEdges', 'boundary edge'],
  ['nonManifoldEdges', 'non-manifold edge'],
  ['flippedEdges', 'flipped edge'],
  ['degenerateTriangles', 'degenerate triangle'],
  ['duplicateTriangles', 'duplicate triangle'],
  ['unusedVertices', 'unused vertex'],
];

function describeDefects(defects: MeshDefects | null): string {
  if (defects === null) return 'no triangles';
  const found = DEFECTS.filter(([name]) => defects[name] > 0);
  const text = found.map(([name, what]) =>
    plural(defects[name], what, what.replace(/ex$/, 'ices').replace(/([eg])$/, '$1s')),
  );
  return text.join(', ') || 'none';
}
