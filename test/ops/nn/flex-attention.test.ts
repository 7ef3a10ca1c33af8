import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInput, float, type GraphBuilder, modelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import { ELEMENTS, type ElementType } from '../../../src/tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { numbers } from '../../session/run-model.js';
import { STAGES } from '../stages.js';

const test = suite('FlexAttention');

const PREVIEW = 'ai.onnx.preview';
const [BATCH, ROWS, KEYS, SIZE, VALUE_SIZE] = [2, 3, 5, 4, 6];
const TOLERANCE: Record<string, number> = { float32: 3e-6, float16: 3e-3, bfloat16: 2e-2, float64: 1e-12 };

interface Modifier {
  readonly build: (inner: GraphBuilder, x: Value, outer: Value) => Value;
  /** What it makes of a row of scores, `row` and `head` being the query's. */
  readonly apply: (values: number[], row: number, head: number) => number[];
}

interface Case {
  readonly heads?: number;
  readonly kvHeads?: number;
  readonly element?: ElementType;
  readonly precision?: ElementType;
  readonly scale?: number;
  readonly score?: Modifier;
  readonly prob?: Modifier;
  readonly opset?: number;
}

const scalar = (g: GraphBuilder, name: string, value: number, element: ElementType = 'float32') =>
  g.constant(name, tensorOf(element, [], [value]));

const doubled: Modifier = {
  build: (g, x) => g.op('Add', [x, x]),
  apply: (values) => values.map((v) => 2 * v),
};

/** tanh(x / 0.5) · 0.5 */
const softCap: Modifier = {
  build: (g, x) => {
    const cap = scalar(g, 'cap', 0.5);
    return g.op('Mul', [g.op('Tanh', [g.op('Div', [x, cap])]), cap]);
  },
  apply: (values) => values.map((v) => Math.tanh(v / 0.5) * 0.5),
};

const causal: Modifier = {
  build: (g, x) => {
    const seen = tensor(
      'bool',
      [ROWS, KEYS],
      Array.from({ length: ROWS * KEYS }, (_, i) => Number(i % KEYS <= Math.floor(i / KEYS))),
    );
    return g.op('Where', [g.constant('seen', seen), x, scalar(g, 'hidden', Number.NEGATIVE_INFINITY)]);
  },
  apply: (values, row) => values.map((v, key) => (key <= row ? v : Number.NEGATIVE_INFINITY)),
};

/** A slope per head that a graph around the modifier holds. */
const biased: Modifier = {
  build: (g, x, outer) => g.op('Add', [x, outer]),
  apply: (values, _row, head) => values.map((v) => v + head),
};

/** An If whose branches read values of the modifier. */
const branching: Modifier = {
  build: (g, x) => {
    const twice = g.op('Add', [x, x]);
    const positive = g.op('Greater', [g.op('ReduceMax', [x], { keepdims: 0 }), scalar(g, 'low', -100)]);
    const branch = (name: string, op: string) =>
      g.subgraph(name, (inner) => {
        inner.output(`${name}_result`, inner.op(op, [twice, x]));
      });
    return g.op('If', [positive], { then_branch: branch('then', 'Add'), else_branch: branch('else', 'Sub') });
  },
  apply: (values) => values.map((v) => 3 * v),
};

/** x / (Σx + 1), the sum as opset 11 writes it. */
const normalized: Modifier = {
  build: (g, x) => {
    const sum = g.op('ReduceSum', [x], { axes: [-1], keepdims: 1 });
    return g.op('Div', [x, g.op('Add', [sum, scalar(g, 'one', 1)])]);
  },
  apply: (values) => values.map((v) => v / (values.reduce((a, b) => a + b, 0) + 1)),
};

const same: Modifier = { build: (_g, x) => x, apply: (values) => values };

const cases: Readonly<Record<string, Case>> = {
  defaults: {},
  'a scale': { scale: 0.2 },
  'queries that share keys': { heads: 6, kvHeads: 2 },
  'queries that share keys, modified': { heads: 6, kvHeads: 2, score: biased, prob: doubled },
  'a modifier of scores': { score: softCap },
  'a modifier of probabilities': { prob: doubled, scale: 0.7 },
  'both, one reading the graph around it': { score: biased, prob: normalized, opset: 11 },
  'an If inside': { score: branching },
  'a causal mask': { score: causal },
  'modifiers that change nothing': { score: same, prob: same },
  float64: { element: 'float64', score: doubled, heads: 4, kvHeads: 2 },
  'plain float64': { element: 'float64' },
  float16: { element: 'float16' },
  'float16, modified in float32': { element: 'float16', score: softCap },
  bfloat16: { element: 'bfloat16', score: softCap },
  'probabilities in float64': { precision: 'float64', score: doubled, prob: doubled },
  'probabilities in float16': { precision: 'float16', prob: doubled },
  'float64 with probabilities in float32': { element: 'float64', precision: 'float32', score: softCap },
};

function inputsOf({ heads = 2, kvHeads = 2, element = 'float32' }: Case) {
  const made = (dims: readonly number[], seed: number) =>
    tensorOf(element, dims, numbers(dims, seed).data as Float32Array);
  return {
    q: made([BATCH, heads, ROWS, SIZE], 1),
    k: made([BATCH, kvHeads, KEYS, SIZE], 2),
    v: made([BATCH, kvHeads, KEYS, VALUE_SIZE], 3),
  };
}

function expectedOf(c: Case): number[] {
  const { heads = 2, kvHeads = 2, scale = 1 / Math.sqrt(SIZE) } = c;
  const { q, k, v } = inputsOf(c);
  const [queries, keys, values] = [q, k, v].map(numbersOf) as [ArrayLike<number>, ArrayLike<number>, ArrayLike<number>];
  const y: number[] = [];
  for (let n = 0; n < BATCH * heads; n++) {
    const head = n % heads;
    const own = Math.floor(n / heads) * kvHeads + Math.floor((head * kvHeads) / heads);
    for (let row = 0; row < ROWS; row++) {
      const products = Array.from({ length: KEYS }, (_, key) => {
        let sum = 0;
        for (let i = 0; i < SIZE; i++)
          sum += (queries[(n * ROWS + row) * SIZE + i] as number) * (keys[(own * KEYS + key) * SIZE + i] as number);
        return sum * scale;
      });
      const scores = c.score?.apply(products, row, head) ?? products;
      const exponentials = scores.map((s) => Math.exp(s - Math.max(...scores)));
      const total = exponentials.reduce((a, b) => a + b);
      const probabilities = exponentials.map((e) => e / total);
      const weights = c.prob?.apply(probabilities, row, head) ?? probabilities;
      for (let i = 0; i < VALUE_SIZE; i++)
        y.push(weights.reduce((sum, w, key) => sum + w * (values[(own * KEYS + key) * VALUE_SIZE + i] as number), 0));
    }
  }
  return y;
}

function modelOf(c: Case): Uint8Array {
  const { heads = 2, scale, precision, element = 'float32' } = c;
  const b = modelBuilder({ opset: c.opset ?? 21, opsets: { [PREVIEW]: 1 } });
  const inputs = Object.entries(inputsOf(c)).map(([name, { type, dims }]) => b.input(name, type, dims));
  const slopes = tensor(
    'float32',
    [heads, 1, 1],
    Array.from({ length: heads }, (_, i) => i),
  );
  const outer = b.op('Identity', [b.constant('slopes', slopes)]);
  const type = precision ?? (element === 'float64' ? 'float64' : 'float32');
  const graph = (name: string, { build }: Modifier): AttributeInput =>
    b.subgraph(name, (inner) => {
      const x = inner.input(`${name}_x`, type, [BATCH, heads, ROWS, KEYS]);
      inner.output(`${name}_y`, build(inner, x, outer));
    });
  const attributes: Record<string, AttributeInput> = {
    ...(scale !== undefined && { scale: float(scale) }),
    ...(precision && { softmax_precision: ELEMENTS[precision].onnx }),
    ...(c.score && { score_mod: graph('score', c.score) }),
    ...(c.prob && { prob_mod: graph('prob', c.prob) }),
  };
  b.output('y', b.op('FlexAttention', inputs, attributes, { domain: PREVIEW }));
  return b.toBytes();
}

for (const [name, c] of Object.entries(cases)) {
  test(name, async () => {
    const { heads = 2, element = 'float32' } = c;
    const expected = expectedOf(c);
    for (const [stage, options] of Object.entries(STAGES)) {
      const session = await InferenceSession.create(modelOf(c), options);
      const y = (await session.run(inputsOf(c))).y as TensorValue;
      assert.equal([y.type, y.dims], [element, [BATCH, heads, ROWS, VALUE_SIZE]], stage);
      const actual = numbersOf(y);
      const halves = [element, c.precision].find((type) => type === 'float16' || type === 'bfloat16');
      const single = element === 'float64' && c.precision === 'float32' ? 'float32' : element;
      const tolerance = TOLERANCE[halves ?? single] as number;
      expected.forEach((e, i) => {
        const off = Math.abs((actual[i] as number) - e);
        assert.ok(off <= tolerance * Math.max(1, Math.abs(e)), `${stage}: [${i}] is ${actual[i]}, not ${e}`);
      });
    }
  });
}

for (const [what, change, code, message] of [
  ['heads that do not divide', { heads: 3 }, 'INVALID_SHAPE', /3 query heads must be a multiple of 2 key heads/],
  ['a precision that is no float', { precision: 'int32' }, 'INVALID_ATTRIBUTE', /softmax_precision 6 is not one of/],
  [
    'a modifier that changes the shape',
    { score: { build: (g: GraphBuilder, x: Value) => g.op('ReduceMax', [x], { keepdims: 1 }), apply: same.apply } },
    'INVALID_TYPE',
    /score_mod expects float32\[1,1,1,1\]; the scores are float32\[2,2,3,5\]/,
  ],
] as const) {
  test(`refuses ${what}`, () => expectRejection(code, message, InferenceSession.create(modelOf(change))));
}

test.run();
