import { createEngine, type Engine, isShared } from '../../../bindings/engine.js';
import type { KernelSet } from '../../../bindings/kernel-set.js';
import { addFiles } from '../../../bindings/wasm-files.js';
import { type Account, growTo, within } from '../../account.js';
import { onDemand } from '../../base/on-demand.js';
import { subgraphsOf } from '../../graph/captures.js';
import type { Graph } from '../../graph/graph.js';
import { constantsOf } from '../../graph/walk.js';
import type { Allocator } from '../../loading/destination.js';
import type { StoredTensor } from '../../tensor/stored-tensor.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { instantiating, kernelModule } from './kernels.js';
import { loadTeam } from './load-team.js';
import { ofFloats } from './lower/of-floats.js';
import { kernelSetsOf, registerLowerings } from './lowerings.js';
import { Staging } from './plan/staging.js';
import { threadCount } from './threads.js';
import { guardsOf, WasmBackend } from './wasm-backend.js';

export interface WasmSettings {
  readonly intraOpNumThreads?: number;
  readonly guardBytes?: number;
}

/** A backend that is starting. */
export interface OpeningWasm {
  /** Allocates linear memory for downloads. */
  readonly allocator: Promise<Allocator>;
  /** Completes the backend, for its graph. */
  finish(graph: Graph): Promise<WasmBackend>;
  /** Dismisses the threads that were started. */
  abandon(): void;
}

/** Starts kernels and threads, which load while the model is read. */
export function openWasm(settings: WasmSettings, account: Account | null): OpeningWasm {
  const threads = threadCount(settings);
  const engine = kernelModule(threads > 1).then((module) =>
    within(account, () => instantiating(() => createEngine(module, threads, growTo))),
  );
  const team = threads > 1 ? loadTeam(threads, engine) : null;
  const staging = engine.then((made) => new Staging(made));
  const allocator = staging.then(
    ({ allocate }): Allocator =>
      (size) =>
        within(account, () => allocate(size)),
  );
  return {
    allocator,
    async finish(graph) {
      const guards = await guardsOf(settings.guardBytes);
      if (await extended(await engine, graph)) await (await team)?.joinAgain();
      const branches = graph.nodes.flatMap(subgraphsOf).map((branch) => ({ ...branch, inputs: graph.inputs }));
      const branched = branches[0] && (await loadBranches()).branchedIn(graph);
      const caching = [graph, ...branches].some(mayCache)
        ? new (await loadCaching()).Caching(await engine, branched && graph)
        : undefined;
      const foundations = { engine: await engine, staging: await staging, team: await team, guards, caching, branched };
      return within(account, () => new WasmBackend(foundations, graph, settings.guardBytes));
    },
    abandon: () => void team?.then((started) => started?.dismiss()),
  };
}

/** Adds kernels that only some graphs need to the engine; returns whether there are any. */
async function extended(engine: Engine, graph: Graph): Promise<boolean> {
  const sets = kernelSetsOf(graph);
  if ([...constantsOf(graph)].some(isInHalves)) sets.add(await halvesServed());
  await Promise.all(
    [...sets].map(async (set) => {
      addFiles(set.files);
      const module = await kernelModule(isShared(engine.memory), set.name);
      instantiating(() => engine.extend(module, set));
    }),
  );
  return sets.size > 0;
}

const isInHalves = (constant: TensorValue & { readonly kept?: StoredTensor }) =>
  constant.kept?.type === 'float16' && constant.kept !== constant;

/** Loads the kernels for half-precision weights, and registers their lowerings. */
async function halvesServed(): Promise<KernelSet> {
  const { kernelSet, takingHalves } = await onDemand('halves', () => import('./lower/halves.js'));
  registerLowerings(takingHalves(ofFloats));
  return kernelSet;
}

/** Whether an output may extend an input. */
const mayCache = ({ nodes, inputs, outputs }: Graph): boolean =>
  nodes.some(
    (node) =>
      /^Concat$|Attention$/.test(node.op) &&
      node.inputs.some((value) => value && inputs.includes(value)) &&
      node.outputs.some((value) => value && outputs.includes(value)),
  );

const loadBranches = () => onDemand('branches', () => import('./branches/index.js'));

const loadCaching = () => onDemand('caching', () => import('./caches/index.js'));
