import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, modelBuilder } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { draw } from '../../contrib/case.js';
import { open } from '../../session/run-model.js';

const test = suite('channels last, as onnxruntime writes them for halves on ARM');

const NHWC = 'com.ms.internal.nhwc';
const { floats } = draw(90);

/** The operator on [N, H, W, C], and ONNX's own between two transpositions. */
async function both(
  [op, domain]: readonly [string, string],
  plain: string,
  inputs: readonly TensorValue[],
  attributes: AttributeInputs,
  activation?: string,
): Promise<TensorValue[]> {
  const b = modelBuilder({ opset: 17, opsets: { [NHWC]: 1, 'com.microsoft': 1 } });
  const [x, ...others] = inputs.map((input, i) => b.input(`x${i}`, input.type, input.dims));
  b.output(
    'y',
    b.op(op, [x as NonNullable<typeof x>, ...others], { ...attributes, ...(activation && { activation }) }, { domain }),
  );
  const first = b.op('Transpose', [x as NonNullable<typeof x>], { perm: [0, 3, 1, 2] });
  const result = b.op(plain, [first, ...others], attributes);
  const activated = activation ? b.op(activation, [result]) : result;
  b.output('z', b.op('Transpose', [activated], { perm: [0, 2, 3, 1] }));
  const session = await open(b.toBytes());
  const results = await session.run(Object.fromEntries(inputs.map((input, i) => [`x${i}`, input])));
  return ['y', 'z'].map((name) => results[name] as TensorValue);
}

for (const type of ['float32', 'float16'] as const) {
  const x = floats([2, 5, 4, 3], 1, 0, type);
  const windows = { kernel_shape: [2, 3], strides: [2, 1], pads: [0, 1, 1, 1] };
  for (const [op, attributes] of [
    ['MaxPool', windows],
    ['AveragePool', { ...windows, count_include_pad: 1 }],
    ['GlobalAveragePool', {}],
    ['GlobalMaxPool', {}],
  ] as const)
    test(`${op} of ${type}`, async () => {
      const [y, z] = (await both([op, NHWC], op, [x], attributes)) as [TensorValue, TensorValue];
      assert.equal(y.dims, z.dims);
      assert.equal(y.data, z.data);
    });
  test(`NhwcFusedConv of ${type}`, async () => {
    const inputs = [x, floats([4, 3, 2, 3], 1, 0, type), floats([4], 1, 0, type)];
    const [y, z] = (await both(['NhwcFusedConv', 'com.microsoft'], 'Conv', inputs, windows, 'Relu')) as [
      TensorValue,
      TensorValue,
    ];
    assert.equal(y.dims, z.dims);
    assert.equal(y.data, z.data);
  });
}

test.run();
