import { proxy, transfer } from 'comlink';
import type { WasmFile } from '../../bindings/wasm-files.js';
import type { WasmOptions } from '../../bindings/wasm-options.js';
import { Line } from '../../workers/line.js';
import type { Description, SessionHost } from '../../workers/session.js';
import { startSessionThread } from '../../workers/session-thread.js';
import { asSardonyxError, SardonyxError } from '../errors.js';
import type { StepTiming } from '../execute/step-timing.js';
import { callbackFailed } from '../loading/progress.js';
import { isKept, type KeptFile, partOf } from '../loading/source.js';
import type { RewriteLog } from '../optimize/rewrite-log.js';
import type { Feeds } from '../session/feeds.js';
import { checkTarget } from '../session/fetches.js';
import type { InferenceSession as DirectSession, Fetches, Results } from '../session/inference-session.js';
import type { MemoryPlan } from '../session/memory-plan.js';
import type { ValueMetadata } from '../session/metadata.js';
import { onAbort } from '../session/on-abort.js';
import { env, type SessionOptions } from '../session/options.js';
import { aborted, type RunOptions, runArguments } from '../session/run-options.js';
import { asTensor, type Tensor } from '../tensor/tensor.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { type Passage, packAll } from './pack.js';
import {
  type PortableSource,
  portableBinary,
  portableOptions,
  portableSettings,
  portableSource,
  unkept,
} from './portable.js';
import { writeInto } from './write-into.js';

export interface WorkerSessionOptions extends SessionOptions {
  /** Hands the bytes of the model and its external data over instead of copying them, which leaves the caller's empty. */
  readonly transfer?: boolean;
}

type Awaited = 'profile' | 'threads' | 'memoryPlan';
type Told = 'startProfiling' | 'endProfiling';

/** A session's interface from another thread: what cannot be had at once is a promise. */
type Remotely<Session> = Pick<Session, Exclude<keyof Session, Awaited | Told | 'model'>> & {
  readonly [K in keyof Session & Awaited]: Promise<Session[K]>;
} & { readonly [K in keyof Session & Told]: () => Promise<void> };

/** A model that runs in a worker of its own; the caller's thread only sends feeds and receives results. */
export class InferenceSession implements Remotely<DirectSession> {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly ValueMetadata[];
  readonly outputMetadata: readonly ValueMetadata[];
  readonly rewrites: RewriteLog;
  readonly #line: Line<SessionHost>;
  #isClosing = false;
  #abortable = 0;

  private constructor(line: Line<SessionHost>, description: Description) {
    this.#line = line;
    this.inputNames = description.inputNames;
    this.outputNames = description.outputNames;
    this.inputMetadata = description.inputMetadata;
    this.outputMetadata = description.outputMetadata;
    this.rewrites = description.rewrites;
  }

  /**
   * Starts a worker and loads a model there.
   * @throws SardonyxError what the session itself throws; WORKER_FAILED where no worker can be started
   */
  static create(source: PortableSource, options?: WorkerSessionOptions): Promise<InferenceSession>;
  static create(
    buffer: ArrayBufferLike,
    byteOffset: number,
    byteLength?: number,
    options?: WorkerSessionOptions,
  ): Promise<InferenceSession>;
  static async create(
    source: PortableSource,
    second?: WorkerSessionOptions | number,
    byteLength?: number,
    last?: WorkerSessionOptions,
  ): Promise<InferenceSession> {
    try {
      if (typeof second !== 'number') return await InferenceSession.#open(source, second ?? {});
      return await InferenceSession.#open(partOf(source, second, byteLength), last ?? {});
    } catch (error) {
      throw asSardonyxError(error);
    }
  }

  static async #open(source: PortableSource, options: WorkerSessionOptions): Promise<InferenceSession> {
    const { transfer: handOver, signal, ...session } = options;
    if (signal?.aborted) throw aborted(signal, 'loading');
    const passage = handOver ? 'transfer' : 'copy';
    const buffers = new Set<Transferable>();
    const model = await portableSource(await unkept(source), buffers, passage);
    const data = await portableOptions(session, buffers, passage);
    const kept = isKept(source) ? source : undefined;
    const reports = Object.entries(data).filter(([, option]) => typeof option === 'function') as [string, Report][];
    const plain = Object.fromEntries(Object.entries(data).filter(([, option]) => typeof option !== 'function'));
    const settings = await portableSettings(env.wasm);
    const locator = portableLocator(env.wasm);
    if (signal?.aborted) throw aborted(signal, 'loading');
    const line = new Line<SessionHost>(startSessionThread(env.wasm.sessionWorkerUrl));
    let isSettled = false;
    const heard = ([name, report]: [string, Report]) =>
      proxy((...given: unknown[]) => {
        try {
          if (!isSettled) report(...given);
        } catch (cause) {
          line.end(callbackFailed(name, cause));
        }
      });
    let forget = () => {};
    try {
      forget = onAbort(signal, () => line.end(aborted(signal as AbortSignal, 'loading')));
      if (signal?.aborted) throw aborted(signal, 'loading');
      const description = await line.call((host) =>
        host.create(
          settings,
          locator,
          kept && besideOf(kept, signal),
          kept?.url ?? '',
          model,
          transfer(plain, [...buffers]),
          reports.map(([name]) => name),
          ...reports.map(heard),
        ),
      );
      return new InferenceSession(line, description);
    } catch (error) {
      line.end(released());
      throw error;
    } finally {
      isSettled = true;
      forget();
    }
  }

  /**
   * Computes the outputs for these inputs. Feeds are copied before this returns, or handed over with the option `transfer`;
   * results are handed over by the worker.
   */
  run(feeds: Feeds, options?: RunOptions): Promise<Results>;
  run(feeds: Feeds, fetches: Fetches | undefined, options?: RunOptions): Promise<Results>;
  async run(feeds: Feeds, second?: Fetches | RunOptions, third?: RunOptions): Promise<Results> {
    if (this.#isClosing) throw released();
    const { fetches, options } = runArguments(second, third, this.outputNames);
    const { signal, transfer: handOver } = options;
    if (signal?.aborted) throw aborted(signal);
    const names = namesIn(fetches);
    const results = await this.#runThere(packed(feeds, handOver ? 'transfer' : 'copy'), names, signal);
    return received(results, fetches);
  }

  /** Settles when the worker has nothing left to do: an aborted run fails before its worker has heard of it. */
  get idle(): Promise<unknown> {
    return this.#line.idle;
  }

  async #runThere(feeds: Feeds, fetches: Fetches | undefined, signal: AbortSignal | undefined): Promise<Results> {
    if (!signal) return this.#line.call((host) => host.run(feeds, fetches, undefined));
    const run = this.#abortable++;
    let fail: (reason: SardonyxError) => void = () => {};
    const isAborted = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const forget = onAbort(signal, () => {
      fail(aborted(signal));
      this.#line.call((host) => host.abort(run)).catch(() => {});
    });
    try {
      return await Promise.race([this.#line.call((host) => host.run(feeds, fetches, run)), isAborted]);
    } finally {
      forget();
    }
  }

  /** Settles when the worker has heard it, which runs called from now on need not wait for. */
  startProfiling(): Promise<void> {
    return this.#line.call((host) => host.startProfiling());
  }

  endProfiling(): Promise<void> {
    return this.#line.call((host) => host.endProfiling());
  }

  get profile(): Promise<readonly StepTiming[]> {
    return this.#line.call((host) => host.profile());
  }

  get threads(): Promise<number> {
    return this.#line.call((host) => host.threads());
  }

  get memoryPlan(): Promise<MemoryPlan | null> {
    return this.#line.call((host) => host.memoryPlan());
  }

  /** Ends the worker, after the runs that are going on; others are refused from now on. */
  async release(): Promise<void> {
    this.#isClosing = true;
    await this.#line.call((host) => host.release()).catch(() => {});
    await this.#line.idle;
    this.#line.end(released());
  }
}

const portableLocator = ({ source }: WasmOptions) =>
  typeof source === 'function' ? proxy(async (file: WasmFile) => portableBinary(await source(file))) : undefined;

type Report = (...given: unknown[]) => void;

const released = () => new SardonyxError('RELEASED', 'the session has been released');

/** The external files of a kept model, for its worker. */
const besideOf = (kept: KeptFile, signal: AbortSignal | undefined) =>
  proxy(async (path: string) => {
    const data = await kept.beside(path, { signal });
    const buffers = new Set<Transferable>();
    const portable = data && (await portableSource(await unkept(data), buffers, 'copy'));
    return buffers.size > 0 ? transfer(portable as Uint8Array, [...buffers]) : portable;
  });

/** What is no object, the worker refuses. */
function packed(feeds: Feeds, passage: Passage): Feeds {
  if (typeof feeds !== 'object' || feeds === null) return feeds;
  const buffers = new Set<Transferable>();
  const values = packAll(feeds, buffers, passage) as Feeds;
  return transfer(values, [...buffers]);
}

/** The worker makes tensors anew; they are written into those given when they arrive. */
function namesIn(fetches: Fetches | undefined): Fetches | undefined {
  if (!fetches || Array.isArray(fetches)) return fetches;
  for (const [name, target] of Object.entries(fetches)) checkTarget(name, target);
  return Object.fromEntries(Object.keys(fetches).map((name) => [name, null]));
}

function received(results: Results, fetches: Fetches | undefined): Results {
  const targets = (fetches && !Array.isArray(fetches) ? fetches : {}) as Readonly<Record<string, Tensor | null>>;
  const outputs = Object.entries(results).map(([name, value]): [string, HostValue] => {
    const target = targets[name];
    return [name, target ? writeInto(target, value, name) : asTensor(value)];
  });
  return Object.fromEntries(outputs);
}
