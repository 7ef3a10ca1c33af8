import { type Account, within } from '../account.js';
import { type OpeningWasm, openWasm } from '../backends/wasm/open-wasm.js';
import type { WasmBackend } from '../backends/wasm/wasm-backend.js';
import { aborted } from '../base/aborted.js';
import type { Model } from '../graph/graph.js';
import { openAccount } from '../limits/open-account.js';
import { onHeap } from '../loading/destination.js';
import { type Prepared, prepare } from '../optimize/prepare.js';
import { type ModelSource, openModel } from './open-model.js';
import type { SessionOptions } from './options.js';
import { needsWasm, type Providers, providersOf } from './providers.js';
import { reportSessionOptions } from './report-options.js';

/** A model, its graph as it runs, and what runs it. */
export interface OpenedSession extends Prepared {
  readonly model: Model;
  readonly providers: Providers;
  /** Null where other backends run everything. */
  readonly wasm: WasmBackend | null;
  /** Null until there are limits. */
  readonly account: Account | null;
}

/**
 * Loads the model while backends start, rewrites its graph, divides it among them, and has the session made of it. What was started is
 * sent home where that fails.
 */
export async function openSession<T>(
  source: ModelSource,
  options: SessionOptions,
  make: (opened: OpenedSession) => T,
): Promise<T> {
  let opening: OpeningWasm | null = null;
  try {
    const reported = reportSessionOptions(options);
    const account = options.limits ? await openAccount(options.limits) : null;
    opening = needsWasm(options.executionProviders) ? openWasm(options, account) : null;
    const allocator = opening?.allocator ?? onHeap;
    const [model] = await Promise.all([openModel(source, options, allocator, account), allocator]);
    const prepared = await prepare(model, options, account);
    const wasm = (await opening?.finish(prepared.graph)) ?? null;
    const providers = await providersOf(options.executionProviders, wasm, prepared.graph);
    await reported;
    if (options.signal?.aborted) throw aborted(options.signal, 'loading');
    return within(account, () => make({ model, ...prepared, providers, wasm, account }));
  } catch (error) {
    opening?.abandon();
    throw error;
  }
}
