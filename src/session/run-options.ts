import { unreadable } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { checkSignal } from '../base/on-abort.js';
import { isPromise, shown } from '../base/shown.js';
import type { RunLimits } from '../limits.js';
import { report } from './report-options.js';
import type { State } from './state/options.js';

/** Names of values, or all values that nodes of the main graph compute; values in subgraphs are errors. */
export type Capture = 'all' | readonly string[];

/** Options of a run. */
export interface RunOptions {
  /**
   * State from earlier runs: it feeds inputs, and keeps the outputs that feed them in the next run. It works only with the session that
   * created it, not with a pool.
   */
  readonly state?: State;
  /** The requested outputs, if the argument for them is absent. */
  readonly fetches?: readonly string[];
  /**
   * Intermediate values to return in addition to the outputs; values in a function are named `call/value`. `session.optimizedAway` lists
   * those that the optimized graph does not compute; with `graphOptimizationLevel: 'disabled'`, it computes all.
   */
  readonly capture?: Capture;
  /**
   * Stops the run between two tiles of work, within some milliseconds; the session stays usable. A run with a signal yields to the event
   * loop every 3 ms.
   */
  readonly signal?: AbortSignal;
  /** Limits of the run, if lower than those of the session. */
  readonly limits?: RunLimits;
  /**
   * For a session in a worker or a pool: transfers the feeds' buffers instead of copying them, which leaves the caller's tensors empty. A
   * tensor on a part of a buffer, or on shared memory, is still copied. No effect elsewhere.
   */
  readonly transfer?: boolean;
  /** An option of onnxruntime; no effect. */
  readonly tag?: string;
  /** An option of onnxruntime; no effect. */
  readonly logSeverityLevel?: 0 | 1 | 2 | 3 | 4;
  /** An option of onnxruntime; no effect. */
  readonly logVerbosityLevel?: number;
  /** An option of onnxruntime; no effect. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

const RUN: Readonly<Record<keyof RunOptions, true>> = {
  signal: true,
  state: true,
  fetches: true,
  capture: true,
  limits: true,
  transfer: true,
  tag: true,
  logSeverityLevel: true,
  logVerbosityLevel: true,
  extra: true,
};

/**
 * Whether the second argument of `run` is options instead of fetches: it names no output, and contains only options.
 * @throws SardonyxError INVALID_ARGUMENT if it is neither, or if the third argument is not options
 */
export function isRunOptions(
  second: object | null | undefined,
  third: object | null | undefined,
  outputNames: readonly string[],
): second is RunOptions | null | undefined {
  try {
    if (!isObject(second)) throw notRunnable('second', "a list of outputs, e.g. ['y'], or options", second);
    if (!isObject(third) || Array.isArray(third)) throw notRunnable('third', 'options, as { signal }', third);
    if (Array.isArray(second)) return false;
    for (const name in second) {
      if (outputNames.includes(name)) return false;
      if (!(name in RUN) && isPlace((second as Record<string, unknown>)[name])) return false;
    }
    return true;
  } catch (thrown) {
    throw unreadable('the arguments of run', thrown);
  }
}

const isObject = (argument: unknown) =>
  argument === undefined || (typeof argument === 'object' && !isPromise(argument));

const notRunnable = (place: string, wanted: string, argument: unknown) =>
  new SardonyxError('INVALID_ARGUMENT', `the ${place} argument of run must be ${wanted}; got ${shown(argument)}`);

/** The signal of a run, if any. Reports unknown options. */
export function signalOf(options: RunOptions | null | undefined): AbortSignal | undefined {
  if (!options) return undefined;
  try {
    for (const name in options) if (!(name in RUN)) void report('run', name, options[name as keyof RunOptions], RUN);
    const signal = options.signal ?? undefined;
    if (signal !== undefined) checkSignal(signal);
    return signal;
  } catch (thrown) {
    throw unreadable('the options of run', thrown);
  }
}

/** The options other than the signal. */
export function toldBy(
  options: RunOptions | null | undefined,
): Pick<RunOptions, 'state' | 'fetches' | 'capture' | 'limits'> {
  try {
    return options
      ? ({
          state: options.state,
          fetches: namesIn(options),
          capture: options.capture,
          limits: options.limits,
        } as RunOptions)
      : NOTHING;
  } catch (thrown) {
    throw unreadable('the options of run', thrown);
  }
}

const NOTHING: RunOptions = {};

function namesIn({ fetches }: RunOptions): readonly string[] | undefined {
  if (fetches === undefined || fetches === null || Array.isArray(fetches)) return fetches ?? undefined;
  const complaint = `fetches must be a list of outputs, e.g. ['y']; got ${shown(fetches)}`;
  throw new SardonyxError('INVALID_ARGUMENT', complaint);
}

/** Whether a value is a tensor, or null for a new one. */
const isPlace = (value: unknown) => value == null || (typeof value === 'object' && 'data' in value);

/** Distinguishes the arguments of `run` after the feeds. */
export function runArguments<F extends object>(
  second: F | RunOptions | null | undefined,
  third: RunOptions | null | undefined,
  outputNames: readonly string[],
): { readonly fetches: F | undefined; readonly options: RunOptions } {
  const isOptions = isRunOptions(second, third, outputNames);
  const options = third ?? (isOptions ? (second as RunOptions | null | undefined) : undefined) ?? {};
  signalOf(options);
  return { fetches: ((isOptions ? undefined : second) ?? toldBy(options).fetches) as F | undefined, options };
}
