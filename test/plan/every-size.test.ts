// Traces the models of ONNX's node tests with a symbol for every size of 2 or more. Each trace compares its words with those of the plan.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { planStage } from '../../src/backends/wasm/plan/planner.js';
import { Untraceable } from '../../src/backends/wasm/plan/tape.js';
import { traceStage } from '../../src/backends/wasm/plan/trace.js';
import { Facts } from '../../src/graph/facts.js';
import type { Value } from '../../src/graph/graph.js';
import { isKnown } from '../../src/graph/sizes.js';
import { loadGroups } from '../../src/groups/load-groups.js';
import { backendTests, type Case, casesOf } from '../conformance/suite.js';
import { sampleByTier } from '../tier.js';
import { contextOf } from './runners.js';

const test = suite('every size is a symbol');

const EVERY: ReadonlySet<string> = new (class extends Set<string> {
  override has = () => true;
})();

const hasKnownSizes = ({ type }: Value) => type?.kind === 'tensor' && type.dims !== undefined && isKnown(type.dims);

/** Errors other than that a node cannot be traced: code that computes with a symbol as if it were a number, for example. */
function faultsOf(failures: readonly unknown[]): string[] {
  const causes = failures.map((error) => (error as Error).cause ?? error);
  return causes
    .filter((cause) => !(cause instanceof Untraceable))
    .map((cause) => (cause as Error).stack ?? String(cause));
}

/** Whether the first stage of a model could be traced; undefined if its inputs are no tensors of known sizes. */
async function traceCase({ bytes, name }: Case): Promise<boolean | undefined> {
  const { graph, context } = await contextOf(bytes, { graphOptimizationLevel: 'disabled' });
  const held = graph.inputs;
  if (!held.every(hasKnownSizes)) return undefined;
  const facts = new Facts();
  for (const value of held) if (value.type) facts.set(value, { type: value.type });
  const stage = planStage(context, {
    nodes: graph.nodes,
    facts,
    held,
    given: held,
    onHost: new Set(),
    resident: new Map(),
    outputs: graph.outputs,
    lasting: new Set(),
    evaluates: false,
  });
  const trace = traceStage(context, stage, EVERY);
  if (trace) assert.equal(faultsOf(trace.failures), [], name);
  return trace !== undefined;
}

const root = backendTests();
const cases = root ? casesOf(root, 'node').filter(({ unsupported }) => unsupported.length === 0) : [];
const chosen = sampleByTier(cases, { quick: 150, ci: 500, all: cases.length }, ({ name }) => name);

test(`${chosen.length} of ${cases.length} models`, async () => {
  await loadGroups();
  let [traced, left] = [0, 0];
  for (const each of chosen) {
    const isTraced = await traceCase(each);
    if (isTraced) traced++;
    else if (isTraced === false) left++;
  }
  assert.ok(traced > 10 * left, `${traced} traced, ${left} not`);
});

test.run();
