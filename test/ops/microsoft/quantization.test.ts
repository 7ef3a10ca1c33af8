import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ErrorCode } from '../../../src/base/errors.js';
import { tensor } from '../../../src/builder/index.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { type Case, draw, feedsOf, modelOf } from '../../contrib/case.js';
import { type Byte, bytes, scale, zero } from '../../contrib/quantized.js';
import { expectRejection } from '../../expect-error.js';
import { byTier, sampled } from '../../tier.js';

const test = sampled(suite('quantised operators of com.microsoft'), { quick: 1 / 4 });

const d = draw(1);

/** Output 0 of one node, which must be the same raw and optimized. */
async function run(op: string, own: Omit<Case, 'label'>): Promise<TensorValue> {
  const c = { label: '', ...own };
  const results: TensorValue[] = [];
  for (const graphOptimizationLevel of ['disabled', 'all'] as const) {
    const session = await InferenceSession.create(modelOf({ op, cases: [] }, c), { graphOptimizationLevel });
    const { type, dims, data } = (await session.run(feedsOf(c))).y0 as TensorValue;
    results.push({ type, dims, data } as TensorValue);
    await session.release();
  }
  assert.equal(results[0], results[1]);
  return results[0] as TensorValue;
}

const one = (value: number) => tensor('float32', [], [value]);
const byte = (value: number) => tensor('uint8', [], [value]);
const at = ({ data }: TensorValue, i: number) => data[i] as number;

const NF4 = [
  -1, -0.6961928, -0.52507305, -0.39491749, -0.28444138, -0.18477343, -0.09105004, 0, 0.0795803, 0.1609302, 0.2461123,
  0.33791524, 0.44070983, 0.562617, 0.72295684, 1,
];

test('MatMulBnb4 with transB 0 multiplies by [N, K], which onnxruntime transposes all the same', async () => {
  const [N, K] = [3, 5];
  const [a, b, absmax] = [d.floats([2, N]), bytes(d, 'uint8', [8]), d.floats([1], 0.2, 1)];
  const code = (i: number) => (at(b, i >> 1) >> (i % 2 ? 0 : 4)) & 15;
  const y = await run('MatMulBnb4', {
    attributes: { K, N, block_size: 16, quant_type: 1, transB: 0 },
    inputs: [a, b, absmax],
  });
  assert.equal(y.dims, [2, K]);
  for (let i = 0; i < 2 * K; i++) {
    let sum = 0;
    for (let n = 0; n < N; n++)
      sum += at(a, Math.floor(i / K) * N + n) * (NF4[code(n * K + (i % K))] as number) * at(absmax, 0);
    assert.ok(Math.abs(at(y, i) - sum) < 1e-5, `${at(y, i)} is not ${sum}`);
  }
});

/** Operands of operators between bytes: tensors, then what numbers count for. */
function levelled(op: string, type: Byte): Omit<Case, 'label'> {
  const levels = () => [scale(d), zero(d, type)];
  const x = (...dims: number[]) => [bytes(d, type, dims), ...levels()];
  if (op === 'QLinearConcat')
    return {
      attributes: { axis: 1 },
      inputs: [...levels(), ...x(2, 3, 9), ...x(2, 5, 9)],
      constants: [0, 1, 3, 4, 6, 7],
    };
  if (op === 'QLinearWhere') {
    const condition = tensor('bool', [7, 1], [1, 0, 0, 1, 1, 0, 1]);
    return { inputs: [condition, ...x(2, 7, 9), ...x(7, 9), ...levels()], constants: [2, 3, 5, 6, 7, 8] };
  }
  if (op === 'QLinearAdd' || op === 'QLinearMul')
    return { inputs: [...x(2, 6, 19), ...x(6, 1), ...levels()], constants: [1, 2, 4, 5, 6, 7] };
  return { inputs: [...x(3, 50), ...levels()], constants: [1, 2, 3, 4] };
}

const TRIALS = byTier({ quick: 12, ci: 4, all: 12 });

const BETWEEN_BYTES = {
  QLinearAdd: 'byteArithmetic',
  QLinearMul: 'byteArithmetic',
  QLinearConcat: 'byteTable',
  QLinearLeakyRelu: 'byteTable',
  QLinearSigmoid: 'byteTable',
  QLinearWhere: 'byteTable',
} as const;

for (const [op, kernel] of Object.entries(BETWEEN_BYTES))
  for (const type of ['uint8', 'int8'] as const)
    test(`${op} of ${type} stays in bytes where its scales are known, and gives what it gives where they are fed`, async () => {
      for (let trial = 0; trial < TRIALS; trial++) {
        const known = levelled(op, type);
        const { constants: _, ...fed } = known;
        assert.equal(await run(op, known), await run(op, fed));
      }
      const c = { label: '', ...levelled(op, type) };
      const session = await InferenceSession.create(modelOf({ op, cases: [] }, c), { enableProfiling: true });
      await session.run(feedsOf(c));
      const kernels = session.profile.map((step) => step.kernel);
      await session.release();
      assert.ok(kernels.includes(kernel), `${kernels}`);
      assert.not(kernels.includes('elementwiseF32') || kernels.includes('host'), `${kernels}`);
    });

/** Rows of a layer of three experts in 8 bits: those of gates and of what they multiply. */
function gated() {
  const [experts, inner, hidden] = [3, 8, 8];
  const rows = () => bytes(d, 'uint8', [experts, inner, hidden]);
  const [gate, linear] = [rows(), rows()];
  const scales = (count: number) => tensor('float32', [experts, count], new Array(experts * count).fill(0.01));
  const joined = (place: (row: number, second: number) => number) => {
    const data = new Array<number>(2 * experts * inner * hidden);
    for (let e = 0; e < experts; e++)
      for (let r = 0; r < 2 * inner; r++)
        for (let k = 0; k < hidden; k++)
          data[(e * 2 * inner + place(r % inner, Math.floor(r / inner))) * hidden + k] = at(
            r < inner ? gate : linear,
            (e * inner + (r % inner)) * hidden + k,
          );
    return tensor('uint8', [experts, 2 * inner, hidden], data);
  };
  const shared = [d.floats([2, hidden]), d.floats([2, experts])];
  const second = [bytes(d, 'uint8', [experts, hidden, inner]), scales(hidden), null];
  const fused = (weights: TensorValue, swiglu_fusion: number) => ({
    attributes: { k: 2, expert_weight_bits: 8, activation_type: 'swiglu', swiglu_fusion },
    inputs: [...shared, weights, scales(2 * inner), null, ...second],
  });
  return {
    interleaved: fused(
      joined((row, i) => 2 * row + i),
      1,
    ),
    concatenated: fused(
      joined((row, i) => i * inner + row),
      2,
    ),
    apart: {
      attributes: { k: 2, expert_weight_bits: 8, activation_type: 'swiglu' },
      inputs: [...shared, gate, scales(inner), null, ...second, linear, scales(inner), null],
    },
  };
}

test('QMoE takes gates interleaved, as onnxruntime does, beside each other and as a layer of their own', async () => {
  const { interleaved, concatenated, apart } = gated();
  const wanted = await run('QMoE', interleaved);
  for (const other of [concatenated, apart]) {
    const y = await run('QMoE', other);
    assert.equal(y.dims, wanted.dims);
    for (let i = 0; i < 16; i++) assert.ok(Math.abs(at(y, i) - at(wanted, i)) < 1e-5, `${at(y, i)} ${at(wanted, i)}`);
  }
});

test('QMoE gives a token to the last of equal experts', async () => {
  const experts = tensor('uint8', [2, 1, 2], [130, 128, 150, 128]);
  const y = await run('QMoE', {
    attributes: { k: 1, expert_weight_bits: 8, activation_type: 'identity' },
    inputs: [
      tensor('float32', [1, 2], [1, 0]),
      tensor('float32', [1, 2], [0.5, 0.5]),
      experts,
      tensor('float32', [2, 1], [1, 1]),
      null,
      tensor('uint8', [2, 2, 1], [129, 128, 129, 128]),
      tensor('float32', [2, 2], [1, 1, 1, 1]),
    ],
  });
  assert.equal([...(y.data as Float32Array)], [22, 0]);
});

test('operators that onnxruntime has no kernel for follow the specification', async () => {
  const x = tensor('uint8', [2, 3], [10, 20, 31, 255, 254, 250]);
  const mean = await run('QLinearReduceMean', {
    attributes: { axes: [1], keepdims: 0 },
    inputs: [x, one(0.5), byte(4), one(0.25), byte(7)],
  });
  assert.equal([...(mean.data as Uint8Array)], [Math.round((2 * (61 - 12)) / 3) + 7, 255]);
  const sums = await run('ReduceSumInteger', { attributes: { axes: [-1], keepdims: 1 }, inputs: [x] });
  assert.equal(sums, { type: 'uint32', dims: [2, 1], data: Uint32Array.of(61, 759) });
  const products = await run('MulInteger', { inputs: [x, byte(20), tensor('uint8', [2, 1], [3, 0]), byte(1)] });
  assert.equal(products, { type: 'int32', dims: [2, 3], data: Int32Array.of(-20, 0, 22, -235, -234, -230) });
});

const X = bytes(d, 'uint8', [1, 2, 4, 4]);
const LEVEL = [one(0.1), byte(3)];
const TWO = tensor('float32', [2], [0.1, 0.2]);

const wrong: Readonly<Record<string, readonly [string, Omit<Case, 'label'>, ErrorCode, RegExp]>> = {
  'two scales of a tensor': [
    'QLinearSigmoid',
    { inputs: [X, TWO, byte(3), ...LEVEL] },
    'INVALID_SHAPE',
    /input 1 of \[2\] cannot be broadcast to \[1\]/,
  ],
  'a tensor without its levels': [
    'QLinearConcat',
    { attributes: { axis: 1 }, inputs: [...LEVEL, X, one(0.1)] },
    'INVALID_GRAPH',
    /expected 2 inputs and 3 more for each tensor, got 4/,
  ],
  'a signed zero point of unsigned integers': [
    'QLinearConcat',
    { attributes: { axis: 1 }, inputs: [...LEVEL, X, one(0.1), tensor('int8', [], [3])] },
    'INVALID_TYPE',
    /inputs 2 to 4 must be uint8, float32 and uint8, not uint8, float32, int8/,
  ],
  'an image without axes': [
    'QLinearGlobalAveragePool',
    { inputs: [bytes(d, 'uint8', [2, 3]), ...LEVEL, ...LEVEL] },
    'INVALID_SHAPE',
    /must be \[N, C, spatial…\], not \[2,3\]/,
  ],
  'columns and scales of another number': [
    'DynamicQuantizeMatMul',
    { inputs: [d.floats([2, 3]), bytes(d, 'uint8', [3, 4]), TWO] },
    'INVALID_SHAPE',
    /input 2 must be \[4\], not \[2\]/,
  ],
  'blocks of ten': [
    'GatherBlockQuantized',
    {
      attributes: { block_size: 10 },
      inputs: [bytes(d, 'uint8', [2, 8]), tensor('int64', [1], [0n]), d.floats([2, 1])],
    },
    'INVALID_ATTRIBUTE',
    /block_size must be a power of two and at least 16, not 10/,
  ],
  'three bits': [
    'GatherBlockQuantized',
    {
      attributes: { block_size: 16, bits: 3 },
      inputs: [bytes(d, 'uint8', [2, 8]), tensor('int64', [1], [0n]), d.floats([2, 1])],
    },
    'INVALID_ATTRIBUTE',
    /bits of uint8 must be 2, 4, 8, not 3/,
  ],
  'scales of other blocks': [
    'GatherBlockQuantized',
    {
      attributes: { block_size: 16 },
      inputs: [bytes(d, 'uint8', [2, 16]), tensor('int64', [1], [0n]), d.floats([2, 1])],
    },
    'INVALID_SHAPE',
    /input 2 must be \[2,2\], not \[2,1\]/,
  ],
  'no such type of 4 bits': [
    'MatMulBnb4',
    {
      attributes: { K: 4, N: 4, block_size: 16, quant_type: 2 },
      inputs: [d.floats([1, 4]), bytes(d, 'uint8', [8]), d.floats([1])],
    },
    'INVALID_ATTRIBUTE',
    /quant_type must be 0 \(FP4\) or 1 \(NF4\), not 2/,
  ],
  'too few bytes': [
    'MatMulBnb4',
    {
      attributes: { K: 4, N: 4, block_size: 16, quant_type: 1 },
      inputs: [d.floats([1, 4]), bytes(d, 'uint8', [7]), d.floats([1])],
    },
    'INVALID_SHAPE',
    /input 1 must be \[8\], not \[7\]/,
  ],
  'more experts than there are': [
    'QMoE',
    { ...gated().apart, attributes: { ...(gated().apart.attributes as object), k: 4 } },
    'INVALID_ATTRIBUTE',
    /k must be from 1 to the number of experts 3, not 4/,
  ],
  'gates without a layer of their own': [
    'QMoE',
    { ...gated().interleaved, attributes: { ...gated().interleaved.attributes, swiglu_fusion: 0 } },
    'INVALID_GRAPH',
    /must have fc3 if activation_type is swiglu/,
  ],
  'a sequence longer than the steps': [
    'DynamicQuantizeLSTM',
    {
      inputs: [
        d.floats([2, 1, 3]),
        bytes(d, 'uint8', [1, 3, 8]),
        bytes(d, 'uint8', [1, 2, 8]),
        null,
        tensor('int32', [1], [3]),
        ...[null, null, null],
        ...[tensor('float32', [1], [0.1]), tensor('uint8', [1], [3])],
        ...[tensor('float32', [1], [0.1]), tensor('uint8', [1], [3])],
      ],
    },
    'INVALID_VALUE',
    /sequence length 3 is not one of 0 to 2/,
  ],
};

for (const [what, [op, own, code, message]] of Object.entries(wrong))
  test(`${op}: ${what}`, () => expectRejection(code, message, run(op, own)));

test.run();
