// A session on a thread of its own, which runs whenever another thread requests it; see side-by-side.ts.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { Tensor } from '../src/index.js';
import { load, runtime } from './runtimes.js';
import { BEGUN, type Beside, change, changed, DONE } from './side-by-side.js';

const { job, words } = workerData as Beside;
const { options, configure } = runtime(job.runtime);
const api = await load(job.runtime);
configure?.(api, job.variant, 1);
const session = await api.InferenceSession.create(readFileSync(job.model), options(1));
const feeds: Record<string, Tensor> = {};
for (const { name, type, data, dims } of job.inputs) feeds[name] = new api.Tensor(type, data, dims);
const fetches = job.fetches ?? [...session.outputNames];
await session.run(feeds, fetches);
parentPort?.postMessage('ready');

for (let number = 0; ; ) {
  number = changed(words, BEGUN, number);
  await session.run(feeds, fetches);
  change(words, DONE, number);
}
