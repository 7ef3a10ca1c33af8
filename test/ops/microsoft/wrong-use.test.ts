import { suite } from 'uvu';
import type { ErrorCode } from '../../../src/base/errors.js';
import { type AttributeInputs, modelBuilder, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { draw } from '../../contrib/case.js';
import { expectRejection } from '../../expect-error.js';
import { open } from '../../session/run-model.js';

const test = suite('com.microsoft and former operators, used wrongly');

const { floats, ints } = draw(80);

interface Wrong {
  readonly op: string;
  readonly domain?: string;
  readonly inputs: readonly (TensorValue | null)[];
  readonly attributes?: AttributeInputs;
  readonly code: ErrorCode;
  readonly message: RegExp;
}

const shape = 'INVALID_SHAPE';
const attribute = 'INVALID_ATTRIBUTE';
const experts = [floats([2, 4]), floats([2, 3]), floats([3, 5, 4]), null, floats([3, 4, 5])];

const WRONG: readonly Wrong[] = [
  { op: 'FusedMatMul', inputs: [floats([2, 3]), floats([2, 3])], code: shape, message: /inner dims 3 and 2 differ/ },
  {
    op: 'FusedMatMul',
    inputs: [floats([2, 3]), floats([3, 2])],
    attributes: { transBatchA: 1 },
    code: shape,
    message: /must have a batch/,
  },
  {
    op: 'FusedGemm',
    inputs: [floats([2, 3]), floats([3, 2])],
    attributes: { activation: 'Mish' },
    code: attribute,
    message: /"Mish" is not one of Relu/,
  },
  {
    op: 'FusedConv',
    inputs: [floats([1, 1, 3, 3]), floats([1, 1, 1, 1])],
    attributes: { activation: 'Clip' },
    code: attribute,
    message: /those of Clip: min, max/,
  },
  { op: 'Pad', inputs: [floats([2, 3]), ints('int64', [2, 2], 0, 1)], code: shape, message: /\[1, 2 · rank\]/ },
  { op: 'ExpandDims', inputs: [floats([2]), tensor('int32', [], [3])], code: attribute, message: /axis 3 is outside/ },
  {
    op: 'UnfoldTensor',
    inputs: [floats([3])],
    attributes: { size: 4 },
    code: attribute,
    message: /size 4 must be from 1 to 3/,
  },
  { op: 'Inverse', inputs: [floats([2, 3])], code: shape, message: /square matrices/ },
  { op: 'CDist', inputs: [floats([2, 3]), floats([2, 4])], code: shape, message: /the same number of coordinates/ },
  {
    op: 'CDist',
    inputs: [floats([2, 3]), floats([2, 3])],
    attributes: { metric: 'cosine' },
    code: attribute,
    message: /one of sqeuclidean, euclidean/,
  },
  { op: 'DynamicTimeWarping', inputs: [floats([2, 2, 3])], code: shape, message: /\[1, M, N\]/ },
  {
    op: 'NGramRepeatBlock',
    inputs: [ints('int64', [2, 3], 0, 1), floats([1, 4])],
    attributes: { ngram_size: 2 },
    code: shape,
    message: /the same number of sequences/,
  },
  {
    op: 'NGramRepeatBlock',
    inputs: [tensor('int64', [1, 2], [9n, 9n]), floats([1, 4])],
    attributes: { ngram_size: 1 },
    code: 'INVALID_VALUE',
    message: /token 9 is outside the vocabulary of 4/,
  },
  {
    op: 'CropAndResize',
    inputs: [floats([1, 1, 3, 3]), floats([1, 4]), tensor('int32', [1], [1]), tensor('int32', [2], [2, 2])],
    code: 'INVALID_VALUE',
    message: /batch index 1 is outside 1/,
  },
  {
    op: 'MoE',
    inputs: experts,
    attributes: { k: 4 },
    code: attribute,
    message: /k must be from 1 to 3, the number of experts/,
  },
  {
    op: 'MoE',
    inputs: experts,
    attributes: { activation_type: 'swiglu' },
    code: attribute,
    message: /swiglu_fusion 1 or 2/,
  },
  {
    op: 'MatMulFpQ4',
    inputs: [floats([1, 32]), ints('uint8', [20], 0, 9), tensor('int64', [2], [32n, 1n])],
    code: shape,
    message: /must be 21 bytes/,
  },
  {
    op: 'Tokenizer',
    inputs: [tensor('string', [1], ['a'])],
    attributes: { mark: 0, mincharnum: 1, pad_value: '' },
    code: attribute,
    message: /either the attribute "separators" or "tokenexp"/,
  },
  {
    op: 'Tokenizer',
    inputs: [tensor('string', [1], ['a'])],
    attributes: { mark: 0, mincharnum: 1, pad_value: '', tokenexp: '(' },
    code: attribute,
    message: /regular expression of RE2/,
  },
  {
    op: 'MaxpoolWithMask',
    inputs: [floats([1, 1, 4]), ints('int32', [1, 1, 3], 0, 1)],
    attributes: { kernel_shape: [2] },
    code: shape,
    message: /input 1 must be \[N, C, 4\]/,
  },
  {
    op: 'Crop',
    domain: '',
    inputs: [floats([1, 1, 3, 3])],
    attributes: { border: [2, 0, 2, 0] },
    code: shape,
    message: /cannot crop 3 elements to the range 2 to 1/,
  },
  {
    op: 'ImageScaler',
    domain: '',
    inputs: [floats([1, 2, 3, 3])],
    attributes: { bias: { type: 'floats', value: [1] } },
    code: attribute,
    message: /for each of 2 channels/,
  },
];

for (const { op, domain = 'com.microsoft', inputs, attributes = {}, code, message } of WRONG)
  test(`${op}: ${message.source}`, async () => {
    const b = modelBuilder({ opset: 9, opsets: { 'com.microsoft': 1 } });
    const values = inputs.map((input, i) => input && b.input(`x${i}`, input.type, input.dims));
    b.output('y', b.op(op, values, attributes, { domain }));
    const feeds = Object.fromEntries(inputs.flatMap((input, i) => (input ? [[`x${i}`, input]] : [])));
    const run = open(b.toBytes(), { graphOptimizationLevel: 'disabled' }).then((session) => session.run(feeds));
    await expectRejection(code, message, run);
  });

test.run();
