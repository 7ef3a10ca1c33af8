import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { Suite } from './run-suites.js';

interface Totals {
  total: number;
  passed: number;
  skipped: number;
}

/** What uvu prints last of a suite; its tests may print the same of others. */
const END = /^[\s\S]*\n {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)\n {2}Duration: +([\d.]+)ms\n/;

/** Runs suites in so many processes, each the next one that is left; prints each when it ends, and the totals as uvu does. Gives the exit status. */
export async function runInLanes(suites: readonly Suite[], lanes: number): Promise<number> {
  const queue = [...suites];
  const sum: Totals = { total: 0, passed: 0, skipped: 0 };
  const begun = performance.now();
  const lane = async () => {
    while (queue.length) await runInProcess(queue, (totals) => add(sum, totals));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { total, passed, skipped } = sum;
  const duration = (performance.now() - begun).toFixed(2);
  console.log(`  Total:     ${total}\n  Passed:    ${passed}\n  Skipped:   ${skipped}\n  Duration:  ${duration}ms\n`);
  return passed === total ? 0 : 1;
}

function add(sum: Totals, more: Totals): void {
  for (const key of ['total', 'passed', 'skipped'] as const) sum[key] += more[key];
}

/** A process that takes suites until none is left, or one ends it: that one has failed, and others go on in another process. */
function runInProcess(queue: Suite[], report: (totals: Totals) => void): Promise<void> {
  const child = fork(fileURLToPath(new URL('lane.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let suite: Suite | undefined;
  let printed = '';
  let isOver = false;
  const next = () => {
    suite = queue.shift();
    child.send(suite ?? 'end');
  };
  const ended = (text: string, totals: Totals) => {
    console.log(text);
    report(totals);
    printed = '';
    isOver = false;
  };
  // A process says that a suite is over, but what it has printed may come later.
  const look = () => {
    const [end, ...counts] = (isOver && END.exec(stripVTControlCharacters(printed))) || [];
    if (end === undefined) return;
    const [total = 0, passed = 0, skipped = 0, milliseconds = 0] = counts.map(Number);
    const seconds = (milliseconds / 1000).toFixed(1);
    ended(`${printed.slice(0, printed.lastIndexOf('\n  Total:'))}  ${seconds} s\n`, { total, passed, skipped });
    next();
  };
  child.on('message', (message) => {
    if (message === 'ready') return next();
    isOver = true;
    look();
  });
  onText(child, (text) => {
    printed += text;
    look();
  });
  return new Promise((resolve, reject) =>
    child.once('close', (status, signal) => {
      const how = `its process ended, ${signal ?? `status ${status}`}`;
      if (suite) ended(`${printed}\n${suite.name}: ${how}`, FAILED);
      else if (status !== 0) return reject(new Error(`${printed}\nbefore any suite, ${how}`));
      resolve();
    }),
  );
}

const FAILED: Totals = { total: 1, passed: 0, skipped: 0 };

function onText({ stdout, stderr }: ChildProcess, take: (text: string) => void): void {
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', take);
}
