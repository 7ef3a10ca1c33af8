import type { Backend, Executor } from '../backends/backend.js';
import type { WasmBackend } from '../backends/wasm/wasm-backend.js';
import { onDemand } from '../base/on-demand.js';
import type { Graph, Node } from '../graph/graph.js';

/**
 * What runs nodes: `wasm` (or `cpu`), the kernels; `reference`, plain loops in double precision, slow; or a backend of the
 * caller's own. Names that only onnxruntime knows are passed over with a warning.
 */
export type ExecutionProvider = 'wasm' | 'cpu' | 'reference' | Backend | (string & {}) | { readonly name: string };

/** Where one node runs. */
export interface Placement {
  readonly node: string;
  readonly operator: string;
  readonly provider: string;
}

/** What makes executors of a session's graph, or of what of it some outputs need. */
export interface Providers {
  readonly names: readonly string[];
  compile(graph: Graph): Executor;
  /** The name of what runs a node of the session's graph. */
  providerOf(node: Node): string;
}

export const isBackend = (provider: ExecutionProvider): provider is Backend =>
  typeof provider === 'object' && 'compile' in provider;

const isWasm = (provider: ExecutionProvider) => provider === 'wasm' || provider === 'cpu';

/** Those besides the kernels: none, unless they are asked for by name. */
const others = (providers: readonly ExecutionProvider[] | undefined | null): readonly ExecutionProvider[] =>
  (providers ?? []).filter((provider) => provider === 'reference' || isBackend(provider));

/** Whether kernels are to be loaded: where nothing else is asked for, or besides that. */
export const needsWasm = (providers: readonly ExecutionProvider[] | undefined | null): boolean =>
  others(providers).length === 0 || (providers ?? []).some(isWasm);

/** @throws SardonyxError UNSUPPORTED_OPERATOR where none of them runs some node */
export async function providersOf(
  given: readonly ExecutionProvider[] | undefined | null,
  wasm: WasmBackend | null,
  graph: Graph,
): Promise<Providers> {
  if (wasm && others(given).length === 0) return wasm;
  const { openProviders } = await onDemand('providers', () => import('../execute/open-providers.js'));
  const backends = (given ?? []).flatMap((provider) => (isWasm(provider) && wasm ? [wasm] : others([provider])));
  return openProviders(backends as ('reference' | Backend)[], graph);
}
