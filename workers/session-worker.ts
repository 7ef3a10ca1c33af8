// A session in a worker; src/remote/worker/worker-session.ts is the other end.
import { expose, transfer } from 'comlink';
import { type WasmOptions, wasmOptions } from '../bindings/wasm-options.js';
import { threadCount } from '../src/backends/wasm/threads.js';
import type { RunLimits } from '../src/limits.js';
import type { Feeds } from '../src/session/feeds.js';
import { type Fetches, InferenceSession, type Results } from '../src/session/inference-session.js';
import type { ModelSource } from '../src/session/open-model.js';
import type { SessionOptions } from '../src/session/options.js';
import type { Capture, RunOptions } from '../src/session/run-options.js';
import type { AnyOutputs, AnyValues, Signature } from '../src/session/signature.js';
import type { StateOptions } from '../src/session/state/options.js';
import type { WarmUp } from '../src/session/warm-up.js';
import { transferErrorsWhole } from './error-transfer.js';
import { ownEndpoint, refuseUnreadable } from './own-endpoint.js';
import { packAll } from './pack.js';
import { callerAt, type Offers } from './session-caller.js';
import type { StateCall } from './session-states.js';
import { arrived } from './streams.js';

/** Facts about a session that do not change. */
export type Description<I extends Signature<I> = AnyValues, O extends Signature<O> = AnyOutputs> = Pick<
  InferenceSession<I, O>,
  'inputNames' | 'outputNames' | 'inputMetadata' | 'outputMetadata' | 'rewrites' | 'placement'
> & {
  /** The requested number of threads. */
  readonly threads: number;
};

let session: InferenceSession;
let states: typeof import('./session-states.js');
const aborts = new Map<number, AbortController>();

const sessionHost = {
  /** Loads the session; settles after the caller has received all reports. */
  async create(
    settings: WasmOptions,
    source: ModelSource | MessagePort,
    options: SessionOptions,
    offers: Offers,
    port: MessagePort,
  ): Promise<Description> {
    const caller = callerAt(port, offers);
    Object.assign(wasmOptions, settings, caller.settings);
    const externalData = options.externalData?.map(({ path, data }) => ({ path, data: arrived(data) }));
    try {
      const given = { ...options, ...(externalData && { externalData }), ...caller.options };
      session = await InferenceSession.create(caller.modelOf(arrived(source)), given);
      await caller.hasHeard();
    } finally {
      caller.release();
    }
    const { inputNames, outputNames, inputMetadata, outputMetadata, rewrites, placement } = session;
    return {
      inputNames,
      outputNames,
      inputMetadata,
      outputMetadata,
      rewrites,
      placement,
      threads: threadCount(options),
    };
  },
  /** `run` is a number by which `abort` finds the run; undefined if nothing will abort it. */
  async run(
    feeds: Feeds,
    fetches: Fetches | undefined,
    run: number | undefined,
    limits: RunLimits | undefined,
    capture: Capture | undefined,
  ): Promise<Results> {
    const buffers = new Set<Transferable>();
    const results = await runAbortable(feeds, fetches, run, { limits, capture });
    return transfer(packAll(results, buffers, 'transfer') as Results, [...buffers]);
  },
  /** Like `run`, from the state of a number; also returns the state's new number of rows. */
  async runOn(
    number: number,
    feeds: Feeds,
    fetches: Fetches | undefined,
    run: number | undefined,
    limits: RunLimits | undefined,
    capture: Capture | undefined,
  ): Promise<readonly [Results, number]> {
    const state = states.stateOf(number);
    const buffers = new Set<Transferable>();
    const results = states.apartFrom(state, await runAbortable(feeds, fetches, run, { limits, state, capture }));
    return transfer([packAll(results, buffers, 'transfer') as Results, state.length], [...buffers]);
  },
  async createState(options: StateOptions | undefined): Promise<number> {
    states ??= await import('./session-states.js');
    return states.numberOf(session.createState(options));
  },
  callState: (name: StateCall, number: number, given: readonly unknown[]): unknown => states.call(name, number, given),
  abort: (run: number): void => aborts.get(run)?.abort(),
  warmUp: (given: WarmUp): Promise<void> => session.warmUp(given),
  startProfiling: (): void => session.startProfiling(),
  endProfiling: (): void => session.endProfiling(),
  profile: (): InferenceSession['profile'] => session.profile,
  optimizedAway: (): InferenceSession['optimizedAway'] => session.optimizedAway,
  threads: (): number => session.threads,
  memoryPlan: (): InferenceSession['memoryPlan'] => session.memoryPlan,
  explain: (): ReturnType<InferenceSession['explain']> => session.explain(),
  release: (): Promise<void> => session.release(),
};

export type SessionHost = typeof sessionHost;

async function runAbortable(
  feeds: Feeds,
  fetches: Fetches | undefined,
  run: number | undefined,
  options: RunOptions,
): Promise<Results> {
  if (run === undefined) return session.run(feeds, fetches, options);
  const controller = new AbortController();
  aborts.set(run, controller);
  try {
    return await session.run(feeds, fetches, { signal: controller.signal, ...options });
  } finally {
    aborts.delete(run);
  }
}

transferErrorsWhole();
refuseUnreadable();
expose(sessionHost, ownEndpoint());
