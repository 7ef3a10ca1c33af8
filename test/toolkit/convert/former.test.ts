import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../../src/index.js';
import { checkModel, convertVersion, parseModel, saveModel } from '../../../src/tools/index.js';
import { NEWEST } from '../../../src/tools/schemas/domains.js';
import { expectRejection } from '../../expect-error.js';
import { beyond, byTier, tier } from '../../tier.js';
import { f32 } from '../../values.js';

const test = suite('operators that were experimental, or onnxruntime had before ONNX');

const X = [-2, -0.5, 0.25, 3, 1, -1, 0.75, 2, 4];

/** A map of one row of numbers to another, or of [1,1,3,3] to something. */
const CASES: readonly (readonly [call: string, expected: (x: readonly number[]) => number[]])[] = [
  ['Affine <alpha = 2.0, beta = -1.0> (x)', (x) => x.map((v) => 2 * v - 1)],
  ['Affine (x)', (x) => [...x]],
  ['Scale <scale = 0.5> (x)', (x) => x.map((v) => v / 2)],
  ['ScaledTanh <alpha = 3.0, beta = 0.5> (x)', (x) => x.map((v) => 3 * Math.tanh(v / 2))],
  ['ParametricSoftplus <alpha = 2.0, beta = 0.5> (x)', (x) => x.map((v) => 2 * Math.log1p(Math.exp(v / 2)))],
  ['ImageScaler <scale = 2.0, bias = [0.5]> (x)', (x) => x.map((v) => 2 * v + 0.5)],
  ['Crop <border = [1, 0, 0, 1]> (x)', (x) => [1, 2, 4, 5].map((i) => x[i] as number)],
  ['Crop <border = [1, 1, 0, 0], scale = [2, 1]> (x)', (x) => [4, 7].map((i) => x[i] as number)],
  ['DynamicSlice (x, starts, ends, axes)', (x) => [3, 4, 5, 6, 7, 8].map((i) => x[i] as number)],
];

const modelIn = (opset: number, call: string) =>
  parseModel(`<ir_version: 4, opset_import: ["" : ${opset}]> g (float[1,1,3,3] x) => (float[a,b,c,d] y)
    <int64[1] starts = {1}, int64[1] ends = {3}, int64[1] axes = {2}> { y = ${call} }`);

const NEWEST_OPSET = NEWEST.get('') as number;

const every = (first: number) => Array.from({ length: NEWEST_OPSET + 1 - first }, (_, i) => first + i);

const FEW = [10, 17, NEWEST_OPSET];

/** Opsets that are gone to: in tier ci all of them from one alone, which is enough for what changes on the way. */
const targetsFrom = (source: number) =>
  byTier({ quick: FEW, ci: source === 7 ? every(10) : FEW, all: every(10) }).filter((opset) => opset > source);

/** `npm test` has gone from the others. */
const SOURCES = tier === 'ci' && beyond ? [7] : [1, 7, 9, 11];

for (const [call, expected] of CASES)
  test(`${call}: valid in every later opset, with the same result`, async () => {
    const wanted = expected(X);
    for (const source of SOURCES)
      for (const target of targetsFrom(source)) {
        const made = await convertVersion(modelIn(source, call), target);
        const errors = (await checkModel(made, { full: true })).filter(({ severity }) => severity === 'error');
        assert.equal(errors, [], `opset ${source} to ${target}`);
        const session = await InferenceSession.create(await saveModel(made));
        const { y } = (await session.run({ x: f32([1, 1, 3, 3], X) } as never)) as unknown as {
          y: { data: Float32Array };
        };
        await session.release();
        assert.is(y.data.length, wanted.length);
        wanted.forEach((value, i) => {
          assert.ok(Math.abs((y.data[i] as number) - value) <= 1e-6 * Math.max(1, Math.abs(value)), `${target}: ${i}`);
        });
      }
  });

test('they stay as long as they are there', async () => {
  const model = modelIn(7, 'Affine (x)');
  assert.is((await convertVersion(model, 9)).proto.graph?.node[0]?.opType, 'Affine');
});

for (const call of ['ATen (x)', 'ConstantFill <shape = [1]> ()', 'GRUUnit (x)', 'GivenTensorFill <shape = [1]> ()'])
  test(`${call.split(' ')[0]} is refused by name`, async () => {
    const model = parseModel(`<ir_version: 4, opset_import: ["" : 7]> g (float[1] x) => (float[1] y) { y = ${call} }`);
    await expectRejection(
      'UNSUPPORTED_OPERATOR',
      new RegExp(`nearest possible opset is 9: .*${call.split(' ')[0]} was experimental and was removed after opset 9`),
      convertVersion(model, 17),
    );
  });

test('LayerNormalization of two types, as onnxruntime had it, is of one in ONNX', async () => {
  const text = (bias: string) => `<ir_version: 7, opset_import: ["" : 13]>
    g (float16[2,4] x) => (float[2,4] y) <float[4] s = {1,2,3,4}, float[4] b = {1,1,1,1}> { y = LayerNormalization (x, s${bias}) }`;
  for (const bias of ['', ', b'])
    for (const target of targetsFrom(7).filter((opset) => opset >= 17)) {
      const made = await convertVersion(parseModel(text(bias)), target);
      assert.equal(
        made.proto.graph?.node.map(({ opType }) => opType),
        ['Cast', 'LayerNormalization'],
      );
      const errors = (await checkModel(made, { full: true })).filter(({ severity }) => severity === 'error');
      assert.equal(errors, [], `opset ${target}`);
    }
});

test.run();
