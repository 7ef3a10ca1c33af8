import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatType } from '../../../src/graph/types.js';
import type { Model } from '../../../src/model/document/model.js';
import { DimSymbols, readType } from '../../../src/model/types.js';
import {
  addOutputs,
  cleanUp,
  removeNodes,
  renameValues,
  setDims,
  sortNodes,
} from '../../../src/tools/surgery/index.js';
import { errorsOf, graphOf, model, names, nodesOf, operators, refuses, says, withAnnotation } from './models.js';

const test = suite('renaming, sizes, outputs, nodes');

const GIVEN = model(
  `g (bool b, float[1, 3] x) => (float[1, 3] y) <float[3] w = {1, 2, 3}, float[1, 3] t> {
    [add] t = Add(x, w)
    [neg] u = Neg(t)
    [pick] y = If(b) <
      then_branch = p () => (float[1, 3] s) { s = Mul(t, u) },
      else_branch = q () => (float[1, 3] r) { r = Identity(t) }>
  }`,
);

const typesIn = (made: Model): string[] =>
  [...graphOf(made).input, ...graphOf(made).valueInfo, ...graphOf(made).output].map(
    ({ name, type }) => `${name} ${formatType(readType(type, new DimSymbols()))}`,
  );

test('values are renamed, two with each other too', async () => {
  const renamed = renameValues(GIVEN, { t: 'u', u: 't', x: 'input', y: 'output', s: 'product' });
  assert.equal(nodesOf(renamed).slice(0, 2), ['[add] u = Add (input, w)', '[neg] t = Neg (u)']);
  assert.equal(graphOf(renamed).node[2]?.attribute[0]?.g?.node[0]?.input, ['u', 't']);
  assert.equal(names(graphOf(renamed).valueInfo), ['u']);
  assert.equal(await errorsOf(renamed), []);
  assert.is(renameValues(GIVEN, {}), GIVEN);
  assert.throws(() => renameValues(GIVEN, { t: 's' }), says('cannot rename "t" to "s"'));
  assert.throws(() => renameValues(GIVEN, { nobody: 's' }), says('no value "nobody"'));
  assert.throws(() => renameValues(GIVEN, { t: 'a', u: 'a' }), says('new names: duplicate names "a"'));
});

test('sizes become names, numbers or open, and what follows from them follows', async () => {
  const open = await setDims(GIVEN, { values: { x: { 0: '' } } });
  assert.equal(typesIn(open), ['b bool[]', 'x float32[?1,3]', 'y float32[1,3]']);
  const chain = model(
    'g (float[1, 3] x) => (float[1, 3] y, float[3, 1] z) <float[1, 3] t> { t = Neg(x)  y = Abs(t)  z = Transpose(t) }',
  );
  const named = await setDims(chain, { values: { x: ['batch', 3] } });
  assert.equal(typesIn(named), ['x float32[batch,3]', 'y float32[batch,3]', 'z float32[3,batch]']);
  assert.equal(await errorsOf(named), []);
  const fixed = await setDims(named, { symbols: { batch: 4 } });
  assert.equal(typesIn(fixed), ['x float32[4,3]', 'y float32[4,3]', 'z float32[3,4]']);
  assert.equal(await errorsOf(fixed), []);
  assert.is(await setDims(chain, { values: { x: [1, 3] } }), chain);
});

test('sizes that cannot be set are refused', async () => {
  await refuses(
    setDims(GIVEN, { values: { x: { 0: 2 } } }),
    'dimension 0 of "x" is 1; it can become dynamic, but not 2',
  );
  await refuses(setDims(GIVEN, { values: { x: { 2: 'n' } } }), '"x" has 2 dimensions; dimension 2 does not exist');
  await refuses(
    setDims(GIVEN, { values: { t: { 0: 'n' } } }),
    '"t" is neither an input nor an output; the model has "b", "x", "y"',
  );
  await refuses(setDims(GIVEN, { values: { x: { 0: -1 } } }), "a non-negative integer, a name or '', got -1");
  await refuses(setDims(GIVEN, { symbols: { batch: 1 } }), 'the model has no dynamic dimension "batch"');
});

test('any value becomes an output, with the type that follows', async () => {
  const more = await addOutputs(GIVEN, ['u', 't', 'y']);
  assert.equal(typesIn(more), ['b bool[]', 'x float32[1,3]', 'y float32[1,3]', 'u float32[1,3]', 't float32[1,3]']);
  assert.equal(await errorsOf(more), []);
  assert.is(await addOutputs(GIVEN, ['y']), GIVEN);
  await refuses(addOutputs(GIVEN, ['s']), '"s" is a value of a subgraph');
  const custom = model(
    'g (float x) => (float y) { t = local.custom(x)  y = local.custom(t) }',
    'ir_version: 10, opset_import: ["": 20, "local": 1]',
  );
  await refuses(addOutputs(custom, ['t']), 'the type is unknown and cannot be inferred');
});

test('a node goes, and what only it needed', async () => {
  const without = await removeNodes(GIVEN, ['neg']);
  assert.equal(graphOf(without).node[1]?.attribute[0]?.g?.node[0]?.input, ['t', 't']);
  assert.equal(await errorsOf(without), []);
  const passed = await removeNodes(GIVEN, ['t']);
  assert.equal(nodesOf(passed)[0], '[neg] u = Neg (x)');
  assert.equal(names(graphOf(passed).initializer), []);
  assert.equal(await errorsOf(passed), []);
  const alone = model(
    'g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { [a] k = Add(x, w)  [s] n = Shape(k)  [r] t = Reshape(x, n)  y = Neg(t) }',
  );
  const kept = await removeNodes(alone, ['r']);
  assert.equal([operators(kept), names(graphOf(kept).initializer)], [['Neg'], []]);
  assert.equal(await errorsOf(kept), []);
});

test('an output of the model keeps its name when its node goes', async () => {
  const last = model('g (float[2] x) => (float[2] y) { t = Neg(x)  [last] y = Abs(t) }');
  assert.equal(nodesOf(await removeNodes(last, ['last'])), ['y = Neg (x)']);
  const only = await removeNodes(model('g (float[2] x) => (float[2] y) { y = Abs(x) }'), ['y']);
  assert.equal(nodesOf(only), ['y = Identity (x)']);
  assert.equal(await errorsOf(only), []);
});

test('a node whose place no input can take is refused', async () => {
  const given = model(
    'g (float[2] x) => (int64[1] y, float[2] z) { [s] k = Shape(x)  y = Neg(k)  [two] a, c = Split <num_outputs = 2> (x)  z = Concat <axis = 0> (a, c) }',
  );
  await refuses(removeNodes(given, ['s']), 'cannot remove Shape "s": no input has the type of its output');
  await refuses(removeNodes(given, ['two']), 'cannot remove Split "two": other nodes read 2 of its outputs');
  await refuses(removeNodes(given, ['nobody']), 'no node has the name or the output "nobody"');
});

test('nodes are sorted, in subgraphs too, and else keep their order', async () => {
  const given = model(
    `g (bool b, float[2] x) => (float[2] y, float[2] z) {
      y = If(b) <
        then_branch = p () => (float[2] s) { s = Neg(r)  r = Abs(t) },
        else_branch = q () => (float[2] v) { v = Identity(t) }>
      z = Abs(x)
      t = Neg(x)
    }`,
  );
  const sorted = sortNodes(given);
  assert.equal(operators(sorted), ['Neg', 'If', 'Abs']);
  assert.equal(
    graphOf(sorted).node[1]?.attribute[0]?.g?.node.map(({ opType }) => opType),
    ['Abs', 'Neg'],
  );
  assert.equal(await errorsOf(sorted), []);
  assert.is(sortNodes(sorted), sorted);
});

test('what nothing follows from goes', async () => {
  const given = model(
    `g (bool b, float[2] x) => (float[2] y) <float[2] w = {1, 2}, float[2] v = {1, 2}, float scale = {1}, float[2] gone, float[2] d> {
      d = local.dead(x)
      e = Add(d, v)
      y = If(b) <
        then_branch = p () => (float[2] s) { r = Abs(x)  s = local.used(x) },
        else_branch = q () => (float[2] t) { t = Add(x, w) }>
    }
    <domain: "local", opset_import: ["": 20]> used (x) => (y) { z = Abs(x)  y = Neg(x) }
    <domain: "local", opset_import: ["": 20, "other": 1]> dead (x) => (y) { y = other.op(x) }`,
    'ir_version: 10, opset_import: ["": 20, "local": 1, "other": 1]',
  );
  const noted = withAnnotation(given, {
    tensorName: 'y',
    quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'scale' }],
  });
  const clean = cleanUp(noted);
  assert.equal(operators(clean), ['If']);
  assert.equal(
    graphOf(clean).node[0]?.attribute[0]?.g?.node.map(({ opType }) => opType),
    ['used'],
  );
  assert.equal(names(graphOf(clean).initializer), ['w', 'scale']);
  assert.equal(names(clean.proto.functions), ['used']);
  assert.equal(
    clean.proto.functions[0]?.node.map(({ opType }) => opType),
    ['Neg'],
  );
  assert.equal(names(graphOf(clean).valueInfo), []);
  assert.equal(
    clean.proto.opsetImport.map(({ domain }) => domain),
    ['', 'local'],
  );
  assert.equal(await errorsOf(clean), []);
  assert.is(cleanUp(clean), clean);
});

test.run();
