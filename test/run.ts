import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from 'uvu/run';
import { verifyGraph } from '../src/graph/verify.js';
import { watchGraphs } from '../src/graph/watch-graphs.js';
import { loadGroups } from '../src/groups/load-groups.js';
import { env } from '../src/index.js';
import { verifyOrigins } from './graph/verify-origins.js';

// Thousands of sessions are made; those that want threads say so.
env.wasm.numThreads = 1;
// Every graph that any test makes is a valid one after each set of rewrites, too.
watchGraphs((graph) => {
  verifyGraph(graph);
  verifyOrigins(graph);
});

const here = new URL('.', import.meta.url).pathname;
/** Suites that install other runtimes, bundlers and packages: `npm run test:platforms`, `npm run test:studio`. */
const APART = /^(platforms|transformers|examples|studio)\//;

const parts = process.argv.slice(2);
const isWanted = (file: string) => (parts.length ? parts.some((part) => file.includes(part)) : !APART.test(file));
const suites = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules') && isWanted(file))
  .sort()
  .map((file) => ({ name: file, file: pathToFileURL(join(here, file)).pathname.slice(1) }));

if (suites.length === 0) throw new Error(`no test file under ${basename(here)}/ has one of "${parts}" in its path`);
await loadGroups();
await run(suites);
// What a failed test has left open, a browser or a server, holds up nobody.
process.exit();
