import { Command } from '@commander-js/extra-typings';
import type { StepTiming } from '../../backends/step-timing.js';
import type { InferenceSession } from '../../session/inference-session.js';
import { makeInputs, runOn } from '../feeds.js';
import { inputChoices, withInputOptions } from '../input-options.js';
import type { Io } from '../io.js';
import { type Machine, machine } from '../machine.js';
import { modelSource } from '../model-source.js';
import { atLeastOne, positiveNumber, wholeNumber } from '../option-values.js';
import { formatBytes, formatMilliseconds, plural } from '../quantities.js';
import { sessionOptions, withSessionOptions } from '../session-options.js';
import { table } from '../table.js';
import { concerning } from '../usage-error.js';
import { timed, withSession } from '../with-session.js';
import { write } from '../write-file.js';

const EXAMPLES = `
Inputs are generated unless given, as in "sardonyx run". Runs go on for --seconds, or until there are --runs.

Examples:
  sardonyx bench mobilenet_v2.onnx
  sardonyx bench mobilenet_v2.onnx --dim batch=8 --runs 100 --json
  sardonyx bench bert.onnx --shape input_ids=1x128 --profile
  sardonyx bench bert.onnx --trace bert.json`;

const command = () =>
  withSessionOptions(
    withInputOptions(
      new Command('bench')
        .description('Time a model: creation, first run, and the median of many runs.')
        .argument('<model>', 'an ONNX file, its URL, or - for standard input')
        .addHelpText('after', EXAMPLES),
    ),
  )
    .option('--runs <n>', 'timed runs; takes precedence over --seconds', atLeastOne)
    .option('--seconds <s>', 'how long to time, at least 5 runs', positiveNumber, 3)
    .option('--warmup <n>', 'runs before those timed', wholeNumber, 3)
    .option('--profile', 'print the time of every operator and kernel')
    .option('--trace <file>', "write the steps of some runs as Chrome's trace, which ui.perfetto.dev opens")
    .option('--json', 'print JSON');

type Options = ReturnType<ReturnType<typeof command>['opts']>;

const LEAST_RUNS = 5;

export const benchCommand = (io: Io) =>
  command().action(async (argument: string, options: Options) => {
    const source = await modelSource(io, argument);
    io.progress(`loading ${argument}`);
    await withSession(source, sessionOptions(options), async (session, create) => {
      const inputs = await makeInputs(io, session.model.graph, inputChoices(options));
      io.progress('first run');
      const [first] = await timed(() => runOn(session, inputs));
      const run = () => session.run(inputs.feeds);
      for (let i = 1; i < options.warmup; i++) await run();
      const times = (await timesOf(io, run, options)).sort((a, b) => a - b);
      const { threads } = session;
      const steps = options.profile ? await profile(io, session, run, times.length) : undefined;
      if (options.trace !== undefined) await trace(session, run, { file: options.trace, title: argument });
      const milliseconds = {
        create,
        first,
        median: quantile(times, 0.5),
        min: quantile(times, 0),
        p95: quantile(times, 0.95),
      };
      const { linearMemory } = session.memoryPlan ?? {};
      const figures = { milliseconds, runs: times.length, threads, linearMemory, machine: machine() };
      if (options.json) io.printJson({ ...figures, steps });
      else printFigures(io, figures, steps, options.threads);
    });
  });

/** Milliseconds of each run of a plain loop: between two runs nothing but the clock, and on a terminal now and then a line. */
async function timesOf(io: Io, run: () => Promise<unknown>, { runs, seconds }: Options): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const goesOn = () =>
    runs === undefined ? times.length < LEAST_RUNS || performance.now() < end : times.length < runs;
  while (goesOn()) {
    io.progress('run ', String(times.length + 1));
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times;
}

interface Figures {
  readonly milliseconds: Readonly<Record<string, number>>;
  readonly runs: number;
  readonly threads: number;
  readonly linearMemory: number | undefined;
  readonly machine: Machine;
}

function printFigures(io: Io, figures: Figures, steps: readonly StepTotal[] | undefined, asked: number): void {
  const { milliseconds, runs, threads, linearMemory } = figures;
  const { cpu, cores, system, host, kernels } = figures.machine;
  const missing = asked > threads ? ` of ${asked} asked for` : '';
  io.print(
    table(
      ['', ''],
      [
        ['machine', `${cpu}, ${plural(cores, 'core')}, ${system}`],
        ['host', host],
        ['kernels', `${kernels}, ${plural(threads, 'thread')}${missing}`],
      ],
    ),
  );
  const rows = Object.entries(milliseconds).map(([name, ms]) => [name, formatMilliseconds(ms)]);
  io.print(`\n${table(['', '>'], rows)}`);
  io.print(`${plural(runs, 'run')}${linearMemory ? `, linear memory ${formatBytes(linearMemory)}` : ''}`);
  if (steps) printProfile(io, steps);
}

/** Of sorted numbers. */
const quantile = (times: readonly number[], q: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * q))] as number;

/** Time per run of the steps with one operator and kernel. */
interface StepTotal {
  readonly operator: string;
  readonly kernel: string;
  readonly steps: number;
  readonly milliseconds: number;
}

async function profile(
  io: Io,
  session: InferenceSession,
  run: () => Promise<unknown>,
  runs: number,
): Promise<StepTotal[]> {
  session.startProfiling();
  for (let i = 0; i < runs; i++) {
    io.progress('profiling, run ', `${i + 1} of ${runs}`);
    await run();
  }
  session.endProfiling();
  return totals(session.profile, runs);
}

/** Runs that a trace shows. */
const TRACED_RUNS = 3;

async function trace(
  session: InferenceSession,
  run: () => Promise<unknown>,
  { file, title }: { readonly file: string; readonly title: string },
): Promise<void> {
  session.startProfiling();
  for (let i = 0; i < TRACED_RUNS; i++) await run();
  session.endProfiling();
  const { toChromeTrace } = await import('../../tools/on-demand.js');
  const text = toChromeTrace(session.profile, { memoryPlan: session.memoryPlan, title });
  concerning(`--trace ${file}`, () => write(file, text));
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

function printProfile(io: Io, steps: readonly StepTotal[]): void {
  const whole = steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const rows = steps.map(({ operator, kernel, steps, milliseconds }) => [
    operator,
    kernel,
    String(steps),
    milliseconds.toFixed(3),
    `${((100 * milliseconds) / whole).toFixed(1)} %`,
  ]);
  io.print(`\n${table(['operator', 'kernel', '>steps', '>ms per run', '>share'], rows)}`);
}
