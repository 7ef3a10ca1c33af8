// usage: npm test [-- --lanes N] [-- PART-OF-A-PATH…]
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const here = new URL('.', import.meta.url).pathname;
/** Suites that install other runtimes, bundlers and packages: `npm run test:platforms`, `npm run test:studio`. */
const APART = /^(platforms|transformers|examples|studio)\//;

const { values, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: { lanes: { type: 'string', default: '1' } },
});
const isWanted = (file: string) => (parts.length ? parts.some((part) => file.includes(part)) : !APART.test(file));
const suites = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules') && isWanted(file))
  .sort()
  .map((file) => ({ name: file, file: pathToFileURL(join(here, file)).pathname.slice(1) }));

if (suites.length === 0) throw new Error(`no test file under ${basename(here)}/ has one of "${parts}" in its path`);

const lanes = Number(values.lanes);
if (lanes > 1) process.exit(await (await import('./lanes.js')).runInLanes(suites, lanes));
await (await import('./run-suites.js')).runSuites(suites);
// What a failed test has left open, a browser or a server, holds up nobody.
process.exit();
