import { aborted } from '../../base/aborted.js';
import { optionsOf } from '../../base/arguments.js';
import { SardonyxError } from '../../base/errors.js';
import { checkSignal } from '../../base/on-abort.js';
import { shown } from '../../base/shown.js';
import { nextTurn } from '../../base/turns.js';
import type { Tolerance } from '../difference.js';
import type { ConformanceCase } from './case.js';
import { hostName } from './host-name.js';
import { type ConformanceReport, reportOf } from './report.js';
import type { ConformanceResult } from './result.js';
import { runCase } from './run-case.js';
import { type ConformanceRuntime, nameOfRuntime } from './runtime.js';
import { toleranceOf } from './tolerances.js';

/** The progress of `runConformance`. */
export interface ConformanceProgress {
  /** The number of finished cases. */
  readonly done: number;
  /** The number of cases; null if the cases come from an iterator. */
  readonly total: number | null;
  /** The result of the last case. */
  readonly result: ConformanceResult;
}

/** Options of `runConformance`. */
export interface ConformanceOptions {
  /** The cases to run: a part of their names, or a regular expression. Default: all. */
  readonly filter?: string | RegExp;
  /** Returns the tolerance of a case. Default: ONNX's tolerance. */
  readonly tolerance?: (name: string) => Partial<Tolerance> | undefined;
  /** Milliseconds after which a case fails. Default: 60,000. A case that blocks the event loop cannot be stopped. */
  readonly timeLimit?: number;
  /** Options for the sessions, such as `{ executionProviders: ['webgpu'] }`. */
  readonly session?: object;
  /** The name of the runtime in the report. Default: the name that the module reports. */
  readonly name?: string;
  /** Aborts the run. */
  readonly signal?: AbortSignal;
  /** Called after each case. */
  readonly onProgress?: (progress: ConformanceProgress) => void;
}

const EXAMPLE = "{ filter: 'test_conv' }";

/**
 * Runs ONNX's backend tests, or other tests of the same format, each in a session of its own. Errors of a case are part
 * of the report.
 * @param cases the cases, such as those of `conformanceCases`
 * @param runtime a module with `InferenceSession` and `Tensor` as onnxruntime has them
 * @throws SardonyxError INVALID_ARGUMENT, ABORTED
 */
export async function runConformance(
  cases: Iterable<ConformanceCase> | AsyncIterable<ConformanceCase>,
  runtime: ConformanceRuntime,
  options?: ConformanceOptions,
): Promise<ConformanceReport> {
  const { filter = '', tolerance, timeLimit = 60_000, session, name, signal, onProgress } = checked(runtime, options);
  const isWanted = (found: ConformanceCase) =>
    typeof filter === 'string' ? found.name.includes(filter) : found.name.search(filter) >= 0;
  const wanted = Array.isArray(cases) ? (cases as ConformanceCase[]).filter(isWanted) : cases;
  const total = Array.isArray(wanted) ? wanted.length : null;
  const [date, start] = [new Date().toISOString(), performance.now()];
  const results: ConformanceResult[] = [];
  for await (const found of wanted) {
    if (!isWanted(found)) continue;
    if (signal?.aborted) throw aborted(signal, 'the conformance run');
    const allowed = { ...toleranceOf(found.name), ...tolerance?.(found.name) };
    const result = await runCase(found, runtime, { tolerance: allowed, timeLimit, signal, session });
    results.push(result);
    onProgress?.({ done: results.length, total, result });
    await nextTurn();
  }
  const head = { runtime: name ?? nameOfRuntime(runtime), host: hostName(), date };
  return reportOf({ ...head, milliseconds: performance.now() - start }, results);
}

function checked(runtime: ConformanceRuntime, given: ConformanceOptions | undefined): ConformanceOptions {
  const options = optionsOf(given, 'the options of runConformance', EXAMPLE);
  const { signal, timeLimit = 1 } = options;
  if (signal) checkSignal(signal);
  if (!(timeLimit > 0))
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `timeLimit: expected a positive number of milliseconds, got ${shown(timeLimit)}`,
    );
  if (typeof runtime?.InferenceSession?.create === 'function' && typeof runtime.Tensor === 'function') return options;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    "runtime: expected a module with InferenceSession and Tensor, such as await import('onnxruntime-web')",
  );
}
