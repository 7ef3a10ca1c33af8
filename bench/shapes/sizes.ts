// One runtime at one size after another, in a process of its own: receives a job, sends a report.
import { readFileSync } from 'node:fs';
import type { Results, Tensor } from '../../src/index.js';
import type { NamedTensor } from '../inputs.js';
import { repeat } from '../measure.js';
import { load, type RuntimeName, runtime, watchWebAssembly } from '../runtimes.js';
import { serve } from '../serve.js';
import { median } from '../statistics.js';
import { namedTensors } from '../tensors.js';
import type { ShapesRow } from './rows.js';

export interface ShapesJob {
  runtime: RuntimeName;
  model: string;
  runs: NamedTensor[][];
  carried: NonNullable<ShapesRow['carried']>;
  variant: string;
  threads: number;
}

/** Milliseconds of each run. */
export interface ShapesReport {
  witness: string;
  /** With sizes that are new to the session. */
  first: number[];
  /** Repeated with the same sizes. */
  again: number[];
  /** The outputs of all runs, without the carried ones. */
  outputs: NamedTensor[];
}

/** Runs of the first size, until weights are packed and kernels optimized. */
const WARM_UP = { milliseconds: 500, runs: 10 };
const REPEATS = 3;

async function work({ carried, ...job }: ShapesJob): Promise<ShapesReport> {
  watchWebAssembly();
  const { options, configure, witness } = runtime(job.runtime);
  const api = await load(job.runtime);
  configure?.(api, job.variant, job.threads);
  const session = await api.InferenceSession.create(readFileSync(job.model), options(job.threads));

  const fed = job.runs.map((inputs) =>
    Object.fromEntries(inputs.map(({ name, type, data, dims }) => [name, new api.Tensor(type, data, dims)])),
  );
  const kept = session.outputNames.filter((name) => !carried.some(([output]) => output === name));
  const outputs: NamedTensor[] = [];

  /** Milliseconds of each run, measured by `time`, which also returns the results. */
  async function sequence(time: (run: () => Promise<Results>) => Promise<[number, Results]>): Promise<number[]> {
    const times: number[] = [];
    let left: Record<string, Tensor> = {};
    for (const own of fed) {
      const feeds = { ...left, ...own };
      const [milliseconds, results] = await time(() => session.run(feeds));
      times.push(milliseconds);
      left = Object.fromEntries(carried.map(([output, input]) => [input, results[output] as Tensor]));
      if (outputs.length < fed.length * kept.length) outputs.push(...namedTensors(kept, results));
    }
    return times;
  }

  await repeat(() => session.run(fed[0] as Record<string, Tensor>), WARM_UP.milliseconds, WARM_UP.runs);
  const first = await sequence(async (run) => {
    const started = performance.now();
    const results = await run();
    return [performance.now() - started, results];
  });
  const again = await sequence(async (run) => {
    const results = await run();
    return [median(await repeat(run, 0, REPEATS)), results];
  });
  return { witness: witness?.(job.variant) ?? '', first, again, outputs };
}

serve(work);
