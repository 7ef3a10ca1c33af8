import type { Backend } from '../backends/backend.js';
import type { WasmBackend } from '../backends/wasm/wasm-backend.js';
import { onDemand } from '../base/on-demand.js';
import type { Providers } from '../execute/open-providers.js';
import type { Graph } from '../graph/graph.js';

/**
 * An execution provider: `wasm` (or `cpu`), the kernels; `reference`, slow plain loops in double precision; or your own backend. Names that
 * only onnxruntime has are ignored with a warning.
 */
export type ExecutionProvider = 'wasm' | 'cpu' | 'reference' | Backend | (string & {}) | { readonly name: string };

/** The provider of one node. */
export interface Placement {
  /** The node's name. */
  readonly node: string;
  /** The node's operator, such as `Conv`. */
  readonly operator: string;
  /** The execution provider that runs it. */
  readonly provider: string;
  /** See `StepTiming`. */
  readonly origins: readonly string[];
}

export type { Providers } from '../execute/open-providers.js';

export const isBackend = (provider: unknown): provider is Backend =>
  typeof provider === 'object' && provider !== null && typeof (provider as Partial<Backend>).compile === 'function';

const isWasm = (provider: unknown) => provider === 'wasm' || provider === 'cpu';

type Given = readonly ExecutionProvider[] | ExecutionProvider | undefined | null;

const listOf = (given: Given): readonly unknown[] => (Array.isArray(given) ? given : [given]);

/** Whether a provider is not the kernels; used only on request. */
const isOther = (provider: unknown) => provider === 'reference' || isBackend(provider);

/** Whether to load kernels: if they are requested, or no other provider is. */
export const needsWasm = (given: Given): boolean => !listOf(given).some(isOther) || listOf(given).some(isWasm);

/** @throws SardonyxError UNSUPPORTED_OPERATOR if no provider supports a node */
export async function providersOf(given: Given, wasm: WasmBackend | null, graph: Graph): Promise<Providers> {
  const list = listOf(given);
  if (wasm && !list.some(isOther)) return wasm;
  const { openProviders } = await onDemand('providers', () => import('../execute/open-providers.js'));
  const backends = list.filter((provider) => isOther(provider) || isWasm(provider));
  return openProviders(
    backends.map((provider) => (isWasm(provider) ? wasm : provider)) as ('reference' | Backend)[],
    graph,
  );
}
