import { proxy, transfer } from 'comlink';
import type { WasmFile } from '../../bindings/wasm-files.js';
import type { WasmOptions } from '../../bindings/wasm-options.js';
import { Line } from '../../workers/line.js';
import type { Description, SessionHost } from '../../workers/session.js';
import { startSessionThread } from '../../workers/session-thread.js';
import { SardonyxError } from '../errors.js';
import type { StepTiming } from '../execute/step-timing.js';
import type { RewriteLog } from '../optimize/rewrite-log.js';
import type { Feeds } from '../session/feeds.js';
import type { InferenceSession as DirectSession, Fetches, Results } from '../session/inference-session.js';
import type { MemoryPlan } from '../session/memory-plan.js';
import type { ValueMetadata } from '../session/metadata.js';
import { env, type SessionOptions } from '../session/options.js';
import { aborted, isRunOptions, type RunOptions } from '../session/run-options.js';
import { asTensor, type Tensor } from '../tensor/tensor.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { packAll } from './pack.js';
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
  static async create(source: PortableSource, options: WorkerSessionOptions = {}): Promise<InferenceSession> {
    const { transfer: handOver, signal, ...session } = options;
    if (signal?.aborted) throw aborted(signal, 'loading');
    const passage = handOver ? 'transfer' : 'copy';
    const buffers = new Set<Transferable>();
    const model = await portableSource(await unkept(source), buffers, passage);
    const data = await portableOptions(session, buffers, passage);
    const reports = Object.entries(data).filter(([, option]) => typeof option === 'function') as [string, Report][];
    const plain = Object.fromEntries(Object.entries(data).filter(([, option]) => typeof option !== 'function'));
    const settings = await portableSettings(env.wasm);
    const locator = portableLocator(env.wasm);
    if (signal?.aborted) throw aborted(signal, 'loading');
    const line = new Line<SessionHost>(startSessionThread(env.wasm.sessionWorkerUrl));
    const abort = () => line.end(aborted(signal as AbortSignal, 'loading'));
    signal?.addEventListener('abort', abort);
    try {
      const description = await line.call((host) =>
        host.create(
          settings,
          locator,
          model,
          transfer(plain, [...buffers]),
          reports.map(([name]) => name),
          ...reports.map(([, report]) => proxy((...given: unknown[]) => queueMicrotask(() => report(...given)))),
        ),
      );
      return new InferenceSession(line, description);
    } catch (error) {
      line.end(released());
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
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
    const isOptions = second !== undefined && isRunOptions(second, this.outputNames);
    const fetches = isOptions ? undefined : (second as Fetches | undefined);
    const { signal, transfer: handOver } = third ?? (isOptions ? second : {});
    if (signal?.aborted) throw aborted(signal);
    const buffers = new Set<Transferable>();
    const packed = feeds && (packAll(feeds, buffers, handOver ? 'transfer' : 'copy') as Feeds);
    const results = await this.#runThere(transferring(packed, buffers), namesIn(fetches), signal);
    return received(results, fetches);
  }

  async #runThere(feeds: Feeds, fetches: Fetches | undefined, signal: AbortSignal | undefined): Promise<Results> {
    if (!signal) return this.#line.call((host) => host.run(feeds, fetches, undefined));
    const run = this.#abortable++;
    const abort = () => {
      this.#line.call((host) => host.abort(run)).catch(() => {});
    };
    signal.addEventListener('abort', abort);
    try {
      return await this.#line.call((host) => host.run(feeds, fetches, run));
    } catch (error) {
      throw (error as SardonyxError).code === 'ABORTED' ? aborted(signal) : error;
    } finally {
      signal.removeEventListener('abort', abort);
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

const transferring = (feeds: Feeds, buffers: Set<Transferable>): Feeds => feeds && transfer(feeds, [...buffers]);

/** The worker makes tensors anew; they are written into those given when they arrive. */
function namesIn(fetches: Fetches | undefined): Fetches | undefined {
  if (!fetches || Array.isArray(fetches)) return fetches;
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
