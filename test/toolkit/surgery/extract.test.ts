import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatType } from '../../../src/graph/types.js';
import { DimSymbols, readType } from '../../../src/model/types.js';
import { extractModel } from '../../../src/tools/surgery/index.js';
import { errorsOf, graphOf, model, names, nodesOf, operators, refuses, withAnnotation } from './models.js';

const test = suite('extracting a part of a model');

const LOCAL = 'ir_version: 10, opset_import: ["": 20, "local": 1]';

/** What ONNX's function_test.py has: functions, one of which calls the others. */
const FUNCTIONS = model(
  `g (float[5] i0, float[5] i1, float[5] i2) => (float[5] o_no, float[5] o_add, float[5] o_all0, float[5] o_all1) {
    t0 = local.add(i0, i1)
    t2 = Add(i1, i2)
    o_add = Add(t0, t2)
    t1 = local.identity(i1)
    t3 = Identity(i1)
    o_all0 = local.nested(t0, t1)
    o_all1 = local.nested(t3, t2)
    o_no = Add(t3, t2)
  }
  <domain: "local", opset_import: ["": 20]> identity (a) => (b) { b = Identity(a) }
  <domain: "local", opset_import: ["": 20]> add (a, b) => (c) { c = Add(a, b) }
  <domain: "local", opset_import: ["": 20, "local": 1]> nested (a, b) => (c) {
    a1 = local.identity(a)  b1 = local.identity(b)  c = local.add(a1, b1)
  }`,
  LOCAL,
);

const ALL = ['identity', 'add', 'nested'];

for (const [outputs, functions] of [
  [['o_no'], []],
  [['o_add'], ['add']],
  [['o_all0'], ALL],
  [['o_all1'], ALL],
  [['o_no', 'o_add', 'o_all0', 'o_all1'], ALL],
] as const)
  test(`the functions that ${outputs} take`, async () => {
    const part = await extractModel(FUNCTIONS, ['i0', 'i1', 'i2'], outputs);
    assert.equal(names(part.proto.functions), functions);
    assert.equal(await errorsOf(part), []);
  });

const CHAIN = model(
  `g (float[2, K] x, bool b) => (float[2, K] y) <float[K] w, float[2] old, float[2, K] n> {
    m = Mul(x, x)
    k = Shape(x)
    n = Neg(m)
    y = If(b) <
      then_branch = p () => (float[2, K] s) { s = Add(m, n) },
      else_branch = q () => (float[2, K] t) { t = Identity(x) }>
  }`,
);

test('inside: what is not said of types follows, and what subgraphs capture is there', async () => {
  const part = await extractModel(CHAIN, ['m', 'x', 'b'], ['y']);
  assert.equal(operators(part), ['Neg', 'If']);
  const types = graphOf(part).input.map(({ name, type }) => `${name} ${formatType(readType(type, new DimSymbols()))}`);
  assert.equal(types, ['m float32[2,K]', 'x float32[2,K]', 'b bool[]']);
  assert.equal(names(graphOf(part).valueInfo), ['n']);
  assert.equal(await errorsOf(part), []);
});

test('inputs that would be missing are named, those of subgraphs too', async () => {
  await refuses(extractModel(CHAIN, ['m', 'b'], ['y']), '"y" also depend on "x"');
  await refuses(extractModel(CHAIN, ['m', 'x', 'b'], ['z']), 'the graph has no value "z"');
  await refuses(extractModel(CHAIN, ['m', 'x', 'b'], ['s']), '"s" is a value of a subgraph');
  await refuses(extractModel(CHAIN, ['m', 'm'], ['y']), 'inputs: duplicate names "m"');
  await refuses(extractModel(CHAIN, ['x'], []), 'expected at least one name');
});

test('without inputs it begins with those of the model', async () => {
  assert.equal(names(graphOf(await extractModel(CHAIN, undefined, ['n'])).input), ['x']);
});

test('an output in the middle is one more output of the graph', async () => {
  const part = await extractModel(CHAIN, ['x'], ['n', 'k']);
  assert.equal(nodesOf(part), ['m = Mul (x, x)', 'k = Shape (x)', 'n = Neg (m)']);
  assert.equal(await errorsOf(part), []);
});

test('of a node that is cut through, the output that is given is not made as well', async () => {
  const given = model(
    'g (float[4] x) => (float[4] y) { a, b = Split <num_outputs = 2> (x)  y = Concat <axis = 0> (a, b) }',
  );
  const part = await extractModel(given, ['x', 'a'], ['y']);
  assert.equal(nodesOf(part)[0], 'a_unread, b = Split <num_outputs: int = 2> (x)');
  assert.equal(await errorsOf(part), []);
});

test('constants and notes come along where they belong', async () => {
  const given = model(
    'g (float[2] x) => (float[2] y, float[2] z) <float[2] v = {1, 2}, float[2] w = {3, 4}, float scale = {0.5}> { y = Add(x, v)  z = Add(x, w) }',
  );
  const annotation = { tensorName: 'y', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'scale' }] };
  const noted = withAnnotation(given, annotation);
  const part = await extractModel(noted, ['x'], ['y']);
  assert.equal(names(graphOf(part).initializer), ['v', 'scale']);
  assert.is(graphOf(part).quantizationAnnotation.length, 1);
  assert.equal(names(graphOf(await extractModel(noted, ['x'], ['z'])).initializer), ['w']);
  const cut = await extractModel(noted, ['x', 'v'], ['y']);
  assert.equal(names(graphOf(cut).input), ['x', 'v']);
  assert.equal(await errorsOf(part), []);
});

test('before IR version 4, constants are inputs', async () => {
  const old = model(
    'g (float[2] x, float[2] v) => (float[2] y) <float[2] v = {1, 2}> { y = Add(x, v) }',
    'ir_version: 3, opset_import: ["": 8]',
  );
  const part = await extractModel(old, ['x'], ['y']);
  assert.equal(names(graphOf(part).input), ['x', 'v']);
  assert.equal(await errorsOf(part), []);
});

test.run();
