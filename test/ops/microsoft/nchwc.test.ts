import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ModelBuilder, modelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { draw } from '../../contrib/case.js';
import { expectRejection } from '../../expect-error.js';
import { open } from '../../session/run-model.js';

const test = suite('blocks of channels, as onnxruntime writes them');

const NCHWC = 'com.microsoft.nchwc';
const { floats, normal } = draw(50);

/** Weights whose channels differ in size, as those of networks do. */
function weightsOf(dims: readonly number[]): TensorValue {
  const w = floats(dims);
  const data = w.data as Float32Array;
  const perChannel = data.length / (dims[0] as number);
  const scales = Array.from({ length: dims[0] as number }, () => Math.exp(0.3 * normal()));
  data.forEach((x, i) => {
    data[i] = x * (scales[Math.floor(i / perChannel)] as number);
  });
  return w;
}

/** [M, C, h, w] as [M / block, C / block, h, w, block of C, block of M]; C keeps its place where it fills no block. */
function blocked({ dims, data }: TensorValue, block: number): TensorValue {
  const [m, c, h, w] = dims as [number, number, number, number];
  const inner = c % block === 0 ? block : 1;
  const result: number[] = [];
  for (let mo = 0; mo < m; mo += block)
    for (let co = 0; co < c; co += inner)
      for (let tap = 0; tap < h * w; tap++)
        for (let ci = 0; ci < inner; ci++)
          for (let mi = 0; mi < block; mi++)
            result.push((data as Float32Array)[((mo + mi) * c + co + ci) * h * w + tap] as number);
  return tensor('float32', dims, result);
}

async function outputOf(x: TensorValue, build: (b: ModelBuilder, input: Value) => Value): Promise<TensorValue> {
  const b = modelBuilder({ opset: 17, opsets: { [NCHWC]: 1 } });
  b.output('y', build(b, b.input('x', x.type, x.dims)));
  const session = await open(b.toBytes(), { graphOptimizationLevel: 'disabled' });
  const { y } = await session.run({ x });
  await session.release();
  return y as TensorValue;
}

/** Two convolutions, the first of an image. */
function check(block: number, channels: number): void {
  test(`${channels} channels in blocks of ${block}`, async () => {
    const x = floats([1, 3, 5, 4]);
    const padded = Math.ceil(channels / block) * block;
    const [first, second] = [weightsOf([padded, 3, 3, 3]), weightsOf([padded, padded, 3, 3])];
    const attributes = { pads: [1, 1, 1, 1] };
    const plain = await outputOf(x, (b, input) => {
      const h = b.op('Conv', [input, b.constant('w', first)], attributes);
      const y = b.op('Conv', [h, b.constant('v', second)], attributes);
      return b.op('Slice', [
        y,
        ...[0, channels, 1].map((n, i) => b.constant(`n${i}`, tensor('int64', [1], [BigInt(n)]))),
      ]);
    });
    const y = await outputOf(x, (b, input) => {
      const h = b.op('Conv', [input, b.constant('w', blocked(first, block))], attributes, { domain: NCHWC });
      const sums = b.op('Conv', [h, b.constant('v', blocked(second, block))], attributes, { domain: NCHWC });
      return b.op('ReorderOutput', [sums], { channels }, { domain: NCHWC });
    });
    assert.equal(y.dims, plain.dims);
    assert.equal(y.data, plain.data);
  });
}

check(8, 24);
check(16, 20);
check(8, 64);
check(16, 64);

test('channels that are no blocks are refused', async () => {
  const run = outputOf(floats([1, 3, 5, 4]), (b, x) =>
    b.op('Conv', [x, b.constant('w', floats([20, 3, 1, 1]))], {}, { domain: NCHWC }),
  );
  await expectRejection('INVALID_SHAPE', /multiple of 8/, run);
});

test.run();
