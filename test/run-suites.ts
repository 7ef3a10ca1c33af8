import { run } from 'uvu/run';
import { verifyGraph } from '../src/graph/verify.js';
import { watchGraphs } from '../src/graph/watch-graphs.js';
import { loadGroups } from '../src/groups/load-groups.js';
import { env } from '../src/index.js';
import { verifyOrigins } from './graph/verify-origins.js';

export interface Suite {
  readonly name: string;
  /** The path without the first slash, as uvu wants it. */
  readonly file: string;
}

declare global {
  var UVU_QUEUE: unknown[] | undefined;
}

// Thousands of sessions are made; those that want threads say so.
env.wasm.numThreads = 1;
// Every graph that any test makes is a valid one after each set of rewrites, too.
watchGraphs((graph) => {
  verifyGraph(graph);
  verifyOrigins(graph);
});
await loadGroups();

/** Runs them in this process; uvu prints what passes and fails, and totals. */
export async function runSuites(suites: readonly Suite[]): Promise<void> {
  globalThis.UVU_QUEUE?.splice(0); // What ran before stays in uvu's queue.
  await run([...suites]);
}
