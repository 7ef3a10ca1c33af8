import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, modelBuilder, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { open } from '../../session/run-model.js';

const test = suite('operators for which onnxruntime-node takes no model, or no such node');

async function run(
  op: string,
  inputs: readonly TensorValue[],
  attributes: AttributeInputs,
  domain = 'com.microsoft',
): Promise<TensorValue> {
  const b = modelBuilder({ opset: 9, opsets: { 'com.microsoft': 1 } });
  const values = inputs.map((input, i) => b.input(`x${i}`, input.type, input.dims));
  b.output('y', b.op(op, values, attributes, { domain }));
  const session = await open(b.toBytes());
  const { y } = await session.run(Object.fromEntries(inputs.map((input, i) => [`x${i}`, input])));
  return y as TensorValue;
}

test('SparseToDenseMatMul of a sparse constant', async () => {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  const values = tensor('float32', [2], [2, -3]);
  const a = b.sparseConstant('a', { values, indices: tensor('int64', [2], [1n, 3n]), dims: [3, 2] });
  const x = b.input('x', 'float32', [3, 2]);
  b.output(
    'y',
    b.op(
      'SparseToDenseMatMul',
      [a, x],
      { transA: 1, alpha: { type: 'float', value: 0.5 } },
      { domain: 'com.microsoft' },
    ),
  );
  const session = await open(b.toBytes());
  const { y } = await session.run({ x: tensor('float32', [3, 2], [1, 2, 3, 4, 5, 6]) });
  // A = [[0, 2], [0, −3], [0, 0]], so that the second row is 0.5 · (2 · [1, 2] − 3 · [3, 4]).
  assert.equal([...(y as TensorValue).dims], [2, 2]);
  assert.equal([...((y as TensorValue).data as Float32Array)], [0, 0, -3.5, -4]);
});

test('SparseToDenseMatMul of integers', async () => {
  const [a, b] = [tensor('int64', [1, 2], [2n, 3n]), tensor('int64', [2, 1], [5n, 7n])];
  assert.equal((await run('SparseToDenseMatMul', [a, b], {})).data, BigInt64Array.of(31n));
});

test('GivenTensorFill by an attribute, by contents and by a shape', async () => {
  const values = { type: 'floats', value: [1, 2, 3, 4] } as const;
  const fills = [
    await run('GivenTensorFill', [], { values, shape: [2, 2] }, ''),
    await run('GivenTensorFill', [tensor('float32', [2], [2, 2])], { values, input_as_shape: 1 }, ''),
    await run('GivenTensorFill', [tensor('float32', [2], [9, 9])], { values, extra_shape: [2] }, ''),
  ];
  for (const { dims, data } of fills) {
    assert.equal([...dims], [2, 2]);
    assert.equal([...(data as Float32Array)], [1, 2, 3, 4]);
  }
});

test('ConvTransposeWithDynamicPads without pads is ConvTranspose', async () => {
  const [x, w] = [tensor('float32', [1, 1, 2], [1, 2]), tensor('float32', [1, 1, 2], [3, 4])];
  assert.equal((await run('ConvTransposeWithDynamicPads', [x, w], {})).data, Float32Array.of(3, 10, 8));
});

test('GroupQueryAttention with a cache of bfloat16 gives what it gives of the same numbers in float32', async () => {
  const [HEADS, SIZE, PAST] = [2, 8, 3];
  const width = HEADS * SIZE;
  const shapes = [
    [1, 1, width],
    [1, 1, width],
    [1, 1, width],
    [1, HEADS, PAST, SIZE],
    [1, HEADS, PAST, SIZE],
  ] as const;
  /** Numbers that bfloat16 holds, too. */
  const numbers = shapes.map((dims, i) =>
    Float32Array.from({ length: dims.reduce((a, b) => a * b) }, (_, j) => (((j + 1) * (2 * i + 3)) % 13) / 8 - 0.75),
  );
  const attend = async (type: 'float32' | 'bfloat16') => {
    const stored = (data: Float32Array) =>
      type === 'float32' ? data : Uint16Array.from(new Uint32Array(data.buffer), (bits) => bits >>> 16);
    const inputs = numbers.map((data, i) => tensor(type, shapes[i] as readonly number[], stored(data)));
    const counts = [tensor('int32', [1], [PAST]), tensor('int32', [1], [PAST + 1])];
    const { data } = await run('GroupQueryAttention', [...inputs, ...counts], {
      num_heads: HEADS,
      kv_num_heads: HEADS,
    });
    return Array.from(
      type === 'float32'
        ? (data as Float32Array)
        : new Float32Array(Uint32Array.from(data as Uint16Array, (x) => x << 16).buffer),
    );
  };
  const [wide, narrow] = [await attend('float32'), await attend('bfloat16')];
  for (const [i, x] of wide.entries()) assert.ok(Math.abs((narrow[i] as number) - x) <= 2 ** -8 * Math.abs(x), `${i}`);
});

test.run();
