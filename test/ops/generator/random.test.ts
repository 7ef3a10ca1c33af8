import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, float, ints, tensor } from '../../../src/builder/index.js';
import { philox } from '../../../src/ops/onnx/generator/philox.js';
import { exp, log, normalQuantile } from '../../../src/ops/onnx/generator/portable-math.js';
import { ELEMENTS, type ElementType } from '../../../src/tensor/element-types.js';
import { numbersOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { sessionsOf } from '../stages.js';

const test = suite('random generators');

const N = 20000;
const FLOATS: readonly ElementType[] = ['float32', 'float64', 'float16', 'bfloat16'];

/** Two runs of one node in each stage. */
async function draw(op: string, attributes: AttributeInputs, input?: TensorValue): Promise<TensorValue[]> {
  const sessions = await sessionsOf((b) => {
    const x = input ? [b.input('x', input.type, input.dims)] : [];
    b.output('y', b.op(op, x, attributes));
  }, 22);
  const runs: TensorValue[] = [];
  for (const [, session] of sessions)
    for (const _ of [1, 2]) runs.push((await session.run(input ? { x: input } : {})).y as TensorValue);
  return runs;
}

const drawn = async (op: string, attributes: AttributeInputs, input?: TensorValue) =>
  Array.from(numbersOf((await draw(op, attributes, input))[0] as TensorValue));

const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;

function variance(values: readonly number[]): number {
  const center = mean(values);
  return mean(values.map((x) => (x - center) ** 2));
}

/** Kolmogorov–Smirnov: how far the empirical distribution is from `cumulative`, times √n; 1.95 is exceeded once in 1000. */
function kolmogorovSmirnov(values: readonly number[], cumulative: (x: number) => number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  const distance = sorted.reduce(
    (most, x, i) => Math.max(most, Math.abs(cumulative(x) - i / n), Math.abs(cumulative(x) - (i + 1) / n)),
    0,
  );
  return distance * Math.sqrt(n);
}

/** Φ by its series around 0 and the continued fraction of its tail. */
function normalCumulative(x: number): number {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (Math.abs(x) > 3) {
    let fraction = Math.abs(x);
    for (let k = 60; k >= 1; k--) fraction = Math.abs(x) + k / fraction;
    return x > 0 ? 1 - density / fraction : density / fraction;
  }
  let [sum, term] = [x, x];
  for (let k = 3; k < 100; k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return 0.5 + density * sum;
}

test("Philox gives its authors' words", () => {
  assert.equal([...philox([0, 0], 4)], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
  assert.equal(philox([7, 9], 1001), philox([7, 9], 4000).subarray(0, 1001));
});

/** scipy.stats.norm.ppf. */
const quantiles: readonly [p: number, x: number][] = [
  [1e-300, -37.0470962993612],
  [1e-16, -8.222082216130435],
  [1e-5, -4.264890793922825],
  [0.01, -2.3263478740408408],
  [0.076, -1.4325027208258116],
  [0.3, -0.5244005127080409],
  [0.5, 0],
  [0.9, 1.2815515655446004],
  [1 - 2 ** -53, 8.209536151601387],
];

test('quantiles, logarithms and exponentials are right to 2⁻⁵⁰', () => {
  for (const [p, x] of quantiles) assert.ok(Math.abs(normalQuantile(p) - x) <= 2 ** -50 * Math.abs(x), `${p}`);
  for (let i = 1; i < 5000; i++) {
    const x = (i / 5000) * 3 * 2 ** ((i % 60) - 55);
    assert.ok(Math.abs(log(x) - Math.log(x)) <= 2 ** -50 * Math.abs(Math.log(x)), `log ${x}`);
    const y = -i / 10;
    assert.ok(Math.abs(exp(y) - Math.exp(y)) <= 2 ** -50 * Math.exp(y), `exp ${y}`);
  }
});

test('a seed gives the same in every run and stage, none or another one something else', async () => {
  const shape = ints([5]);
  for (const op of ['RandomUniform', 'RandomNormal']) {
    const [first, ...others] = await draw(op, { shape, seed: float(3) });
    for (const other of others) assert.equal(other, first, op);
    assert.not.equal((await draw(op, { shape, seed: float(4) }))[0]?.data, first?.data);
    const fresh = await draw(op, { shape });
    assert.is(new Set(fresh.map(({ data }) => `${data}`)).size, fresh.length, op);
  }
});

/** The words of Philox in Python's integers, and scipy.stats.norm.ppf of them. */
test('the draws of a seed never change', async () => {
  const attributes = { shape: ints([3]), seed: float(1), dtype: 11 };
  const uniform = await drawn('RandomUniform', attributes);
  assert.equal(uniform, [0.447288940209986, 0.8962369816928938, 0.25139360536158295]);
  const normal = await drawn('RandomNormal', attributes);
  const expected = [-0.13251383545181347, 1.2603974069815616, -0.6701107214645277];
  expected.forEach((x, i) => {
    assert.ok(Math.abs((normal[i] as number) - x) <= 2 ** -50, `${normal[i]}`);
  });
});

for (const element of FLOATS) {
  const dtype = ELEMENTS[element].onnx;
  const steps = { float32: 2 ** -24, float64: 2 ** -53, float16: 2 ** -11, bfloat16: 2 ** -8 }[element as 'float32'];

  test(`RandomUniform in ${element} is uniform`, async () => {
    const values = await drawn('RandomUniform', { shape: ints([100, N / 100]), seed: float(17), dtype });
    assert.ok(values.every((x) => x >= 0 && x < 1));
    assert.ok(Math.abs(mean(values) - (0.5 - steps / 2)) < 4 * Math.sqrt(1 / 12 / N), `mean ${mean(values)}`);
    assert.ok(Math.abs(variance(values) - 1 / 12) < 4 * Math.sqrt(1 / 180 / N), `variance ${variance(values)}`);
    if (steps < 1e-3) assert.ok(kolmogorovSmirnov(values, (x) => x) < 1.95 + steps * Math.sqrt(N));
    const stretched = await drawn(
      'RandomUniformLike',
      { low: float(-3), high: float(7), seed: float(5), dtype },
      tensor('int8', [N], new Int8Array(N)),
    );
    assert.ok(stretched.every((x) => x >= -3 && x < 7));
  });

  test(`RandomNormal in ${element} is normal`, async () => {
    const values = await drawn('RandomNormal', {
      shape: ints([N]),
      seed: float(23),
      dtype,
      mean: float(2),
      scale: float(3),
    });
    assert.ok(Math.abs(mean(values) - 2) < 4 * 3 * Math.sqrt(1 / N), `mean ${mean(values)}`);
    assert.ok(Math.abs(variance(values) - 9) < 4 * 9 * Math.sqrt(2 / N) + steps, `variance ${variance(values)}`);
    if (steps < 1e-5) assert.ok(kolmogorovSmirnov(values, (x) => normalCumulative((x - 2) / 3)) < 1.95);
  });
}

test('Bernoulli draws ones as often as it is told', async () => {
  for (const type of ['float32', 'float64', 'int8', 'int64', 'bool'] as const) {
    const chances = tensor(
      'float32',
      [4, N / 4],
      Float32Array.from({ length: N }, (_, i) => [0, 0.1, 0.75, 1][Math.floor((4 * i) / N)] as number),
    );
    const values = await drawn('Bernoulli', { seed: float(11), dtype: ELEMENTS[type].onnx }, chances);
    [0, 0.1, 0.75, 1].forEach((p, row) => {
      const found = mean(values.slice((row * N) / 4, ((row + 1) * N) / 4));
      assert.ok(Math.abs(found - p) <= 4 * Math.sqrt((p * (1 - p)) / (N / 4)), `${type} ${p}: ${found}`);
    });
  }
});

test('Multinomial draws classes by their log-probabilities', async () => {
  const odds = [
    [1, 2, 3, 4],
    [0, 1, 0, 0],
    [5, 0, 5, 0],
  ];
  const logits = tensor(
    'float32',
    [3, 4],
    odds.flat().map((x) => Math.log(x) + 100),
  );
  for (const dtype of [6, 7]) {
    const values = await drawn('Multinomial', { sample_size: N, seed: float(2), dtype }, logits);
    odds.forEach((row, n) => {
      const total = row.reduce((a, b) => a + b);
      row.forEach((odd, k) => {
        const p = odd / total;
        const found = mean(values.slice(n * N, (n + 1) * N).map((y) => Number(y === k)));
        assert.ok(Math.abs(found - p) <= 4 * Math.sqrt((p * (1 - p)) / N), `row ${n}, class ${k}: ${found}`);
      });
    });
  }
  const never = tensor('float32', [1, 2], [-Infinity, -Infinity]);
  await expectRejection('INVALID_VALUE', /all classes of row 0 have zero probability/, drawn('Multinomial', {}, never));
});

test('a type that cannot be drawn is refused', async () => {
  await expectRejection('INVALID_ATTRIBUTE', /dtype is int8/, drawn('RandomUniform', { shape: ints([1]), dtype: 3 }));
  await expectRejection(
    'INVALID_ATTRIBUTE',
    /dtype is int64/,
    drawn('RandomNormalLike', {}, tensor('int64', [1], [0])),
  );
});

test.run();
