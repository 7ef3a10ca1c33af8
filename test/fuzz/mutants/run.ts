import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { Command } from '@commander-js/extra-typings';
import { FAULTS, type Fault } from './faults.js';
import { CHECKOUT, faulty, mutantOf } from './mutant.js';
import { type Searcher, type Sighting, searcherIn } from './searcher.js';

/** `npm run fuzz:mutants`: whether random models, or tests, find faults that were put into copies of the sources by hand. */
const { only, graphs, seed, jobs, tests } = new Command('fuzz:mutants')
  .description('puts faults into copies of the sources, one each, and says after how many random models they are found')
  .option('--tests <arguments>', 'run `npm test -- <arguments>` in each copy instead, until a suite fails')
  .option('--only <names...>', 'faults whose names contain one of these')
  .option('--graphs <n>', 'at most so many graphs for each fault', Number, 1500)
  .option('--seed <n>', 'first seed; graph i is of seed + i', Number, 20_261_122)
  .option('--jobs <n>', 'faults at a time', Number, availableParallelism())
  .parse()
  .opts();

/** Teams of three threads are started once for the graphs of a batch: with fewer, that takes most of the time. */
const BATCH = 100;

const sound = searcherIn(CHECKOUT);

/** Searches until something is found that the sources without the fault do not show. */
async function sightingOf(mutant: Searcher): Promise<Sighting | null> {
  const end = seed + graphs;
  for (let first = seed; first < end; ) {
    const seeds = Array.from({ length: Math.min(BATCH, end - first) }, (_, i) => first + i);
    const found = await mutant.search(seeds);
    const again = found && (found.kind === 'crash' ? seeds : [found.seed]);
    if (found && again && !(await sound.search(again))) return found;
    first = found && found.kind !== 'crash' ? found.seed + 1 : end < first + BATCH ? end : first + BATCH;
  }
  return null;
}

/** The first suite that fails; for a fault in a kernel of the binary that is built again, plain SIMD. */
function failingSuite(folder: string, { file }: Fault, options: string): Promise<Sighting | null> {
  const env = { ...process.env, ...(file.startsWith('assembly/') && { SARDONYX_VARIANT: 'simd' }) };
  const order = ['--near', file, '--bail', '--lanes', '1'];
  const command = ['--import', 'tsx', 'test/run.ts', ...order, ...options.split(' ').filter(Boolean)];
  return new Promise((resolve) =>
    execFile(process.execPath, command, { cwd: folder, env, maxBuffer: 2 ** 28 }, (error, stdout) => {
      const message = /\nfailed: (.*)/.exec(stdout)?.[1] ?? String(error);
      resolve(error && { seed, kind: 'wrong', mode: 'tests', message });
    }),
  );
}

async function tried(fault: Fault): Promise<Sighting | null> {
  const { folder, remove } = await mutantOf(fault);
  if (tests !== undefined) return failingSuite(folder, fault, tests).finally(remove);
  const mutant = searcherIn(folder);
  try {
    return await sightingOf(mutant);
  } finally {
    mutant.stop();
    remove();
  }
}

const after = (found: Sighting) => `${found.seed - seed + 1}`;

const chosen = FAULTS.filter(({ name }) => !only || only.some((part) => name.includes(part)));
for (const fault of chosen) faulty(fault);
const waiting = [...chosen];
const results = new Map<Fault, Sighting | null>();

async function job(): Promise<void> {
  for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
    const found = await tried(fault);
    results.set(fault, found);
    const by = tests === undefined ? `${graphs} graphs` : 'the tests';
    const where = (at: Sighting) =>
      tests === undefined ? `graph ${after(at)}, seed ${at.seed}, ${at.mode}: ${at.kind}` : 'tests:';
    const outcome = found ? `found by ${where(found)} ${found.message.split('\n')[0]}` : `not found by ${by}`;
    console.log(`${fault.name}: ${outcome}`);
  }
}

await Promise.all(Array.from({ length: jobs }, job));
sound.stop();
console.log('');
for (const fault of chosen) {
  const found = results.get(fault);
  console.log(`${(found ? after(found) : '-').padStart(5)}  ${fault.name} (${fault.file})`);
}
const count = [...results.values()].filter((found) => found !== null).length;
console.log(
  `found ${count} of ${chosen.length} by ${tests === undefined ? `at most ${graphs} graphs from seed ${seed}` : `npm test -- ${tests}`}`,
);
