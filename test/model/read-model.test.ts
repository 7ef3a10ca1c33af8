import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AttributeProto, type GraphProto, ModelProto, type NodeProto } from '../../build/onnx.js';
import { formatType } from '../../src/graph/types.js';
import { verifyModel } from '../../src/graph/verify.js';
import { readModel } from '../../src/model/read-model.js';
import { expectError } from '../expect-error.js';

const test = suite('reading models');

const encode = (graph: GraphProto.$Properties | null, rest: ModelProto.$Properties = {}): Uint8Array =>
  ModelProto.encode({ irVersion: 10, opsetImport: [{ domain: '', version: 21 }], graph, ...rest }).finish();

const read = (graph: GraphProto.$Properties, rest: ModelProto.$Properties = {}) => readModel(encode(graph, rest));

/** `y = Op(a, b)` as a NodeProto. */
function node(line: string, attribute: AttributeProto.$Properties[] = []): NodeProto.$Properties {
  const [output = '', opType = '', input = ''] = line.split(/ = |\(|\)/);
  const names = (list: string) => (list === '' ? [] : list.split(', ').map((name) => (name === '_' ? '' : name)));
  return { opType, input: names(input), output: names(output), attribute };
}

const nodes = (...lines: string[]): GraphProto.$Properties => ({
  input: [{ name: 'x' }],
  node: lines.map((line) => node(line)),
});

const float = (name: string, dims: number[], data: number[]) => ({ name, dims, dataType: 1, floatData: data });

test('nodes in any order become topologically sorted, otherwise in the given order', () => {
  const { graph } = read(nodes('d = D(c, b)', 'a = A(x)', 'c = C(b)', 'b = B(a)', 'e = E(x)'));
  assert.equal(
    graph.nodes.map(({ op }) => op),
    ['A', 'B', 'C', 'D', 'E'],
  );
  verifyModel(read(nodes('d = D(c, b)', 'a = A(x)', 'c = C(b)', 'b = B(a)', 'e = E(x)')));
});

test('what a subgraph captures counts for the order', () => {
  const body = { type: AttributeProto.AttributeType.GRAPH, g: { node: [node('o = Neg(a)')], output: [{ name: 'o' }] } };
  const model = read({
    input: [{ name: 'x' }],
    node: [node('y = If(x)', [{ name: 'then_branch', ...body }]), node('a = Abs(x)')],
    output: [{ name: 'y' }],
  });
  assert.equal(
    model.graph.nodes.map(({ op }) => op),
    ['Abs', 'If'],
  );
  verifyModel(model);
});

test('a long chain in reverse order is no matter', () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `v${i + 1} = N(v${i})`).reverse();
  const { graph } = read({ input: [{ name: 'v0' }], node: lines.map((line) => node(line)) });
  assert.is(graph.nodes[0]?.inputs[0], graph.inputs[0]);
  assert.is(graph.nodes.length, 20_000);
});

test('unnamed nodes are numbered, empty names are absent values', () => {
  const { graph } = read(nodes('a, _ = Split(x, _)', 'b = Neg(a)'));
  assert.equal(
    graph.nodes.map(({ name }) => name),
    ['Split_0', 'Neg_1'],
  );
  assert.equal(
    graph.nodes[0]?.inputs.map((value) => value?.name),
    ['x', undefined],
  );
  assert.is(graph.nodes[0]?.outputs[1], null);
});

test('an initializer that is an input is its default, others are constants', () => {
  const { graph } = read({
    input: [{ name: 'x' }, { name: 'w', type: { tensorType: { elemType: 1, shape: { dim: [{ dimParam: 'n' }] } } } }],
    initializer: [float('w', [2], [1, 2]), float('b', [], [3])],
    node: [node('y = F(x, w, b)')],
  });
  assert.equal(
    graph.inputs.map(({ name }) => name),
    ['x', 'w'],
  );
  assert.equal(graph.inputs[1]?.constant?.data, new Float32Array([1, 2]));
  assert.is(formatType(graph.inputs[1]?.type), 'float32[n]');
  assert.equal(graph.nodes[0]?.inputs[2]?.constant, { type: 'float32', dims: [], data: new Float32Array([3]) });
  assert.is(formatType(graph.nodes[0]?.inputs[2]?.type), 'float32[]');
});

test('unknown dimensions get symbols that differ from all others', () => {
  const dims = [{}, { dimParam: '?1' }, { dimParam: '?' }, { dimParam: '?1' }, { dimValue: -1 }, { dimValue: 0 }];
  const { graph } = read({ input: [{ name: 'x', type: { tensorType: { elemType: 1, shape: { dim: dims } } } }] });
  assert.is(formatType(graph.inputs[0]?.type), 'float32[?1,?2,?3,?2,?4,0]');
});

test('value_info gives types; an open or opaque type is none', () => {
  const { graph } = read({
    ...nodes('a = A(x)', 'y = B(a)'),
    valueInfo: [
      { name: 'a', type: { tensorType: { elemType: 7 } } },
      { name: 'gone', type: { tensorType: { elemType: 7 } } },
    ],
    output: [{ name: 'y', type: { opaqueType: { domain: 'd', name: 'n' } } }],
  });
  assert.is(formatType(graph.nodes[0]?.outputs[0]?.type), 'int64[…]');
  assert.is(graph.outputs[0]?.type, undefined);
});

test('attributes of IR version 1 show their type by their field', () => {
  const attribute = [
    { name: 'i', i: 3 },
    { name: 'f', f: 0.5 },
    { name: 's', s: Uint8Array.of(97) },
    { name: 'ints', ints: [1, 2] },
  ];
  const { graph } = read(
    { input: [{ name: 'x' }], node: [node('y = Op(x)', attribute)] },
    { irVersion: 1, opsetImport: [] },
  );
  assert.equal(graph.nodes[0]?.attributes, {
    i: { type: 'int', value: 3 },
    f: { type: 'float', value: 0.5 },
    s: { type: 'string', value: 'a' },
    ints: { type: 'ints', value: [1, 2] },
  });
});

test("ONNX's own domain has one name", () => {
  const { opsets, graph } = read(
    { node: [{ opType: 'Op', domain: 'ai.onnx', output: ['y'] }] },
    { opsetImport: [{ domain: 'ai.onnx', version: 7 }] },
  );
  assert.equal([...opsets], [['', 7]]);
  assert.is(graph.nodes[0]?.domain, '');
});

const local = (name: string, ...lines: string[]) => ({
  domain: 'my',
  name,
  input: ['a'],
  output: ['b'],
  node: lines.map((line) => ({ ...node(line), domain: 'my' })),
});

const REFUSED: readonly [
  what: string,
  message: RegExp,
  graph: GraphProto.$Properties | null,
  rest?: ModelProto.$Properties,
][] = [
  ['no graph', /has no graph/, null],
  ['IR version 0', /no IR version/, {}, { irVersion: 0 }],
  ['a future IR version', /IR version 14 is not supported; 1 to 13/, {}, { irVersion: 14 }],
  ['a negative IR version', /IR version -1 is not supported/, {}, { irVersion: -1 }],
  ['no operator set', /has no opset_import/, {}, { opsetImport: [] }],
  ['a node without operator', /node has no operator/, { node: [{ output: ['y'] }] }],
  ['a dangling input', /^Neg "Neg_1", value "gone": is used, but not defined/, nodes('a = Abs(x)', 'b = Neg(gone)')],
  ['a dangling output', /value "gone": is an output of the graph/, { output: [{ name: 'gone' }] }],
  ['a cycle', /the nodes "B_1", "C_2" form a cycle/, nodes('a = A(x)', 'b = B(a, c)', 'c = C(b)')],
  ['a node that needs itself', /the nodes "A_0" form a cycle/, nodes('a = A(a)')],
  ['a value made twice', /^B, value "a": is defined twice/, nodes('a = A(x)', 'a = B(x)')],
  ['a node that makes an input', /^A, value "x": is defined twice/, nodes('x = A(x)')],
  ['an input given twice', /value "x": is defined twice/, { input: [{ name: 'x' }, { name: 'x' }] }],
  ['an unnamed input', /input of the graph has no name/, { input: [{}] }],
  [
    'an initializer given twice',
    /"w": has two initializers/,
    { initializer: [float('w', [], [1]), float('w', [], [1])] },
  ],
  ['an unnamed initializer', /initializer has no name/, { initializer: [float('', [], [1])] }],
  [
    'a default that does not fit',
    /value "x": is float32\[2\], but declared float32\[3\]/,
    {
      input: [{ name: 'x', type: { tensorType: { elemType: 1, shape: { dim: [{ dimValue: 3 }] } } } }],
      initializer: [float('x', [2], [1, 2])],
    },
  ],
  [
    'an attribute given twice',
    /^A "A_0": duplicate attribute k/,
    {
      node: [
        node('y = A()', [
          { name: 'k', i: 1 },
          { name: 'k', i: 1 },
        ]),
      ],
    },
  ],
  ['an attribute without value', /^A "A_0": attribute k has no value/, { node: [node('y = A()', [{ name: 'k' }])] }],
  [
    'an attribute of unfulfilled type',
    /^A "A_0": an attribute has no value of its type/,
    { node: [node('y = A()', [{ name: 'k', type: 4 }])] },
  ],
  [
    'a function that calls itself',
    /function my.f calls itself/,
    {},
    { functions: [local('f', 'b = g(a)'), local('g', 'b = f(a)')] },
  ],
  [
    'a function given twice',
    /function my.f is defined twice/,
    {},
    { functions: [local('f', 'b = A(a)'), local('f', 'b = A(a)')] },
  ],
  ['a function without its output', /"b": is an output of the function f/, {}, { functions: [local('f')] }],
];

for (const [what, message, graph, rest] of REFUSED)
  test(`${what} is refused`, () => expectError('INVALID_MODEL', message, () => readModel(encode(graph, rest))));

const sparse = (indices: number[], dims: number[], shape = [1, 2], values = 1) => ({
  sparseInitializer: [
    {
      values: float('s', [values], new Array(values).fill(1)),
      indices: { dataType: 7, dims: shape, int64Data: indices },
      dims,
    },
  ],
});

test('sparse initializers become dense, by coordinates or linear indices', () => {
  for (const proto of [sparse([1, 0], [2, 2]), sparse([2], [2, 2], [1])]) {
    const { graph } = read({ ...proto, output: [{ name: 's' }] });
    assert.equal(graph.outputs[0]?.constant, { type: 'float32', dims: [2, 2], data: new Float32Array([0, 0, 1, 0]) });
  }
});

const SPARSE_REFUSED: readonly [what: string, message: RegExp, graph: GraphProto.$Properties][] = [
  ['no indices', /needs values and indices/, { sparseInitializer: [{ values: float('s', [1], [1]), dims: [2] }] }],
  ['an index out of range', /"s": index 2 is outside axis 1 of \[2,2\]/, sparse([1, 2], [2, 2])],
  ['a negative index', /index -1 is outside axis 0/, sparse([-1, 0], [2, 2])],
  ['a linear index out of range', /index 4 is outside \[2,2\]/, sparse([4], [2, 2], [1])],
  ['indices of another shape', /the indices must be \[1,3\], not \[1,2\]/, sparse([0, 0], [2, 2, 2])],
  ['a few bytes that claim gigabytes', /too large for 1 stored/, sparse([0, 0], [2 ** 14, 2 ** 15])],
];

for (const [what, message, graph] of SPARSE_REFUSED)
  test(`sparse: ${what} is refused`, () => expectError('INVALID_MODEL', message, () => read(graph)));

test('bytes that are no protobuf', () => {
  expectError('INVALID_MODEL', /these 0 bytes invalid ONNX model|no IR version/, () => readModel(new Uint8Array()));
  expectError('INVALID_MODEL', /invalid ONNX model \(15 bytes\)/, () =>
    readModel(new TextEncoder().encode('<!DOCTYPE html>')),
  );
});

/** `bytes` as a length-delimited field. */
function field(number: number, bytes: Uint8Array): Uint8Array {
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return Uint8Array.of((number << 3) | 2, ...length, ...bytes);
}

test('graphs nested without end are refused, not followed', () => {
  const [NODE, ATTRIBUTE, GRAPH] = [1, 5, 6];
  let graph: Uint8Array = new Uint8Array();
  for (let depth = 0; depth < 40; depth++) graph = field(NODE, field(ATTRIBUTE, field(GRAPH, graph)));
  expectError('INVALID_MODEL', /max depth exceeded/, () => readModel(field(7, graph)));
});

test.run();
