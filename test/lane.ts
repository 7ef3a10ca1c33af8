import { verifyGraph } from '../src/graph/verify.js';
import { watchGraphs } from '../src/graph/watch-graphs.js';
import { loadGroups } from '../src/groups/load-groups.js';
import { env } from '../src/index.js';
import { verifyOrigins } from './graph/verify-origins.js';

/** One suite's outcome. `failed` counts tests that did not run because a hook threw, too. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  /** Why tests failed, as uvu prints it. */
  readonly errors: string;
  /** What the suite printed on the way. */
  readonly printed: string;
}

/** What uvu's `run` leaves in its queue for each call of a suite's `run()`: errors or true, passed, skipped, all. */
type Runner = () => Promise<readonly [errors: string | true, passed: number, skipped: number, all: number]>;

declare global {
  // uvu's own protocol between `uvu/run` and suites: with it, suites wait in a queue in place of running by themselves.
  var UVU_DEFER: 1;
  var UVU_QUEUE: Runner[][];
}

/** Runs one suite file in this process. */
async function outcomeOf(file: string): Promise<Outcome> {
  const begun = performance.now();
  const printing = capturePrinting();
  const queue: Runner[] = [];
  globalThis.UVU_QUEUE = [queue];
  let [passed, failed, skipped, errors] = [0, 0, 0, ''];
  try {
    await import(file);
    for (const run of queue) {
      const [wrong, good, left, all] = await run();
      passed += good;
      failed += all - good;
      skipped += left;
      if (wrong !== true) errors += wrong;
    }
  } catch (error) {
    failed++;
    errors += `${(error as Error).stack ?? error}\n`;
  }
  return { passed, failed, skipped, errors, seconds: (performance.now() - begun) / 1000, printed: printing.stop() };
}

function capturePrinting(): { stop(): string } {
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  let printed = '';
  for (const { stream } of streams)
    stream.write = ((text: string | Uint8Array, encoding?: unknown, callback?: unknown) => {
      printed += typeof text === 'string' ? text : new TextDecoder().decode(text);
      const done = callback ?? encoding;
      if (typeof done === 'function') queueMicrotask(done as () => void);
      return true;
    }) as typeof stream.write;
  return {
    stop() {
      for (const { stream, write } of streams) stream.write = write;
      return printed;
    },
  };
}

globalThis.UVU_DEFER = 1;
// Thousands of sessions are made; tests that want threads ask for them.
env.wasm.numThreads = 1;
// Every graph that any test makes is valid after each set of rewrites, too.
watchGraphs((graph) => {
  verifyGraph(graph);
  verifyOrigins(graph);
});
await loadGroups();

process.on('message', async (file: string) => process.send?.(await outcomeOf(file)));
process.on('disconnect', () => process.exit());
process.send?.('ready');
