import { suite } from 'uvu';
import { modelBuilder } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { assertClose, numbers, open } from '../../session/run-model.js';
import { f32 } from '../../values.js';
import { runNode } from '../one-node.js';

const test = suite('normalizations');

const LEVELS = ['disabled', 'all'] as const;
const EPSILON = 1e-5;

/** Runs one node, its inputs after the first fed or constant. */
async function check(
  op: string,
  inputs: readonly TensorValue[],
  attributes: object,
  expected: readonly TensorValue[],
  { domain = '', constant = false } = {},
): Promise<void> {
  const b = modelBuilder({ opset: 23, opsets: { sardonyx: 1 } });
  const values = inputs.map((x, i) => (constant && i > 0 ? b.constant(`x${i}`, x) : b.input(`x${i}`, x.type, x.dims)));
  const outputs = b.node(op, values, attributes as never, { outputs: expected.length, domain }) as never[];
  expected.forEach((y, i) => {
    b.output(`y${i}`, outputs[i] as never, y.type, y.dims);
  });
  const feeds = Object.fromEntries(inputs.map((x, i) => [`x${i}`, x]).slice(0, constant ? 1 : inputs.length));
  const results = Object.fromEntries(expected.map((y, i) => [`y${i}`, y]));
  for (const graphOptimizationLevel of LEVELS) {
    const session = await open(b.toBytes(), { graphOptimizationLevel });
    assertClose(await session.run(feeds), results, 2e-6, `${op} ${graphOptimizationLevel}`);
  }
}

const map = (x: TensorValue, f: (value: number, i: number) => number) =>
  f32(x.dims, Float32Array.from(x.data as Float32Array, f));

/** Each run of `length` values less its mean, over its standard deviation. */
function normalized(x: TensorValue, length: number, centered = true): TensorValue {
  const values = Array.from(x.data as Float32Array);
  return map(x, (value, i) => {
    const run = values.slice(Math.floor(i / length) * length, (Math.floor(i / length) + 1) * length);
    const mean = centered ? run.reduce((a, b) => a + b, 0) / length : 0;
    const variance = run.reduce((a, b) => a + (b - mean) ** 2, 0) / length;
    return (value - mean) / Math.sqrt(variance + EPSILON);
  });
}

const value = (x: TensorValue, i: number) => Number(x.data[i]);

const X = map(numbers([2, 3, 7], 1), (v) => 3 * v + 1);

for (const [what, dims, at] of [
  ['one row', [7], (i: number) => i % 7],
  ['one number', [1], () => 0],
  ['a column per row', [3, 1], (i: number) => Math.floor(i / 7) % 3],
] as [string, number[], (i: number) => number][]) {
  for (const constant of [false, true]) {
    test(`layer normalization, scale and bias ${what}${constant ? ', constant' : ''}`, async () => {
      const [scale, bias] = [numbers(dims, 2), numbers(dims, 3)];
      const y = map(normalized(X, 7), (v, i) => v * value(scale, at(i)) + value(bias, at(i)));
      await check('LayerNormalization', [X, scale, bias], {}, [y], { constant });
    });
  }
}

test('RMS normalization under its two names', async () => {
  const scale = numbers([7], 2);
  const y = map(normalized(X, 7, false), (v, i) => v * value(scale, i % 7));
  await check('RMSNormalization', [X, scale], {}, [y]);
  await check('SimplifiedLayerNormalization', [X, scale], {}, [y]);
});

for (const dims of [
  [2, 3, 14],
  [2, 3, 4, 5],
]) {
  const x = map(numbers(dims, 1), (v) => 2 * v - 1);
  const length = dims.slice(2).reduce((n, d) => n * d, 1);
  const channel = (i: number) => Math.floor(i / length) % 3;
  for (const unit of [false, true]) {
    test(`instance normalization of [${dims}]${unit ? ' with scale 1 and bias 0' : ''}`, async () => {
      const scale = unit ? f32([3], [1, 1, 1]) : numbers([3], 2);
      const bias = unit ? f32([3], [0, 0, 0]) : numbers([3], 3);
      const y = map(normalized(x, length), (v, i) => v * value(scale, channel(i)) + value(bias, channel(i)));
      await check('InstanceNormalization', [x, scale, bias], {}, [y], { constant: true });
    });
  }
}

test('group normalization with numbers per channel, and per group', async () => {
  const x = numbers([2, 6, 5, 3], 1);
  const y = (scale: TensorValue, bias: TensorValue) => {
    const share = 6 / (scale.dims[0] as number);
    const at = (i: number) => Math.floor((Math.floor(i / 15) % 6) / share);
    return map(normalized(x, 30), (v, i) => v * value(scale, at(i)) + value(bias, at(i)));
  };
  for (const entries of [6, 3]) {
    const [scale, bias] = [numbers([entries], 2), numbers([entries], 3)];
    await check('GroupNormalization', [x, scale, bias], { num_groups: 3 }, [y(scale, bias)]);
  }
});

for (const num_groups of [0, -1, 4])
  test(`6 channels are not ${num_groups} groups, in float32 and in float64`, async () => {
    for (const type of ['float32', 'float64'] as const) {
      const b = modelBuilder({ opset: 21 });
      const inputs = [[1, 6, 2], [6], [6]].map((dims, i) => b.input(`x${i}`, type, dims));
      b.output('y', b.op('GroupNormalization', inputs, { num_groups }));
      await expectRejection('INVALID_ATTRIBUTE', /must be 1 or more, and divide the 6 channels/, open(b.toBytes()));
    }
  });

test('a scale that broadcasts over the normalized axes', async () => {
  const x = numbers([2, 3, 4], 1);
  const [rows, pairs] = [numbers([3, 1], 2), numbers([2, 1, 4], 3)];
  const bias = numbers([4], 4);
  const byRow = map(normalized(x, 12), (v, i) => v * value(rows, Math.floor(i / 4) % 3) + value(bias, i % 4));
  const byPair = map(
    normalized(x, 12),
    (v, i) => v * value(pairs, Math.floor(i / 12) * 4 + (i % 4)) + value(bias, i % 4),
  );
  for (const [scale, y] of [[rows, byRow] as const, [pairs, byPair] as const])
    for (const constant of [false, true]) {
      const inputs = [x, scale, bias];
      const results = await runNode('LayerNormalization', { inputs, attributes: { axis: 1 }, constant });
      assertClose({ y: results[0] as TensorValue }, { y }, 2e-6, `scale [${scale.dims}]`);
    }
});

/** Of channel 0: mean 2, variance 1; of channel 1: mean 6, variance 4. */
test('batch normalization before opset 14 trains where its statistics are asked for', async () => {
  const x = f32([2, 2], [1, 4, 3, 8]);
  const [scale, bias, mean, variance] = [
    [2, 3],
    [1, 0],
    [10, 20],
    [5, 6],
  ].map((v) => f32([2], v)) as [TensorValue, TensorValue, TensorValue, TensorValue];
  const inputs = [x, scale, bias, mean, variance];
  for (const opset of [1, 6, 7, 9]) {
    const results = await runNode('BatchNormalization', { inputs, outputs: 5, opset, attributes: { epsilon: 1e-9 } });
    const expected = [
      f32([2, 2], [-1, -3, 3, 3]),
      ...[
        [9.2, 18.6],
        [4.6, 5.8],
        [2, 6],
        [1, 4],
      ].map((v) => f32([2], v)),
    ];
    const named = (values: readonly TensorValue[]) => Object.fromEntries(values.map((y, i) => [`y${i}`, y]));
    assertClose(named(results), named(expected), 2e-6, `opset ${opset}`);
  }
});

test('statistics of a batch normalization that does not train stay what they were', async () => {
  const x = f32([1, 2, 2], [1, 3, 5, -4]);
  const [one, zero] = [f32([2], [1, 1]), f32([2], [0, 0])];
  const [mean, variance] = [f32([2], [1, 2]), f32([2], [4, 9])];
  const y = map(x, (value, i) => (value - (i < 2 ? 1 : 2)) / Math.sqrt((i < 2 ? 4 : 9) + EPSILON));
  for (const constant of [false, true])
    await check('BatchNormalization', [x, one, zero, mean, variance], {}, [y, mean, variance], { constant });
});

test.run();
