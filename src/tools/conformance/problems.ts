import { type HostValue, isTensorValue } from '../../tensor/tensor-value.js';
import { compare, type Tolerance } from '../difference.js';
import { type ConformanceDataSet, readFile } from './case.js';
import { described } from './described.js';
import type { Facts } from './facts.js';
import type { ConformanceProblem } from './result.js';
import { type ConformanceRuntime, type ConformanceSession, hostValueOf, valueFor } from './runtime.js';
import { expectedOf, feedsOf } from './values.js';

/** The facts, runtime and tolerance of a comparison. */
export interface Terms {
  readonly facts: Facts;
  readonly runtime: Pick<ConformanceRuntime, 'Tensor'>;
  readonly tolerance: Tolerance;
}

/** Runs all data sets in turn and lists the unexpected outputs. Throws the errors of a run. */
export async function problemsOf(
  dataSets: readonly ConformanceDataSet[],
  session: Pick<ConformanceSession, 'run'>,
  terms: Terms,
): Promise<ConformanceProblem[]> {
  const problems: ConformanceProblem[] = [];
  for (const set of dataSets) problems.push(...(await problemsWith(set, session, terms)));
  return problems;
}

async function problemsWith(
  set: ConformanceDataSet,
  session: Pick<ConformanceSession, 'run'>,
  { facts: { inputs, outputs, isRandom }, runtime, tolerance }: Terms,
): Promise<ConformanceProblem[]> {
  if (set.outputs.length === 0) return [{ dataSet: set.name, message: 'the data set has no output_0.pb' }];
  const feeds = Object.entries(await feedsOf(inputs, set, readFile));
  const fed = Object.fromEntries(feeds.map(([name, value]) => [name, valueFor(runtime, value)]));
  const results = (await session.run(fed as never)) as Record<string, unknown>;
  const problems: ConformanceProblem[] = [];
  for (const [output, expected] of Object.entries(await expectedOf(outputs, set, readFile))) {
    const actual = await hostValueOf(results[output]);
    const found = isRandom ? compare(formOf(actual), formOf(expected)) : compare(actual, expected, tolerance);
    const problem = described(found);
    if (problem) problems.push({ dataSet: set.name, output, ...problem });
  }
  return problems;
}

/** A tensor without its data, to compare only types and shapes. */
const formOf = (value: HostValue): HostValue => (isTensorValue(value) ? { ...value, data: [] as never } : value);
