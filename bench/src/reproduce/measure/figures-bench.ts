import type { Bench, BenchOptions, BenchOutcome } from '../../bench.ts';
import { isWanted } from '../../bench.ts';
import { measureConservativeness, measureCover } from './energy-figures.ts';
import { measureFunctionsAnew, measureManipulators } from './shape-figures.ts';
import { measureOverTime, measureRadii, measureRanks } from './subspace-figures.ts';

const CASES: Readonly<Record<string, (options: BenchOptions) => Promise<BenchOutcome>>> = {
  'rabbits-over-time': measureOverTime,
  'rabbit-radii': measureRadii,
  'spring-ranks': measureRanks,
  cover: measureCover,
  conservativeness: measureConservativeness,
  'functions-anew': measureFunctionsAnew,
  manipulators: measureManipulators,
};

/** Curves of the papers' plots that no other bench measures. */
export const figures: Bench = {
  name: 'figures',
  summary: "curves of the papers' plots: over time, by level, by rank, by cover; for `npm run reproduce`",
  cases: Object.keys(CASES),
  async run(options) {
    const outcomes: BenchOutcome[] = [];
    for (const [name, run] of Object.entries(CASES)) {
      if (!isWanted(name, options)) continue;
      options.log(name);
      outcomes.push(await run(options));
    }
    return {
      rows: outcomes.flatMap(({ rows }) => rows),
      notes: outcomes.flatMap(({ notes }) => notes),
      series: outcomes.flatMap(({ series = [] }) => series),
    };
  },
};
