import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GraphProto } from '../../../build/onnx.js';
import { samplesIn } from '../../../src/cli/samples.js';
import { withFields } from '../../../src/model/document/changed.js';
import {
  addPrefix,
  loadModel,
  type MatchedNode,
  type Model,
  matchModels,
  parseModel,
  quantizeDynamic,
  quantizeStatic,
  simplify,
} from '../../../src/tools/index.js';
import { DYNAMIC_TYPES } from '../../../src/tools/quantize/dynamic/options.js';
import { shared, sharedModel, sharedModels } from '../../shared-data.js';
import { byTier } from '../../tier.js';
import { network } from '../reduce/networks.js';
import { EDITS, type Edited, edits, randomOf, unedited } from './edits.js';

const test = suite('matchModels');

const graphIn = ({ proto }: Model) => proto.graph as GraphProto;
const withGraph = (model: Model, graph: GraphProto): Model => ({
  ...model,
  proto: withFields(model.proto, { graph }),
  original: undefined,
});
const own = (nodes: readonly MatchedNode[]) =>
  nodes.filter(({ before, after }) => !(before ?? after ?? '').includes('/'));

/** Nodes that were matched with another than they came from, and those that were not matched. */
async function mistakes(model: Model, { graph, origins }: Edited): Promise<{ wrong: string[]; missed: string[] }> {
  const before = graphIn(model).node;
  const [wrong, missed]: [string[], string[]] = [[], []];
  const found = new Map(
    own((await matchModels(model, withGraph(model, graph), { weights: true })).nodes).map((pair) => [pair.after, pair]),
  );
  for (const [i, node] of graph.node.entries()) {
    const origin = origins.get(node);
    const match = found.get(`${i}`)?.before ?? null;
    const is = match === null ? undefined : before[Number(match)];
    if (is && is !== origin) wrong.push(`${is.opType} ${is.name} → ${node.opType} ${node.output}`);
    if (!is && origin) missed.push(`${origin.opType} ${origin.name}`);
  }
  return { wrong, missed };
}

const root = shared('models');
const models = readdirSync(root).filter((name) => existsSync(join(root, name, 'model.onnx')));
const load = (name: string) => loadModel(join(root, name, 'model.onnx'));

/** Names and order, all of them at once. */
const SAME = edits.filter(([name]) => /names|order/.test(name));

const SEEDS = byTier({ quick: 16, ci: 16, all: 50 });

test('seeded edits of whole models: no node is taken for another', async () => {
  const seen = { nodes: 0, missed: 0 };
  for (let seed = 0; seed < SEEDS; seed++) {
    const model = await load(models[seed % models.length] as string);
    const random = randomOf(seed);
    let edited = unedited(graphIn(model));
    const names: string[] = [];
    for (let i = 0; i <= seed % 4; i++) {
      const [name, edit] = edits[Math.floor(random() * edits.length)] as (typeof edits)[number];
      names.push(name);
      edited = edit(edited, random);
    }
    const { wrong, missed } = await mistakes(model, edited);
    assert.equal(wrong, [], `seed ${seed}: ${names.join(', ')}`);
    seen.nodes += edited.graph.node.length;
    seen.missed += missed.length;
  }
  console.log(`${seen.missed} of ${seen.nodes} nodes were not matched`);
  assert.ok(seen.missed <= seen.nodes / 500);
});

for (const name of models)
  test(`${name}: all names and the order are others, and an attribute`, async () => {
    const model = await load(name);
    const random = randomOf(7);
    const changed = EDITS['another attribute'](unedited(graphIn(model)), random);
    const edited = SAME.reduce((last, [, edit]) => edit(last, random), changed);
    assert.equal(await mistakes(model, edited), { wrong: [], missed: [] });
  });

/** Tools keep the names of values: a node is matched with the one of its operator that makes what it made, or with nobody else that does. */
const byValues = async (before: Model, after: Model): Promise<{ matched: number; kept: number }> => {
  const [left, right] = [graphIn(before).node, graphIn(after).node];
  const makers = new Map(
    right.flatMap((node, i) => node.output.filter(Boolean).map((output) => [output, `${i}`] as const)),
  );
  let [matched, kept] = [0, 0];
  for (const pair of own((await matchModels(before, after)).nodes)) {
    if (pair.before === null) continue;
    const maker = makers.get(left[Number(pair.before)]?.output.find(Boolean) ?? '');
    if (maker === undefined || right[Number(maker)]?.opType !== left[Number(pair.before)]?.opType) continue;
    kept++;
    if (pair.after === null) continue;
    matched++;
    assert.is(pair.after, maker, `${left[Number(pair.before)]?.opType} ${left[Number(pair.before)]?.name}`);
  }
  return { matched, kept };
};

const FEW = ['squeezenet1_1', 'bert_mini', 'lstm'];
const SIMPLIFIED = byTier({ quick: FEW, ci: FEW, all: [...FEW, 'mobilenet_v2', 'vit_tiny6'] });

for (const name of sharedModels(...SIMPLIFIED))
  test(`${name}: before and after it is simplified, and in 8 bits`, async () => {
    const model = await load(name);
    const made = {
      simplified: (await simplify(model)).model,
      dynamic: await quantizeDynamic(model),
      ...(/net/.test(name) && { static: await quantizeStatic(model, samplesIn(join(root, name), model)) }),
    };
    for (const [what, after] of Object.entries(made)) {
      const { matched, kept } = await byValues(model, after);
      console.log(`${name}, ${what}: ${matched} of ${kept} nodes whose values are kept`);
      assert.ok(matched >= kept * 0.99);
    }
  });

test('what computes in integers is known by the name that it keeps', async () => {
  for (const [name, operator, form] of [
    ['mobilenet_v3_small', 'Conv', 'ConvInteger'],
    ['bert_mini', 'MatMul', 'MatMulInteger'],
    ['lstm', 'LSTM', 'DynamicQuantizeLSTM'],
  ] as const) {
    if (!sharedModel(name)) continue;
    const model = await load(name);
    const after = await quantizeDynamic(model, { types: DYNAMIC_TYPES });
    const [left, right] = [graphIn(model).node, graphIn(after).node];
    const forms = new Map(
      right.filter(({ opType }) => opType === form).map((node) => [node.name, right.indexOf(node)]),
    );
    const pairs = new Map(own((await matchModels(model, after)).nodes).map(({ before, after: now }) => [before, now]));
    const concerned = left.filter(({ opType, name: node }) => opType === operator && forms.has(node));
    assert.ok(concerned.length > 0);
    for (const node of concerned) assert.is(pairs.get(`${left.indexOf(node)}`), `${forms.get(node.name)}`, node.name);
  }
});

test('what is different is with its node', async () => {
  const text = `<ir_version: 10, opset_import: ["" : 21]> g (float[n,4] x, bool c) => (float[n,4] y) <float[4] b = {1,2,3,4}> {
    s = Add (x, b)
    a = LeakyRelu <alpha = 0.1> (s)
    y = If (c) <then_branch = t () => (float[n,4] u) { u = Elu <alpha = 1.0> (a) }, else_branch = e () => (float[n,4] v) { v = Abs (a) }>
  }`;
  const change = text
    .replace('{1,2,3,4}', '{1,2,3,5}')
    .replace('alpha = 0.1', 'alpha = 0.2')
    .replace('alpha = 1.0', 'alpha = 2.0')
    .replace('a = Leaky', 'n = Neg (s)  a = Leaky');
  const { nodes, others } = await matchModels(parseModel(text), parseModel(change));
  assert.equal(others, []);
  assert.equal(
    nodes.map(({ before, after, changes }) => [
      before,
      after,
      ...changes.map((one) => `${one.part} ${one.change} ${one.name}`),
    ]),
    [
      ['0', '0', 'weight changed b'],
      ['1', '2', 'attribute changed LeakyRelu "a".alpha'],
      ['2', '3'],
      ['2/then_branch/0', '3/then_branch/0', 'attribute changed Elu "u".alpha'],
      ['2/else_branch/0', '3/else_branch/0'],
      [null, '1', 'node added Neg "n"'],
    ],
  );
});

// A search of all pairs would not end.
test('10,000 nodes are matched with 10,000 of other names', async () => {
  const one = network(1, 10_000, []);
  const { nodes } = await matchModels(one, addPrefix(one, 'p/'));
  assert.ok(nodes.every(({ before, after }) => before === after));
});

test.run();
