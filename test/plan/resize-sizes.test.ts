import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { InferenceSession, Tensor } from '../../src/index.js';
import { resizeAttributes } from '../../src/primitives/resize-geometry.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { numbers, randomly } from '../session/run-model.js';
import { byTier, sampled } from '../tier.js';
import { int64s } from '../values.js';
import { outputsOf, runnerOf } from './runners.js';

type Model = ReturnType<typeof modelBuilder>;

/** What a Resize is told besides the data: the inputs behind them. */
interface Target {
  readonly inputs: (b: Model, x: Value) => (Value | null)[];
  /** Whether one stage is to serve sizes in such a mode: it does not where the number of taps depends on the size. */
  readonly isEven: (mode: object) => boolean;
  readonly attributes?: object;
}

const floats = (b: Model, name: string, ...values: number[]) =>
  b.constant(name, { type: 'float32', dims: [values.length], data: Float32Array.from(values) });
const integers = (b: Model, ...values: number[]) => b.op('Constant', [], { value: int64s(values) });

const always = () => true;
const never = () => false;
const unlessAntialiased = (mode: object) => !('antialias' in mode);

const scaled = (...scales: number[]): Target => ({
  inputs: (b) => [floats(b, 'roi', 0, 0, 0.1, -0.2, 1, 1, 0.8, 1.1), floats(b, 'scales', ...scales)],
  isEven: always,
});

const TARGETS: Readonly<Record<string, Target>> = {
  'twice as large': scaled(1, 1, 2, 2),
  'halves and one and a half': scaled(1, 1, 0.5, 1.5),
  'a scale that leaves some lengths': { ...scaled(1, 1, 1.0625, 2), isEven: never },
  'sizes that follow from shapes': {
    inputs: (b, x) => [null, null, b.op('Mul', [b.op('Shape', [x]), integers(b, 1, 1, 3, 2)])],
    isEven: always,
  },
  'one size that stays, which heights are sometimes': {
    inputs: (b, x) => {
      const width = b.op('Slice', [b.op('Shape', [x]), integers(b, 3), integers(b, 4), integers(b, 0)]);
      const doubled = b.op('Mul', [width, integers(b, 2)]);
      return [null, null, b.op('Concat', [integers(b, 1, 3, 24), doubled], { axis: 0 })];
    },
    isEven: unlessAntialiased,
  },
  'sizes that are fitted': {
    inputs: (b) => [null, null, integers(b, 40, 44)],
    attributes: { axes: [2, 3], keep_aspect_ratio_policy: 'not_larger' },
    isEven: never,
  },
};

const { words: COORDINATES = [] } = resizeAttributes.coordinate_transformation_mode;

const MODES: readonly object[] = [
  ...['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'].map((nearest_mode) => ({ nearest_mode })),
  { mode: 'linear' },
  { mode: 'linear', exclude_outside: 1 },
  { mode: 'linear', antialias: 1, extrapolation_value: 0.5 },
  { mode: 'cubic', cubic_coeff_a: -0.5 },
  { mode: 'cubic', antialias: 1, exclude_outside: 1 },
];

const COUNT = byTier({ quick: 12, ci: 12, all: 24 });

/** Even numbers from 4 on. */
const SIDES = byTier({ quick: 13, ci: 13, all: 23 });

/** Heights and widths at random. */
function sizes(seed: number): (readonly [number, number])[] {
  const next = randomly(seed);
  const side = () => 2 * (2 + Math.floor(next() * SIDES));
  return Array.from({ length: COUNT }, () => [side(), side()]);
}

/** With what is not finite, weights of 0 show. */
function picture(height: number, width: number): TensorValue {
  const made = numbers([1, 3, height, width], height * width);
  (made.data as Float32Array)[5] = Infinity;
  return made;
}

function modelOf({ inputs, attributes }: Target, mode: object): Uint8Array {
  const b = modelBuilder({ opset: 19 });
  const x = b.input('x', 'float32', [1, 3, 'h', 'w']);
  b.output('y', b.op('Resize', [x, ...inputs(b, x)], { ...mode, ...attributes } as never));
  return b.toBytes();
}

const test = sampled(suite('Resize at sizes that are new'), { quick: 1 / 12, ci: 1 / 3 });

for (const [name, target] of Object.entries(TARGETS))
  for (const coordinate_transformation_mode of COORDINATES)
    test(`${name}, ${coordinate_transformation_mode}: the bits of plans of their own, and what the reference says`, async () => {
      for (const [i, mode] of MODES.entries()) {
        const model = modelOf(target, { coordinate_transformation_mode, ...mode });
        const { runner } = await runnerOf(model, {}, 64, undefined, true);
        const { runner: planned, tracing } = await runnerOf(model, {}, 64, 1);
        tracing.functions = {};
        const reference = await InferenceSession.create(model, { executionProviders: ['reference'] });
        let same = 0;
        for (const [height, width] of sizes(i)) {
          const last = runner.lastStages[0];
          const x = picture(height, width);
          const outputs = outputsOf(runner, [x]);
          const message = `${JSON.stringify(mode)}, ${height} × ${width}`;
          assert.equal(bitsOf(outputs.y), bitsOf(outputsOf(planned, [x]).y), message);
          const { y } = await reference.run({ x: new Tensor('float32', x.data as Float32Array, x.dims) });
          assertNear(outputs.y as TensorValue, y as never, message);
          if (runner.lastStages[0] === last) same++;
        }
        const isEven = target.isEven(mode) && coordinate_transformation_mode !== 'tf_crop_and_resize';
        assert.ok(
          !isEven || same >= COUNT / 3,
          `${JSON.stringify(mode)}: ${same} sizes by the stage of the one before`,
        );
        runner.release();
        planned.release();
        await reference.release();
      }
    });

/** NaN is what it is, and zeros have signs. */
function bitsOf(value: unknown) {
  const { dims, data } = value as TensorValue;
  const { buffer, byteOffset, byteLength } = data as Float32Array;
  return { dims, bits: new Uint32Array(buffer, byteOffset, byteLength / 4) };
}

function assertNear(actual: TensorValue, expected: TensorValue, message: string): void {
  assert.equal(actual.dims, expected.dims, message);
  const [a, b] = [actual.data as Float32Array, expected.data as Float32Array];
  for (let i = 0; i < a.length; i++)
    if (!(Math.abs((a[i] as number) - (b[i] as number)) < 1e-5) && !Object.is(a[i], b[i]))
      assert.unreachable(`${message}: ${a[i]} at ${i}, not ${b[i]}`);
}

test.run();
