import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../../build/onnx.js';
import { tensor } from '../../../src/builder/index.js';
import { encodeExactly } from '../../../src/model/document/encode.js';
import type { Model } from '../../../src/model/document/model.js';
import { toNumber } from '../../../src/model/int64.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { checkModel } from '../../../src/tools/check/index.js';
import { ConversionError, type ConvertOptions, convertVersion } from '../../../src/tools/convert/index.js';
import { parseModel, toText } from '../../../src/tools/text.js';
import { counting, type Feeds, SAME } from './cases.js';

const test = suite('convertVersion');

const modelOf = (opset: number, text: string, ir = 8): Model =>
  parseModel(`<ir_version: ${ir}, opset_import: ["" : ${opset}]> ${text}`);

async function refusal(model: Model, target: number, options?: ConvertOptions): Promise<ConversionError> {
  try {
    await convertVersion(model, target, options);
  } catch (thrown) {
    if (thrown instanceof ConversionError) return thrown;
    throw thrown;
  }
  throw new Error(`opset ${target} is reached`);
}

async function outputsOf({ proto }: Model, feeds: Feeds): Promise<Record<string, number[]>> {
  const session = await InferenceSession.create(encodeExactly(ModelProto, proto));
  const results = await session.run(feeds as never);
  const numbers = Object.entries(results).map(([name, value]) => [
    name,
    Array.from((value as TensorValue).data as Float32Array, Number),
  ]);
  await session.release();
  return Object.fromEntries(numbers);
}

/** What both compute, within roundings of float32. */
async function computesTheSame(model: Model, target: number, feeds: Feeds, options?: ConvertOptions): Promise<Model> {
  const converted = await convertVersion(model, target, options);
  const issues = await checkModel(converted.proto, { full: true });
  assert.equal(
    issues.filter(({ severity }) => severity === 'error'),
    [],
  );
  const [before, after] = [await outputsOf(model, feeds), await outputsOf(converted, feeds)];
  assert.equal(Object.keys(after), Object.keys(before));
  for (const [name, expected] of Object.entries(before)) {
    assert.is(after[name]?.length, expected.length, name);
    for (const [i, value] of expected.entries()) {
      const found = after[name]?.[i] as number;
      assert.ok(
        Object.is(found, value) || Math.abs(found - value) <= 1e-5 * Math.max(1, Math.abs(value)),
        `${name}[${i}] is ${found}, not ${value}`,
      );
    }
  }
  return converted;
}

for (const [what, source, target, text, feeds] of SAME)
  test(`${source} to ${target}: ${what}`, async () => {
    await computesTheSame(modelOf(source, text), target, feeds);
  });

test('64-bit integers that doubles cannot tell apart are compared exactly', async () => {
  const near = [2n ** 53n, 2n ** 53n + 1n, -5n, 2n ** 62n];
  const other = [2n ** 53n + 1n, 2n ** 53n, 7n, 2n ** 62n];
  const feeds = { a: tensor('int64', [4], near), b: tensor('int64', [4], other) } as unknown as Feeds;
  const model = modelOf(
    9,
    'g (int64[4] a, int64[4] b) => (bool[4] y, bool[4] z) { y = Less (a, b) z = Greater (a, b) }',
  );
  const converted = await convertVersion(model, 8);
  assert.equal(await outputsOf(converted, feeds), { y: [1, 0, 1, 0], z: [0, 1, 0, 0] });
});

const REFUSED: readonly (readonly [source: number, target: number, text: string, reachable: number, reason: RegExp])[] =
  [
    [
      13,
      12,
      'g (float[2,3] x) => (uint8[2,3] y) <float[3] s = {1, 2, 3}> { y = QuantizeLinear (x, s) }',
      13,
      /per-axis scales \(axis=1\) need/,
    ],
    [
      13,
      12,
      'g (bfloat16[2] x) => (bfloat16[2] y) { y = Neg (x) }',
      13,
      /Neg 6 does not support the input "x" of type bfloat16/,
    ],
    [13, 12, 'g (float[2,1] x, int64[1] a) => (float[2] y) { y = Squeeze (x, a) }', 13, /"a" is not constant/],
    [
      16,
      15,
      'g (float[2] x, int64[2] i) => (float[2] y) { y = ScatterElements <reduction = "add"> (x, i, x) }',
      16,
      /reduction=add/,
    ],
    [
      18,
      17,
      'g (float[1,1,2,2] x, float[4] s) => (float[1,1,2,2] y) { y = Resize <antialias = 1> (x, , s) }',
      18,
      /antialias=1/,
    ],
    [
      11,
      13,
      'g (float[1,1,2,2] x) => (float[1,1,4,4] y) <float[0] r = {}, float[4] s = {1, 1, 2, 2}> { y = Resize <coordinate_transformation_mode = "tf_half_pixel_for_nn", mode = "linear"> (x, r, s) }',
      12,
      /tf_half_pixel_for_nn/,
    ],
  ];

for (const [source, target, text, reachable, reason] of REFUSED)
  test(`${source} to ${target} is refused: ${reason.source}`, async () => {
    const error = await refusal(modelOf(source, text), target);
    assert.match(error.obstacles[0].reason, reason);
    assert.is(error.reachable, reachable);
  });

test('a refusal lists every node, in graphs and functions too, and how far the model goes', async () => {
  const model = parseModel(`<ir_version: 8, opset_import: ["" : 20, "f" : 1]>
    g (float[2] x, bool c, int64[1] a) => (float[2] y) {
      s = Squeeze (x, a)
      b = If (c) <then_branch = t () => (float[2] p) { p = Where (c, x, x) }, else_branch = e () => (float[2] q) { q = f.inner (x) }>
      y = Neg (b)
    }
    <domain: "f", opset_import: ["" : 20]> inner (v) => (w) { w = Einsum <equation = "i->i"> (v) }`);
  const { obstacles, reachable } = await refusal(model, 1);
  assert.equal(
    obstacles.map(({ path, operator, reaches }) => [path, operator, reaches]),
    [
      ['graph.node[0]', 'Squeeze', 13],
      ['graph.node[1].then_branch.node[0]', 'Where', 9],
      ['functions[0].node[0]', 'Einsum', 12],
    ],
  );
  assert.is(reachable, 13);
});

test('a default that callers may change is no constant, unless it is fixed', async () => {
  const model = modelOf(13, 'g (float[2,1] x, int64[1] a = {1}) => (float[2] y) { y = Squeeze (x, a) }');
  assert.match((await refusal(model, 12)).obstacles[0].reason, /the default value of a model input; set fixDefaults/);
  const fixed = await computesTheSame(model, 12, { x: counting([2, 1]) }, { fixDefaults: true });
  assert.equal(
    fixed.proto.graph?.input.map(({ name }) => name),
    ['x'],
  );
  assert.equal(fixed.proto.graph?.initializer, []);
});

test('functions are converted by what their calls give them', async () => {
  const text = (type: string) => `<ir_version: 8, opset_import: ["" : 6, "f" : 1]>
    g (${type}[3] x) => (${type}[3] y) { y = f.clipped (x) }
    <domain: "f", opset_import: ["" : 6]> clipped (v) => (w) { w = Clip <min = -1.0> (v) }`;
  const converted = await computesTheSame(parseModel(text('float')), 13, { x: counting([3]) });
  const [body] = converted.proto.functions;
  assert.equal(
    body?.node.map(({ opType }) => opType),
    ['Constant', 'Clip'],
  );
  assert.is(toNumber(body?.opsetImport[0]?.version ?? 0), 13);
  assert.match(toText(await convertVersion(parseModel(text('double')), 13)), /Constant <value: tensor = double /);
});

test('the IR version is that of the opset, and of what the model has', async () => {
  const model = modelOf(25, 'g (float[2] x) => (float[2] y) { y = Neg (x) }', 13);
  const irAt = async (opset: number) => toNumber((await convertVersion(model, opset)).proto.irVersion);
  assert.equal(await Promise.all([24, 23, 22, 20, 12, 9].map(irAt)), [12, 11, 10, 9, 7, 4]);
  const called = parseModel(`<ir_version: 13, opset_import: ["" : 25, "f" : 1]>
    g (float[2] x) => (float[2] y) { y = f.n (x) }
    <domain: "f", opset_import: ["" : 25]> n (v) => (w) { w = Neg (v) }`);
  assert.is(toNumber((await convertVersion(called, 12)).proto.irVersion), 8);
  assert.is(toNumber((await convertVersion(model, 12, { ir: 10 })).proto.irVersion), 10);
});

test('a model that is there already is the very same', async () => {
  const model = modelOf(13, 'g (float[2] x) => (float[2] y) { y = Neg (x) }');
  assert.is(await convertVersion(model, 13), model);
  assert.is((await convertVersion(model, 12)).proto.graph, model.proto.graph);
});

test('labels of ai.onnx.ml are numbered, and listed again', async () => {
  const model = parseModel(`<ir_version: 8, opset_import: ["" : 13, "ai.onnx.ml" : 1]>
    g (string[2] x) => (int64[2] y) { y = ai.onnx.ml.LabelEncoder <classes_strings = ["a", "b"]> (x) }`);
  const up = await convertVersion(model, 5, { domain: 'ai.onnx.ml' });
  assert.match(toText(up), /keys_strings: strings = \["a", "b"\], values_int64s: ints = \[0, 1\]/);
  const down = await convertVersion(up, 1, { domain: 'ai.onnx.ml' });
  assert.match(toText(down), /classes_strings: strings = \["a", "b"\]/);
});

test('opsets that do not exist are refused', async () => {
  const model = modelOf(13, 'g (float[2] x) => (float[2] y) { y = Neg (x) }');
  for (const opset of [0, 29, 1.5])
    try {
      await convertVersion(model, opset);
      assert.unreachable();
    } catch (thrown) {
      assert.is((thrown as ConversionError).code, 'INVALID_ARGUMENT');
    }
});

test.run();
