import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { float, floats, ints, modelBuilder, reference, strings, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { printModel } from '../../src/graph/print.js';
import { formatType } from '../../src/graph/types.js';
import { readModel } from '../../src/model/read-model.js';
import { expectError } from '../expect-error.js';

const test = suite('the model builder');

const builder = () => modelBuilder({ opset: 21, name: 'demo' });

test('a small model reads back as it was built', () => {
  const b = builder();
  const x = b.input('x', 'float32', ['batch', 4]);
  const w = b.constant('w', tensor('float32', [4, 2], [1, 2, 3, 4, 5, 6, 7, 8]));
  const [values, indices] = b.node(
    'TopK',
    [b.op('MatMul', [x, w]), b.constant('k', tensor('int64', [1], [1]))],
    { axis: -1 },
    { outputs: 2 },
  );
  b.output('y', values, 'float32', ['batch', 1]);
  b.output('where', indices, 'int64', ['batch', 1]);
  const expected = [
    'opsets ai.onnx 21',
    '',
    'graph demo(x: float32[batch,4]) {',
    '  w: float32[4,2] = [1, 2, 3, 4, 5, 6, 7, 8]',
    '  MatMul_0 = MatMul(x, w)',
    '  k: int64[1] = [1]',
    '  y: float32[batch,1], where: int64[batch,1] = TopK(MatMul_0, k) {axis: -1}',
    '  return y, where',
    '}',
  ].join('\n');
  assert.is(printModel(b.toModel()), expected);
  assert.is(printModel(readModel(b.toBytes())), expected);
});

test('attributes take the type of their values', () => {
  const b = builder();
  const sparse = { values: tensor('float32', [1], [1]), indices: tensor('int64', [1], [3]), dims: [4] };
  const attributes = {
    i: 3,
    f: 0.5,
    whole: float(1),
    flag: true,
    s: 'text',
    is: [1, 2],
    fs: [1, 2.5],
    wholes: floats([1, 2]),
    none: ints([]),
    ss: ['a', 'b'],
    noStrings: strings([]),
    t: tensor('uint8', [1], [7]),
    sparse,
    type: { kind: 'sequence', of: { kind: 'tensor', element: 'bool' } },
    absent: undefined,
  } as const;
  b.output('y', b.op('Op', [], attributes));
  const expected = {
    i: { type: 'int', value: 3 },
    f: { type: 'float', value: 0.5 },
    whole: { type: 'float', value: 1 },
    flag: { type: 'int', value: 1 },
    s: { type: 'string', value: 'text' },
    is: { type: 'ints', value: [1, 2] },
    fs: { type: 'floats', value: [1, 2.5] },
    wholes: { type: 'floats', value: [1, 2] },
    none: { type: 'ints', value: [] },
    ss: { type: 'strings', value: ['a', 'b'] },
    noStrings: { type: 'strings', value: [] },
    t: { type: 'tensor', value: { type: 'uint8', dims: [1], data: new Uint8Array([7]) } },
    sparse: { type: 'sparse', value: sparse },
    type: { type: 'type', value: { kind: 'sequence', of: { kind: 'tensor', element: 'bool' } } },
  };
  assert.equal(b.toModel().graph.nodes[0]?.attributes, expected);
  assert.equal(readModel(b.toBytes()).graph.nodes[0]?.attributes, expected);
});

test('subgraphs capture outer values; branches may share names', () => {
  const b = builder();
  const [x, c] = [b.input('x', 'float32', ['n']), b.input('c', 'bool', [])];
  const twice = b.op('Add', [x, x]);
  const branch = (name: string, op: string) => b.subgraph(name, (g) => void g.output('r', g.op(op, [twice, x])));
  b.output('y', b.op('If', [c], { then_branch: branch('then', 'Sub'), else_branch: branch('else', 'Mul') }));
  const text = printModel(readModel(b.toBytes()));
  assert.match(text, / {2}then_branch then\(\) \{\n {4}r = Sub\(Add_0, x\)\n {4}return r\n {2}\}/);
  assert.match(text, / {2}else_branch else\(\) \{\n {4}r = Mul\(Add_0, x\)/);
});

test('functions with attributes, defaults and overloads', () => {
  const b = builder();
  const options = {
    domain: 'local',
    name: 'Scale',
    inputs: ['a'],
    attributes: ['by'],
    defaults: { plus: float(2) },
  } as const;
  b.function(options, (f, [a]) => {
    const by = f.op('Constant', [], { value_float: reference('by', 'float') });
    f.output('b', f.op('Mul', [a, f.op('Add', [by, f.constant('one', tensor('float32', [], [1]))])]));
  });
  b.function({ ...options, overload: 'other' }, (f, [a]) => void f.output('b', f.op('Neg', [a])));
  const x = b.input('x', 'float32');
  const call = { domain: 'local' };
  b.output(
    'y',
    b.op('Scale', [b.op('Scale', [x], { by: float(3) }, call)], { by: 0.5 }, { ...call, overload: 'other' }),
  );
  const model = readModel(b.toBytes());
  assert.equal(
    [...model.opsets],
    [
      ['', 21],
      ['local', 1],
    ],
  );
  assert.equal(
    model.functions.map(({ overload }) => overload),
    ['', 'other'],
  );
  assert.equal(model.functions[0]?.attributes, ['by']);
  assert.equal(model.functions[0]?.defaults, { plus: { type: 'float', value: 2 } });
  assert.equal(
    model.functions[0]?.graph.nodes.map(({ op }) => op),
    ['Constant', 'Constant', 'Add', 'Mul'],
  );
  assert.is(model.graph.nodes[1]?.overload, 'other');
});

test('sparse constants, defaults of inputs, other types, metadata, domains', () => {
  const b = modelBuilder({
    opset: 21,
    opsets: { 'ai.onnx.ml': 3 },
    metadata: { author: 'me' },
    producer: 'test',
    irVersion: 9,
  });
  const sparse = { values: tensor('int32', [1], [5]), indices: tensor('int64', [1], [2]), dims: [2, 2] };
  const inputs: Value[] = [
    b.input('d', 'int64', [1], { default: tensor('int64', [1], [9n]) }),
    b.input('s', { kind: 'sequence', of: { kind: 'tensor', element: 'string', dims: ['n'] } }),
    b.input('m', { kind: 'map', key: 'int64', value: { kind: 'tensor', element: 'float32', dims: [] } }),
    b.input('o', { kind: 'optional', of: { kind: 'tensor', element: 'bool' } }),
    b.sparseConstant('w', sparse),
  ];
  b.output('y', b.op('Op', [null, ...inputs], {}, { domain: 'ai.onnx.ml', name: 'only' }));
  const model = readModel(b.toBytes());
  assert.is(model.irVersion, 9);
  assert.is(model.producer, 'test');
  assert.equal([...model.metadata], [['author', 'me']]);
  const [node] = model.graph.nodes;
  assert.is(node?.name, 'only');
  assert.is(node?.inputs[0], null);
  assert.equal(
    node?.inputs.slice(1).map((value) => formatType(value?.type)),
    ['int64[1]', 'seq(string[n])', 'map(int64,float32[])', 'optional(bool[…])', 'int32[2,2]'],
  );
  assert.equal(model.graph.inputs[0]?.constant?.data, new BigInt64Array([9n]));
  assert.equal(node?.inputs[5]?.constant?.data, new Int32Array([0, 0, 5, 0]));
});

test('an output that has a name already is reached through an Identity', () => {
  const b = builder();
  const x = b.input('x', 'float32', []);
  const y = b.output('y', b.op('Abs', [x]));
  b.output('z', y);
  b.output('x2', x);
  assert.equal(
    b.toModel().graph.nodes.map(({ op }) => op),
    ['Abs', 'Identity', 'Identity'],
  );
});

const REFUSED: readonly [what: string, message: RegExp, build: (b: ReturnType<typeof builder>, x: Value) => unknown][] =
  [
    ['a name used twice', /^value "x": is already defined/, (b) => b.input('x', 'float32')],
    ['an output named like an input', /^value "x": is already defined/, (b, x) => b.output('x', b.op('Abs', [x]))],
    [
      'the same output twice',
      /^value "y": is listed twice as an output/,
      (b, x) => b.output('y', b.output('y', b.op('Abs', [x]))),
    ],
    ['an empty name', /a value must have a name/, (b) => b.input('', 'float32')],
    [
      'an inner name that hides an outer one',
      /"x": is already defined/,
      (b) => b.subgraph('g', (g) => void g.input('x', 'bool')),
    ],
    [
      'a value of another builder',
      /^Abs "Abs_0", value "x": belongs to another builder/,
      (b) => b.op('Abs', [builder().input('x', 'float32')]),
    ],
    [
      'a value of a closed subgraph',
      /value "inner": belongs to another builder or to a scope/,
      (b) => {
        let inner: Value | undefined;
        b.subgraph('g', (g) => {
          inner = g.input('inner', 'float32');
          g.output('o', g.op('Abs', [inner]));
        });
        b.op('Abs', [inner ?? null]);
      },
    ],
    ['a foreign output', /belongs to another builder/, (b) => b.output('y', builder().input('foreign', 'float32'))],
    [
      'a negative number of outputs',
      /^Abs "Abs_0": outputs must be a number or a list of names, not -1/,
      (b, x) => b.node('Abs', [x], {}, { outputs: -1 }),
    ],
    [
      'half an output',
      /outputs must be a number or a list of names, not 0.5/,
      (b, x) => b.node('Abs', [x], {}, { outputs: 0.5 }),
    ],
    [
      'a domain without version',
      /does not import the domain "com.x"/,
      (b, x) => b.op('Abs', [x], {}, { domain: 'com.x' }),
    ],
    ['an empty list', /attribute axes is an empty list/, (b, x) => b.op('Abs', [x], { axes: [] })],
    [
      'a mixed list',
      /attribute axes must be a list of numbers or of strings/,
      (b, x) => b.op('Abs', [x], { axes: [1, 'a'] as unknown as number[] }),
    ],
    ['no element type', /there is no element type "float"/, (b) => b.input('z', 'float' as 'float32')],
    ['a negative dimension', /-1 is not a dimension/, (b) => b.input('z', 'float32', [-1])],
    ['no outputs', /graph demo has no outputs/, (b) => b.toModel()],
    [
      'a default of another type',
      /"d": the constant is int8\[1\], its type int8\[2\]/,
      (b) =>
        b.output('y', b.op('A', [b.input('d', 'int8', [2], { default: tensor('int8', [1], [1]) })])) && b.toModel(),
    ],
    [
      'a function given twice',
      /function l.f is already defined/,
      (b) => {
        const define = () =>
          b.function({ domain: 'l', name: 'f', inputs: ['a'] }, (f, [a]) => void f.output('b', f.op('Abs', [a])));
        define();
        define();
      },
    ],
  ];

for (const [what, message, build] of REFUSED)
  test(`${what} is refused`, () => {
    const b = builder();
    const x = b.input('x', 'float32', []);
    expectError('INVALID_GRAPH', message, () => build(b, x));
  });

test('opset 0 is refused', () =>
  expectError('INVALID_GRAPH', /0 is not an opset version/, () => modelBuilder({ opset: 0 })));

test('tensors from plain values', () => {
  assert.equal(tensor('int64', [2], [1, -2n]).data, new BigInt64Array([1n, -2n]));
  assert.equal(tensor('string', [1], ['a']).data, ['a']);
  assert.equal(tensor('bool', [2], [true, false]).data, new Uint8Array([1, 0]));
  assert.equal(tensor('int4', [3], [1, 2, -8]).data, new Int8Array([0x21, 8]));
  assert.equal(tensor('int4', [3], new Int8Array([0x21, 8])).data, new Int8Array([0x21, 8]));
  expectError('INVALID_VALUE', /\[3\] of float32 needs 3 values, got 2/, () => tensor('float32', [3], [1, 2]));
  expectError('INVALID_SHAPE', /dims\[0\] is -1/, () => tensor('float32', [-1], []));
});

test.run();
