import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { float, ints } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import { type Build, modelOf, numbers, randomly } from '../session/run-model.js';
import { f32, int64s, numberOf } from '../values.js';
import { agreeing } from './agreement.js';

const test = suite('rewrite rules');

interface Case {
  readonly rule: string;
  readonly dims?: readonly number[];
  readonly opset?: number;
  readonly applies: Build;
  readonly unless?: Readonly<Record<string, Build>>;
}

let constants = 0;
const constant = (b: ModelBuilder, value: ReturnType<typeof f32>) => b.constant(`c${constants++}`, value);
const scalar = (b: ModelBuilder, x: number) => constant(b, numberOf(x));
const weights = (b: ModelBuilder, ...dims: number[]) => constant(b, numbers(dims, 7));

/** Ends the model with output y, and with z where another value must stay. */
const ends =
  (make: (b: ModelBuilder, x: Value) => Value | readonly [Value, Value]): Build =>
  (b, x) => {
    const [y, z] = [make(b, x)].flat() as [Value, Value?];
    b.output('y', b.op('Neg', [y]));
    if (z) b.output('z', z);
  };

const onePlusErf = (b: ModelBuilder, x: Value, one = 1, root = Math.SQRT2) =>
  b.op('Add', [b.op('Erf', [b.op('Div', [x, scalar(b, root)])]), scalar(b, one)]);
const half = (b: ModelBuilder, x: Value) => b.op('Mul', [x, scalar(b, 0.5)]);
const shifted = (b: ModelBuilder, x: Value) =>
  b.op('Clip', [b.op('Add', [x, scalar(b, 3)]), scalar(b, 0), scalar(b, 6)]);

function tanhGelu(b: ModelBuilder, x: Value, cubic = 0.044715) {
  const cube = b.op('Pow', [x, scalar(b, 3)]);
  const inner = b.op('Add', [x, b.op('Mul', [cube, scalar(b, cubic)])]);
  const tanh = b.op('Tanh', [b.op('Mul', [inner, scalar(b, Math.sqrt(2 / Math.PI))])]);
  return b.op('Mul', [half(b, x), b.op('Add', [tanh, scalar(b, 1)])]);
}

function normalized(b: ModelBuilder, x: Value, axis = -1, scaleDims = [4], axisOfSquares?: number) {
  const axes = constant(b, int64s([axis]));
  const axesOfSquares = axisOfSquares === undefined ? axes : constant(b, int64s([axisOfSquares]));
  const centered = b.op('Sub', [x, b.op('ReduceMean', [x, axes])]);
  const variance = b.op('ReduceMean', [b.op('Pow', [centered, scalar(b, 2)]), axesOfSquares]);
  const unit = b.op('Div', [centered, b.op('Sqrt', [b.op('Add', [variance, scalar(b, 1e-5)])])]);
  return b.op('Add', [b.op('Mul', [unit, weights(b, ...scaleDims)]), weights(b, 4)]);
}

const viewed = (b: ModelBuilder, x: Value, dims: readonly number[]) => b.op('Reshape', [x, constant(b, int64s(dims))]);

/** Stays where it is. */
const summed = (b: ModelBuilder, x: Value) => b.op('CumSum', [x, constant(b, int64s([1]))]);

const doubled = (b: ModelBuilder, x: Value, mode = 'nearest') =>
  b.op('Resize', [x, null, constant(b, f32([3], [1, 1, 2]))], { mode });

interface Heads {
  readonly axis?: number;
  readonly mask?: readonly number[];
  readonly perm?: readonly number[];
  readonly keys?: readonly number[];
  /** Dims of what keys are multiplied by before they are turned. */
  readonly factor?: readonly number[];
}

function attend(
  b: ModelBuilder,
  x: Value,
  { axis, mask, perm = [0, 1, 3, 2], keys = [1, 2, 5, 8], factor }: Heads = {},
) {
  const k = b.op('Mul', [
    weights(b, ...keys),
    b.op('ReduceMean', [x, constant(b, int64s([0, 1, 2, 3]))], { keepdims: 0 }),
  ]);
  const scaled = factor ? b.op('Mul', [k, weights(b, ...factor)]) : k;
  const scores = b.op('Mul', [b.op('MatMul', [x, b.op('Transpose', [scaled], { perm: ints(perm) })]), scalar(b, 0.3)]);
  const masked = mask ? b.op('Add', [scores, weights(b, ...mask)]) : scores;
  const v = b.op('Reshape', [k, constant(b, int64s([1, 2, 5, 8]))]);
  return b.op('MatMul', [b.op('Softmax', [masked], axis === undefined ? {} : { axis }), v]);
}

const swap = (b: ModelBuilder, x: Value, perm = [0, 2, 1]) => b.op('Transpose', [x], { perm: ints(perm) });
const product = (b: ModelBuilder, x: Value) => b.op('MatMul', [x, weights(b, 4, 5)]);

const CASES: readonly Case[] = [
  {
    rule: 'identity',
    applies: ends((b, x) => b.op('Identity', [b.op('Abs', [x])])),
  },
  {
    rule: 'cast to the same type',
    applies: ends((b, x) => b.op('Cast', [x], { to: 1 })),
    unless: { 'another type': ends((b, x) => b.op('Cast', [b.op('Cast', [x], { to: 11 })], { to: 1 })) },
  },
  {
    rule: 'view of the same dims',
    applies: ends((b, x) => b.op('Reshape', [x, constant(b, int64s([2, -1, 4]))])),
    unless: { 'other dims': ends((b, x) => b.op('Reshape', [x, constant(b, int64s([2, 12]))])) },
  },
  {
    rule: 'transposition of nothing',
    applies: ends((b, x) => swap(b, x, [0, 1, 2])),
    unless: { 'a permutation': ends((b, x) => swap(b, x)) },
  },
  {
    rule: 'concatenation of one',
    applies: ends((b, x) => b.op('Concat', [x], { axis: 1 })),
    unless: { 'two of them': ends((b, x) => b.op('Concat', [x, x], { axis: 1 })) },
  },
  {
    rule: 'times or over 1',
    applies: ends((b, x) => b.op('Div', [b.op('Mul', [x, constant(b, f32([4], [1, 1, 1, 1]))]), scalar(b, 1)])),
    unless: {
      'times 2': ends((b, x) => b.op('Mul', [x, scalar(b, 2)])),
      '1 over it': ends((b, x) => b.op('Div', [scalar(b, 1), x])),
      'more axes': ends((b, x) => b.op('Mul', [x, constant(b, f32([1, 1, 1, 1], [1]))])),
      'not all of them': ends((b, x) => b.op('Mul', [x, constant(b, f32([4], [1, 1, 2, 1]))])),
    },
  },
  {
    rule: 'plus or minus 0',
    applies: ends((b, x) => b.op('Sub', [b.op('Add', [x, scalar(b, 0)]), scalar(b, 0)])),
    unless: {
      '0 minus it': ends((b, x) => b.op('Sub', [scalar(b, 0), x])),
      'plus 1': ends((b, x) => b.op('Add', [x, scalar(b, 1)])),
      'it spreads': ends((b, x) => b.op('Add', [x, constant(b, f32([2, 2, 1, 1], [0, 0, 0, 0]))])),
    },
  },
  {
    rule: 'GELU from erf',
    applies: ends((b, x) => half(b, b.op('Mul', [x, onePlusErf(b, x)]))),
    unless: {
      'another root': ends((b, x) => half(b, b.op('Mul', [x, onePlusErf(b, x, 1, 1.5)]))),
      'a root of four digits, a thousand roundings off': ends((b, x) =>
        half(b, b.op('Mul', [x, onePlusErf(b, x, 1, 1.4143)])),
      ),
      'another one': ends((b, x) => half(b, b.op('Mul', [x, onePlusErf(b, x, 1.1)]))),
      'another factor': ends((b, x) => half(b, b.op('Mul', [b.op('Abs', [x]), onePlusErf(b, x)]))),
      'the sum is an output': ends((b, x) => {
        const sum = onePlusErf(b, x);
        return [half(b, b.op('Mul', [x, sum])), sum];
      }),
      'the sum is read elsewhere': ends((b, x) => {
        const sum = onePlusErf(b, x);
        return [half(b, b.op('Mul', [x, sum])), b.op('Exp', [sum])];
      }),
    },
  },
  {
    rule: 'GELU from tanh',
    applies: ends((b, x) => tanhGelu(b, x)),
    unless: { 'another coefficient': ends((b, x) => tanhGelu(b, x, 0.05)) },
  },
  {
    rule: 'SiLU from sigmoid',
    applies: ends((b, x) => b.op('Mul', [b.op('Sigmoid', [x]), x])),
    unless: {
      'another factor': ends((b, x) => b.op('Mul', [b.op('Sigmoid', [x]), b.op('Abs', [x])])),
      'the gate is an output': ends((b, x) => {
        const gate = b.op('Sigmoid', [x]);
        return [b.op('Mul', [x, gate]), gate];
      }),
    },
  },
  {
    rule: 'hard swish from hard sigmoid',
    applies: ends((b, x) => b.op('Mul', [x, b.op('HardSigmoid', [x], { alpha: float(1 / 6), beta: 0.5 })])),
    unless: { 'the default slope': ends((b, x) => b.op('Mul', [x, b.op('HardSigmoid', [x])])) },
  },
  {
    rule: 'hard swish from clip',
    applies: ends((b, x) => b.op('Div', [b.op('Mul', [x, shifted(b, x)]), scalar(b, 6)])),
    unless: { 'over 5': ends((b, x) => b.op('Div', [b.op('Mul', [x, shifted(b, x)]), scalar(b, 5)])) },
  },
  {
    rule: 'hard sigmoid from clip',
    applies: ends((b, x) => b.op('Div', [shifted(b, x), scalar(b, 6)])),
    unless: {
      'a factor that gives the result more axes': ends((b, x) => b.op('Div', [shifted(b, x), weights(b, 1, 1, 1, 1)])),
    },
  },
  {
    rule: 'layer normalization from its parts',
    applies: ends((b, x) => normalized(b, x)),
    unless: {
      'another axis': ends((b, x) => normalized(b, x, 1)),
      'one scale for all': ends((b, x) => normalized(b, x, -1, [1])),
      'a scale per row': ends((b, x) => normalized(b, x, -1, [3, 1])),
    },
  },
  {
    rule: 'layer normalization from its parts',
    applies: ends((b, x) => normalized(b, x, -1, [4], 2)),
    unless: { 'the squares along another axis': ends((b, x) => normalized(b, x, -1, [4], 1)) },
  },
  {
    rule: 'attention from its parts',
    dims: [1, 2, 3, 8],
    applies: ends((b, x) => attend(b, x)),
    unless: {
      'another axis': ends((b, x) => attend(b, x, { axis: 2, keys: [1, 2, 5, 8] })),
      'keys turned otherwise': ends((b, x) => attend(b, x, { perm: [0, 3, 1, 2], keys: [1, 8, 5, 2] })),
    },
  },
  {
    rule: 'attention from its parts',
    dims: [1, 2, 3, 8],
    applies: ends((b, x) => attend(b, x, { factor: [1] })),
    unless: {
      'a factor that gives the keys more axes': ends((b, x) => attend(b, x, { keys: [2, 5, 8], factor: [1, 1, 1, 1] })),
    },
  },
  {
    rule: 'attention from its parts, with mask',
    dims: [1, 2, 3, 8],
    applies: ends((b, x) => attend(b, x, { mask: [3, 5] })),
    unless: { 'a mask with more axes': ends((b, x) => attend(b, x, { mask: [2, 1, 1, 3, 5] })) },
  },
  {
    rule: "transposition into attention's q",
    dims: [1, 3, 2, 8],
    applies: ends((b, x) => attend(b, swap(b, x, [0, 2, 1, 3]))),
  },
  {
    rule: "transposition of attention's result",
    dims: [1, 2, 3, 8],
    applies: ends((b, x) => swap(b, attend(b, x), [0, 2, 1, 3])),
    unless: { 'rows torn': ends((b, x) => swap(b, attend(b, x), [0, 1, 3, 2])) },
  },
  {
    rule: 'decomposition',
    applies: ends((b, x) => b.op('MatMul', [x, weights(b, 4, 5)])),
  },
  {
    rule: 'transposition of a transposition',
    applies: ends((b, x) => swap(b, swap(b, x, [1, 2, 0]), [1, 0, 2])),
  },
  {
    rule: 'transpositions around a view',
    applies: ends((b, x) => swap(b, viewed(b, swap(b, x, [2, 0, 1]), [2, 2, 2, 3]), [1, 0, 3, 2])),
    unless: {
      'axes are divided otherwise': ends((b, x) => swap(b, viewed(b, swap(b, x, [2, 0, 1]), [6, 4]), [1, 0])),
      'another reads the view': ends((b, x) => {
        const view = viewed(b, swap(b, x, [2, 0, 1]), [2, 2, 2, 3]);
        return [swap(b, view, [1, 0, 3, 2]), view];
      }),
    },
  },
  {
    rule: 'transpositions around a view',
    applies: ends((b, x) => swap(b, viewed(b, swap(b, x, [1, 0, 2]), [6, 4]), [1, 0])),
  },
  {
    rule: 'transpositions around a view',
    applies: ends((b, x) =>
      swap(b, b.op('Unsqueeze', [swap(b, x, [2, 1, 0]), constant(b, int64s([0, 4]))]), [3, 4, 0, 1, 2]),
    ),
  },
  {
    rule: 'transposition below an elementwise operator',
    applies: ends((b, x) => b.op('Add', [swap(b, x), weights(b, 4, 1)])),
    unless: {
      'another operand': ends((b, x) =>
        b.op('Add', [swap(b, x), b.op('Reshape', [x, constant(b, int64s([2, 4, 3]))])]),
      ),
    },
  },
  {
    rule: 'transposition below an elementwise operator',
    applies: ends((b, x) => b.op('Add', [swap(b, summed(b, swap(b, x, [2, 0, 1])), [1, 2, 0]), x])),
    unless: {
      'another reads it otherwise': ends((b, x) =>
        b.op('Add', [
          swap(b, summed(b, b.op('Reshape', [swap(b, x, [1, 0, 2]), constant(b, int64s([4, 2, 3]))])), [1, 2, 0]),
          x,
        ]),
      ),
    },
  },
  {
    rule: 'transposition below an elementwise operator',
    opset: 6,
    applies: ends((b, x) => b.op('Clip', [swap(b, x)], { min: float(-0.25), max: 0.5 })),
  },
  {
    rule: 'transposition below an operator along axes',
    applies: ends((b, x) => b.op('Concat', [swap(b, x), swap(b, b.op('Abs', [x]))], { axis: 1 })),
    unless: {
      'one is not transposed': ends((b, x) =>
        b.op('Concat', [swap(b, x), b.op('Reshape', [x, constant(b, int64s([2, 4, 3]))])], { axis: 1 }),
      ),
    },
  },
  ...[0, 1].flatMap((keepdims) =>
    [[2], [1, 2], [-1], [0, 2]].map(
      (axes): Case => ({
        rule: 'transposition below an operator along axes',
        applies: ends((b, x) => b.op('ReduceSum', [swap(b, x, [1, 2, 0]), constant(b, int64s(axes))], { keepdims })),
        unless: {
          'no axes': ends((b, x) => b.op('ReduceSum', [swap(b, x)], { keepdims })),
          'an empty list of axes': ends((b, x) =>
            b.op('ReduceSum', [swap(b, x), constant(b, int64s([]))], { keepdims }),
          ),
        },
      }),
    ),
  ),
  {
    rule: 'transposition below an operator along axes',
    applies: ends((b, x) => b.op('Softmax', [swap(b, x)], { axis: 1 })),
  },
  {
    rule: 'transposition below an operator along axes',
    applies: ends((b, x) => b.op('Pad', [swap(b, x), constant(b, int64s([0, 1, 2, 3, 0, 1]))])),
  },
  {
    rule: 'an operator alone in channels-last order',
    applies: (b, x) => b.output('y', doubled(b, x)),
    unless: {
      'the next operator takes the same order': (b, x) => b.output('y', b.op('LRN', [doubled(b, x)], { size: 3 })),
    },
  },
  {
    rule: 'bias into a product',
    applies: ends((b, x) => b.op('Add', [weights(b, 5), product(b, x)])),
    unless: {
      'a bias per row': ends((b, x) => b.op('Add', [product(b, x), weights(b, 3, 1)])),
      'a bias that spreads one column': ends((b, x) =>
        b.op('Add', [b.op('MatMul', [x, weights(b, 4, 1)]), weights(b, 5)]),
      ),
      'a bias per row of a product with a vector': ends((b, x) =>
        b.op('Add', [b.op('MatMul', [x, weights(b, 4)]), weights(b, 3)]),
      ),
      'the product is an output': ends((b, x) => {
        const y = product(b, x);
        return [b.op('Add', [y, weights(b, 5)]), y];
      }),
    },
  },
  {
    rule: 'bias into a product',
    applies: ends((b, x) => b.op('Add', [b.op('MatMul', [x, weights(b, 4)]), scalar(b, 0.5)])),
  },
  {
    rule: 'bias into a product',
    applies: ends((b, x) => b.op('Add', [b.op('MatMul', [weights(b, 3), x]), weights(b, 5)])),
    dims: [2, 3, 5],
  },
  {
    rule: 'factor per channel into the weights',
    applies: ends((b, x) => b.op('Mul', [product(b, x), weights(b, 5)])),
    unless: {
      'a factor that spreads one column': ends((b, x) =>
        b.op('Mul', [b.op('MatMul', [x, weights(b, 4, 1)]), weights(b, 5)]),
      ),
      'a factor per row': ends((b, x) => b.op('Mul', [product(b, x), weights(b, 3, 1)])),
      'a factor per row of a product with a vector': ends((b, x) =>
        b.op('Mul', [b.op('MatMul', [x, weights(b, 4)]), weights(b, 3)]),
      ),
    },
  },
  {
    rule: 'residual into a product',
    applies: ends((b, x) => b.op('Add', [b.op('MatMul', [x, weights(b, 4, 4)]), b.op('Abs', [x])])),
    unless: {
      'the product itself': ends((b, x) => {
        const y = product(b, x);
        return b.op('Add', [y, y]);
      }),
      'it spreads': ends((b, x) => b.op('Add', [product(b, x), b.op('ReduceSum', [x, constant(b, int64s([2]))])])),
    },
  },
  ...['Relu', 'Sigmoid', 'Tanh', 'HardSwish', 'LeakyRelu', 'HardSigmoid'].map(
    (op): Case => ({
      rule: 'activation into a product or normalization',
      applies: ends((b, x) => b.op(op, [product(b, x)])),
      unless: {
        'the product is read elsewhere': ends((b, x) => {
          const y = product(b, x);
          return [b.op(op, [y]), b.op('Exp', [y])];
        }),
      },
    }),
  ),
  {
    rule: 'activation into a product or normalization',
    applies: ends((b, x) => b.op('Clip', [product(b, x), null, scalar(b, 0.25)])),
    unless: {
      'a computed bound': ends((b, x) => b.op('Clip', [product(b, x), null, b.op('ReduceMean', [x], { keepdims: 0 })])),
    },
  },
  {
    rule: 'elementwise chain',
    applies: (b, x) => b.output('y', b.op('Exp', [b.op('Sin', [x])])),
    unless: {
      'the first is an output': (b, x) => {
        const s = b.output('s', b.op('Sin', [x]));
        b.output('y', b.op('Exp', [s]));
      },
      'it spreads': (b, x) =>
        b.output('y', b.op('Add', [b.op('Sin', [b.op('ReduceSum', [x, constant(b, int64s([1]))])]), x])),
      'memory rounds what is between': (b, x) => b.output('y', b.op('Cast', [b.op('Cast', [x], { to: 6 })], { to: 1 })),
      'memory makes a truth of it': (b, x) => b.output('y', b.op('Cast', [b.op('Cast', [x], { to: 9 })], { to: 1 })),
    },
  },
];

for (const { rule, dims = [2, 3, 4], opset, applies, unless = {} } of CASES) {
  const attempt = (build: Build) => agreeing(modelOf(build, dims, opset), { x: numbers(dims) });
  const names = (rewrites: Awaited<ReturnType<typeof attempt>>['rewrites']) => rewrites.applied.map((r) => r.rule);

  test(rule, async () => {
    const { rewrites } = await attempt(applies);
    assert.ok(
      names(rewrites).some((name) => name.startsWith(rule)),
      `applied: ${names(rewrites).join(', ')}; refused: ${JSON.stringify(rewrites.refused)}`,
    );
  });
  for (const [why, build] of Object.entries(unless)) {
    test(`${rule}, not where: ${why}`, async () => {
      const { rewrites } = await attempt(build);
      assert.not.ok(names(rewrites).includes(rule), `applied: ${names(rewrites).join(', ')}`);
    });
  }
}

test('transpositions around a view: any order of axes, however they are divided or joined', async () => {
  const random = randomly(20261127);
  const below = (n: number) => Math.floor(random() * n);
  const order = (rank: number) => {
    const axes = Array.from({ length: rank }, (_, i) => i);
    return Array.from({ length: rank }, (_, i) => axes.splice(below(rank - i), 1)[0] as number);
  };
  let applied = 0;
  for (let trial = 0; trial < 60; trial++) {
    const fine = Array.from({ length: 3 + below(3) }, () => 1 + below(3));
    const coarse: number[] = [];
    for (const size of fine) {
      if (coarse.length === 0 || below(2)) coarse.push(size);
      else coarse.push((coarse.pop() as number) * size);
    }
    const [from, to] = below(2) ? [fine, coarse] : [coarse, fine];
    const perm = order(from.length);
    const dims = from.map((_, axis) => from[perm.indexOf(axis)] as number);
    const model = modelOf(
      ends((b, x) => swap(b, viewed(b, swap(b, x, perm), to), order(to.length))),
      dims,
    );
    const { rewrites } = await agreeing(model, { x: numbers(dims) });
    applied += rewrites.applied.filter(({ rule }) => rule === 'transpositions around a view').length;
  }
  assert.ok(applied > 20, `${applied} of 60`);
});

for (const batch of [0, -1])
  test(`transpositions around a view: ${batch} says how many there are`, async () => {
    const shuffle = ends((b, x) => swap(b, viewed(b, swap(b, x, [0, 2, 1]), [batch, 2, 2, 3]), [0, 3, 2, 1]));
    const { rewrites } = await agreeing(modelOf(shuffle, ['n', 3, 4]), { x: numbers([5, 3, 4]) });
    assert.ok(rewrites.applied.some(({ rule }) => rule === 'transpositions around a view'));
  });

test.run();
