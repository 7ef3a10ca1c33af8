import { suite } from 'uvu';
import { type AttributeInputs, float, floats, ints, strings, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { f32, i64 } from '../../values.js';
import { assertTensor, runNode } from './run-operator.js';

const test = suite('feature operators of ai.onnx.ml');

const f64 = (dims: number[], values: number[]) => tensor('float64', dims, values);
const text = (...values: string[]) => tensor('string', [values.length], values);
const { NaN: nan } = Number;

type Case = [op: string, attributes: AttributeInputs, inputs: TensorValue[], expected: TensorValue, version?: number];

// Expected values worked out by hand from the operators' descriptions.
const cases: Case[] = [
  [
    'Scaler',
    { offset: floats([1, 2]), scale: floats([2, 0.5]) },
    [f32([2, 2], [1, 2, 3, 8])],
    f32([2, 2], [0, 0, 4, 3]),
  ],
  ['Scaler', { offset: floats([1]), scale: floats([2]) }, [i64([1, 3], [1, 2, 3])], f32([1, 3], [0, 2, 4])],
  ['Scaler', { offset: floats([1]) }, [f64([2], [1.5, 2])], f32([2], [0.5, 1])],
  ['Normalizer', { norm: 'L1' }, [f32([2, 3], [1, -2, 1, 0, 0, 0])], f32([2, 3], [0.25, -0.5, 0.25, 0, 0, 0])],
  ['Normalizer', { norm: 'L2' }, [f32([1, 2], [3, -4])], f32([1, 2], [0.6, -0.8])],
  ['Normalizer', { norm: 'MAX' }, [tensor('int32', [1, 3], [1, 2, 4])], f32([1, 3], [0.25, 0.5, 1])],
  ['Normalizer', { norm: 'L2' }, [f64([2], [3e50, 4e50])], f32([2], [0.6, 0.8])],
  ['Binarizer', { threshold: float(0.5) }, [f32([4], [0.5, 0.75, -1, nan])], f32([4], [0, 1, 0, 0])],
  ['Binarizer', { threshold: float(-0.5) }, [i64([3], [-1, 0, 1])], i64([3], [0, 1, 1])],
  [
    'Imputer',
    { imputed_value_floats: floats([7, 8]), replaced_value_float: float(nan) },
    [f32([2, 2], [nan, 1, 2, nan])],
    f32([2, 2], [7, 1, 2, 8]),
  ],
  ['Imputer', { imputed_value_floats: floats([9]) }, [f64([3], [0, 1, -0])], f64([3], [9, 1, 9])],
  [
    'Imputer',
    { imputed_value_int64s: ints([5]), replaced_value_int64: -1 },
    [i64([3], [-1, 0, 1])],
    i64([3], [5, 0, 1]),
  ],
  ['ArrayFeatureExtractor', {}, [f32([2, 3], [1, 2, 3, 4, 5, 6]), i64([1, 2], [2, 0])], f32([2, 2], [3, 1, 6, 4])],
  ['ArrayFeatureExtractor', {}, [text('a', 'b', 'c'), i64([2], [1, 1])], tensor('string', [1, 2], ['b', 'b'])],
  ['FeatureVectorizer', {}, [f32([2, 1], [1, 2]), f32([2, 2], [3, 4, 5, 6])], f32([2, 3], [1, 3, 4, 2, 5, 6])],
  [
    'FeatureVectorizer',
    { inputdimensions: ints([1, 3]) },
    [i64([2], [1, 2]), i64([1, 2], [3, 4])],
    f32([1, 4], [1, 3, 4, 0]),
  ],
  ['OneHotEncoder', { cats_int64s: ints([3, 1]) }, [f32([2, 1], [1.9, 2])], f32([2, 1, 2], [0, 1, 0, 0])],
  ['OneHotEncoder', { cats_strings: strings(['x', 'y']) }, [text('y', 'z')], f32([2, 2], [0, 1, 0, 0])],
  [
    'CategoryMapper',
    { cats_strings: strings(['x', 'y']), cats_int64s: ints([5, 7]) },
    [text('y', 'z')],
    i64([2], [7, -1]),
  ],
  [
    'CategoryMapper',
    { cats_strings: strings(['x', 'y']), cats_int64s: ints([5, 7]), default_string: '?' },
    [i64([2], [5, 6])],
    text('x', '?'),
  ],
  ['LabelEncoder', { classes_strings: strings(['x', 'y']) }, [text('y', 'z')], i64([2], [1, -1]), 1],
  [
    'LabelEncoder',
    { classes_strings: strings(['x', 'y']), default_string: '?' },
    [i64([2], [0, 9])],
    text('x', '?'),
    1,
  ],
  [
    'LabelEncoder',
    { keys_strings: strings(['x', 'y']), values_floats: floats([0.5, 2]) },
    [text('y', 'z')],
    f32([2], [2, -0]),
    2,
  ],
  [
    'LabelEncoder',
    { keys_int64s: ints([3, 4]), values_strings: strings(['c', 'd']) },
    [i64([2], [4, 5])],
    text('d', '_Unused'),
    2,
  ],
  [
    'LabelEncoder',
    { keys_floats: floats([1, nan]), values_int64s: ints([10, 20]) },
    [f32([3], [nan, 1, 2])],
    i64([3], [20, 10, -1]),
    4,
  ],
  [
    'LabelEncoder',
    { keys_tensor: tensor('int32', [2], [1, 2]), values_tensor: f64([2], [0.1, 0.2]), default_tensor: f64([1], [9]) },
    [tensor('int32', [2], [2, 3])],
    f64([2], [0.2, 9]),
    4,
  ],
];

for (const [op, attributes, inputs, expected, version] of cases) {
  test(`${op} ${version ?? ''} of ${inputs.map(({ type, dims }) => `${type}[${dims}]`)}`, async () => {
    const [actual] = await runNode({ op, attributes, ...(version && { version }) }, ...inputs);
    assertTensor(actual, expected);
  });
}

test('what does not fit is refused', async () => {
  const x = f32([1, 2], [1, 2]);
  await expectRejection(
    'INVALID_ATTRIBUTE',
    /scale/,
    runNode({ op: 'Scaler', attributes: { scale: floats([1, 2, 3]) } }, x),
  );
  await expectRejection('INVALID_ATTRIBUTE', /norm/, runNode({ op: 'Normalizer', attributes: { norm: 'L3' } }, x));
  const strict = { cats_int64s: ints([1]), zeros: 0 };
  await expectRejection('INVALID_VALUE', /categories/, runNode({ op: 'OneHotEncoder', attributes: strict }, x));
});

test.run();
