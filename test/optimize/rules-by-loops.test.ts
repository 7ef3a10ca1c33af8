import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { float, ints } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { offsetOf, places } from '../places.js';
import { assertClose, modelOf, numbers, open } from '../session/run-model.js';
import { f32, i64, int64s } from '../values.js';

const test = suite('rewrite rules beside loops in double precision');

const TOLERANCE = 1e-5;

/** What a model makes of its input, and what a loop says that it is. */
interface Output {
  readonly make: (b: ModelBuilder, x: Value) => Value;
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}

/** The rules that are applied to all outputs in one model, whose results are those of the loops. */
async function rulesIn(x: TensorValue, outputs: readonly Output[]): Promise<string[]> {
  const model = modelOf((b, x) => {
    for (const [i, { make }] of outputs.entries()) b.output(`y${i}`, make(b, x));
  }, x.dims);
  const expected = outputs.map(({ dims, data }, i) => [`y${i}`, f32(dims, data)] as const);
  const session = await open(model);
  assertClose(await session.run({ x }), Object.fromEntries(expected), TOLERANCE, 'optimized');
  const rules = session.rewrites.applied.map(({ rule }) => rule);
  await session.release();
  return rules;
}

let constants = 0;
const constant = (b: ModelBuilder, value: TensorValue) => b.constant(`c${constants++}`, value);
const list = (b: ModelBuilder, values: readonly number[]) => constant(b, int64s(values));

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const countOf = (dims: readonly number[]) => dims.reduce((count, size) => count * size, 1);

/** Element of a tensor that broadcasts over more dims. */
const elementAt = ({ data, dims }: TensorValue, place: readonly number[]) => data[offsetOf(place, dims)] as number;

/** Of four axes: there and back in two turns, in three, in four, and two pairs. */
const ORDERS = [
  [1, 0, 2, 3],
  [1, 2, 0, 3],
  [0, 3, 1, 2],
  [1, 2, 3, 0],
  [3, 0, 1, 2],
  [2, 3, 0, 1],
  [2, 0, 3, 1],
];

/** Axes that sizes tell apart, and axes that only the elements do. */
const SIZES = [
  [2, 3, 4, 5],
  [3, 3, 3, 3],
];

const BELOW = 'transposition below an operator along axes';

const turned = (b: ModelBuilder, x: Value, perm: readonly number[]) => b.op('Transpose', [x], { perm: ints(perm) });

function sumOfTurned(x: TensorValue, perm: readonly number[], axes: readonly number[], keepdims: number): Output {
  const kept = perm.map((axis, i) => (axes.includes(i) ? 1 : (x.dims[axis] as number)));
  const data = new Array<number>(countOf(kept)).fill(0);
  for (const at of places(x.dims)) {
    const to = perm.map((axis, i) => (axes.includes(i) ? 0 : (at[axis] as number)));
    data[offsetOf(to, kept)] = (data[offsetOf(to, kept)] as number) + elementAt(x, at);
  }
  return {
    make: (b, x) => b.op('ReduceSum', [turned(b, x, perm), list(b, axes)], { keepdims }),
    dims: keepdims ? kept : kept.filter((_, axis) => !axes.includes(axis)),
    data,
  };
}

/** Of each axis: all differ, and add up to the same. */
const [BEFORE, AFTER] = [
  [0, 1, 3, 4],
  [2, 1, -1, -2],
];

function paddedTurned(x: TensorValue, perm: readonly number[]): Output {
  const from = perm.map((axis) => x.dims[axis] as number);
  const dims = from.map((size, axis) => size + (BEFORE[axis] as number) + (AFTER[axis] as number));
  const data = places(dims).map((at) => {
    const inner = at.map((i, axis) => i - (BEFORE[axis] as number));
    if (inner.some((i, axis) => i < 0 || i >= (from[axis] as number))) return 0;
    return elementAt(
      x,
      x.dims.map((_, axis) => inner[perm.indexOf(axis)] as number),
    );
  });
  return { make: (b, x) => b.op('Pad', [turned(b, x, perm), list(b, [...BEFORE, ...AFTER])]), dims, data };
}

for (const sizes of SIZES) {
  const x = numbers(sizes);
  const check = async (make: (perm: readonly number[]) => Output) => {
    const rules = await rulesIn(x, ORDERS.map(make));
    assert.is(rules.filter((rule) => rule === BELOW).length, ORDERS.length);
  };
  for (const axes of [[2], [1, 3]])
    test(`sums over axes ${axes} of [${sizes}] after a transposition, in any order`, async () => {
      for (const keepdims of [0, 1]) await check((perm) => sumOfTurned(x, perm, axes, keepdims));
    });
  test(`padding of [${sizes}] after a transposition, in any order: each axis has its own`, () =>
    check((perm) => paddedTurned(x, perm)));
}

const ACTIVATIONS: Readonly<Record<string, (x: number) => number>> = {
  Identity: (x) => x,
  Relu: (x) => Math.max(x, 0),
  Tanh: Math.tanh,
  Sigmoid: (x) => 1 / (1 + Math.exp(-x)),
};

const [ROWS, WEIGHTS] = [numbers([2, 3, 4]), numbers([4, 4], 2)];

/** A product of [2, 3, 4] and [4, 4], an activation, and what is added to it or multiplied by it: a constant, or the input. */
function followed(activation: string, op: 'Add' | 'Mul', own: TensorValue | undefined): Output {
  const activate = ACTIVATIONS[activation] as (x: number) => number;
  const data = places(ROWS.dims).map((at) => {
    const [n, row, column] = at as [number, number, number];
    const terms = [0, 1, 2, 3].map((k) => elementAt(ROWS, [n, row, k]) * elementAt(WEIGHTS, [k, column]));
    const [y, other] = [activate(sumOf(terms)), elementAt(own ?? ROWS, at)];
    return op === 'Add' ? y + other : y * other;
  });
  const make = (b: ModelBuilder, x: Value) => {
    const product = b.op('MatMul', [x, constant(b, WEIGHTS)]);
    return b.op(op, [b.op(activation, [product]), own ? constant(b, own) : x]);
  };
  return { make, dims: ROWS.dims, data };
}

const OPERANDS = [[], [1], [4], [1, 4], [1, 1, 4], [3, 1], [3, 4], [2, 1, 4], [2, 1, 1], [2, 3, 4]];

for (const activation of Object.keys(ACTIVATIONS))
  test(`${activation} of a product, then sums and factors of all dims`, async () => {
    const operands = [undefined, ...OPERANDS.map((dims, i) => numbers(dims, 3 + i))];
    const outputs = (['Add', 'Mul'] as const).flatMap((op) => operands.map((own) => followed(activation, op, own)));
    await rulesIn(ROWS, outputs);
  });

const [IMAGES, GROUPS] = [numbers([2, 6, 3, 2]), 3];
const [SCALE, BIAS] = [numbers([6, 1, 1], 2), numbers([6, 1, 1], 3)];

function groupNormalized(epsilon: number | undefined): Output {
  const size = countOf(IMAGES.dims) / (2 * GROUPS);
  const data = places(IMAGES.dims).map((at) => {
    const place = offsetOf(at, IMAGES.dims);
    const first = place - (place % size);
    const group = Array.from((IMAGES.data as Float32Array).slice(first, first + size));
    const mean = sumOf(group) / size;
    const variance = sumOf(group.map((x) => (x - mean) ** 2)) / size;
    const unit = ((IMAGES.data[place] as number) - mean) / Math.sqrt(variance + (epsilon ?? 1e-5));
    return unit * elementAt(SCALE, at) + elementAt(BIAS, at);
  });
  const make = (b: ModelBuilder, x: Value) => {
    const parts = b.op('Reshape', [x, list(b, [0, GROUPS, -1])]);
    const [ones, zeros] = [1, 0].map((value) => constant(b, f32([GROUPS], new Array(GROUPS).fill(value))));
    const attributes = epsilon === undefined ? {} : { epsilon: float(epsilon) };
    const unit = b.op('InstanceNormalization', [parts, ones as Value, zeros as Value], attributes);
    const whole = b.op('Reshape', [unit, list(b, IMAGES.dims)]);
    return b.op('Add', [b.op('Mul', [whole, constant(b, SCALE)]), constant(b, BIAS)]);
  };
  return { make, dims: IMAGES.dims, data };
}

test('a group normalization has the epsilon that it is given', async () => {
  for (const epsilon of [undefined, 1e-5, 1e-3, 0.25]) {
    const rules = await rulesIn(IMAGES, [groupNormalized(epsilon)]);
    assert.ok(rules.includes('group normalization from its parts'), rules.join(', '));
  }
});

/** From beyond one end of every gate to beyond the other. */
const LINE = f32(
  [49],
  Array.from({ length: 49 }, (_, i) => (i - 24) / 4),
);

function gated(alpha: number, beta: number): Output {
  const gate = (x: number) => Math.min(Math.max(alpha * x + beta, 0), 1);
  const attributes = { alpha: float(alpha), beta: float(beta) };
  return {
    make: (b, x) => b.op('Mul', [x, b.op('HardSigmoid', [x], attributes)]),
    dims: LINE.dims,
    data: Array.from(LINE.data as Float32Array, (x) => x * gate(x)),
  };
}

test('a number times its hard sigmoid is a hard swish where slope and offset are its own', async () => {
  const outputs = [1 / 6, 0.2].flatMap((alpha) => [0, 0.25, 0.5, 0.75, 1].map((beta) => gated(alpha, beta)));
  const rules = await rulesIn(LINE, outputs);
  assert.is(rules.filter((rule) => rule === 'hard swish from hard sigmoid').length, 1);
});

const TABLE = numbers([4, 3]);
const CHOSEN = [2, 0, 3, 1];

function gathered(dims: readonly number[]): Output {
  const rows = CHOSEN.slice(0, countOf(dims));
  return {
    make: (b, x) => b.op('Neg', [b.op('Gather', [x, constant(b, i64(dims, rows.map(BigInt)))])]),
    dims: [...dims, 3],
    data: rows.flatMap((row) => [0, 1, 2].map((column) => -elementAt(TABLE, [row, column]))),
  };
}

test('constants of the same integers are others where their dims are', async () => {
  await rulesIn(TABLE, [[], [1], [1, 1], [4], [2, 2], [4, 1], [1, 4], [4]].map(gathered));
});

test.run();
