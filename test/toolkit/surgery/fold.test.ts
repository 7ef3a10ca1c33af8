import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { edit, foldConstants } from '../../../src/tools/surgery/index.js';
import { errorsOf, graphOf, model, names, nodesOf, operators, refuses } from './models.js';

const test = suite('folding constants');

const GIVEN = model(
  `g (bool b, float[2, 3] x) => (float[2, 3] y, float[2] o) <float[2] v = {1, 2}, float[2] w = {3, 4}, bool yes = {1}, int64[1] n = {3}, int8 q = {2}, float s = {0.5}> {
    a = Add(v, w)
    k = Mul(a, a)
    c = If(yes) <
      then_branch = p () => (float[2] t) { t = Neg(k) },
      else_branch = q () => (float[2] u) { u = Identity(k) }>
    shape = Constant <value_ints = [2, 1]> ()
    r = Reshape(c, shape)
    z = Add(x, r)
    big = ConstantOfShape(n)
    noise = RandomUniform <shape = [3]> ()
    f = Add(big, noise)
    d = DequantizeLinear(q, s)
    e = Mul(f, d)
    h = Add(z, e)
    y = If(b) <
      then_branch = p2 () => (float[2, 3] t2) { t2 = Add(h, r) },
      else_branch = q2 () => (float[2, 3] u2) { u2 = Identity(h) }>
    o = Abs(k)
  }`,
);

test('what follows from constants alone is one, through branches and into subgraphs', async () => {
  const folded = await foldConstants(GIVEN);
  assert.equal(operators(folded), ['Add', 'RandomUniform', 'Add', 'DequantizeLinear', 'Mul', 'Add', 'If', 'Abs']);
  assert.equal(names(graphOf(folded).initializer), ['q', 's', 'k', 'r', 'big']);
  await edit(folded, async (graph) => {
    const [k, r] = [await graph.value('k')?.tensor(), await graph.value('r')?.tensor()];
    assert.equal(k, { type: 'float32', dims: [2], data: Float32Array.of(16, 36) });
    assert.equal(r, { type: 'float32', dims: [2, 1], data: Float32Array.of(-16, -36) });
  });
  assert.equal(await errorsOf(folded), []);
  assert.is(await foldConstants(folded), folded);
});

test('what is larger than the limit stays', async () => {
  const folded = await foldConstants(GIVEN, { limit: 8 });
  assert.ok(nodesOf(folded).includes('big = ConstantOfShape (n)'));
  assert.not.ok(nodesOf(folded).some((node) => node.startsWith('a = ')));
  assert.equal(await errorsOf(folded), []);
});

test('constants that may be fed are none', async () => {
  const fed = model('g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { n = Neg(w)  y = Add(x, n) }');
  assert.is(await foldConstants(fed), fed);
  const old = model(
    'g (float[2] w) => (float[2] y) <float[2] w = {1, 2}> { n = Neg(w)  y = Neg(n) }',
    'ir_version: 3, opset_import: ["": 8]',
  );
  await refuses(foldConstants(old), 'before IR version 4, all constants are inputs');
});

test.run();
