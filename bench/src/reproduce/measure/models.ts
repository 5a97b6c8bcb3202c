import { createDwarf } from '../../../../packages/pliant/src/shapes/dwarf.ts';
import { createMan } from '../../../../packages/pliant/src/shapes/man.ts';
import type { BenchOptions, BenchOutcome } from '../../bench.ts';
import { type CaseResult, createRow } from '../../result.ts';

const DWARF = 1_664;
const MAN = 14_000;

/** Sizes of the characters of bench `skin`, before they are subdivided. */
export async function measureModels({ quick }: BenchOptions): Promise<BenchOutcome> {
  const of: CaseResult = { name: 'models', isJudged: !quick, pairs: null, answersAgree: true };
  const characters = { dwarf: createDwarf({ triangles: DWARF }), man: createMan({ triangles: MAN }) };
  const rows = Object.entries(characters).flatMap(([name, { mesh, jointNames }]) => [
    createRow(of, { metric: `${name}-triangles`, better: 'lower', value: mesh.triangleCount, unit: '' }),
    createRow(of, { metric: `${name}-joints`, better: 'lower', value: jointNames.length, unit: '' }),
  ]);
  return { rows, notes: [] };
}
