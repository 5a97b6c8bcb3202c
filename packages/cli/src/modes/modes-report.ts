import { hashOfSurface } from 'pliant/io';
import { coloursFor } from '../output/colours.ts';
import { grouped, plural, printable, table } from '../output/text.ts';
import type { MadeModes } from './made-modes.ts';
import type { ModesSource } from './modes-source.ts';

/** What `--json` holds; it depends on files and options only. */
export function modesJson(source: ModesSource, made: MadeModes): object {
  const { model, solid, volume, fixed, rigidModes, notes } = made;
  const { origin, modes, material, singularValues } = model;
  const { surface, files } = source;
  return {
    version: 1,
    files,
    surface: {
      vertices: surface.sourceVertexCount,
      triangles: surface.triangleCount,
      hash: hashOfSurface(surface),
    },
    origin,
    count: modes.count,
    modes: Array.from({ length: modes.count }, (_, k) => ({
      name: model.names?.[k] ?? null,
      frequency: model.frequencies?.[k] ?? null,
      eigenvalue: model.eigenvalues?.[k] ?? null,
      residual: model.residuals?.[k] ?? null,
      reach: reachOf(made, k),
    })),
    singularValues: singularValues ? Array.from(singularValues) : null,
    material: material ?? null,
    solid: solid
      ? {
          vertices: solid.mesh.vertexCount,
          tetrahedra: solid.mesh.tetrahedronCount,
          volume,
          fixed,
          rigidModes: rigidModes ?? null,
          parts: solid.parts,
          lattice: solid.lattice ?? null,
        }
      : null,
    notes,
  };
}

/** What is printed for people. */
export function modesText(source: ModesSource, made: MadeModes): string {
  const { bold, dim } = coloursFor(process.stdout);
  const { model, solid, notes } = made;
  const { surface, files } = source;
  const name = files.length > 3 ? `${files[0]} … ${files.at(-1)}` : files.join(' + ');
  const counts = [
    plural(surface.sourceVertexCount, 'vertex', 'vertices'),
    plural(surface.triangleCount, 'triangle'),
    `${plural(model.modes.count, 'mode')} (${model.origin})`,
  ];
  const lines = [`${bold(printable(name, 100))}  ${dim(counts.join(', '))}`, ''];
  if (solid) lines.push(...solidLines(made), '');
  const [heading, ...rows] = modesTable(model, (k) => reachOf(made, k));
  lines.push(dim(heading), ...rows);
  if (notes.length > 0) lines.push('', ...notes.map((note) => printable(note, 300)));
  return `${lines.join('\n')}\n`;
}

/** One row per mode; columns that nothing is known for are left out. */
export function modesTable(model: MadeModes['model'], reach: (mode: number) => number): string[] {
  const { modes, names, frequencies, residuals, singularValues } = model;
  const columns: [string, (k: number) => string][] = [['>mode', (k) => String(k)]];
  if (names) columns.push(['name', (k) => printable(names[k])]);
  if (frequencies) columns.push(['>frequency', (k) => `${digits(frequencies[k])} Hz`]);
  if (residuals) columns.push(['>residual', (k) => residuals[k].toExponential(1)]);
  if (singularValues) columns.push(['>singular value', (k) => singularValues[k].toExponential(3)]);
  columns.push(['>moves up to', (k) => digits(reach(k))]);
  const rows = Array.from({ length: modes.count }, (_, k) => columns.map(([, cell]) => cell(k)));
  return table(
    columns.map(([heading]) => heading),
    rows,
  );
}

/** The farthest that one unit of a mode moves a vertex. */
export function farthest(displacements: ArrayLike<number>, count: number, mode: number): number {
  const size = displacements.length / count;
  let most = 0;
  for (let o = mode * size; o < (mode + 1) * size; o += 3) {
    most = Math.max(most, Math.hypot(displacements[o], displacements[o + 1], displacements[o + 2]));
  }
  return most;
}

function reachOf({ model: { modes } }: MadeModes, mode: number): number {
  return farthest(modes.displacements, modes.count, mode);
}

function solidLines({ model, solid, volume, fixed, rigidModes }: MadeModes): string[] {
  const { mesh, lattice } = solid!;
  const counts = `${grouped(mesh.vertexCount)} vertices, ${grouped(mesh.tetrahedronCount)} tetrahedra`;
  const cells = lattice ? `, cells of ${digits(lattice.cellSize)}` : '';
  const enclosed = lattice ? ` (the surface encloses ${digits(lattice.surfaceVolume)})` : '';
  const { young, poisson, density } = model.material!;
  const held = fixed === 0 ? 'nothing' : `${grouped(fixed ?? 0)} of ${grouped(mesh.vertexCount)} vertices`;
  const rigid = rigidModes ? `; ${plural(rigidModes, 'rigid motion')} left out` : '';
  return table(
    ['', ''],
    [
      [lattice ? 'lattice' : 'solid', `${counts}${cells}`],
      ['volume', `${digits(volume ?? 0)}${enclosed}`],
      ['material', `Young's modulus ${young}, Poisson's ratio ${poisson}, density ${density}`],
      ['held', `${held}${rigid}`],
    ],
  ).slice(1);
}

/** Five digits, never a long row of zeros. */
function digits(value: number): string {
  const text = value.toPrecision(5);
  return text.includes('e') ? value.toExponential(4) : text;
}
