import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, modelBuilder } from '../../src/builder/index.js';
import type { ElementType } from '../../src/tensor/element-types.js';
import { tensorOf } from '../../src/tensor/numbers.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { relativeL2 } from '../assembly/kernels.js';
import { numbers, open } from '../session/run-model.js';
import { int64s } from '../values.js';

const test = suite('float64 on the host against the float32 kernels');

type Input = readonly number[] | TensorValue | null;

interface Case {
  readonly inputs: readonly Input[];
  readonly attributes?: AttributeInputs;
  readonly outputs?: number;
}

const int32 = (...values: number[]) => tensorOf('int32', [values.length], values);
const grouped = { group: 2, strides: [2, 1], dilations: [1, 2], pads: [1, 0, 2, 1] };

const recurrent = (gates: number, directions: number, more: readonly Input[] = []): Input[] => [
  [4, 3, 5],
  [directions, 6 * gates, 5],
  [directions, 6 * gates, 6],
  [directions, 12 * gates],
  int32(4, 2, 3),
  [directions, 3, 6],
  ...more,
];
const batchFirst: Input[] = [[3, 4, 5], [1, 24, 5], [1, 24, 6], null, null, [3, 1, 6], [3, 1, 6]];
const both = { hidden_size: 6, direction: 'bidirectional' };

const CASES: Record<string, readonly Case[]> = {
  Conv: [
    { inputs: [[2, 4, 7, 6], [6, 2, 3, 2], [6]], attributes: grouped },
    {
      inputs: [
        [1, 3, 9],
        [4, 3, 4],
      ],
      attributes: { auto_pad: 'SAME_UPPER' },
    },
    {
      inputs: [
        [1, 2, 4, 5, 6],
        [3, 2, 2, 3, 2],
      ],
      attributes: { strides: [1, 2, 1] },
    },
  ],
  ConvTranspose: [
    { inputs: [[2, 4, 5, 4], [4, 3, 3, 2], [6]], attributes: { ...grouped, output_padding: [1, 0] } },
    {
      inputs: [
        [1, 3, 5],
        [3, 2, 3],
      ],
      attributes: { strides: [2], auto_pad: 'SAME_LOWER' },
    },
    {
      inputs: [
        [1, 2, 3, 3],
        [2, 2, 3, 3],
      ],
      attributes: { strides: [2, 2], output_shape: [8, 6] },
    },
  ],
  MeanVarianceNormalization: [{ inputs: [[2, 3, 4, 5]] }, { inputs: [[2, 3, 4]], attributes: { axes: [1] } }],
  RNN: [
    { inputs: recurrent(1, 2), attributes: both, outputs: 2 },
    { inputs: recurrent(1, 1), attributes: { direction: 'reverse', activations: ['Relu'], clip: 0.5 }, outputs: 2 },
  ],
  GRU: [
    { inputs: recurrent(3, 2), attributes: both, outputs: 2 },
    { inputs: recurrent(3, 2), attributes: { ...both, linear_before_reset: 1 }, outputs: 2 },
  ],
  LSTM: [
    {
      inputs: recurrent(4, 2, [
        [2, 3, 6],
        [2, 18],
      ]),
      attributes: both,
      outputs: 3,
    },
    { inputs: batchFirst, attributes: { layout: 1, input_forget: 1, clip: 0.3 }, outputs: 3 },
  ],
  Attention: [
    {
      inputs: [
        [2, 4, 3, 8],
        [2, 2, 5, 8],
        [2, 2, 5, 6],
        [3, 7],
        [2, 2, 2, 8],
        [2, 2, 2, 6],
      ],
      attributes: { is_causal: 1, softcap: { type: 'float', value: 2 }, qk_matmul_output_mode: 3 },
      outputs: 4,
    },
    {
      inputs: [[2, 3, 8], [2, 5, 8], [2, 5, 8], null, null, null, int64s([5, 3])],
      attributes: { q_num_heads: 2, kv_num_heads: 2 },
    },
  ],
};

async function run(op: string, { inputs, attributes, outputs = 1 }: Case, type: ElementType): Promise<number[][]> {
  const b = modelBuilder({ opset: 24 });
  const feeds: Record<string, TensorValue> = {};
  const values = inputs.map((input, i) => {
    if (!input) return null;
    const value = 'dims' in input ? input : tensorOf(type, input, numbers(input, i + 1).data as Float32Array);
    feeds[`x${i}`] = value;
    return b.input(`x${i}`, value.type, value.dims);
  });
  b.node(op, values, attributes, { outputs }).forEach((value, i) => {
    b.output(`y${i}`, value);
  });
  const session = await open(b.toBytes());
  const results = Object.values(await session.run(feeds)) as TensorValue[];
  assert.equal(
    results.map((result) => result.type),
    results.map(() => type),
  );
  return results.map(({ data, dims }) => [...dims, ...(data as Float32Array)]);
}

for (const [op, cases] of Object.entries(CASES)) {
  test(op, async () => {
    for (const [i, own] of cases.entries()) {
      const [wide, narrow] = await Promise.all([run(op, own, 'float64'), run(op, own, 'float32')]);
      wide.forEach((y, output) => {
        const error = relativeL2(Float32Array.from(y), Float32Array.from(narrow[output] as number[]));
        assert.ok(error < 1e-6, `case ${i}, output ${output}: relative L2 ${error}`);
      });
    }
  });
}

test.run();
