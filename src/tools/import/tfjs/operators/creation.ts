import type { Value } from '../../../../graph/graph.js';
import { type Draft, float, refuse, type Settings } from '../draft.js';
import type { Attributes } from '../graph-def.js';
import type { Operands, Operator, Operators } from './operator.js';

const filled = (d: Draft, shape: Value, value: Value): Value => d.emit('Expand', [value, d.long(shape)]);

const constant =
  (value: number): Operator =>
  ([shape], d, a) =>
    filled(d, shape, d.number(a.element('T', 'float32'), value));

const alike =
  (value: number): Operator =>
  ([x], d) =>
    filled(d, d.shape(x), d.number(d.element(x), value));

/** Evenly spaced numbers, including both ends. */
function evenly([start, stop, count]: Operands, d: Draft): Value {
  const [steps = 0] = d.numbers(count, 'the number of steps');
  const places = d.constant({
    type: 'float32',
    dims: [steps],
    data: Float32Array.from({ length: steps }, (_, i) => i / Math.max(1, steps - 1)),
  });
  return d.op('Add', [d.scalar(start), d.op('Mul', [places, d.op('Sub', [d.scalar(stop), d.scalar(start)])])]);
}

/** Indices out of range produce only off values. */
function oneHot([indices, depth, on, off]: Operands, d: Draft, a: Attributes): Value {
  const numbers = d.emit('Range', [d.number('int32', 0), d.scalar(d.int(depth)), d.number('int32', 1)]);
  const axis = a.number('axis', -1);
  const behind = axis < 0 ? 0 : d.rank(indices) - axis;
  const row = behind ? d.reshape(numbers, -1, ...new Array(behind).fill(1)) : numbers;
  const isThere = d.emit('Equal', [d.unsqueeze(d.int(indices), axis), row]);
  return d.emit('Where', [isThere, on ?? d.number('float32', 1), off ?? d.number('float32', 0)]);
}

const range: Operator = ([start, stop, step], d, a) => {
  const type = a.element('Tidx', d.element(start));
  return d.emit(
    'Range',
    [start, stop, step].map((x) => d.scalar(d.cast(x, type))),
  );
};

/** Draws random numbers. If the shape is not constant, it is that of a tensor of zeros. */
function drawn(d: Draft, op: string, shape: Value, a: Attributes, settings: Settings): Value {
  const seed = a.number('seed', 0) || a.number('seed2', 0);
  const like = filled(d, shape, d.number('float32', 0));
  const known = d.fact(shape).contents && d.known(shape);
  const seeded = { ...settings, dtype: 1, ...(seed && { seed: float(seed) }) };
  return known ? d.emit(op, [], { ...seeded, shape: known }) : d.emit(`${op}Like`, [like], seeded);
}

const uniform: Operator = ([shape], d, a) =>
  drawn(d, 'RandomUniform', shape, a, { low: float(a.number('minval', 0)), high: float(a.number('maxval', 1)) });

function wholeNumbers([shape, low, high]: Operands, d: Draft, a: Attributes): Value {
  const [least = a.number('minval', 0)] = low ? d.numbers(low, 'minval') : [];
  const [most = a.number('maxval', 1)] = high ? d.numbers(high, 'maxval') : [];
  return d.int(d.op('Floor', [drawn(d, 'RandomUniform', shape, a, { low: float(least), high: float(most) })]));
}

const sampled: Operator = ([logits, count], d, a) => {
  const [sample_size = 1] = d.numbers(count, 'the number of samples');
  const seed = a.number('seed', 0);
  return d.emit('Multinomial', [logits], { sample_size, dtype: 6, ...(seed && { seed: float(seed) }) });
};

const same: Operator = ([x]) => x;

export const creation: Operators = {
  Identity: same,
  IdentityN: (values) => values,
  Snapshot: same,
  StopGradient: same,
  Print: same,
  FakeQuantWithMinMaxVars: same,
  Fill: ([shape, value], d) => filled(d, shape, value),
  Ones: constant(1),
  Zeros: constant(0),
  OnesLike: alike(1),
  ZerosLike: alike(0),
  LinSpace: evenly,
  OneHot: oneHot,
  Range: range,
  RandomUniform: uniform,
  RandomUniformInt: wholeNumbers,
  RandomStandardNormal: ([shape], d, a) => drawn(d, 'RandomNormal', shape, a, {}),
  Multinomial: sampled,
  TruncatedNormal: () => refuse('ONNX does not support truncated normal distributions'),
};
