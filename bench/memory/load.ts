// Loads a model in a process of its own and runs it once: receives a job, sends a report.
import type { InferenceSession } from '../../src/index.js';
import { peakMegabytes } from '../../test/peak-memory.js';
import { load } from '../runtimes.js';
import { serve } from '../serve.js';

export interface Job {
  /** Path or URL of the model. */
  readonly source: string;
  readonly threads: number;
  readonly width: number;
}

export interface Report {
  /** MiB of the process: before the model is loaded, and at peak. */
  readonly before: number;
  readonly peak: number;
  readonly linearMemory: number;
  /** Seconds to the result. */
  readonly seconds: number;
  /** The last number of the result. */
  readonly last: number;
}

async function work({ source, threads, width }: Job): Promise<Report> {
  const { InferenceSession, Tensor, env } = await load('sardonyx');
  env.wasm.numThreads = threads;
  if (/^http/.test(source)) await (await fetch(source, { method: 'HEAD' })).text();
  const before = peakMegabytes();
  const started = performance.now();
  const session: InferenceSession = await InferenceSession.create(source);
  const { y } = await session.run({ x: new Tensor('float32', new Float32Array(width).fill(1), [1, width]) });
  const { data } = y as { data: Float32Array };
  return {
    ...{ before, peak: peakMegabytes(), seconds: (performance.now() - started) / 1000 },
    linearMemory: (session.memoryPlan?.linearMemory ?? 0) / 2 ** 20,
    last: data.at(-1) as number,
  };
}

serve(work);
