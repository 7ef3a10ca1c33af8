import { cpuUsage, resourceUsage } from 'node:process';
import { SardonyxError } from '../../../src/base/errors.js';
import type { Results } from '../../../src/index.js';
import { checkTensor } from '../../../src/tensor/check-tensor.js';
import { type HostValue, isTensorValue } from '../../../src/tensor/tensor-value.js';

/** Of this process's own time, as the machine may be busy. */
const MAX_MILLISECONDS = 2000;
const MAX_KILOBYTES = 1 << 19;

/** What came of a run: a result, or a refusal; nothing where there was no model to run. */
export interface Outcome {
  readonly results?: Results;
  readonly refusal?: SardonyxError;
  /** Why neither will do. */
  readonly problem?: string;
}

/** Runs `attempt`, which must give whole results or refuse as documented, and soon. */
export async function outcomeOf(attempt: () => Promise<Results>): Promise<Outcome> {
  const started = performance.now();
  const outcome = await attempt().then(judgeResults, judgeError);
  return performance.now() - started > MAX_MILLISECONDS ? again(attempt) : outcome;
}

/** The same by this process's own time, which takes as long to ask for as a small run. */
async function again(attempt: () => Promise<Results>): Promise<Outcome> {
  const started = cpuUsage();
  const outcome = await attempt().then(judgeResults, judgeError);
  const { user, system } = cpuUsage(started);
  const elapsed = (user + system) / 1000;
  return elapsed > MAX_MILLISECONDS ? { problem: `takes ${Math.round(elapsed)} ms` } : outcome;
}

/** How far `work` raises what this process has had of memory at most, where that is beyond reason. */
export async function excessOf(work: () => Promise<void>): Promise<string | undefined> {
  const before = resourceUsage().maxRSS;
  await work();
  const taken = resourceUsage().maxRSS - before;
  return taken > MAX_KILOBYTES ? `takes ${Math.round(taken / 1024)} MB` : undefined;
}

function judgeResults(results: Results): Outcome {
  try {
    for (const value of Object.values(results)) checkWhole(value);
    return { results };
  } catch (error) {
    return { problem: `a broken result: ${(error as Error).message}` };
  }
}

function checkWhole(value: HostValue | undefined): void {
  if (value === undefined) throw new Error('an output is undefined');
  if (isTensorValue(value)) checkTensor(value);
  else if (Array.isArray(value)) value.forEach(checkWhole);
}

/** Memory that cannot be had; other RangeErrors are faults. */
const EXHAUSTED = /allocation failed|Invalid (typed )?array length|could not grow|Maximum|memory/i;

function judgeError(error: unknown): Outcome {
  const stack = (e: unknown) =>
    (e as Error)?.stack
      ?.split('\n')
      .slice(0, 4)
      .join(' ')
      .replaceAll(/file:\S*\/(src|bindings|test)\//g, '$1/');
  if (!(error instanceof SardonyxError)) return { problem: `no SardonyxError: ${stack(error)}` };
  const { code, message, place, cause } = error;
  if (code === 'INTERNAL') return { problem: `INTERNAL ${message}: ${stack(cause ?? error)}` };
  if (!place.node && !place.operator && !place.value)
    return { problem: `names no place: ${code} ${message} ${stack(cause ?? error)}` };
  if (/undefined|NaN[^"]*must|\[object/.test(error.complaint)) return { problem: `unclear: ${message}` };
  if (cause && !EXHAUSTED.test((cause as Error).message)) return { problem: `${code} by accident: ${stack(cause)}` };
  return { refusal: error };
}
