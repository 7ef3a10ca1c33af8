import { Command } from '@commander-js/extra-typings';
import type { StepTiming } from '../../execute/step-timing.js';
import { InferenceSession } from '../../session/inference-session.js';
import { makeFeeds } from '../feeds.js';
import { inputChoices, withInputOptions } from '../input-options.js';
import { positiveNumber, wholeNumber } from '../option-values.js';
import { print, printJson } from '../print.js';
import { progress } from '../progress.js';
import { formatBytes, formatMilliseconds, plural } from '../quantities.js';
import { sessionOptions, withSessionOptions } from '../session-options.js';
import { table } from '../table.js';
import { UsageError } from '../usage-error.js';

const EXAMPLES = `
Inputs are generated unless given, as in "sardonyx run". Runs go on for --seconds, or until there are --runs.

Examples:
  sardonyx bench mobilenet_v2.onnx
  sardonyx bench mobilenet_v2.onnx --dim batch=8 --runs 100 --json
  sardonyx bench bert.onnx --shape input_ids=1x128 --profile`;

const command = withSessionOptions(
  withInputOptions(
    new Command('bench')
      .description('Time a model: creation, first run, and the median of many runs.')
      .argument('<model>', 'an ONNX file')
      .addHelpText('after', EXAMPLES),
  ),
)
  .option('--runs <n>', 'timed runs; takes precedence over --seconds', wholeNumber)
  .option('--seconds <s>', 'how long to time, at least 5 runs', positiveNumber, 3)
  .option('--warmup <n>', 'runs before those timed', wholeNumber, 3)
  .option('--profile', 'print the time of every operator and kernel')
  .option('--json', 'print JSON');

type Options = ReturnType<typeof command.opts>;

const LEAST_RUNS = 5;

export const benchCommand = command.action(async (model: string, options: Options) => {
  if (options.runs === 0) throw new UsageError('--runs must be at least 1');
  progress(`loading ${model}`);
  const [create, session] = await timed(() => InferenceSession.create(model, sessionOptions(options)));
  const feeds = await makeFeeds(session, inputChoices(options));
  progress('first run');
  const [first] = await timed(() => session.run(feeds));
  const run = async () => (await timed(() => session.run(feeds)))[0];
  for (let i = 1; i < options.warmup; i++) await run();
  const times = await repeat(run, options.runs, options.seconds);
  const steps = options.profile ? await profile(session, run, times.length) : undefined;

  const linearMemory = session.memoryPlan?.linearMemory;
  const figures = { create, first, median: quantile(times, 0.5), min: Math.min(...times), p95: quantile(times, 0.95) };
  if (options.json) printJson({ milliseconds: figures, runs: times.length, linearMemory, ...(steps && { steps }) });
  else {
    print(
      table(
        ['', '>'],
        Object.entries(figures).map(([name, ms]) => [name, formatMilliseconds(ms)]),
      ),
    );
    print(`${plural(times.length, 'run')}${linearMemory ? `, linear memory ${formatBytes(linearMemory)}` : ''}`);
    if (steps) printProfile(steps);
  }
  await session.release();
});

async function timed<T>(run: () => Promise<T>): Promise<[milliseconds: number, result: T]> {
  const started = performance.now();
  const result = await run();
  return [performance.now() - started, result];
}

async function repeat(run: () => Promise<number>, runs: number | undefined, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const done = () =>
    runs === undefined ? times.length >= LEAST_RUNS && performance.now() >= end : times.length >= runs;
  while (!done()) {
    progress(`run ${times.length + 1}${runs === undefined ? '' : ` of ${runs}`}`);
    times.push(await run());
  }
  return times;
}

const quantile = (times: readonly number[], q: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))] as number;

/** Time per run of the steps with one operator and kernel. */
interface StepTotal {
  readonly operator: string;
  readonly kernel: string;
  readonly steps: number;
  readonly milliseconds: number;
}

async function profile(session: InferenceSession, run: () => Promise<number>, runs: number): Promise<StepTotal[]> {
  session.startProfiling();
  for (let i = 0; i < runs; i++) {
    progress(`profiling, run ${i + 1} of ${runs}`);
    await run();
  }
  session.endProfiling();
  return totals(session.profile, runs);
}

function totals(timings: readonly StepTiming[], runs: number): StepTotal[] {
  const groups = new Map<string, { operator: string; kernel: string; steps: number; milliseconds: number }>();
  for (const { operator, kernel, milliseconds } of timings) {
    const key = `${operator} ${kernel}`;
    const group = groups.get(key) ?? { operator, kernel, steps: 0, milliseconds: 0 };
    group.steps += 1 / runs;
    group.milliseconds += milliseconds / runs;
    groups.set(key, group);
  }
  return [...groups.values()]
    .map((group) => ({ ...group, steps: Math.round(group.steps) }))
    .sort((a, b) => b.milliseconds - a.milliseconds);
}

function printProfile(steps: readonly StepTotal[]): void {
  const whole = steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const rows = steps.map(({ operator, kernel, steps, milliseconds }) => [
    operator,
    kernel,
    String(steps),
    milliseconds.toFixed(3),
    `${((100 * milliseconds) / whole).toFixed(1)} %`,
  ]);
  print(`\n${table(['operator', 'kernel', '>steps', '>ms per run', '>share'], rows)}`);
}
