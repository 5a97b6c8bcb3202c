import { basename } from 'node:path';
import { grouped, plural, printable, table } from '../output/text.ts';

/** What became of one mesh. */
export interface CorrectedMesh {
  readonly name: string;
  readonly node: number;
  /** Pairs of triangles that touch, before and in the file that was written; and those of the bind pose among them. */
  readonly before: number;
  readonly after: number;
  readonly atBind: number;
  /** Vertices that move, and how far the farthest goes in the pose, in world units. */
  readonly moved: number;
  readonly furthest: number;
  /** The name of the morph target; null when nothing was written for this mesh. */
  readonly target: string | null;
}

export interface CorrectOutcome {
  readonly file: string;
  readonly out: string | undefined; // when something was written
  readonly clip: string;
  readonly time: number;
  readonly meshes: readonly CorrectedMesh[];
  /** Pairs between meshes, in the file that was written; they are left alone. */
  readonly between: number;
}

/** Pairs that should be gone, and are not. */
export function leftover({ meshes }: CorrectOutcome): number {
  return meshes.reduce((sum, { after, atBind }) => sum + Math.max(0, after - atBind), 0);
}

export function correctJson({ out, file, ...outcome }: CorrectOutcome): object {
  const named = out === undefined || out === '-' ? null : basename(out);
  return {
    version: 1,
    file: basename(file),
    out: named,
    ...outcome,
    left: leftover({ out, file, ...outcome }),
  };
}

export function correctText(outcome: CorrectOutcome): string {
  const { file, out, clip, time, meshes, between } = outcome;
  const when = `clip ${printable(clip)} at ${Number(time.toFixed(4))} s`;
  const lines = [`${printable(basename(file))}${out ? ` → ${printable(basename(out))}` : ''}  ${when}`, ''];
  if (meshes.length === 0)
    lines.push('nothing touches that the skin has brought together: nothing was written');
  else {
    const rows = meshes.map(({ name, before, after, atBind, moved, furthest }) => [
      printable(name),
      grouped(before),
      grouped(after),
      grouped(atBind),
      grouped(moved),
      furthest === 0 ? '' : furthest.toPrecision(3),
    ]);
    lines.push(...table(['mesh', '>before', '>after', '>at bind', '>vertices moved', '>by up to'], rows), '');
    const left = leftover(outcome);
    lines.push(
      left === 0 ? 'no contact is left to correct' : `${plural(left, 'contact')} could not be undone`,
    );
    if (out === undefined) lines.push('nothing was written');
  }
  if (between > 0) lines.push(`${plural(between, 'contact')} between meshes, which are left alone`);
  return `${lines.join('\n')}\n`;
}
