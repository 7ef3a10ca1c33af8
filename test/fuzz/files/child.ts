import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { loadGroups } from '../../../src/groups/load-groups.js';
import { env } from '../../../src/index.js';
import { peakMegabytes } from '../../peak-memory.js';
import { externalFolder } from './external-files.js';
import type { Outcome } from './outcome.js';
import { isLate, type Report, type Task } from './task.js';
import { type Trial, trialOf } from './trial.js';

const MAX_MEGABYTES = 1024;
/** Milliseconds of this process's own time that one damaged file or feed may take. */
const MAX_MILLISECONDS = 2000;
/** What a process may take in all for one trial, on however busy a machine. */
const MAX_WAIT = 60_000;

const say = (report: Report) => writeSync(1, `${JSON.stringify(report)}\n`);

/** Ends this process where one trial takes too much of its time, or waits for what never comes. */
const WATCH = `
const { workerData: { clock, most, wait } } = require('node:worker_threads');
let seen = -1, used = 0, since = 0;
setInterval(() => {
  const now = Atomics.load(clock, 0);
  const { user, system } = process.cpuUsage();
  const milliseconds = (user + system) / 1000;
  if (now !== seen) { seen = now; used = milliseconds; since = Date.now(); return; }
  if (now < 0 || (milliseconds - used < most && Date.now() - since < wait)) return;
  const problem = 'hangs: ' + Math.round(milliseconds - used) + ' ms of processor time';
  require('node:fs').writeSync(1, JSON.stringify({ kind: 'problem', trial: now, problem }) + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, 200);
`;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

async function main(task: Task): Promise<void> {
  env.wasm.numThreads = 1;
  console.warn = () => {};
  await loadGroups();
  const folder = externalFolder();
  process.on('exit', folder.remove);
  const clock = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
  // A trial may take its two seconds and judge itself: the watch is for what does not come back.
  new Worker(WATCH, { eval: true, workerData: { clock, most: 3 * MAX_MILLISECONDS, wait: MAX_WAIT } }).unref();
  const stray: string[] = [];
  for (const event of ['unhandledRejection', 'uncaughtException'] as const)
    process.on(event, (thrown: unknown) => stray.push(`${event}: ${(thrown as Error)?.stack ?? thrown}`));
  globalThis.fetch = () => {
    stray.push('a damaged file reaches for the network');
    return Promise.reject(new Error('no network'));
  };

  let counts: Record<string, number> = {};
  let highest = 0;
  let next = task.from;
  const tell = () => {
    say({ kind: 'counts', counts, next, megabytes: Math.round(peakMegabytes()) });
    counts = {};
  };
  for (; next < task.to && !isLate(task); next++) {
    say({ kind: 'begins', trial: next });
    const attempt = ready(() => trialOf(task.seed, next, task.only, folder), task.kept);
    const begin = process.cpuUsage();
    Atomics.store(clock, 0, next);
    const { word, problem } = await tried(attempt);
    await nextTurn();
    Atomics.store(clock, 0, -1);
    counts[word] = (counts[word] ?? 0) + 1;
    const { user, system } = process.cpuUsage(begin);
    const [megabytes, used] = [peakMegabytes(), (user + system) / 1000];
    const problems = [problem, ...stray.splice(0)];
    if (used > MAX_MILLISECONDS) problems.push(`takes ${Math.round(used)} ms`);
    if (megabytes > MAX_MEGABYTES && highest <= MAX_MEGABYTES) problems.push(`takes ${Math.round(megabytes)} MB`);
    highest = megabytes;
    for (const found of problems) if (found) say({ kind: 'problem', trial: next, problem: found });
    if ((next - task.from) % 500 === 499) tell();
    // What has been taken is never given back in these figures: a fresh process goes on.
    if (megabytes > MAX_MEGABYTES) {
      next++;
      break;
    }
  }
  tell();
  say({ kind: 'ended' });
}

/** The trial with its damage done; one that cannot be made is a fault of this tool. */
function ready(make: () => Trial, kept: readonly number[] | undefined): () => Promise<Outcome> {
  try {
    const trial = make();
    return trial.ready(kept ?? trial.damages.map((_, i) => i));
  } catch (error) {
    return () => Promise.reject(error);
  }
}

const tried = (attempt: () => Promise<Outcome>): Promise<Outcome> =>
  attempt().catch((error) => ({ word: 'no trial', problem: `cannot be tried: ${(error as Error).stack}` }));

await main(JSON.parse(process.argv[2] as string) as Task);
process.exit();
