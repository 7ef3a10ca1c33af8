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

export interface ConformanceProgress {
  readonly done: number;
  /** Null where cases come one after another from who knows where. */
  readonly total: number | null;
  /** The case that has just ended. */
  readonly result: ConformanceResult;
}

export interface ConformanceOptions {
  /** Cases to run, by their names: a part of one, or what it is to match. All if left out. */
  readonly filter?: string | RegExp;
  /** For the case of that name, where ONNX's own is not wanted. */
  readonly tolerance?: (name: string) => Partial<Tolerance> | undefined;
  /** Milliseconds after which a case has failed, 60,000 if left out. Only what lets others have their turn can be left. */
  readonly timeLimit?: number;
  /** What sessions are made with, such as `{ executionProviders: ['webgpu'] }`. */
  readonly session?: object;
  /** The runtime's name in the report, where the module does not say it. */
  readonly name?: string;
  readonly signal?: AbortSignal;
  /** Told of every case as it ends: whatever befalls the next, this is known. */
  readonly onProgress?: (progress: ConformanceProgress) => void;
}

const EXAMPLE = "{ filter: 'test_conv' }";

/**
 * Runs ONNX's backend tests, or others of their form, each in a session of its own.
 * @param cases such as `conformanceCases` finds
 * @param runtime a module with `InferenceSession` and `Tensor` as onnxruntime has them
 * @throws SardonyxError INVALID_ARGUMENT, and ABORTED once the signal says so; what cases throw is in the report
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
    throw new SardonyxError('INVALID_ARGUMENT', `timeLimit is in milliseconds, not ${shown(timeLimit)}`);
  if (typeof runtime?.InferenceSession?.create === 'function' && typeof runtime.Tensor === 'function') return options;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    "the runtime is a module with InferenceSession and Tensor, e.g. await import('onnxruntime-web')",
  );
}
