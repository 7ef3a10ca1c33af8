import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ModelBuilder, modelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import { elementCount, type TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { STAGES } from '../stages.js';
import { differentiate } from './expect-derivatives.js';

const test = suite('Gradient of networks');

const TRAINING = 'ai.onnx.preview.training';

/** sin k, sin 2k, sin 3k … */
function waves(k: number, ...dims: number[]): TensorValue {
  return tensor(
    'float32',
    dims,
    Array.from({ length: elementCount(dims) }, (_, i) => Math.sin(k * (i + 1))),
  );
}

interface Derivative {
  readonly first: readonly number[];
  readonly norm: number;
}

type Build = (b: ModelBuilder, x: Record<string, Value>) => Value;

/** The model's derivatives by all variables, per stage. */
async function run(variables: Record<string, TensorValue>, build: Build, zs: Record<string, TensorValue> = {}) {
  const results: [string, Record<string, TensorValue>][] = [];
  for (const [stage, options] of Object.entries(STAGES)) {
    const b = modelBuilder({ opset: 21, opsets: { [TRAINING]: 1 } });
    const inputs = Object.entries({ ...variables, ...zs }).map(([name, { type, dims }]) => b.input(name, type, dims));
    const y = b.output('y', build(b, Object.fromEntries(inputs.map((value) => [value.name, value]))));
    differentiate(b, inputs.slice(0, Object.keys(variables).length), y);
    const session = await InferenceSession.create(b.toBytes(), options);
    results.push([stage, (await session.run({ ...variables, ...zs })) as Record<string, TensorValue>]);
  }
  return results;
}

/** `expected` is PyTorch's in double precision. */
async function check(
  variables: Record<string, TensorValue>,
  y: number,
  expected: Record<string, Derivative>,
  build: Build,
  zs = {},
) {
  for (const [stage, results] of await run(variables, build, zs)) {
    assert.ok(Math.abs((results.y?.data[0] as number) / y - 1) < 1e-5, `${stage}: y is ${results.y?.data[0]}`);
    for (const [name, { first, norm }] of Object.entries(expected)) {
      const actual = Array.from(results[`d ${name}`]?.data as Float32Array);
      const off = first.map((value, i) => Math.abs((actual[i] as number) - value));
      assert.ok(Math.max(...off) < 2e-5 * Math.max(norm, 1), `${stage}: d ${name} is ${actual.slice(0, first.length)}`);
      assert.ok(
        Math.abs(Math.hypot(...actual) - norm) < 2e-5 * Math.max(norm, 1),
        `${stage}: |d ${name}| is ${Math.hypot(...actual)}`,
      );
    }
  }
}

test('convolution, batch normalization, Gelu, pooling, linear layer and cross entropy', async () => {
  const variables = {
    w1: waves(0.9, 3, 2, 3, 3),
    b1: waves(2.3, 3),
    w2: waves(1.1, 4, 12),
    b2: waves(0.7, 4),
    g: waves(1.3, 3),
    beta: waves(0.4, 3),
    x: waves(1.7, 2, 2, 6, 6),
  };
  const expected = {
    w1: { first: [0.119569, 0.0119969, -0.0582728, -0.0904801, -0.0577826, 0.0720335, 0.0863345], norm: 0.45425002 },
    b1: { first: [0, 0, 0], norm: 0 },
    w2: { first: [-0.257264, -0.300627, 0.0387005, -0.342026, -0.461748, -0.281491], norm: 2.0051108 },
    b2: { first: [-0.541361, 0.270119, 0.0248471, 0.246395], norm: 0.65373058 },
    g: { first: [-0.136359, -0.0666943, -0.444729], norm: 0.46992103 },
    beta: { first: [-0.430794, -0.0447374, 0.832679], norm: 0.93858351 },
    x: { first: [-0.0329114, -0.0752047, -0.0562763, -0.0783821, -0.0776674, -0.0297014], norm: 1.2209539 },
  };
  await check(
    variables,
    2.027462996231655,
    expected,
    (b, { x, w1, b1, w2, b2, g, beta, labels }) => {
      const statistic = (name: string, value: number) =>
        b.constant(name, tensor('float32', [3], [value, value, value]));
      const convolved = b.op('Conv', [x, w1, b1] as Value[], { pads: [1, 1, 1, 1], strides: [2, 2] });
      const normalized = b.op(
        'BatchNormalization',
        [convolved, g, beta, statistic('mean', 0), statistic('variance', 1)] as Value[],
        { training_mode: 1 },
      );
      const pooled = b.op('AveragePool', [b.op('Gelu', [normalized])], { kernel_shape: [2, 2] });
      const logits = b.op('Gemm', [b.op('Flatten', [pooled]), w2, b2] as Value[], { transB: 1 });
      const weights = b.constant('weights', tensor('float32', [4], [1, 2, 0.5, 1]));
      return b.op('SoftmaxCrossEntropyLoss', [logits, labels as Value, weights]);
    },
    { labels: tensor('int64', [2], [2, 0]) },
  );
});

test('attention and layer normalization', async () => {
  const variables = {
    q: waves(1.1, 2, 3, 4),
    k: waves(0.6, 2, 3, 4),
    v: waves(1.9, 2, 3, 4),
    s: waves(0.5, 4),
    b: waves(0.3, 4),
  };
  const expected = {
    q: { first: [-0.393274, -0.638428, -0.66056, -0.45194, -3.33277, -3.02647], norm: 7.4615365 },
    k: { first: [1.38421, -1.04665, -2.33372, -1.07048, 0.314402, 0.376866], norm: 7.7588742 },
    v: { first: [-8.10318, 3.08859, 1.00081, 4.01378, -5.21912, 1.87437], norm: 33.509109 },
    s: { first: [37.1394, -5.9182, -56.2626, 26.6863], norm: 72.746162 },
    b: { first: [60, 66, 72, 78], norm: 138.65064 },
  };
  await check(variables, 165.06588028099603, expected, (m, { q, k, v, s, b }) => {
    const scores = m.op('MatMul', [q as Value, m.op('Transpose', [k as Value], { perm: [0, 2, 1] })]);
    const shares = m.op('Softmax', [m.op('Div', [scores, m.constant('two', tensor('float32', [], [2]))])]);
    const normalized = m.op('LayerNormalization', [m.op('MatMul', [shares, v as Value]), s, b] as Value[]);
    const ramp = m.constant(
      'ramp',
      tensor(
        'float32',
        [2, 3, 4],
        Array.from({ length: 24 }, (_, i) => i),
      ),
    );
    return m.op('ReduceSum', [m.op('Mul', [normalized, ramp])], { keepdims: 0 });
  });
});

/** Adds x·tanh²x, summed. */
const bump = (b: ModelBuilder, x: Value, name: string): Value => {
  const t = b.op('Tanh', [x]);
  return b.output(name, b.op('ReduceSum', [b.op('Mul', [b.op('Mul', [t, t]), x])], { keepdims: 0 }));
};

async function outputsOf(build: (b: ModelBuilder) => void, feeds: Record<string, TensorValue>) {
  const runs = Object.values(STAGES).map(async (options) => {
    const b = modelBuilder({ opset: 21, opsets: { [TRAINING]: 1 } });
    build(b);
    return (await (await InferenceSession.create(b.toBytes(), options)).run(feeds)) as Record<string, TensorValue>;
  });
  return Promise.all(runs);
}

const gradient = (b: ModelBuilder, fed: Value[], xs: string[], y: string, output: string, zs?: string[]) => {
  const [first] = b.node('Gradient', fed, { xs, y, ...(zs && { zs }) }, { domain: TRAINING, outputs: xs.length });
  b.output(output, first as Value);
};

test('the derivative of a derivative', async () => {
  const build = (b: ModelBuilder) => {
    const x = b.input('x', 'float32', ['n']);
    bump(b, x, 'y');
    gradient(b, [x], ['x'], 'y', 'dy');
    gradient(b, [x], ['x'], 'dy', 'ddy');
  };
  for (const { dy, ddy } of await outputsOf(build, { x: waves(0.8, 5) })) {
    const near = (actual: TensorValue | undefined, expected: number[]) =>
      assert.ok(
        expected.every((value, i) => Math.abs((actual?.data[i] as number) - value) < 1e-5),
        `${actual?.data}`,
      );
    near(dy, [0.92712562, 1.219445, 0.8660811, 0.010184022, 0.98076692]);
    near(ddy, [1.4084608, 0.65885241, 1.5040981, -0.34760342, -1.3101222]);
  }
});

test('one value in the place of two variables has the sum of both derivatives twice', async () => {
  const b = modelBuilder({ opset: 21, opsets: { [TRAINING]: 1 } });
  const [a, x] = [b.input('a', 'float32', []), b.input('x', 'float32', [])];
  b.output('c', b.node('Add', [a, x], {}, { outputs: ['c'] })[0]);
  const spec = { domain: TRAINING, outputs: 2 } as const;
  b.node('Gradient', [x, x], { xs: ['a', 'x'], y: 'c' }, spec).forEach((value, i) => {
    b.output(`d${i}`, value);
  });
  for (const options of Object.values(STAGES)) {
    const session = await InferenceSession.create(b.toBytes(), options);
    const { d0, d1 } = await session.run({ a: tensor('float32', [], [1]), x: tensor('float32', [], [2]) });
    assert.equal(
      [d0, d1].map((d) => (d as TensorValue).data[0]),
      [2, 2],
    );
  }
});

test('at another place than the graph runs, by an intermediate value, and by what y does not depend on', async () => {
  const build = (b: ModelBuilder) => {
    const [a, c] = [b.input('a', 'float32', []), b.input('c', 'float32', [])];
    const square = b.output('square', b.op('Mul', [a, a]));
    b.output('y', b.op('Mul', [square, c]));
    gradient(b, [c, a], ['a'], 'y', 'swapped', ['c']);
    gradient(b, [square], ['square'], 'y', 'middle');
    gradient(b, [c], ['c'], 'square', 'none');
  };
  const number = (x: number) => tensor('float32', [], [x]);
  for (const results of await outputsOf(build, { a: number(3), c: number(5) })) {
    const values = ['y', 'swapped', 'middle', 'none'].map((name) => results[name]?.data[0]);
    assert.equal(values, [45, 2 * 5 * 3, 5, 0]);
  }
});

test('variables among zs may be strings', async () => {
  const build = (b: ModelBuilder) => {
    const [x, words] = [b.input('x', 'float32', [2]), b.input('words', 'string', [3])];
    const count = b.op('Cast', [b.op('Size', [words])], { to: 1 });
    b.output('y', b.op('Mul', [b.op('Mul', [x, x]), count]));
    gradient(b, [x, words], ['x'], 'y', 'd', ['words']);
  };
  const feeds = { x: tensor('float32', [2], [0.5, -2]), words: tensor('string', [3], ['a', '', 'b']) };
  for (const { d } of await outputsOf(build, feeds)) assert.equal(Array.from(d?.data as Float32Array), [3, -12]);
});

test('what has no derivative is named', async () => {
  const session = (op: string, y: string) =>
    outputsOf(
      (b) => {
        const x = b.input('x', 'float32', [2, 2]);
        b.output('y', b.op(op, [x]));
        gradient(b, [x], ['x'], y, 'd');
      },
      { x: waves(1, 2, 2) },
    );
  await expectRejection(
    'UNSUPPORTED_OPERATOR',
    /Unique "Unique_0": has no derivative by its input 0: Unique has no rule/,
    session('Unique', 'y'),
  );
  await expectRejection('INVALID_GRAPH', /no value "z"/, session('Exp', 'z'));
});

test.run();
