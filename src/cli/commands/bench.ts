import type { InferenceSession } from '../../session/inference-session.js';
import { makeInputs, runOn } from '../feeds.js';
import type { InputFacts } from '../generated-sizes.js';
import { inputChoices, withInputOptions } from '../input-options.js';
import type { Io } from '../io.js';
import { type Machine, machine } from '../machine.js';
import { modelSource } from '../model-source.js';
import { MODEL, newCommand } from '../new-command.js';
import { atLeastOne, positiveNumber, wholeNumber } from '../option-values.js';
import { costOfProfiling, quantile, type StepTotal, stepTotals, sumOf } from '../profile.js';
import { formatBytes, formatMilliseconds, plural } from '../quantities.js';
import { sessionOptions, withSessionOptions } from '../session-options.js';
import { table } from '../table.js';
import { concerning } from '../usage-error.js';
import { timed, withSession } from '../with-session.js';
import { write } from '../write-file.js';

const EXAMPLES = [
  'bench mobilenet_v2.onnx',
  'bench mobilenet_v2.onnx --dim batch=8 --runs 100 --json',
  'bench bert.onnx --dim sequence=128 --profile',
  'bench bert.onnx --dim sequence=128 --trace bert.json',
];

const command = () =>
  withSessionOptions(
    withInputOptions(
      newCommand(
        'bench',
        'Measure how long a model takes to load, to run the first time, and to run again.',
        EXAMPLES,
      ).argument('<model>', MODEL),
    ),
  )
    .option('--runs <n>', 'number of timed runs; overrides --seconds', atLeastOne)
    .option('--seconds <s>', 'time to spend on timed runs, but at least 5 runs', positiveNumber, 3)
    .option('--warmup <n>', 'number of untimed runs first', wholeNumber, 3)
    .option('--profile', 'print the time per operator and kernel')
    .option('--trace <file>', 'write a Chrome trace of three runs, to open in https://ui.perfetto.dev')
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
      if (options.trace !== undefined) await trace(io, session, run, { file: options.trace, title: argument });
      const milliseconds = {
        create,
        first,
        median: quantile(times, 0.5),
        min: quantile(times, 0),
        p95: quantile(times, 0.95),
      };
      const { linearMemory } = session.memoryPlan ?? {};
      const { facts } = inputs;
      const figures = { milliseconds, runs: times.length, threads, linearMemory, machine: machine(), inputs: facts };
      if (options.json) io.printJson({ ...figures, steps });
      else printFigures(io, figures, steps, options.threads);
    });
  });

/** Measures the time of each run in a plain loop, in milliseconds. */
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
  readonly inputs: readonly InputFacts[];
}

function printFigures(io: Io, figures: Figures, steps: readonly StepTotal[] | undefined, asked: number): void {
  const { milliseconds, runs, threads, linearMemory } = figures;
  const { cpu, cores, system, host, kernels } = figures.machine;
  const missing = asked > threads ? ` (${asked} requested)` : '';
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
  if (steps) printProfile(io, steps, milliseconds.median as number);
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
  return stepTotals(session.profile);
}

const TRACED_RUNS = 3;

async function trace(
  io: Io,
  session: InferenceSession,
  run: () => Promise<unknown>,
  { file, title }: { readonly file: string; readonly title: string },
): Promise<void> {
  session.startProfiling();
  for (let i = 0; i < TRACED_RUNS; i++) await run();
  session.endProfiling();
  const { toChromeTrace } = await import('../../tools/on-demand.js');
  const text = toChromeTrace(session.profile, { memoryPlan: session.memoryPlan, title });
  concerning(`--trace ${file}`, () => write(io, file, text));
}

function printProfile(io: Io, steps: readonly StepTotal[], median: number): void {
  const whole = sumOf(steps);
  const rows = steps.map(({ operator, kernel, steps, milliseconds }) => [
    operator,
    kernel,
    String(steps),
    milliseconds.toFixed(3),
    `${((100 * milliseconds) / whole).toFixed(1)} %`,
  ]);
  io.print(`\n${table(['operator', 'kernel', '>steps', '>median ms', '>share'], rows)}`);
  const note = costOfProfiling(steps, median);
  if (note) io.print(note);
}
