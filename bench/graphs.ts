// Runs random models in onnxruntime-node, checked as test/fuzz/graphs checks this library: further evidence for the plain definitions, and
// a list of models that it rejects. npm run bench:graphs -- [--graphs 500] [--seed N] [--show]
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Command } from '@commander-js/extra-typings';
import type { Verdict } from './native-graphs.js';
import { asText } from './tables.js';

const { graphs, seed, show } = new Command('bench:graphs')
  .description('runs random models in onnxruntime-node, and says where it differs from their definitions in float64')
  .option('--graphs <n>', 'how many', Number, 500)
  .option('--seed <n>', 'first seed; graph i is of seed + i', Number, 20_261_122)
  .option('--show', 'print the models that differ')
  .parse()
  .opts();

const counts: Record<Verdict['verdict'] | 'crashes', number> = { agrees: 0, refuses: 0, differs: 0, crashes: 0 };
const end = seed + graphs;
let next = seed;

/** After a model that kills the process, continues with the next one in a new process. */
while (next < end) {
  const child = fork(fileURLToPath(new URL('native-graphs.ts', import.meta.url)), [`${next}`, `${end}`], {
    execArgv: ['--import', 'tsx'],
  });
  child.on('message', ({ verdict, message, program }: Verdict) => {
    counts[verdict]++;
    if (verdict === 'differs') console.log(`seed ${next}: ${message}${show ? `\n${program}\n` : ''}`);
    next++;
  });
  await new Promise((resolve) => child.once('close', resolve));
  if (next >= end) break;
  console.log(`seed ${next}: its process died`);
  counts.crashes++;
  next++;
}
const title = `onnxruntime-node on ${graphs} random models from seed ${seed}`;
console.log(asText({ title, header: Object.keys(counts), rows: [Object.values(counts).map(String)] }));
