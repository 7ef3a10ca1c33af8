import type { StepTiming } from '../backends/step-timing.js';
import { formatMilliseconds, plural } from './quantities.js';

/** The steps with one operator and kernel: how many a run has, and the median of their time per run. */
export interface StepTotal {
  readonly operator: string;
  readonly kernel: string;
  readonly steps: number;
  readonly milliseconds: number;
}

/** A quantile of sorted numbers. */
export const quantile = (times: readonly number[], q: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * q))] as number;

/** Medians, as for whole runs: a few slow runs, as machines have them, would raise means above the median run. */
export function stepTotals(
  timings: readonly Pick<StepTiming, 'operator' | 'kernel' | 'run' | 'milliseconds'>[],
): StepTotal[] {
  const groups = new Map<string, { operator: string; kernel: string; steps: number; runs: Map<number, number> }>();
  for (const { operator, kernel, run, milliseconds } of timings) {
    const key = `${operator} ${kernel}`;
    const group = groups.get(key) ?? { operator, kernel, steps: 0, runs: new Map() };
    group.steps++;
    group.runs.set(run, (group.runs.get(run) ?? 0) + milliseconds);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ operator, kernel, steps, runs }) => ({
      operator,
      kernel,
      steps: Math.round(steps / runs.size),
      milliseconds: quantile(
        [...runs.values()].sort((a, b) => a - b),
        0.5,
      ),
    }))
    .sort((a, b) => b.milliseconds - a.milliseconds);
}

export const sumOf = (steps: readonly StepTotal[]): number =>
  steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0);

/** Explains steps that take longer than a run: a run makes one call into WebAssembly for consecutive steps. */
export function costOfProfiling(steps: readonly StepTotal[], median: number): string | undefined {
  const sum = sumOf(steps);
  if (sum <= median) return undefined;
  const count = steps.reduce((total, one) => total + one.steps, 0);
  return [
    `The steps take ${formatMilliseconds(sum)}, more than the median run (${formatMilliseconds(median)}): a profiled run calls WebAssembly`,
    `once for each of ${plural(count, 'step')} instead of for many at a time, and reads the clock before and after each.`,
  ].join('\n');
}
