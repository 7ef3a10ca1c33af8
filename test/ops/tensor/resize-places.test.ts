// Which element Resize takes in mode nearest, over lengths of 5 … 120 and scales of 0.3 … 3.7: a loop in float32 says it, as onnxruntime does
// in all 24 combinations of modes (tier `all`, where bench/ has it). F.interpolate(mode='nearest') of PyTorch 1.13 multiplies by 1/scale in
// place of dividing by the scale, as ONNX has it, which gives another element at 0.5 % of places.

import { createRequire } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import { InferenceSession, type SessionOptions } from '../../../src/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { skipped } from '../../skipped.js';
import { isAtLeast, sampleByTier } from '../../tier.js';

const test = suite('places of Resize');

const COORDINATES = [
  'asymmetric',
  'half_pixel',
  'pytorch_half_pixel',
  'align_corners',
  'tf_half_pixel_for_nn',
] as const;
const ROUNDINGS = ['floor', 'ceil', 'round_prefer_floor', 'round_prefer_ceil'] as const;
const GIVEN = ['scales', 'sizes'] as const;

interface Case {
  readonly coordinates: (typeof COORDINATES)[number];
  readonly rounding: (typeof ROUNDINGS)[number];
  readonly by: (typeof GIVEN)[number];
  readonly length: number;
  readonly tenths: number;
}

const f = Math.fround;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const scaleOf = ({ tenths }: Case) => f(tenths / 10);
const outputOf = (c: Case) => Math.floor(f(scaleOf(c) * c.length));
const nameOf = (c: Case) => Object.values(c).join(' ');

/** Lengths that do not change are left out: onnxruntime copies there, whatever the scale; and so are the fractions of align_corners. */
const cases = COORDINATES.flatMap((coordinates) =>
  ROUNDINGS.flatMap((rounding) =>
    GIVEN.flatMap((by) =>
      range(5, 120).flatMap((length) =>
        range(3, 37).map((tenths): Case => ({ coordinates, rounding, by, length, tenths })),
      ),
    ),
  ),
).filter((c) => outputOf(c) !== c.length && (c.by === 'sizes' || c.coordinates !== 'align_corners'));

/** Middles are met within 1e-6, as in onnxruntime. */
const NEAREST = {
  floor: Math.floor,
  ceil: Math.ceil,
  round_prefer_floor: (x: number) => (x - Math.floor(x) <= 0.5 + 1e-6 ? Math.floor(x) : Math.ceil(x)),
  round_prefer_ceil: (x: number) => (x - Math.floor(x) < 0.5 - 1e-6 ? Math.floor(x) : Math.ceil(x)),
};

function expectedOf(c: Case): number[] {
  const output = outputOf(c);
  const scale = c.by === 'scales' ? scaleOf(c) : f(output / c.length);
  const at = {
    asymmetric: (i: number) => f(i / scale),
    half_pixel: (i: number) => f(f((i + 0.5) / scale) - 0.5),
    pytorch_half_pixel: (i: number) => (output > 1 ? f(f((i + 0.5) / scale) - 0.5) : 0),
    align_corners: (i: number) => (output > 1 ? f((i * (c.length - 1)) / (output - 1)) : 0),
    tf_half_pixel_for_nn: (i: number) => f((i + 0.5) / scale),
  }[c.coordinates];
  return range(0, output - 1).map((i) => Math.min(Math.max(NEAREST[c.rounding](at(i)), 0), c.length - 1));
}

const keyOf = ({ coordinates, rounding, by }: Case) => `${coordinates} ${rounding} ${by}`;

/** A model whose length and scale, or size, are fed. */
function modelOf({ coordinates, rounding, by }: Case, type: 'float32' | 'int32'): Uint8Array {
  const b = modelBuilder({ opset: 13 });
  const [x, given] = [b.input('x', type, [1, 1, 'w']), b.input('given', by === 'scales' ? 'float32' : 'int64', [3])];
  const attributes = { mode: 'nearest', nearest_mode: rounding, coordinate_transformation_mode: coordinates };
  b.output('y', b.op('Resize', by === 'scales' ? [x, null, given] : [x, null, null, given], attributes), type);
  return b.toBytes();
}

const feedsOf = (c: Case, type: 'float32' | 'int32') => ({
  x: tensor(type, [1, 1, c.length], range(0, c.length - 1)),
  given:
    c.by === 'scales'
      ? tensor('float32', [3], [1, 1, scaleOf(c)])
      : tensor('int64', [3], [1, 1, outputOf(c)].map(BigInt)),
});

type Run = (feeds: ReturnType<typeof feedsOf>) => Promise<ArrayLike<number>>;

/** What is wrong, of each way to run the cases: a session serves all of the same modes. */
async function faults(chosen: readonly Case[], type: 'float32' | 'int32', open: (model: Uint8Array) => Promise<Run>) {
  const runs = new Map<string, Run>();
  const wrong: string[] = [];
  for (const c of chosen) {
    const run = runs.get(keyOf(c)) ?? (await open(modelOf(c, type)));
    runs.set(keyOf(c), run);
    const [actual, expected] = [Array.from(await run(feedsOf(c, type))), expectedOf(c)];
    const at = expected.findIndex((index, i) => index !== actual[i]);
    if (at >= 0 || actual.length !== expected.length)
      wrong.push(`${nameOf(c)}: place ${at} is element ${actual[at]}, not ${expected[at]}`);
  }
  return wrong;
}

const by =
  (options: SessionOptions) =>
  async (model: Uint8Array): Promise<Run> => {
    const session = await InferenceSession.create(model, { intraOpNumThreads: 1, ...options });
    return async (feeds) => ((await session.run(feeds)).y as TensorValue).data as Float32Array;
  };

const WAYS = {
  kernels: ['float32', {}],
  host: ['int32', {}],
  reference: ['float32', { executionProviders: ['reference'] }],
} as const;

for (const [way, [type, options]] of Object.entries(WAYS)) {
  const chosen = sampleByTier(cases, { quick: 150, ci: 600, all: 20_000 }, (c) => `${way} ${nameOf(c)}`);
  test(`${chosen.length} of ${cases.length} cases by ${way}`, async () => {
    assert.equal(await faults(chosen, type, by(options)), []);
  });
}

/** F.interpolate(torch.arange(20.).reshape(1, 1, 20), scale_factor=1.7, mode='nearest'), PyTorch 1.13 */
const OF_PYTORCH = '0 0 1 1 2 2 3 4 4 5 5 6 7 7 8 8 9 10 10 11 11 12 12 13 14 14 15 15 16 17 17 18 18 19';

test('a scale of 1.7 as PyTorch has it', async () => {
  const c: Case = { coordinates: 'asymmetric', rounding: 'floor', by: 'scales', length: 20, tenths: 17 };
  assert.is(expectedOf(c).join(' '), OF_PYTORCH);
  assert.equal(await faults([c], 'float32', by({})), []);
});

test.run();

interface Witness {
  readonly InferenceSession: {
    create(model: Uint8Array, options: object): Promise<{ run(feeds: object): Promise<{ y: { data: Float32Array } }> }>;
  };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => object;
}

function witness(): Witness | undefined {
  try {
    return createRequire(new URL('../../../bench/package.json', import.meta.url))('onnxruntime-node') as Witness;
  } catch {
    return skipped('no onnxruntime-node in bench/; npm ci --prefix bench');
  }
}

const runtime = isAtLeast('all') ? witness() : undefined;
if (runtime) {
  const witnessed = suite('places of Resize, as onnxruntime-node has them');
  witnessed(`${cases.length} cases`, async () => {
    const open = async (model: Uint8Array): Promise<Run> => {
      const session = await runtime.InferenceSession.create(model, { intraOpNumThreads: 1, logSeverityLevel: 3 });
      return async (feeds) => {
        const own = Object.entries(feeds).map(([name, { type, data, dims }]) => [
          name,
          new runtime.Tensor(type, data, dims),
        ]);
        return (await session.run(Object.fromEntries(own))).y.data;
      };
    };
    // At scale 1 onnxruntime leaves the place of tf_half_pixel_for_nn where it is; such lengths do not change.
    assert.equal(await faults(cases, 'float32', open), []);
  });
  witnessed.run();
}
