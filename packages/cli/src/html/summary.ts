import type {
  ReportData,
  ReportFrame,
  ReportMesh,
  ReportRegionPair,
  ReportRegionRef,
} from './report-data.ts';

/** The numbers of the verdict. */
export interface Summary {
  readonly frameCount: number;
  readonly touchingFrames: number;
  readonly contacts: number; // over all frames
  readonly worst: number; // index into `frames`; −1 when nothing touches
  readonly triangles: number;
}

export function summarise({ frames, meshes }: ReportData): Summary {
  let touchingFrames = 0;
  let contacts = 0;
  let worst = -1;
  frames.forEach(({ count }, k) => {
    if (count === 0) return;
    touchingFrames++;
    contacts += count;
    if (worst < 0 || count > frames[worst].count) worst = k;
  });
  const triangles = meshes.reduce((sum, mesh) => sum + mesh.triangleCount, 0);
  return { frameCount: frames.length, touchingFrames, contacts, worst, triangles };
}

/** Most frames first, then most contacts. */
export function sortRegionPairs(pairs: readonly ReportRegionPair[]): ReportRegionPair[] {
  return [...pairs].sort(
    (x, y) => y.frames - x.frames || y.pairs - x.pairs || x.firstFrame - y.firstFrame || compareRefs(x, y),
  );
}

function compareRefs(x: ReportRegionPair, y: ReportRegionPair): number {
  return x.a[0] - y.a[0] || x.a[1] - y.a[1] || x.b[0] - y.b[0] || x.b[1] - y.b[1];
}

export interface RegionLabel {
  readonly mesh: string; // '' when there is only one mesh
  readonly region: string;
}

type NamedMesh = Pick<ReportMesh, 'name' | 'node'> & { readonly regionNames: readonly string[] };

/** How people call a region. Nameless things are called by their numbers; a mesh of one region by its own name. */
export function regionLabel(meshes: readonly NamedMesh[], [mesh, region]: ReportRegionRef): RegionLabel {
  const of = meshes[mesh];
  const meshName = of.name || `node ${of.node}`;
  if (of.regionNames.length < 2) return { mesh: '', region: meshName };
  return { mesh: meshes.length > 1 ? meshName : '', region: of.regionNames[region] || `part ${region}` };
}

/** "Walk, frame 12 (0.400 s)"; without a clip, "frame 12 (0.400 s)". */
export function frameLabel({ clip, index, time }: ReportFrame): string {
  const name = clipLabel(clip);
  return `${name === '' ? '' : `${name}, `}frame ${index} (${formatTime(time)})`;
}

/** A clip without a name is called by its number, which alone would be read as something else. */
export function clipLabel(clip: string): string {
  return /^\d+$/.test(clip) ? `clip ${clip}` : clip;
}

export function formatTime(seconds: number): string {
  return `${seconds.toFixed(3)} s`;
}

/** 12345 → "12,345". */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
