import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelOf } from '../../../src/tools/model-of.js';
import { type EditedGraph, type EditedNode, edit } from '../../../src/tools/surgery/index.js';
import { backendModels, networks } from '../check/models.js';
import { errorsOf, graphOf, model, names, nodesOf, refuses, says } from './models.js';

const test = suite('editing a model');

for (const [what, paths] of Object.entries({ "ONNX's backend models": backendModels(), networks: networks() }))
  test(`${what}: what nobody touches stays the very message it was`, async () => {
    assert.ok(paths.length >= 4);
    for (const path of paths) {
      const given = modelOf(readFileSync(path));
      assert.is(await edit(given, () => {}), given, path);
    }
  });

const GIVEN = model(
  `g (bool b, float[2] x) => (float[2] y) <float[2] w = {1, 2}, float[2] t> {
    [add] t = Add(x, w)
    [elu] u = Elu <alpha = 0.5> (t)
    [pick] y = If(b) <
      then_branch = p () => (float[2] s) { s = Mul(t, u) },
      else_branch = q () => (float[2] r) { r = Identity(t) }>
  }`,
);

const named = (graph: EditedGraph, name: string): EditedNode =>
  graph.allNodes.find((node) => node.name === name || node.outputs[0]?.name === name) as EditedNode;

test('values know who makes and who reads them, in subgraphs too', async () => {
  await edit(GIVEN, (graph) => {
    const t = graph.value('t');
    assert.is(t?.producer, named(graph, 'add'));
    assert.equal(
      t?.readers.map(({ op }) => op),
      ['Elu', 'Mul', 'Identity'],
    );
    assert.equal([graph.value('x')?.isInput, graph.value('y')?.isOutput, t?.isInput], [true, true, false]);
    assert.equal(t?.type, { kind: 'tensor', element: 'float32', dims: [2] });
    assert.is(graph.value('nobody'), undefined);
  });
});

test('attributes and constants are plain values', async () => {
  const changed = await edit(GIVEN, async (graph) => {
    const elu = named(graph, 'elu');
    assert.equal([elu.attributes, elu.attribute('alpha'), elu.attribute('beta')], [['alpha'], 0.5, undefined]);
    elu.setAttribute('alpha', 2);
    const w = graph.value('w');
    assert.equal((await w?.tensor())?.data, Float32Array.of(1, 2));
    if (w) w.data = { type: 'float32', dims: [2], data: Float32Array.of(3, 4) };
    assert.throws(() => elu.setAttribute('alpha', 'two'), says('attribute alpha: expected float, got two'));
  });
  assert.equal(nodesOf(changed)[1], '[elu] u = Elu <alpha: float = 2> (t)');
  assert.is(graphOf(changed).node[0], graphOf(GIVEN).node[0]);
  assert.is(graphOf(changed).node[2], graphOf(GIVEN).node[2]);
  assert.is(graphOf(changed).input, graphOf(GIVEN).input);
  await edit(changed, async (graph) => assert.equal((await graph.value('w')?.tensor())?.data, Float32Array.of(3, 4)));
  assert.equal(await errorsOf(changed), []);
});

test('integers beyond 2⁵³, lists, references', async () => {
  const given = model(
    `g (int64[N] x) => (int64[N] y) { c = Constant <value_int = 9223372036854775807> ()  y = local.f <k = 3> (x) }
    <domain: "local", opset_import: ["": 20]> f <k> (x) => (y) { z = Constant <value_int: int = @k> ()  y = Add(x, z) }`,
    'ir_version: 10, opset_import: ["": 20, "local": 1]',
  );
  const changed = await edit(given, (graph, [f]) => {
    const [constant, call] = graph.nodes;
    assert.is(constant?.attribute('value_int'), 9223372036854775807n);
    constant?.setAttribute('value_int', undefined);
    constant?.setAttribute('value_ints', [1, -9223372036854775808n]);
    assert.is(call?.attribute('k'), 3);
    assert.equal(f?.nodes[0]?.attribute('value_int'), { reference: 'k' });
    f?.nodes[1]?.setAttribute('unknown', undefined);
  });
  await edit(changed, (graph) => assert.equal(graph.nodes[0]?.attribute('value_ints'), [1, -9223372036854775808n]));
  assert.is(changed.proto.functions, given.proto.functions);
});

test('a node goes between others, and stands where it has to', async () => {
  const changed = await edit(GIVEN, (graph) => {
    const t = graph.value('t');
    if (!t) return;
    const readers = t.readers;
    const neg = graph.addNode({ op: 'Neg', inputs: [t], outputs: ['negated'], attributes: {} });
    for (const reader of readers)
      reader.inputs = reader.inputs.map((value) => (value === t ? neg.outputs[0] : value) ?? null);
  });
  assert.equal(nodesOf(changed).slice(0, 3), [
    '[add] t = Add (x, w)',
    'negated = Neg (t)',
    '[elu] u = Elu <alpha: float = 0.5> (negated)',
  ]);
  assert.equal(graphOf(changed).node[3]?.attribute[1]?.g?.node[0]?.input, ['negated']);
  assert.equal(await errorsOf(changed), []);
});

test('a value is renamed wherever it is mentioned, to a name that nobody has', async () => {
  const changed = await edit(GIVEN, (graph) => {
    const t = graph.value('t');
    if (t) t.name = 'sum';
    assert.is(graph.value('sum'), t);
    assert.throws(() => {
      if (t) t.name = 's';
    }, says('cannot rename "sum" to "s"'));
  });
  assert.equal(names(graphOf(changed).valueInfo), ['sum']);
  assert.equal(graphOf(changed).node[2]?.attribute[0]?.g?.node[0]?.input, ['sum', 'u']);
  assert.equal(await errorsOf(changed), []);
});

test('an output keeps its name where another value takes its place', async () => {
  const inside = await edit(GIVEN, (graph) => graph.value('y')?.replaceBy(graph.value('u') as never));
  assert.equal(names(graphOf(inside).output), ['y']);
  assert.equal(graphOf(inside).node[1]?.output, ['y']);
  assert.equal(await errorsOf(inside), []);
  const through = await edit(GIVEN, (graph) => graph.value('y')?.replaceBy(graph.value('x') as never));
  assert.equal(nodesOf(through).at(-1), 'y = Identity (x)');
  assert.equal(await errorsOf(through), []);
});

test('inputs, constants and outputs are added', async () => {
  const changed = await edit(GIVEN, (graph) => {
    const scale = graph.addInput('x', { kind: 'tensor', element: 'float32', dims: ['n'] });
    const one = graph.addConstant('one', { type: 'float32', dims: [], data: Float32Array.of(1) });
    const [z] = graph.addNode({ op: 'Sub', inputs: [scale, one], outputs: ['z'] }).outputs;
    if (z) z.type = { kind: 'tensor', element: 'float32', dims: ['n'] };
    if (z) graph.addOutput(z);
  });
  assert.equal(names(graphOf(changed).input), ['b', 'x', 'x_2']);
  assert.equal(names(graphOf(changed).output), ['y', 'z']);
  assert.equal(nodesOf(changed).at(-1), 'z = Sub (x_2, one)');
  assert.equal(await errorsOf(changed), []);
});

test('what nobody makes, and nodes in a circle, are refused', async () => {
  await refuses(
    edit(GIVEN, (graph) => named(graph, 'add').remove()),
    'Elu "elu", value "t": no node, input or constant produces this value',
  );
  await refuses(
    edit(GIVEN, (graph) => {
      named(graph, 'add').inputs = [graph.value('u') ?? null, graph.value('w') ?? null];
    }),
    'the graph has a cycle: add, elu',
  );
});

test.run();
