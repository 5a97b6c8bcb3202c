/**
 * Milliseconds that `run` takes on this thread. Where other programs share the machine, a run may be interrupted;
 * then the processor time counts instead of what the clock on the wall shows. Otherwise long frames would be
 * interrupted more often than short ones, in favour of the faster contender.
 */
export function timeOf(run: () => void): number {
  const stop = startWatch();
  run();
  return stop();
}

/** The same for work that waits now and then. */
export async function timeOfAsync(run: () => Promise<void>): Promise<number> {
  const stop = startWatch();
  await run();
  return stop();
}

function startWatch(): () => number {
  const before = process.cpuUsage();
  const start = performance.now();
  return () => elapsedSince(before, start);
}

function elapsedSince(before: NodeJS.CpuUsage, start: number): number {
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  const processor = (user + system) / 1000;
  // Processor time comes in microseconds, off by a few, and includes V8's helper threads: the wall is better
  // whenever the two agree.
  return wall < SHORT || wall <= AGREE * processor ? wall : processor;
}

const SHORT = 0.05;
const AGREE = 1.05;

export function bestTimeOf(rounds: number, run: () => void): number {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) best = Math.min(best, timeOf(run));
  return best;
}
