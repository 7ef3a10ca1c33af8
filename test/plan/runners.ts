import { createEngine } from '../../bindings/engine.js';
import { addFiles } from '../../bindings/wasm-files.js';
import { Caching } from '../../src/backends/wasm/caches/index.js';
import { GraphRunner } from '../../src/backends/wasm/execute/graph-runner.js';
import { GuardedSteps } from '../../src/backends/wasm/execute/guarded-steps.js';
import { kernelModule } from '../../src/backends/wasm/kernels.js';
import { kernelSetsOf } from '../../src/backends/wasm/lowerings.js';
import { Arena } from '../../src/backends/wasm/plan/arena.js';
import type { LazyTracing } from '../../src/backends/wasm/plan/context.js';
import * as functions from '../../src/backends/wasm/plan/tracing.js';
import { Weights } from '../../src/backends/wasm/plan/weights.js';
import { constantsOf } from '../../src/graph/walk.js';
import type { SessionOptions } from '../../src/index.js';
import { readModel } from '../../src/model/read-model.js';
import { prepare } from '../../src/optimize/prepare.js';
import type { HostValue, TensorValue } from '../../src/tensor/tensor-value.js';

/** The graph of a model, and what its plans share. */
export async function contextOf(model: Uint8Array, options: SessionOptions = {}) {
  const { graph } = await prepare(readModel(model), options);
  const engine = createEngine(await kernelModule());
  for (const set of kernelSetsOf(graph)) {
    addFiles(set.files);
    engine.extend(await kernelModule(false, set.name), set);
  }
  const weights = new Weights(engine, constantsOf(graph));
  const arena = new Arena(engine);
  const tracing: LazyTracing = { functions, isWanted: false };
  return { graph, context: { engine, arena, weights, guardBytes: 0, guards: null, tracing, timing: {} } };
}

/** Runs a model by plans that are traced from the second shape on; `isCaching`: with caches that stay in linear memory. */
export async function runnerOf(
  model: Uint8Array,
  options: SessionOptions = {},
  guardBytes = 0,
  planBytes?: number,
  isCaching = false,
) {
  const { graph, context: shared } = await contextOf(model, options);
  const { engine, arena, tracing } = shared;
  const guards = guardBytes > 0 ? new GuardedSteps(guardBytes) : null;
  const caching = isCaching ? new Caching(engine) : undefined;
  const context = { ...shared, guardBytes, guards, caching, ...(planBytes && { planBytes }) };
  return { engine, arena, tracing, runner: new GraphRunner(context, graph) };
}

export function outputsOf(runner: GraphRunner, inputs: readonly TensorValue[]): Record<string, HostValue> {
  runner.begin(inputs);
  assertDone(runner.advance(null));
  return Object.fromEntries(runner.takeOutputs().map((value, i) => [runner.graph.outputs[i]?.name, value]));
}

function assertDone(isDone: boolean): void {
  if (!isDone) throw new Error('a run without a budget has paused');
}
