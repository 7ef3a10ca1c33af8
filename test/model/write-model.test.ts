import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { int, modelBuilder, tensor } from '../../src/builder/index.js';
import type { Graph, Model, Node, Value } from '../../src/graph/graph.js';
import { printModel } from '../../src/graph/print.js';
import { symbol } from '../../src/graph/sizes.js';
import { tensorType } from '../../src/graph/types.js';
import { readModel } from '../../src/model/read-model.js';
import { writeModel } from '../../src/model/write-model.js';
import { expectError } from '../expect-error.js';

const test = suite('writing models');

const value = (name: string, rest: Partial<Value> = {}): Value => ({ name, ...rest });

const node = (op: string, inputs: Value[], outputs: Value[], body?: Graph): Node => ({
  name: op,
  domain: '',
  op,
  inputs,
  outputs,
  attributes: body ? { body: { type: 'graph', value: body } } : {},
});

const graph = (inputs: Value[], nodes: Node[], outputs: Value[]): Graph => ({ name: 'g', inputs, nodes, outputs });

const model = (main: Graph, irVersion = 10): Model => ({
  irVersion,
  producer: '',
  opsets: new Map([['', 21]]),
  metadata: new Map(),
  functions: [],
  graph: main,
});

const rewritten = (main: Graph) => readModel(writeModel(model(main))).graph;

test('values that share a name are told apart; inputs and outputs keep theirs', () => {
  const [x, first, second, y] = [value('x'), value('y'), value('x'), value('y')];
  const nodes = [node('A', [x], [first]), node('B', [first], [second]), node('C', [second, x], [y])];
  const result = rewritten(graph([x], nodes, [y]));
  const names = result.nodes.map(({ inputs, outputs }) => [...inputs, ...outputs].map((v) => v?.name).join(' '));
  assert.equal(names, ['x y_1', 'y_1 x_1', 'x_1 x y']);
});

test('an inner value never hides an outer one that is used beside it', () => {
  const [x, outer, inner, y] = [value('x'), value('v'), value('v'), value('y')];
  const body = graph([], [node('B', [outer], [inner]), node('C', [inner, outer], [y])], [y]);
  const result = rewritten(graph([x], [node('A', [x], [outer]), node('If', [x], [value('z')], body)], [outer]));
  const [, choose] = result.nodes;
  const { value: written } = (choose as Node).attributes.body as { value: Graph };
  assert.equal(
    written.nodes[1]?.inputs.map((v) => v?.name),
    ['v_1', 'v'],
  );
  assert.is(written.nodes[1]?.inputs[1], result.nodes[0]?.outputs[0]);
});

test('a constant that two subgraphs share is written once, for all', () => {
  const w = value('w', { constant: tensor('int8', [2], [1, -1]) });
  const branch = () => graph([], [node('A', [w], [value('o')])], [w]);
  const result = rewritten(graph([], [node('P', [], [], branch()), node('Q', [], [], branch())], [w]));
  const bodies = result.nodes.map(({ attributes }) => (attributes.body as { value: Graph }).value);
  const used = bodies.map(({ nodes }) => nodes[0]?.inputs[0]);
  assert.equal(used[0]?.constant?.data, w.constant?.data);
  assert.is(used[0], used[1]);
  for (const { nodes, outputs } of bodies) {
    const copy = nodes.find(({ outputs: [made] }) => made === outputs[0]);
    assert.equal([copy?.op, copy?.inputs], ['Identity', [used[0]]], 'a subgraph gives what is made in it');
  }
});

test('types of inner values survive', () => {
  const [x, a] = [value('x'), value('a', { type: tensorType('float16', [symbol('n'), 2]) })];
  const result = rewritten(graph([x], [node('A', [x], [a]), node('B', [a], [value('y')])], []));
  assert.equal(result.nodes[0]?.outputs[0]?.type, a.type);
});

test('64-bit attributes saturate', () => {
  const b = modelBuilder({ opset: 21 });
  const extremes = { lowest: int(-(2 ** 63)), highest: int(2 ** 63), beyond: int(1e300), exact: int(2 ** 53 - 1) };
  b.output('y', b.op('Op', [], extremes));
  const { attributes = {} } = readModel(b.toBytes()).graph.nodes[0] ?? {};
  assert.equal(
    Object.values(attributes).map(({ value: number }) => number),
    [-(2 ** 63), 2 ** 63, 2 ** 63, 2 ** 53 - 1],
  );
});

test('before IR version 4 initializers had to be inputs: such models are written as version 4', () => {
  const w = value('w', { constant: tensor('int8', [], [1]) });
  assert.is(readModel(writeModel(model(graph([], [], [w]), 3))).irVersion, 4);
});

test('writing what was read changes nothing more', () => {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Add', [b.input('x', 'float32', ['n']), b.constant('w', tensor('float32', [], [1]))]));
  const once = writeModel(readModel(b.toBytes()));
  assert.equal(writeModel(readModel(once)), once);
  assert.is(printModel(readModel(once)), printModel(b.toModel()));
});

test('subgraphs nested deeper than protobuf reads are refused', () => {
  let inner = graph([], [], []);
  for (let depth = 0; depth < 40; depth++) inner = graph([], [node('If', [], [], inner)], []);
  expectError('INVALID_GRAPH', /cannot encode this as protobuf: max depth exceeded/, () => writeModel(model(inner)));
});

test('constants may lie in another file', () => {
  const [x, y] = [value('x', { type: tensorType('float32', [2]) }), value('y')];
  const [large, small] = [tensor('float32', [2], [1, 2]), tensor('float32', [2], [3, 4])];
  const sum = value('sum');
  const nodes = [
    node('Add', [x, value('large', { constant: large })], [sum]),
    node('Add', [sum, value('small', { constant: small })], [y]),
  ];
  const external = (constant: unknown) => (constant === large ? { location: 'd', offset: 4, length: 8 } : undefined);
  const bytes = writeModel(model(graph([x], nodes, [y])), { external });
  expectError('EXTERNAL_DATA', /in "d": pass it in externalData/, () => readModel(bytes));
  const file = new Uint8Array([0, 0, 0, 0, ...new Uint8Array((large.data as Float32Array).buffer)]);
  const externalData = (_path: string, offset: number, length: number) => () => file.subarray(offset, offset + length);
  const { graph: read } = readModel(bytes, { externalData });
  assert.equal(
    read.nodes.map(({ inputs }) => Array.from(inputs[1]?.constant?.data as Float32Array)),
    [
      [1, 2],
      [3, 4],
    ],
  );
});

test.run();
