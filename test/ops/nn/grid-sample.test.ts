import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import { InferenceSession, type SessionOptions } from '../../../src/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { runNode } from '../one-node.js';

const test = suite('GridSample');

const row = tensor('float32', [1, 1, 1, 5], [10, 20, 30, 40, 50]);

async function sample(places: readonly number[], attributes: Record<string, string>): Promise<number[]> {
  const grid = tensor(
    'float32',
    [1, 1, places.length, 2],
    places.flatMap((x) => [x, 0]),
  );
  const [y] = (await runNode('GridSample', { inputs: [row, grid], attributes, opset: 20 })) as [TensorValue];
  return Array.from(y.data as Float32Array);
}

/** 0.2 is halfway between two pixels in float32, as ONNX's reference, PyTorch and ONNX Runtime reckon. */
test('the nearest pixel is found in float32', async () => {
  assert.equal(await sample([0.2, -0.2, 0.6], { mode: 'nearest' }), [30, 30, 50]);
});

/** Weights of Keys' kernel at 0.25 with a = −0.75: −0.10546875, 0.87890625, 0.26171875, −0.03515625. */
test('a place on the outer half of a border pixel is left where it is', async () => {
  const [y] = await sample([-0.9], { mode: 'cubic', padding_mode: 'border' });
  const [a, b, c, d] = [-0.03515625, 0.26171875, 0.87890625, -0.10546875];
  assert.ok(Math.abs((y as number) - ((a + b + c) * 10 + d * 20)) < 1e-5);
});

interface Pictures {
  readonly pictures: readonly {
    readonly x: readonly number[];
    readonly dims: readonly number[];
    readonly grid: readonly number[];
    readonly gridDims: readonly number[];
    readonly results: readonly {
      readonly mode: 'bilinear' | 'nearest' | 'bicubic';
      readonly padding: string;
      readonly align: number;
      readonly y: readonly number[];
    }[];
  }[];
}

/** By grid-sample-torch.py */
const { pictures } = JSON.parse(readFileSync(new URL('grid-sample-torch.json', import.meta.url), 'utf8')) as Pictures;

const NEWER = { bilinear: 'linear', nearest: 'nearest', bicubic: 'cubic' };

/** By kernels, by the host, which folds constants, and in double precision. */
const WAYS: readonly (readonly [isConstant: boolean, SessionOptions])[] = [
  [false, {}],
  [true, {}],
  [false, { executionProviders: ['reference'] }],
];

for (const opset of [16, 20, 22])
  for (const { x, dims, grid, gridDims, results } of pictures.filter(({ dims }) => opset > 16 || dims.length === 4))
    test(`opset ${opset}, rank ${dims.length}: what PyTorch makes of it`, async () => {
      const feeds = { x: tensor('float32', dims, x), grid: tensor('float32', gridDims, grid) };
      for (const { mode, padding, align, y } of results)
        for (const [isConstant, options] of WAYS) {
          const b = modelBuilder({ opset });
          const inputs = Object.entries(feeds).map(([name, value]) =>
            isConstant ? b.constant(name, value) : b.input(name, value.type, value.dims),
          );
          const attributes = { mode: opset > 16 ? NEWER[mode] : mode, padding_mode: padding, align_corners: align };
          b.output('y', b.op('GridSample', inputs, attributes));
          const session = await InferenceSession.create(b.toBytes(), { intraOpNumThreads: 1, ...options });
          const { data } = (await session.run(isConstant ? {} : feeds)).y as TensorValue;
          await session.release();
          y.forEach((wanted, i) => {
            const error = Math.abs((data[i] as number) - wanted);
            assert.ok(error < 2e-4, `${mode}, ${padding}, corners ${align}: [${i}] is ${data[i]}, not ${wanted}`);
          });
        }
    });

test.run();
