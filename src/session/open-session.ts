import { type Account, within } from '../account.js';
import { advised } from '../advice/advised.js';
import { type OpeningWasm, openWasm } from '../backends/wasm/open-wasm.js';
import type { WasmBackend } from '../backends/wasm/wasm-backend.js';
import { aborted } from '../base/aborted.js';
import { optionsOf } from '../base/arguments.js';
import type { Model } from '../graph/graph.js';
import { openAccount } from '../limits/open-account.js';
import { onHeap } from '../loading/destination.js';
import { partOf } from '../loading/source.js';
import { type Prepared, prepare } from '../optimize/prepare.js';
import { type ModelSource, openModel } from './open-model.js';
import { OPTIONS_EXAMPLE, SESSION_OPTIONS, type SessionOptions } from './options.js';
import { needsWasm, type Providers, providersOf } from './providers.js';
import { reportSessionOptions } from './report-options.js';
import { statesOf } from './states.js';

/** A model, its graph as it runs, and its execution providers. */
export interface OpenedSession extends Prepared {
  readonly model: Model;
  readonly providers: Providers;
  /** Null if other providers run everything. */
  readonly wasm: WasmBackend | null;
  /** Null if no input looks like a state. */
  readonly states: Awaited<ReturnType<typeof statesOf>>;
  /** Null until there are limits. */
  readonly account: Account | null;
}

/** The arguments of `create`: a source and options, or a buffer, the range of the model in it, and options. */
export type Creation = readonly [
  source: ModelSource,
  second?: SessionOptions | number,
  byteLength?: number,
  last?: SessionOptions,
];

/**
 * Loads the model while backends start, rewrites its graph, assigns nodes to providers and creates the session. Stops started backends on
 * failure.
 */
export async function openSession<T>(
  [source, second, byteLength, last]: Creation,
  make: (opened: OpenedSession, options: SessionOptions) => T,
): Promise<T> {
  let opening: OpeningWasm | null = null;
  try {
    const options = optionsOf(typeof second === 'number' ? last : second, SESSION_OPTIONS, OPTIONS_EXAMPLE);
    const reported = reportSessionOptions(options);
    const account = options.limits ? await openAccount(options.limits) : null;
    opening = needsWasm(options.executionProviders) ? openWasm(options, account) : null;
    const allocator = opening?.allocator ?? onHeap;
    const bytes = typeof second === 'number' ? partOf(source, second, byteLength) : source;
    const [model] = await Promise.all([openModel(bytes, options, allocator, account), allocator]);
    const prepared = await prepare(model, options, account);
    const wasm = (await opening?.finish(prepared.graph)) ?? null;
    const providers = await providersOf(options.executionProviders, wasm, prepared.graph);
    const states = await statesOf(prepared.graph);
    await reported;
    if (options.signal?.aborted) throw aborted(options.signal, 'loading');
    return within(account, () => make({ model, ...prepared, providers, wasm, states, account }, options));
  } catch (error) {
    opening?.abandon();
    throw await advised(error);
  }
}
