import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command } from '@commander-js/extra-typings';

/** `npm run fuzz:graphs`: random models in every mode until the time is over; what fails is printed as a program. */
const { minutes, seed, graphs, jobs } = new Command('fuzz:graphs')
  .description('runs random models in every mode, and prints what fails as builder code with its seed')
  .option('--minutes <n>', 'how long', Number, 10)
  .option('--seed <n>', 'first seed; graph i is of seed + i', Number, Date.now() % 1e9)
  .option('--graphs <n>', 'at most so many graphs', Number, Number.POSITIVE_INFINITY)
  .option('--jobs <n>', 'processes', Number, availableParallelism())
  .parse()
  .opts();

/** Graphs that a process runs at a time: with fewer, starting teams of threads takes most of the time. */
const BATCH = 100;
/** A process that takes as long is reported and replaced. */
const MOST_MS = 600_000;

interface Answer {
  readonly graphs: number;
  readonly nodes: number;
  readonly operators: readonly (readonly [string, number])[];
  readonly found: readonly string[];
}

const end = Date.now() + minutes * 60_000;
const totals = { graphs: 0, nodes: 0, found: 0, lost: 0, operators: new Map<string, number>() };
let next = seed;

const isOver = () => Date.now() > end || next - seed >= graphs;

function add({ graphs, nodes, operators, found }: Answer): void {
  totals.graphs += graphs;
  totals.nodes += nodes;
  totals.found += found.length;
  for (const [name, count] of operators) totals.operators.set(name, (totals.operators.get(name) ?? 0) + count);
  for (const program of found) console.log(`\n${program}\n`);
}

/** One process after another, each until it dies. */
async function job(): Promise<void> {
  while (!isOver()) {
    const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
    const exited = new Promise<undefined>((resolve) => child.once('exit', () => resolve(undefined)));
    while (!isOver()) {
      const first = next;
      next += BATCH;
      const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
      child.send({ first, count: Math.min(BATCH, graphs - (first - seed)) });
      const answer = await Promise.race([
        new Promise<Answer>((resolve) => child.once('message', (m) => resolve(m as Answer))),
        exited,
      ]);
      clearTimeout(timer);
      if (answer) add(answer);
      else {
        totals.lost++;
        console.log(`the process of seeds ${first} to ${first + BATCH - 1} died or took ${MOST_MS / 1000} s`);
        break;
      }
    }
    child.kill();
  }
}

const progress = setInterval(() => {
  process.stderr.write(`${totals.graphs} graphs, ${totals.found} findings\n`);
}, 30_000);
await Promise.all(Array.from({ length: jobs }, job));
clearInterval(progress);
const operators = [...totals.operators].sort((a, b) => b[1] - a[1]);
console.log(operators.map(([name, count]) => `${name} ${count}`).join(', '));
console.log(
  `${totals.graphs} graphs of ${totals.nodes} nodes and ${operators.length} operators from seed ${seed}: ${totals.found} findings, ${totals.lost} processes lost`,
);
process.exitCode = totals.found + totals.lost > 0 ? 1 : 0;
