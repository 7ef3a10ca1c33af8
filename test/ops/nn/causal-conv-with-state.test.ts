import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../../src/builder/index.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { numbers } from '../../session/run-model.js';
import { runNode } from '../one-node.js';

const test = suite('CausalConvWithState');

const [BATCH, CHANNELS] = [2, 5];
const TOLERANCE: Partial<Record<ElementType, number>> = { float32: 1e-6, float16: 2e-3, bfloat16: 2e-2 };

interface Case {
  readonly length: number;
  readonly taps: number;
  readonly past?: boolean;
  readonly bias?: boolean;
  readonly activation?: string;
  readonly element?: ElementType;
}

const cases: Readonly<Record<string, Case>> = {
  defaults: { length: 7, taps: 3 },
  everything: { length: 7, taps: 4, past: true, bias: true, activation: 'silu' },
  'the state without a bias': { length: 6, taps: 4, past: true, activation: 'swish' },
  'a decoding step': { length: 1, taps: 4, past: true, bias: true, activation: 'none' },
  'fewer steps than the state, no past': { length: 2, taps: 5, bias: true },
  'one tap, whose state is empty': { length: 4, taps: 1, past: true },
  float16: { length: 7, taps: 4, past: true, bias: true, activation: 'silu', element: 'float16' },
  bfloat16: { length: 7, taps: 4, past: true, bias: true, activation: 'swish', element: 'bfloat16' },
};

/** y and the state after it, of float64 loops. */
function expectedOf({ length, taps, activation = 'none' }: Case, inputs: readonly (TensorValue | null)[]) {
  const [x, w, bias, past] = inputs.map((input) => input && Array.from(numbersOf(input)));
  const [y, present]: [number[], number[]] = [[], []];
  for (let row = 0; row < BATCH * CHANNELS; row++) {
    const before = past?.slice(row * (taps - 1), (row + 1) * (taps - 1)) ?? new Array(taps - 1).fill(0);
    const padded = [...before, ...(x as number[]).slice(row * length, (row + 1) * length)];
    const channel = row % CHANNELS;
    for (let t = 0; t < length; t++) {
      let sum = bias?.[channel] ?? 0;
      for (let j = 0; j < taps; j++) sum += (w?.[channel * taps + j] as number) * padded[t + j];
      y.push(activation === 'none' ? sum : sum / (1 + Math.exp(-sum)));
    }
    present.push(...padded.slice(length));
  }
  return [y, present] as const;
}

for (const [name, c] of Object.entries(cases)) {
  test(name, async () => {
    const { length, taps, element = 'float32' } = c;
    const made = (dims: readonly number[], seed: number) =>
      tensorOf(element, dims, numbers(dims, seed).data as Float32Array);
    const inputs = [
      made([BATCH, CHANNELS, length], 1),
      made([CHANNELS, 1, taps], 2),
      c.bias ? made([CHANNELS], 3) : null,
      c.past ? made([BATCH, CHANNELS, taps - 1], 4) : null,
    ];
    const attributes = c.activation ? { activation: c.activation } : {};
    const results = await runNode('CausalConvWithState', { inputs, attributes, outputs: 2, opset: 27 });
    const shapes = [
      [BATCH, CHANNELS, length],
      [BATCH, CHANNELS, taps - 1],
    ];
    expectedOf(c, inputs).forEach((expected, i) => {
      const { type, dims, ...rest } = results[i] as TensorValue;
      assert.equal([type, dims], [element, shapes[i]]);
      const actual = numbersOf({ type, dims, ...rest });
      const tolerance = i === 0 ? (TOLERANCE[element] as number) : 0;
      expected.forEach((e, at) => {
        const off = Math.abs((actual[at] as number) - e);
        assert.ok(off <= tolerance * Math.max(1, Math.abs(e)), `output ${i} at ${at}: ${actual[at]}, not ${e}`);
      });
    });
  });
}

test('steps one by one are the sequence at once', async () => {
  const length = 6;
  const [x, w] = [numbers([1, CHANNELS, length], 1), numbers([CHANNELS, 1, 4], 2)];
  const attributes = { activation: 'silu' };
  const [whole, last] = (await runNode('CausalConvWithState', {
    inputs: [x, w],
    attributes,
    outputs: 2,
    opset: 27,
  })) as [TensorValue, TensorValue];

  const b = modelBuilder({ opset: 27 });
  const [step, past] = [b.input('step', 'float32', [1, CHANNELS, 1]), b.input('past', 'float32', [1, CHANNELS, 3])];
  const results = b.node('CausalConvWithState', [step, b.constant('w', w), null, past], attributes, { outputs: 2 });
  b.output('y', results[0] as never);
  b.output('present', results[1] as never);
  const session = await InferenceSession.create(b.toBytes());
  let state = tensorOf('float32', [1, CHANNELS, 3], new Float32Array(3 * CHANNELS)) as TensorValue;
  for (let t = 0; t < length; t++) {
    const column = Float32Array.from({ length: CHANNELS }, (_, i) => x.data[i * length + t] as number);
    const { y, present } = await session.run({ step: tensorOf('float32', [1, CHANNELS, 1], column), past: state });
    state = present as TensorValue;
    Array.from((y as TensorValue).data as Float32Array).forEach((v, i) => {
      assert.ok(Math.abs(v - (whole.data[i * length + t] as number)) < 1e-6);
    });
  }
  assert.equal([...state.data], [...last.data]);
});

test('refuses an unknown activation and a state of other size', async () => {
  const inputs = [numbers([1, 2, 3]), numbers([2, 1, 3]), null, numbers([1, 2, 3])];
  const run = (extra: object) => runNode('CausalConvWithState', { inputs, outputs: 2, opset: 27, ...extra });
  await expectRejection('INVALID_SHAPE', /input 3 must be \[1,2,2\]/, run({}));
  await expectRejection(
    'INVALID_ATTRIBUTE',
    /"gelu" is not one of none, silu, swish/,
    run({ attributes: { activation: 'gelu' } }),
  );
});

test.run();
