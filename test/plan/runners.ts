import { createEngine } from '../../bindings/engine.js';
import { addFiles } from '../../bindings/wasm-files.js';
import { Caching } from '../../src/backends/wasm/caches/index.js';
import { GraphRunner } from '../../src/backends/wasm/execute/graph-runner.js';
import { GuardedSteps } from '../../src/backends/wasm/execute/guarded-steps.js';
import { kernelModule } from '../../src/backends/wasm/kernels.js';
import { kernelSetsOf } from '../../src/backends/wasm/lowerings.js';
import { Ahead } from '../../src/backends/wasm/plan/ahead.js';
import { Arena } from '../../src/backends/wasm/plan/arena.js';
import type { Revising } from '../../src/backends/wasm/plan/context.js';
import { Progression } from '../../src/backends/wasm/plan/progression.js';
import { reviseStage } from '../../src/backends/wasm/plan/revise.js';
import { Weights } from '../../src/backends/wasm/plan/weights.js';
import { constantsOf } from '../../src/graph/walk.js';
import type { SessionOptions } from '../../src/index.js';
import { readModel } from '../../src/model/read-model.js';
import { prepare } from '../../src/optimize/prepare.js';
import type { HostValue, TensorValue } from '../../src/tensor/tensor-value.js';

/** What runs a model by plans that are revised from the first shape on, and leaves caches in place where it is `caching`. */
export async function runnerOf(
  model: Uint8Array,
  options: SessionOptions = {},
  guardBytes = 0,
  planBytes?: number,
  isCaching = false,
) {
  const { graph } = await prepare(readModel(model), options);
  const engine = createEngine(await kernelModule());
  for (const set of kernelSetsOf(graph)) {
    addFiles(set.files);
    engine.extend(await kernelModule(false, set.name), set);
  }
  const weights = new Weights(engine, constantsOf(graph));
  const arena = new Arena(engine);
  const guards = guardBytes > 0 ? new GuardedSteps(guardBytes) : null;
  const revising: Revising = {
    reviseStage,
    Ahead,
    ...(isCaching && { beginProgression: Progression.from }),
    isWanted: false,
  };
  const caching = isCaching ? new Caching(engine) : undefined;
  const shared = { engine, arena, weights, guardBytes, guards, revising, caching, timing: {} };
  const context = { ...shared, ...(planBytes && { planBytes }) };
  return { engine, arena, revising, runner: new GraphRunner(context, graph) };
}

export function outputsOf(runner: GraphRunner, inputs: readonly TensorValue[]): Record<string, HostValue> {
  runner.begin(inputs);
  assertDone(runner.advance(null));
  return Object.fromEntries(runner.takeOutputs().map((value, i) => [runner.graph.outputs[i]?.name, value]));
}

function assertDone(isDone: boolean): void {
  if (!isDone) throw new Error('a run without a budget has paused');
}
