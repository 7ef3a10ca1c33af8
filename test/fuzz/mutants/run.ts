import { availableParallelism } from 'node:os';
import { Command } from '@commander-js/extra-typings';
import { FAULTS, type Fault } from './faults.js';
import { CHECKOUT, faulty, mutantOf } from './mutant.js';
import { type Searcher, type Sighting, searcherIn } from './searcher.js';

/** `npm run fuzz:mutants`: whether random models find faults that were put into copies of the sources by hand. */
const { only, graphs, seed, jobs } = new Command('fuzz:mutants')
  .description('puts faults into copies of the sources, one each, and says after how many random models they are found')
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

async function tried(fault: Fault): Promise<Sighting | null> {
  const { folder, remove } = await mutantOf(fault);
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
    const outcome = found
      ? `found by graph ${after(found)}, seed ${found.seed}, ${found.mode}: ${found.kind} ${found.message.split('\n')[0]}`
      : `not found by ${graphs} graphs`;
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
console.log(`found ${count} of ${chosen.length} with at most ${graphs} graphs from seed ${seed}`);
