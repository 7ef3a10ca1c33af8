import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../../src/index.js';
import type { Model } from '../../../src/model/document/model.js';
import { Tensor } from '../../../src/tensor/tensor.js';
import { withProto } from '../../../src/tools/model-of.js';
import { saveModel } from '../../../src/tools/save-model.js';
import { inlineFunctions } from '../../../src/tools/surgery/index.js';
import { errorsOf, graphOf, model, names, nodesOf, operators, refuses } from './models.js';

const test = suite('inlining functions');

const HEAD = 'ir_version: 10, opset_import: ["": 20, "local": 1]';

interface Case {
  readonly what: string;
  readonly before: string;
  readonly after: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: 'calls in functions',
    before: `g (float[N] X) => (float[N] Y) { Y = local.foo(X) }
      <domain: "local", opset_import: ["": 20, "local": 1]> foo (x) => (y) { t = Add(x, x)  y = local.bar(t) }
      <domain: "local", opset_import: ["": 20]> bar (x) => (y) { y = Mul(x, x) }`,
    after: ['t = Add (X, X)', 'Y = Mul (t, t)'],
  },
  {
    what: 'names are told apart, calls of one function included',
    before: `g (float[N] X) => (float[N] Y) { t = local.f(X)  [n] u = local.f(t)  Y = Add(t, u) }
      <domain: "local", opset_import: ["": 20]> f (x) => (y) { [n] t = Abs(x)  y = Neg(t) }`,
    after: ['[n_2] t_2 = Abs (X)', 't = Neg (t_2)', '[n_3] t_3 = Abs (t)', 'u = Neg (t_3)', 'Y = Add (t, u)'],
  },
  {
    what: 'attributes: given, by default, left out',
    before: `g (float[N] X) => (float[N] Y) { t = local.f <a = 0.5> (X)  Y = local.f <b = 2> (t) }
      <domain: "local", opset_import: ["": 20]> f <b, a: float = 0.25> (x) => (y) {
        t = Elu <alpha: float = @a> (x)
        y = Softmax <axis: int = @b> (t)
      }`,
    after: [
      't_2 = Elu <alpha: float = 0.5> (X)',
      't = Softmax (t_2)',
      't_3 = Elu <alpha: float = 0.25> (t)',
      'Y = Softmax <axis: int = 2> (t_3)',
    ],
  },
  {
    what: 'attributes through two calls',
    before: `g (float[N] X) => (float[N] Y) { Y = local.f <a = 0.5> (X) }
      <domain: "local", opset_import: ["": 20, "local": 1]> f <a> (x) => (y) { y = local.h <b: float = @a> (x) }
      <domain: "local", opset_import: ["": 20]> h <b> (x) => (y) { y = Elu <alpha: float = @b> (x) }`,
    after: ['Y = Elu <alpha: float = 0.5> (X)'],
  },
  {
    what: 'an input that is not given, an output that nobody takes',
    before: `g (float[N] X) => (float[N] Y) { Y = local.f(X) }
      <domain: "local", opset_import: ["": 20]> f (x, low) => (y, z) { y = Clip(x, low)  z = Neg(y) }`,
    after: ['Y = Clip (X, "")', 'z = Neg (Y)'],
  },
  {
    what: 'an output that is an input',
    before: `g (float[N] X) => (float[N] Y) { a, b = local.f(X)  Y = Sum(a, b) }
      <domain: "local", opset_import: ["": 20]> f (x) => (x, y) { y = Abs(x) }`,
    after: ['b = Abs (X)', 'a = Identity (X)', 'Y = Sum (a, b)'],
  },
];

for (const { what, before, after } of CASES)
  test(what, async () => {
    const given = model(before, HEAD);
    assert.equal(await errorsOf(given), []);
    const inlined = await inlineFunctions(given);
    assert.equal(nodesOf(inlined), after);
    assert.equal(inlined.proto.functions, []);
    assert.equal(await errorsOf(inlined), []);
  });

const SQUARES = `g (float[N] X) => (float[N] Y) { T = local.square(X)  Y = local.double(T) }
  <domain: "local", opset_import: ["": 20, "local": 1]> double (x) => (y) { d = Add(x, x)  y = local.square(d) }
  <domain: "local", opset_import: ["": 20]> square (x) => (y) { y = Mul(x, x) }`;

for (const options of [{ ids: [['local', 'square']] }, { ids: [['local', 'double']], exclude: true }] as const)
  test(`some functions: ${JSON.stringify(options)}`, async () => {
    const inlined = await inlineFunctions(model(SQUARES, HEAD), options);
    assert.equal(operators(inlined), ['Mul', 'double']);
    assert.equal(names(inlined.proto.functions), ['double']);
    assert.equal(
      inlined.proto.functions[0]?.node.map(({ opType }) => opType),
      ['Add', 'Mul'],
    );
    assert.equal(await errorsOf(inlined), []);
  });

test('a call in a subgraph, whose function has a subgraph that captures', async () => {
  const given = model(
    `g (bool b, float[2] X) => (float[2] Y) {
      t = Neg(X)
      Y = If(b) <
        then_branch = p () => (float[2] s) { s = local.f(b, t) },
        else_branch = q () => (float[2] r) { r = Identity(t) }>
    }
    <domain: "local", opset_import: ["": 20]> f (c, x) => (y) {
      t = Abs(x)
      y = If(c) <
        then_branch = p () => (float[2] s) { s = Add(t, x) },
        else_branch = q () => (float[2] s) { s = Sub(t, x) }>
    }`,
    HEAD,
  );
  const inlined = await inlineFunctions(given);
  const inner = graphOf(inlined).node[1]?.attribute[0]?.g;
  assert.equal(
    inner?.node.map(({ input, output }) => [input, output]),
    [
      [['t'], ['t_2']],
      [['b'], ['s']],
    ],
  );
  const branches = inner?.node[1]?.attribute.map(({ g }) => [
    g?.node[0]?.input,
    g?.node[0]?.output,
    g?.output[0]?.name,
  ]);
  assert.equal(branches, [
    [['t_2', 't'], ['s_2'], 's_2'],
    [['t_2', 't'], ['s_3'], 's_3'],
  ]);
  assert.equal(await errorsOf(inlined), []);
});

test('what a function says of its values, and imports, comes along', async () => {
  const given = model(
    `g (float[2] X) => (float[2] Y) { Y = local.f(X) }
    <domain: "local", opset_import: ["": 20, "com.microsoft": 1]> f (x) => (y) <float[2] t> {
      t = Abs(x)
      y = com.microsoft.Gelu(t)
    }`,
    HEAD,
  );
  const inlined = await inlineFunctions(given);
  assert.equal(names(graphOf(inlined).valueInfo), ['t']);
  assert.equal(
    inlined.proto.opsetImport.map(({ domain }) => domain),
    ['', 'local', 'com.microsoft'],
  );
  assert.equal(await errorsOf(inlined), []);
});

const OLDER = (body: string) => `g (float[2, 3] X) => (float[2] Y) { Y = local.f(X) }
  <domain: "local", opset_import: ["": 12]> f (x) => (y) { ${body} }`;

test('a function of another opset: where its operators are the same, or converted', async () => {
  const same = await inlineFunctions(model(OLDER('y = Einsum <equation = "ij->i"> (x)'), HEAD));
  assert.equal(operators(same), ['Einsum']);
  const given = model(OLDER('y = ReduceSum <axes = [1], keepdims = 0> (x)'), HEAD);
  assert.is(await inlineFunctions(given), given);
  const asked: number[] = [];
  const convertVersion = (converted: Model, opset: number): Model => {
    asked.push(opset);
    const [old] = converted.proto.functions;
    const { functions } = model(`g () => () { } <domain: "local", opset_import: ["": 20]> f (x) => (y) {
      axes = Constant <value_ints = [1]> ()
      y = ReduceSum <keepdims = 0> (x, axes)
    }`).proto;
    assert.is(old?.name, 'f');
    return withProto(
      converted,
      Object.assign(Object.create(Object.getPrototypeOf(converted.proto)), converted.proto, { functions }),
    );
  };
  const converted = await inlineFunctions(given, { convertVersion });
  assert.equal(asked, [20]);
  assert.equal(operators(converted), ['Constant', 'ReduceSum']);
  assert.equal(await errorsOf(converted), []);
});

test('functions that call themselves, calls without end, and unknown names are refused', async () => {
  const recursive = model(
    `g (float[N] X) => (float[N] Y) { Y = local.foo(X) }
    <domain: "local", opset_import: ["": 20, "local": 1]> foo (x) => (y) { y = local.bar(x) }
    <domain: "local", opset_import: ["": 20, "local": 1]> bar (x) => (y) { y = local.foo(x) }`,
    HEAD,
  );
  await refuses(inlineFunctions(recursive), 'the function local.foo is recursive');
  const doubling = Array.from(
    { length: 30 },
    (_, i) => `<domain: "local", opset_import: ["": 20, "local": 1]> f${i} (x) => (y) {
      t = local.f${i + 1}(x)  y = local.f${i + 1}(t) }`,
  );
  const bomb = model(
    `g (float[N] X) => (float[N] Y) { Y = local.f0(X) } ${doubling.join('\n')}
    <domain: "local", opset_import: ["": 20]> f30 (x) => (y) { y = Abs(x) }`,
    HEAD,
  );
  await refuses(inlineFunctions(bomb), 'more than 1000000 nodes');
  await refuses(
    inlineFunctions(model(SQUARES, HEAD), { ids: [['local', 'cube']] }),
    'no function local.cube; it has "local.double"',
  );
});

const OPERATORS = [
  ...['Celu', 'Elu', 'HardSigmoid', 'LeakyRelu', 'ThresholdedRelu'].map((op) => `${op} <alpha = 0.75> (x)`),
  ...['Celu', 'Elu', 'HardSigmoid', 'HardSwish', 'LeakyRelu', 'Mish', 'Relu', 'Selu'].map((op) => `${op}(x)`),
  ...['Softplus', 'Softsign', 'ThresholdedRelu'].map((op) => `${op}(x)`),
  'PRelu(x, w)',
];

for (const call of OPERATORS)
  test(`operators as functions: ${call}`, async () => {
    const given = model(`g (float[5] x) => (float[5] y) <float[5] w = {1, 2, 3, 4, 5}> { y = ${call} }`);
    const inlined = await inlineFunctions(given, { schemaFunctions: true });
    const op = /^\w+/.exec(call)?.[0] ?? '';
    assert.not.ok(operators(inlined).includes(op));
    assert.equal(await errorsOf(inlined), []);
    const [expected, found] = [await runs(given), await runs(inlined)];
    expected.forEach((value, i) => {
      assert.ok(Math.abs(value - (found[i] as number)) <= 1e-6 * Math.max(1, Math.abs(value)), `${value} ${found[i]}`);
    });
  });

async function runs(made: Model): Promise<number[]> {
  const session = await InferenceSession.create(await saveModel(made));
  const results = await session.run({ x: new Tensor('float32', [-2, -0.5, 0, 0.8, 2], [5]) });
  await session.release();
  return Array.from((results.y as Tensor).data as Float32Array);
}

test('comparisons as functions, and not before opset 15', async () => {
  const given = model(
    'g (int32[2] x, int32[2] b) => (bool[2] y) { n = LessOrEqual(x, b)  m = GreaterOrEqual(x, b)  y = And(n, m) }',
  );
  const inlined = await inlineFunctions(given, { schemaFunctions: true });
  assert.equal(operators(inlined), ['Less', 'Equal', 'Or', 'Greater', 'Equal', 'Or', 'And']);
  assert.equal(await errorsOf(inlined), []);
  const old = model('g (float x) => (float y) { y = Abs(x) }', 'ir_version: 7, opset_import: ["": 13]');
  await refuses(inlineFunctions(old, { schemaFunctions: true }), 'needs opset 15 or later, but the model has opset 13');
});

test.run();
