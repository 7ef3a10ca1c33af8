import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Command, Option } from '@commander-js/extra-typings';
import type { Outcome } from './lane.js';
import { TIERS, type Tier, tier } from './tier.js';

const program = new Command('npm test --')
  .description('runs test suites, the longest first, in several processes')
  .argument('[parts...]', 'only suites with one of these in their path, whatever their tier')
  .addOption(new Option('--tier <tier>', 'how much to test').choices(TIERS).default(tier))
  .addOption(new Option('--beyond <tier>', 'without what this tier has tested already').choices(TIERS))
  .option('--lanes <n>', 'processes', Number, Math.min(availableParallelism(), 4))
  .option('--bail', 'stop at the first suite that fails')
  .option(
    '--near <file>',
    'first the suites whose paths have most words in common with this one, short ones before long ones',
  )
  .option('--record', 'write the seconds of each suite to test/suites.json')
  .parse();
const opts = program.opts();
const parts = program.args.length ? program.args : undefined;

/** How a suite differs from one that runs in every tier and takes less than two seconds. */
interface Placement {
  /** The least tier that runs it. */
  readonly tier?: Tier;
  /** It tries more cases in larger tiers. */
  readonly grows?: true;
  /** Seconds that it took on two cores, two or more: the longest begin first. `--record` writes them. */
  readonly seconds?: number;
}

const PLACEMENTS = new URL('suites.json', import.meta.url);
/** By suite, and by folder with a slash behind it. */
const placements: Record<string, Placement> = JSON.parse(readFileSync(PLACEMENTS, 'utf8'));
const here = fileURLToPath(new URL('.', import.meta.url));

/** A suite that has not ended by then hangs: the slowest takes two minutes alone. */
const HANGS_AFTER_SECONDS = 900;
const SLOWEST_SHOWN = 20;

interface Suite extends Placement {
  readonly name: string;
}

interface Result extends Outcome {
  readonly name: string;
}

const rank = (each: Tier): number => TIERS.indexOf(each);

const suites: Suite[] = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .map((file) => file.replaceAll('\\', '/').replace('.test.ts', ''))
  .map((name) => ({ ...placements[`${name.split('/')[0]}/`], ...placements[name], name }))
  .filter(isWanted)
  .sort((a, b) => nearness(b) - nearness(a) || bySeconds(a, b) || (a.name < b.name ? -1 : 1));

/** Words of `--near` that a suite's path has, too. */
function nearness({ name }: Suite): number {
  const words = new Set(opts.near?.split(/\W+/));
  return name.split(/\W+/).filter((word) => words.has(word)).length;
}

function bySeconds({ seconds: a = 0 }: Suite, { seconds: b = 0 }: Suite): number {
  return opts.near ? a - b : b - a;
}

function isWanted({ name, tier = 'quick', grows }: Suite): boolean {
  if (parts) return parts.some((part) => `${name}.test.ts`.includes(part));
  const isTested = opts.beyond && rank(tier) <= rank(opts.beyond) && !grows;
  return rank(tier) <= rank(opts.tier) && !isTested;
}

/** Runs suites in one process after another until none is left: one that ends its process has failed, and the next goes on in a new one. */
async function lane(queue: Suite[], report: (result: Result) => void): Promise<void> {
  let child: ChildProcess | undefined;
  for (let suite = queue.shift(); suite; suite = queue.shift()) {
    child ??= await started();
    const outcome = await outcomeIn(child, suite);
    if (typeof outcome === 'string') child = undefined;
    report({ name: suite.name, ...(typeof outcome === 'string' ? failure(outcome) : outcome) });
  }
  child?.disconnect();
}

async function started(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('lane.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, SARDONYX_TIER: opts.tier, SARDONYX_BEYOND: opts.beyond ?? '' },
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (status) => reject(new Error(`test/lane.ts ended before any suite, status ${status}`)));
  });
  child.removeAllListeners('exit');
  return child;
}

/** The outcome, or how the process ended. */
function outcomeIn(child: ChildProcess, { name }: Suite): Promise<Outcome | string> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome | string) => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(outcome);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      settle(`has not ended in ${HANGS_AFTER_SECONDS} s`);
    }, HANGS_AFTER_SECONDS * 1000);
    child.once('message', (outcome) => settle(outcome as Outcome));
    child.once('exit', (status, signal) => settle(`its process ended, ${signal ?? `status ${status}`}`));
    child.send(pathToFileURL(`${here}${name}.test.ts`).href);
  });
}

const failure = (errors: string): Outcome => ({ passed: 0, failed: 1, skipped: 0, seconds: 0, errors, printed: '' });

function show({ name, passed, failed, skipped, seconds, errors, printed }: Result): void {
  const counts = [`${passed} passed`, failed && `${failed} FAILED`, skipped && `${skipped} skipped`].filter(Boolean);
  console.log(`${failed ? '✘' : '•'} ${name}  ${counts.join(', ')}  ${seconds.toFixed(1)} s`);
  if (failed || parts) console.log(printed);
  if (errors) console.log(errors);
}

function showAll(results: readonly Result[]): void {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  if (!parts) console.log(`\nslowest suites, seconds:\n${slowest.map(lineOf).join('\n')}`);
  const failing = results.filter(({ failed }) => failed);
  if (failing.length) console.log(`\nfailed: ${failing.map(({ name }) => name).join(' ')}`);
  const sum = (key: 'passed' | 'failed' | 'skipped') => results.reduce((total, each) => total + each[key], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
}

const lineOf = ({ name, seconds }: Result): string => `${seconds.toFixed(1).padStart(8)}  ${name}`;

function record(results: readonly Result[]): void {
  for (const { name, seconds } of results) {
    const { seconds: _, ...rest } = placements[name] ?? {};
    const placement = { ...rest, ...(seconds >= 2 && { seconds: Math.round(seconds) }) };
    if (Object.keys(placement).length) placements[name] = placement;
    else delete placements[name];
  }
  const lines = Object.keys(placements)
    .sort()
    .map(
      (name) => `  ${JSON.stringify(name)}: ${JSON.stringify(placements[name]).replaceAll(/([:,])(?=["\dt])/g, '$1 ')}`,
    );
  writeFileSync(PLACEMENTS, `{\n${lines.join(',\n').replaceAll('{"', '{ "').replaceAll('}', ' }')}\n}\n`);
}

if (suites.length === 0) throw new Error(`no suite under test/ has one of "${parts}" in its path`);
const results: Result[] = [];
const queue = [...suites];
const take = (result: Result) => {
  results.push(result);
  show(result);
  if (opts.bail && result.failed) queue.length = 0;
};
await Promise.all(Array.from({ length: Math.min(opts.lanes, suites.length) }, () => lane(queue, take)));
showAll(results);
if (opts.record) record(results);
process.exit(results.some(({ failed }) => failed) ? 1 : 0);
