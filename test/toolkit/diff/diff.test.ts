import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GraphProto } from '../../../build/onnx.js';
import { withFields } from '../../../src/model/document/changed.js';
import {
  addPrefix,
  type Change,
  convertVersion,
  diffModels,
  edit,
  inferShapes,
  loadModel,
  type Model,
  parseModel,
  quantizeDynamic,
  renameValues,
  saveModel,
  simplify,
  toExternalData,
  toText,
} from '../../../src/tools/index.js';
import { expectRejection } from '../../expect-error.js';
import { shared } from '../../shared-data.js';
import { byTier, sample } from '../../tier.js';
import { network } from '../reduce/networks.js';

const test = suite('diffModels');

const model = (body: string, head = '') => parseModel(`<ir_version: 10, opset_import: ["" : 21${head}]>\n${body}`);
const counts = (changes: readonly Change[]) => {
  const found: Record<string, number> = {};
  for (const { part, change } of changes) found[`${part} ${change}`] = (found[`${part} ${change}`] ?? 0) + 1;
  return found;
};
const told = (changes: readonly Change[]) => changes.map(({ part, change, name }) => `${part} ${change} ${name}`);

const TEXT = `g (float[n,4] x) => (float[n,4] y) <float[4,4] w = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}, float[4] b = {1,2,3,4}> {
  [product] p = MatMul (x, w)
  [sum] s = Add (p, b)
  [act] a = LeakyRelu <alpha = 0.1> (s)
  [soft] y = Softmax <axis = 1> (a)
}`;

test('models that say the same are not different, however they are stored', async () => {
  const one = model(TEXT);
  assert.equal(await diffModels(one, model(TEXT)), []);
  const folder = await toExternalData(one, { threshold: 0 });
  const again = await loadModel(await saveModel(one));
  assert.equal(told(await diffModels(one, again)), []);
  const changes = await diffModels(one, folder);
  assert.equal(told(changes), [], 'weights in a file are these weights');
});

test('nor are models that say something twice, or what is wrong', async () => {
  const one = model(
    'g (float[n] x, float[n] x) => (float[n] y, float[n] y) <float a, float a> { a = Abs (x) y = Neg (a) y = Neg (a) q = Nonsense (z) }',
  );
  const again = model(
    'g (float[n] x, float[n] x) => (float[n] y, float[n] y) <float a, float a> { a = Abs (x) y = Neg (a) y = Neg (a) q = Nonsense (z) }',
  );
  assert.equal(await diffModels(one, again), []);
});

test('an attribute, an operator, a connection, a node', async () => {
  const one = model(TEXT);
  const with_ = (from: string, to: string) => diffModels(one, model(TEXT.replace(from, to)));
  const [attribute, ...none] = await with_('alpha = 0.1', 'alpha = 0.2');
  assert.equal(none, []);
  assert.equal(attribute, {
    part: 'attribute',
    change: 'changed',
    path: 'graph',
    name: 'LeakyRelu "act".alpha',
    before: 'alpha: float = 0.1',
    after: 'alpha: float = 0.2',
  });
  assert.equal(told(await with_('Softmax <axis', 'LogSoftmax <axis')), ['node changed Softmax "soft"']);
  const [rewired] = await with_('Softmax <axis = 1> (a)', 'Softmax <axis = 1> (s)');
  assert.equal([rewired?.before, rewired?.after], ['y = Softmax(a)', 'y = Softmax(s)']);
  const inserted = await with_('y = Softmax <axis = 1> (a)', 'r = Relu (a) [last] y = Softmax <axis = 1> (r)');
  assert.equal(counts(inserted), { 'node renamed': 1, 'node changed': 1, 'node added': 1 });
  assert.equal(told(await with_('<axis = 1>', '')), ['attribute removed Softmax "soft".axis']);
});

test('weights: how many, and how far', async () => {
  const [change, ...none] = await diffModels(model(TEXT), model(TEXT.replace('{1,2,3,4,5,', '{1,2.5,3,4,4.25,')));
  assert.equal(none, []);
  assert.equal(change?.weights, { count: 2, of: 16, maxAbs: 0.75 });
  assert.equal([change?.part, change?.name, change?.before], ['weight', 'w', 'float[4,4]']);
  const shape = await diffModels(model(TEXT), model(TEXT.replace('float[4] b = {1,2,3,4}', 'float[1] b = {1}')));
  assert.equal(
    shape.map(({ before, after }) => [before, after]),
    [['float[4]', 'float[1]']],
  );
  const integer = (value: string) =>
    model(`g (int64[1] x) => (int64[1] y, string[1] t) <int64[1] k = {${value}}, string[1] s = {"${value}"}> {
      y = Add (x, k)
      t = Identity (s)
    }`);
  const exact = await diffModels(integer('9007199254740993'), integer('9007199254740992'));
  assert.equal(
    exact.map(({ name, weights }) => [name, weights?.count, weights?.maxAbs]),
    [
      ['k', 1, 1],
      ['s', 1, Number.NaN],
    ],
  );
  const without = await diffModels(integer('1'), integer('2'), { weights: false });
  assert.equal(without, []);
  const nan = (value: string) =>
    model(`g (float[1] x) => (float[1] y) { k = Constant <value = float[1] {${value}}> () y = Add (x, k) }`);
  const [constant] = await diffModels(nan('1'), nan('2'));
  assert.equal([constant?.part, constant?.weights?.maxAbs], ['attribute', 1]);
});

test('other names alone', async () => {
  const one = model(TEXT);
  const renamed = renameValues(one, { x: 'in', p: 'q', s: 't', w: 'weight', y: 'out' });
  const changes = await diffModels(one, renamed);
  assert.ok(
    changes.every(({ change }) => change === 'renamed'),
    toText(renamed),
  );
  assert.equal(counts(changes), { 'input renamed': 1, 'output renamed': 1, 'weight renamed': 1, 'node renamed': 3 });
});

test('values that are numbered, with one node more at the beginning', async () => {
  const numbered = (extra: string) => {
    const lines = [
      extra,
      ...Array.from({ length: 40 }, (_, i) => ['Relu (#)', 'Mul (#, w)', 'Tanh (#)'][i % 3] as string),
    ];
    const nodes = lines.filter(Boolean).map((line, i) => `v${i + 1} = ${line.replace('#', i === 0 ? 'x' : `v${i}`)}`);
    return model(`g (float[n] x) => (float[n] v${nodes.length}) <float[1] w = {2}> {\n${nodes.join('\n')}\n}`);
  };
  const changes = await diffModels(numbered(''), numbered('Abs (#)'));
  const { 'node added': added, 'node removed': removed, 'node changed': changed } = counts(changes);
  assert.equal([added, removed, changed], [1, undefined, 1]);
});

test('another order alone', async () => {
  const lines = ['a = Abs (x)', 'b = Neg (x)', 'c = Exp (x)', 'd = Sqrt (x)', 'e = Sin (x)'];
  const one = (order: readonly number[]) =>
    model(`g (float[n] x) => (float[n] y) {\n${order.map((i) => lines[i]).join('\n')}\ny = Sum (a, b, c, d, e)\n}`);
  assert.equal(told(await diffModels(one([0, 1, 2, 3, 4]), one([1, 2, 3, 0, 4]))), ['node moved Abs "a"']);
  assert.equal(counts(await diffModels(one([0, 1, 2, 3, 4]), one([4, 3, 2, 1, 0]))), { 'node moved': 4 });
});

test('inputs, outputs, types, opsets, words', async () => {
  const one = model(TEXT);
  const graph = one.proto.graph as GraphProto;
  const node = graph.node.map((entry) => (entry.name === 'sum' ? withFields(entry, { docString: 'adds' }) : entry));
  const other = { ...one, proto: withFields(one.proto, { graph: withFields(graph, { node }) }), original: undefined };
  assert.equal(told(await diffModels(one, other)), ['field changed Add "sum".docString']);
  assert.equal(told(await diffModels(one, model(TEXT.replace('float[n,4] x', 'float[m,4] x')))), ['input changed x']);
  const more = model(
    TEXT.replace('float[n,4] y)', 'float[n,4] y, float[n,4] a)').replace('float[n,4] x', 'float[n,4] x, float u'),
  );
  assert.equal(told(await diffModels(one, more)), ['input added u', 'output added a']);
  assert.equal(told(await diffModels(more, one)), ['input removed u', 'output removed a']);
  const swapped = model(TEXT.replace('float[n,4] y)', 'float[n,4] a, float[n,4] y)'));
  const twice = model(TEXT.replace('float[n,4] y)', 'float[n,4] y, float[n,4] a)'));
  assert.equal(counts(await diffModels(swapped, twice)), { 'output moved': 1 });
  const typed = await diffModels(one, await inferShapes(one));
  assert.equal(counts(typed), { 'type added': 3 });
  const head = parseModel(`<ir_version: 9, opset_import: ["" : 20, "p" : 1], producer_name: "q">\n${TEXT}`);
  assert.equal(
    (await diffModels(one, head)).map(({ part, name, before, after }) => [part, name, before, after]),
    [
      ['field', 'irVersion', '10', '9'],
      ['field', 'producerName', '', 'q'],
      ['opset', '', '21', '20'],
      ['opset', 'p', undefined, '1'],
    ],
  );
});

test('subgraphs and functions, what they capture included', async () => {
  const text = `g (bool c, float[n] x) => (float[n] y) {
    t = local.f (x)
    y = If (c) <then_branch = p () => (float[n] u) { u = Abs (t) }, else_branch = q () => (float[n] v) { v = LeakyRelu <alpha = 0.5> (t) }>
  }
  <domain: "local", opset_import: ["" : 21]> f (a) => (b) { b = Elu <alpha = 2.0> (a) }`;
  const one = model(text, ', "local" : 1');
  const other = (from: RegExp, to: string) => diffModels(one, model(text.replace(from, to), ', "local" : 1'));
  assert.equal(await other(/x/, 'x'), []);
  const [branch] = await other(/alpha = 0.5/, 'alpha = 0.6');
  assert.equal([branch?.path, branch?.name], ['graph.If "y".else_branch', 'LeakyRelu "v".alpha']);
  const [inside] = await other(/alpha = 2.0/, 'alpha = 3.0');
  assert.equal([inside?.path, inside?.name], ['function local.f', 'Elu "b".alpha']);
  assert.equal(told(await other(/Abs \(t\)/, 'Abs (x)')), ['node changed Abs "u"']);
  assert.equal(
    told(await other(/\bt\b/g, 'w')),
    ['node renamed f "t"'],
    'a capture by another name is the same capture',
  );
  assert.equal(told(await diffModels(one, model(text.replaceAll('local', 'other'), ', "other" : 1'))).slice(-2), [
    'function removed local.f',
    'function added other.f',
  ]);
});

test('whatever is changed in a message is told', async () => {
  const whole = network(3, 60, [{ at: 0.5, text: 'Erf (a)', inside: 'If' }]);
  let told = 0;
  const visit = async (value: unknown, replace: (changed: unknown) => Model): Promise<void> => {
    if (typeof value === 'string' && value !== '') await expectTold(replace(`${value}_`), value);
    else if (typeof value === 'number') await expectTold(replace(value + 1), value);
    else if (Array.isArray(value)) {
      if (value.length > 0) await expectTold(replace(value.slice(1)), 'a list');
      for (const [i, item] of value.entries())
        if (i < 12) await visit(item, (changed) => replace(value.map((old, k) => (k === i ? changed : old))));
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !('low' in value))
      for (const [key, item] of Object.entries(value).filter(([name]) => !name.endsWith('Data')))
        await visit(item, (changed) =>
          replace(Object.assign(Object.create(Object.getPrototypeOf(value)), value, { [key]: changed })),
        );
  };
  const expectTold = async (changed: Model, what: unknown) => {
    told++;
    const changes = await diffModels(whole, changed, { weights: false });
    assert.ok(changes.length > 0, `nothing is told of ${what}: ${toText(changed)}`);
  };
  await visit(whole.proto, (proto) => ({ ...whole, proto: proto as Model['proto'], original: undefined }));
  assert.ok(told > 100, `${told}`);
});

// A search of all pairs would not end.
test('5,000 nodes are compared with as many', async () => {
  const one = network(1, 5000, []);
  const other = await edit(one, (graph) => {
    for (const node of graph.allNodes) node.name = '';
    const [first] = graph.nodes;
    if (first) first.setAttribute('alpha', 0.7);
  });
  const prefixed = addPrefix(one, 'p/');
  assert.equal(await diffModels(one, one), []);
  const changes = await diffModels(one, prefixed);
  assert.equal(
    changes.filter(({ part, change }) => part !== 'weight' && change !== 'renamed'),
    [],
  );
  assert.ok((await diffModels(one, other)).length >= 5000);
});

test('it can be stopped', async () => {
  const stopped = diffModels(model(TEXT), model(TEXT.replace('{1,', '{2,')), { signal: AbortSignal.abort() });
  await expectRejection('ABORTED', /the comparison was aborted/, stopped);
});

const folder = shared('models');

const models = readdirSync(folder).filter((entry) => !entry.includes('.'));

for (const name of sample(models, byTier({ quick: 6, ci: 6, all: models.length })))
  test(`${name}, and what the toolkit makes of it`, async () => {
    const whole = await loadModel(join(folder, name, 'model.onnx'));
    const nodes = whole.proto.graph?.node.length ?? 0;
    assert.equal(await diffModels(whole, await loadModel(join(folder, name, 'model.onnx'))), []);
    const renamed = await diffModels(whole, addPrefix(whole, 'p/'));
    assert.ok(renamed.every(({ change }) => change === 'renamed'));
    const { model: simple } = await simplify(whole);
    const simplified = counts((await diffModels(whole, simple)).filter(({ path }) => path === 'graph'));
    const [removed = 0, added = 0] = [simplified['node removed'], simplified['node added']];
    assert.is(nodes - removed + added, simple.proto.graph?.node.length);
    const quantized = await quantizeDynamic(whole);
    const made = counts(await diffModels(whole, quantized));
    assert.is(nodes - (made['node removed'] ?? 0) + (made['node added'] ?? 0), quantized.proto.graph?.node.length);
    assert.is(made['node removed'] ?? 0, 0, 'what was quantised is known again');
    const opset = counts(await diffModels(whole, await convertVersion(whole, 21)));
    assert.is(opset['opset changed'], 1);
    assert.is(opset['node removed'] ?? 0, 0);
  });

test.run();
