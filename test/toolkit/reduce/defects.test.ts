import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TensorProto } from '../../../build/onnx.js';
import { InferenceSession } from '../../../src/index.js';
import { toNumber } from '../../../src/model/int64.js';
import type { Feeds } from '../../../src/session/feeds.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import {
  checkModel,
  compareModels,
  edit,
  type Model,
  type Predicate,
  reduceModel,
  saveModel,
} from '../../../src/tools/index.js';
import { byTier, sampled } from '../../tier.js';
import { f32 } from '../../values.js';
import { allNodes, network, type Planted } from './networks.js';

/** Defects of many kinds, each in a large network of its own, which come down to three nodes at most. */
const test = sampled(suite('reduceModel: 20 defects'), { ci: 1 / 4 });

const NODES = byTier({ quick: 400, ci: 400, all: 1000 });
const MOST_RUNS = 2 * Math.log2(NODES) + 40;

const counts = (model: Model, operator: string) => allNodes(model).filter(({ opType }) => opType === operator).length;
const has =
  (...operators: string[]): Predicate =>
  (model) =>
    operators.every((operator) => counts(model, operator) > 0);

/** Whether one operator reads what another has made, in the same graph. */
const reads =
  (reader: string, maker: string): Predicate =>
  (model) => {
    const nodes = allNodes(model);
    const made = new Set(nodes.filter(({ opType }) => opType === maker).flatMap(({ output }) => output));
    return nodes.some(({ opType, input }) => opType === reader && input.some((name) => made.has(name)));
  };

/** Whether something follows from what an operator has made, through whatever is between. */
const follows =
  (later: string, earlier: string): Predicate =>
  ({ proto: { graph } }) => {
    const behind = new Set<string>();
    for (const { opType, input, output } of graph?.node ?? []) {
      const isBehind = opType === earlier || input.some((name) => behind.has(name));
      if (isBehind && opType === later) return true;
      if (isBehind) for (const name of output) behind.add(name);
    }
    return false;
  };

const attributeOf = (model: Model, operator: string, name: string) =>
  allNodes(model)
    .filter(({ opType }) => opType === operator)
    .flatMap(({ attribute }) => attribute.filter((one) => one.name === name));

async function outputsOf(model: Model, feeds: Feeds | undefined): Promise<TensorValue[]> {
  const session = await InferenceSession.create(await saveModel(model));
  const results = await session.run(feeds as Feeds);
  await session.release();
  return Object.values(results) as TensorValue[];
}

const isOdd = (value: TensorValue) => Array.from(value.data as Float32Array).some((x) => !Number.isFinite(x));

/** Another runtime, which computes one operator as another. */
const differsWhere =
  (operator: string, wrong: string, tolerance = 1e-4): Predicate =>
  async (model, feeds) => {
    const other = await edit(model, (graph) => {
      for (const node of graph.allNodes) if (node.op === operator) node.op = wrong;
    });
    return (await compareModels(model, other, feeds, { capture: [], tolerance })).failed > 0;
  };

interface Defect {
  readonly what: string;
  readonly planted: readonly Planted[];
  readonly holds: Predicate;
  readonly feeds?: Feeds;
}

const at = (text: string, where: number, inside?: Planted['inside']): Planted => ({
  text,
  at: where,
  ...(inside && { inside }),
});
const x = {
  x: f32(
    [4, 4],
    Array.from({ length: 16 }, (_, i) => Math.sin(i) + 0.1),
  ),
};

const DEFECTS: readonly Defect[] = [
  { what: 'an operator at the beginning', planted: [at('Erf (a)', 0)], holds: has('Erf') },
  { what: 'an operator in the middle', planted: [at('Erf (a)', 0.5)], holds: has('Erf') },
  { what: 'an operator at the end', planted: [at('Erf (a)', 0.99)], holds: has('Erf') },
  {
    what: 'an attribute',
    planted: [at('LeakyRelu <alpha = 0.7> (a)', 0.3)],
    holds: (model) => attributeOf(model, 'LeakyRelu', 'alpha').some(({ f }) => f > 0.5),
  },
  {
    what: 'an order of axes, beside many that are right',
    planted: [at('Transpose <perm = [0, 1]> (a)', 0.77)],
    holds: (model) => attributeOf(model, 'Transpose', 'perm').some(({ ints }) => toNumber(ints[0] ?? 1) === 0),
  },
  {
    what: 'two operators, wherever they are',
    planted: [at('Erf (a)', 0.1), at('Sin (a)', 0.9)],
    holds: has('Erf', 'Sin'),
  },
  {
    what: 'two of one kind',
    planted: [at('Erf (a)', 0.2), at('Erf (a)', 0.6)],
    holds: (model) => counts(model, 'Erf') > 1,
  },
  { what: 'one that feeds another', planted: [at('Erf (a)', 0.5), at('Sin (p0)', 0.5)], holds: reads('Sin', 'Erf') },
  {
    what: 'one that feeds another, far behind',
    planted: [at('Erf (a)', 0.1), at('Sin (p0)', 0.9)],
    holds: reads('Sin', 'Erf'),
  },
  {
    what: 'one that follows from another through others',
    planted: [at('Erf (x)', 0), at('Tanh (p0)', 0.2), at('Abs (p1)', 0.4), at('Relu (p2)', 0.6), at('Sin (p3)', 0.8)],
    holds: follows('Sin', 'Erf'),
  },
  {
    what: 'three operators, wherever they are',
    planted: [at('Erf (a)', 0.2), at('Cos (a)', 0.5), at('Sin (a)', 0.8)],
    holds: has('Erf', 'Cos', 'Sin'),
  },
  {
    what: 'two that a third joins',
    planted: [at('Erf (a)', 0.2), at('Sin (a)', 0.6), at('Mul (p0, p1)', 0.7)],
    holds: async (...given) => (await reads('Mul', 'Erf')(...given)) && reads('Mul', 'Sin')(...given),
  },
  {
    what: 'three of one kind, which the predicate throws without',
    planted: [at('Erf (a)', 0.3), at('Erf (a)', 0.31), at('Erf (a)', 0.95)],
    holds(model) {
      if (counts(model, 'Erf') < 3) throw new Error('no such luck');
      return true;
    },
  },
  { what: 'an operator in a branch', planted: [at('Erf (a)', 0.5, 'If')], holds: has('Erf') },
  { what: 'an operator that must be in a branch', planted: [at('Erf (a)', 0.4, 'If')], holds: has('If', 'Erf') },
  { what: 'an operator that must be in a loop', planted: [at('Erf (a)', 0.6, 'Loop')], holds: has('Loop', 'Erf') },
  {
    what: 'an operator that must be in a function',
    planted: [at('Erf (a)', 0.6, 'function')],
    holds: ({ proto }) => proto.functions.some(({ node }) => node.some(({ opType }) => opType === 'Erf')),
  },
  {
    what: 'a runtime that computes an operator as another',
    planted: [at('Erf (a)', 0.5)],
    holds: differsWhere('Erf', 'Sin'),
    feeds: x,
  },
  {
    what: 'a runtime that computes an operator in a loop as another',
    planted: [at('Sin (a)', 0.5, 'Loop')],
    holds: differsWhere('Sin', 'Cos', 1e-2),
    feeds: x,
  },
  {
    what: 'a number that is none, from two nodes on what the whole computes',
    planted: [at('Sub (v100, v100)', 0.3), at('Div (v200, p0)', 0.997)],
    holds: async (model, feeds) => (await outputsOf(model, feeds)).some(isOdd),
    feeds: x,
  },
];

const most = { nodes: 0, runs: 0 };

for (const [seed, { what, planted, holds, feeds }] of DEFECTS.entries())
  test(what, async () => {
    const whole = network(seed + 1, NODES - planted.length, planted);
    assert.ok(allNodes(whole).length >= NODES);
    let asked = 0;
    const counted: Predicate = (...given) => {
      asked++;
      return holds(...given);
    };
    const reduced = await reduceModel(whole, counted, { ...(feeds && { feeds }) });
    const { model, nodes, outcomes } = reduced;
    most.nodes = Math.max(most.nodes, nodes);
    most.runs = Math.max(most.runs, asked);
    assert.is(asked, outcomes.held + outcomes.failed + outcomes.thrown);
    assert.is(nodes, allNodes(model).length);
    assert.ok(nodes <= 3, `${nodes} nodes: ${allNodes(model).map(({ opType }) => opType)}`);
    assert.ok(asked <= MOST_RUNS, `${asked} runs`);
    assert.ok(await holds(model, reduced.feeds), 'it still holds');
    const errors = (await checkModel(model, { full: true })).filter(({ severity }) => severity === 'error');
    assert.equal(errors, []);
    assert.is(outcomes.thrown > 0, what.includes('throws'));
    const weights = new Set(whole.proto.graph?.initializer);
    for (const tensor of model.proto.graph?.initializer ?? [])
      assert.ok(weights.has(tensor) || tensor.rawData.length < 16 || tensor instanceof TensorProto);
  });

test.after(() => console.log(`at most ${most.nodes} nodes after ${most.runs} runs`));

test.run();
