import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';

const test = suite('zero points that do not fit');

const zeros = (type: 'int8' | 'uint8', ...dims: number[]): TensorValue =>
  tensor(type, dims, new Array(dims.reduce((n, d) => n * d, 1)).fill(0));

const CASES: readonly (readonly [string, readonly TensorValue[], RegExp])[] = [
  [
    'ConvInteger',
    [zeros('uint8', 1, 2, 4, 4), zeros('int8', 5, 2, 1, 1), zeros('uint8'), zeros('int8', 3)],
    /zero point of W \[3\] must have 1 or 5/,
  ],
  [
    'ConvInteger',
    [zeros('uint8', 1, 2, 4, 4), zeros('int8', 5, 2, 1, 1), zeros('uint8', 2)],
    /zero point of X \[2\] must have 1/,
  ],
  ['MatMulInteger', [zeros('uint8', 3, 2), zeros('int8', 2, 4), zeros('uint8'), zeros('int8', 3)], /\[3\]/],
];

for (const [op, inputs, message] of CASES) {
  test(`${op}: ${message.source}`, async () => {
    const b = modelBuilder({ opset: 21 });
    const values = inputs.map((input, i) =>
      i === 0 ? b.input('x', input.type, input.dims) : b.constant(`c${i}`, input),
    );
    b.output('y', b.node(op, values)[0] as (typeof values)[number]);
    const error = await InferenceSession.create(b.toBytes())
      .then((session) => session.run({ x: inputs[0] as TensorValue }))
      .then(
        () => undefined,
        (e: Error & { code?: string }) => e,
      );
    assert.is(error?.code, 'INVALID_SHAPE');
    assert.match(error?.message ?? '', message);
  });
}

test.run();
