import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../../src/index.js';
import type { Model } from '../../../src/model/document/model.js';
import { Tensor } from '../../../src/tensor/tensor.js';
import { saveModel } from '../../../src/tools/save-model.js';
import { replaceSubgraph } from '../../../src/tools/surgery/index.js';
import { errorsOf, graphOf, model, names, nodesOf, operators, refuses } from './models.js';

const test = suite('replacing a pattern');

const fn = (text: string) => `<domain: "p", opset_import: ["": 20]> ${text}`;

const GELU = fn(`gelu (x) => (y) {
  root = Constant <value_float = 1.41421356237> ()
  one = Constant <value_float = 1.0> ()
  half = Constant <value_float = 0.5> ()
  a = Div(x, root)
  b = Erf(a)
  c = Add(b, one)
  d = Mul(x, c)
  y = Mul(d, half)
}`);

/** The orders of the commutative operators, once as constants, once as nodes. */
const ERFS = model(
  `g (float[4] x) => (float[4] y) <float root = {1.41421356237}, float[1] one = {1}> {
    a = Div(x, root)
    b = Erf(a)
    c = Add(one, b)
    d = Mul(c, x)
    half = Constant <value_float = 0.5> ()
    t = Mul(half, d)
    a2 = Div(t, root)
    b2 = Erf(a2)
    c2 = Add(b2, one)
    d2 = Mul(t, c2)
    y = Mul(d2, half)
  }`,
);

async function runs(made: Model): Promise<number[]> {
  const session = await InferenceSession.create(await saveModel(made));
  const results = await session.run({ x: new Tensor('float32', [-2, -0.5, 0.5, 2], [4]) });
  await session.release();
  return Array.from((results.y as Tensor).data as Float32Array);
}

test('every match, in either order of commutative inputs, constants by their contents', async () => {
  const replaced = await replaceSubgraph(ERFS, GELU, fn('gelu (x) => (y) { y = Gelu(x) }'));
  assert.equal(nodesOf(replaced), ['t = Gelu (x)', 'y = Gelu (t)']);
  assert.equal(names(graphOf(replaced).initializer), []);
  assert.equal(await errorsOf(replaced), []);
  const [before, after] = [await runs(ERFS), await runs(replaced)];
  before.forEach((value, i) => {
    assert.ok(Math.abs(value - (after[i] as number)) < 1e-6, `${value} ${after[i]}`);
  });
});

test('what others read of the inside stays as it is', async () => {
  const open = model('g (float[2] x) => (float[2] y, float[2] t) { t = Neg(x)  y = Abs(t)  u = Neg(y)  v = Abs(u) }');
  const replaced = await replaceSubgraph(
    open,
    fn('f (x) => (y) { t = Neg(x)  y = Abs(t) }'),
    fn('f (x) => (y) { y = Abs(x) }'),
  );
  assert.equal(nodesOf(replaced), ['t = Neg (x)', 'y = Abs (t)', 'v = Abs (y)']);
  assert.equal(await errorsOf(replaced), []);
});

test('attributes are bound, and held to what is left out', async () => {
  const given = model(
    `g (float[2, 3] x) => (float[2, 3] y, float[2, 3] z) {
      a = Softmax <axis = 0> (x)
      y = Log(a)
      b = Softmax(x)
      z = Log(b)
    }`,
  );
  const bound = await replaceSubgraph(
    given,
    fn('f <k> (x) => (y) { t = Softmax <axis: int = @k> (x)  y = Log(t) }'),
    fn('f <k> (x) => (y) { y = LogSoftmax <axis: int = @k> (x) }'),
  );
  assert.equal(nodesOf(bound), ['y = LogSoftmax <axis: int = 0> (x)', 'z = LogSoftmax (x)']);
  const last = fn('f (x) => (y) { t = Softmax <axis = -1> (x)  y = Log(t) }');
  const held = await replaceSubgraph(given, last, fn('f (x) => (y) { y = LogSoftmax(x) }'));
  assert.equal(operators(held), ['Softmax', 'Log', 'LogSoftmax']);
  assert.equal(await errorsOf(held), []);
});

test('several outputs, an output that is an input, subgraphs, functions', async () => {
  const given = model(
    `g (bool b, float[2] x) => (float[2] y) {
      y = If(b) <
        then_branch = p () => (float[2] s) { n = Neg(x)  s = Neg(n) },
        else_branch = q () => (float[2] r) { r = local.f(x) }>
    }
    <domain: "local", opset_import: ["": 20]> f (x) => (y) { i = Abs(x)  n = Neg(i)  m = Neg(n)  y = Sqrt(m) }`,
    'ir_version: 10, opset_import: ["": 20, "local": 1]',
  );
  const twice = await replaceSubgraph(given, fn('f (x) => (y) { t = Neg(x)  y = Neg(t) }'), fn('f (x) => (x) { }'));
  assert.equal(
    graphOf(twice).node[0]?.attribute[0]?.g?.node.map(({ opType }) => opType),
    ['Identity'],
  );
  assert.equal(
    twice.proto.functions[0]?.node.map(({ opType }) => opType),
    ['Abs', 'Sqrt'],
  );
  assert.equal(await errorsOf(twice), []);
  const both = model('g (float[2] x) => (float[2] s, float[2] c) { c = Cos(x)  s = Sin(x) }');
  const joined = await replaceSubgraph(
    both,
    fn('f (x) => (s, c) { s = Sin(x)  c = Cos(x) }'),
    '<domain: "p", opset_import: ["com.microsoft": 1, "": 20]> f (x) => (s, c) { s = com.microsoft.Gelu(x)  c = Neg(s) }',
  );
  assert.equal(nodesOf(joined), ['s = com.microsoft.Gelu (x)', 'c = Neg (s)']);
  assert.equal(
    joined.proto.opsetImport.map(({ domain }) => domain),
    ['', 'com.microsoft'],
  );
  assert.equal(await errorsOf(joined), []);
});

test('an input of the replacement must not follow from what is replaced', async () => {
  const given = model('g (float[2] x) => (float[2] y, float[2] z) { y = Neg(x)  t = Abs(y)  z = Add(t, x) }');
  const pattern = fn('f (x, t) => (y, z) { y = Neg(x)  z = Add(t, x) }');
  assert.is(await replaceSubgraph(given, pattern, fn('f (x, t) => (y, z) { y = Abs(x)  z = Sub(t, x) }')), given);
});

test('no match is the very same model; what does not fit is refused', async () => {
  assert.is(await replaceSubgraph(ERFS, fn('f (x) => (y) { y = Tan(x) }'), fn('f (x) => (y) { y = Sin(x) }')), ERFS);
  await refuses(
    replaceSubgraph(ERFS, fn('f (x) => (y) { y = Tan(x) }'), fn('f (x, z) => (y) { y = Sin(x) }')),
    'the pattern has 1 inputs, but the replacement has 2',
  );
  await refuses(
    replaceSubgraph(ERFS, fn('f (x) => (x) { }'), fn('f (x) => (y) { y = Sin(x) }')),
    'no node of the pattern produces the output "x"',
  );
  await refuses(
    replaceSubgraph(
      ERFS,
      fn('f (x) => (y) { y = Tan(x) }'),
      '<domain: "p", opset_import: ["": 12]> f (x) => (y) { y = ReduceSum(x) }',
    ),
    'and the model import different opsets',
  );
});

test.run();
