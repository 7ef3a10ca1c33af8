import { SardonyxError } from '../errors.js';
import { checkRunOptions, RUN } from './check-options.js';

export interface RunOptions {
  /**
   * Stops the run between two tiles of work, in some milliseconds, and leaves the session ready for the next. A run with a
   * signal lets the event loop have a turn every 3 ms.
   */
  readonly signal?: AbortSignal;
  /**
   * Of a session in a worker or a pool: hands the feeds' buffers over instead of copying them, which leaves the caller's tensors
   * empty. A tensor on a part of a buffer, or on shared memory, is copied all the same. No effect elsewhere.
   */
  readonly transfer?: boolean;
  /** onnxruntime's; no effect. */
  readonly tag?: string;
  readonly logSeverityLevel?: 0 | 1 | 2 | 3 | 4;
  readonly logVerbosityLevel?: number;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Whether the second argument of `run` is options, not fetches: it names no output, and holds nothing to write into but options. */
export function isRunOptions(argument: object, outputNames: readonly string[]): argument is RunOptions {
  if (Array.isArray(argument)) return false;
  for (const name in argument) {
    if (outputNames.includes(name)) return false;
    if (!(name in RUN) && isPlace((argument as Record<string, unknown>)[name])) return false;
  }
  return true;
}

/** A tensor, or null for a new one. */
const isPlace = (value: unknown) => value == null || (typeof value === 'object' && 'data' in value);

/** The arguments of `run` behind the feeds, told apart. */
export function runArguments<F extends object>(
  second: F | RunOptions | null | undefined,
  third: RunOptions | null | undefined,
  outputNames: readonly string[],
): { readonly fetches: F | undefined; readonly options: RunOptions } {
  const isFetches = second && !isRunOptions(second, outputNames);
  const options = third ?? (isFetches ? undefined : (second as RunOptions | null | undefined)) ?? {};
  checkRunOptions(options);
  return { fetches: isFetches ? (second as F) : undefined, options };
}

class AbortError extends SardonyxError {
  override readonly name = 'AbortError';
}

/** The reason of the signal is the error's cause. */
export const aborted = ({ reason }: AbortSignal, what = 'the run'): SardonyxError =>
  new AbortError('ABORTED', `${what} was aborted`, {}, { cause: reason });
