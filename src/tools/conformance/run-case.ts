import { onAbort } from '../../base/on-abort.js';
import type { Tolerance } from '../difference.js';
import { bytesIn, type ConformanceCase } from './case.js';
import { type Facts, factsOf } from './facts.js';
import { problemsOf, type Terms } from './problems.js';
import { isRefusal } from './refusal.js';
import type { ConformanceResult } from './result.js';
import type { ConformanceRuntime } from './runtime.js';
import { within } from './within.js';

export interface CaseOptions {
  readonly tolerance: Tolerance;
  /** The time limit in milliseconds. */
  readonly timeLimit: number;
  readonly signal?: AbortSignal | undefined;
  /** Options of the session. */
  readonly session?: object | undefined;
}

const UNREAD: Facts = { operators: [], opsets: {}, inputs: [], outputs: [], isRandom: false };

/** Runs a case in its own session. Throws only if `signal` is aborted. */
export async function runCase(
  trial: ConformanceCase,
  runtime: ConformanceRuntime,
  { tolerance, timeLimit, signal, session }: CaseOptions,
): Promise<ConformanceResult> {
  const start = performance.now();
  let facts = UNREAD;
  const work = async (late: AbortSignal): Promise<Verdict> => {
    const model = await bytesIn(trial.model);
    facts = factsOf(model);
    return tried({ ...trial, model }, { facts, runtime, tolerance }, session, late);
  };
  const verdict = await within(timeLimit, signal, work).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    return thrown(error);
  });
  const { operators, opsets } = facts;
  return { name: trial.name, ...verdict, operators, opsets, milliseconds: performance.now() - start };
}

type Verdict = Pick<ConformanceResult, 'outcome' | 'problems'>;

/** Runs a case. After a timeout or abort, it releases the session at once, or as soon as it has been created. */
async function tried(
  { model, dataSets }: ConformanceCase & { readonly model: Uint8Array },
  terms: Terms & { readonly runtime: ConformanceRuntime },
  options: object | undefined,
  late: AbortSignal,
): Promise<Verdict> {
  const session = await terms.runtime.InferenceSession.create(model, options);
  if (late.aborted) await session.release();
  late.throwIfAborted();
  const forget = onAbort(late, () => session.release().catch(() => {}));
  const problems = await problemsOf(dataSets, session, terms)
    .catch(async (error) => {
      await session.release().catch(() => {});
      throw error;
    })
    .finally(forget);
  await session.release();
  return { outcome: problems.length > 0 ? 'failed' : 'passed', problems };
}

function thrown(error: unknown): Verdict {
  const message = String((error as Error | undefined)?.message || error);
  return { outcome: isRefusal(error) ? 'refused' : 'failed', problems: [{ message }] };
}
