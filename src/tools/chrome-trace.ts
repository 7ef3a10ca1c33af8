import type { MemoryPlan } from '../backends/memory-plan.js';
import type { StepTiming } from '../backends/step-timing.js';
import { SardonyxError } from '../base/errors.js';

/** Options of `toChromeTrace`. */
export interface ChromeTraceOptions {
  /**
   * The memory plan of the same runs. It adds the bytes of the arena in use at each step, if the plan covers all steps
   * of a run.
   */
  readonly memoryPlan?: MemoryPlan | null;
  /** The title of the trace. Default: `sardonyx`. */
  readonly title?: string;
}

const PROCESS = 1;

/** The trace row of whole steps. The rows of threads follow. */
const STEPS = 1;
const rowOf = (thread: number): number => STEPS + 1 + thread;

/** Microseconds between runs. Profiles time each run from its own start. */
const PAUSE = 10;

type Event = Readonly<Record<string, unknown>>;

// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU

/**
 * Converts milliseconds to microseconds, rounded to whole nanoseconds, so that nested slices stay nested when a reader
 * rounds.
 */
const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1e6) / 1e3;

/**
 * Converts a profile to Chrome's trace-event format, which https://ui.perfetto.dev opens. The trace shows runs and
 * their steps; with several threads, each thread has a row of its own.
 * @throws SardonyxError INVALID_ARGUMENT if the profile is empty
 */
export function toChromeTrace(profile: readonly StepTiming[], options: ChromeTraceOptions = {}): string {
  if (profile.length === 0)
    throw new SardonyxError('INVALID_ARGUMENT', 'the profile is empty; call startProfiling before a run');
  const { memoryPlan, title = 'sardonyx' } = options;
  const threads = threadsIn(profile);
  const events = [
    named('process_name', title),
    named('thread_name', 'steps'),
    ...threads.map((thread) => named('thread_name', `thread ${thread}`, rowOf(thread))),
    ...eventsOf(runsIn(profile), memoryPlan ?? undefined, threads.length > 0),
  ];
  return JSON.stringify({ displayTimeUnit: 'ms', traceEvents: events });
}

/** The threads that have their own rows; none if a single thread did all work. */
function threadsIn(profile: readonly StepTiming[]): number[] {
  const found = new Set(profile.flatMap(({ threads }) => threads.map(({ thread }) => thread)));
  return found.size > 1 ? [...found].sort((a, b) => a - b) : [];
}

const named = (what: string, name: string, tid = STEPS): Event => ({
  name: what,
  ph: 'M',
  ts: 0,
  pid: PROCESS,
  tid,
  args: { name },
});

function runsIn(profile: readonly StepTiming[]): StepTiming[][] {
  const runs = new Map<number, StepTiming[]>();
  for (const step of profile) {
    const steps = runs.get(step.run) ?? [];
    runs.set(step.run, steps);
    steps.push(step);
  }
  return [...runs.values()];
}

function eventsOf(runs: readonly StepTiming[][], plan: MemoryPlan | undefined, hasRows: boolean): Event[] {
  const inUse = plan && bytesInUse(plan);
  let begin = 0;
  return runs.flatMap((steps) => {
    const at = (milliseconds: number) => Math.round((begin + microseconds(milliseconds)) * 1e3) / 1e3;
    const end = Math.max(...steps.map(({ start, milliseconds }) => at(start + milliseconds)));
    const whole = slice(`run ${steps[0]?.run}`, 'run', begin, end, { steps: steps.length });
    const counted = inUse?.length === steps.length ? inUse : [];
    const inner = steps.flatMap((step, i): Event[] => [
      ...(counted.length > 0 ? [memory(at(step.start), counted[i] as number)] : []),
      sliceOf(step, at(step.start), at(step.start + step.milliseconds)),
      ...(hasRows ? partsOf(step, at) : []),
    ]);
    const last = counted.length > 0 ? [memory(end, 0)] : [];
    begin = end + PAUSE;
    return [whole, ...inner, ...last];
  });
}

const slice = (name: string, cat: string, ts: number, end: number, args: object, tid = STEPS): Event => ({
  name,
  cat,
  ph: 'X',
  ts,
  dur: Math.round((end - ts) * 1e3) / 1e3,
  pid: PROCESS,
  tid,
  args,
});

/** The work of each thread in a step, in order of time. */
const partsOf = ({ node, operator, provider, kernel, threads }: StepTiming, at: (ms: number) => number): Event[] =>
  threads
    .toSorted((a, b) => a.start - b.start)
    .map(({ thread, start, milliseconds, tiles }) =>
      slice(operator, provider, at(start), at(start + milliseconds), { node, kernel, tiles }, rowOf(thread)),
    );

function sliceOf({ operator, ...step }: StepTiming, ts: number, end: number): Event {
  const { node, origins, provider, kernel, tiles, bytes, multiplyAdds } = step;
  const args = {
    node,
    origins: origins.join(' '),
    kernel,
    tiles,
    bytes,
    ...(multiplyAdds !== null && { multiplyAdds }),
  };
  return slice(operator, provider, ts, end, args);
}

const memory = (ts: number, bytes: number): Event => ({
  name: 'arena',
  ph: 'C',
  ts,
  pid: PROCESS,
  tid: STEPS,
  args: { bytes },
});

/** Bytes of the arena in use at each step. */
const bytesInUse = ({ steps, buffers }: MemoryPlan): number[] =>
  Array.from({ length: steps }, (_, i) =>
    buffers.reduce((sum, { first, last, bytes }) => sum + (first <= i + 1 && i + 1 <= last ? bytes : 0), 0),
  );
