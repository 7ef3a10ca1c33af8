import type { Value } from '../../../../graph/graph.js';
import type { ElementType } from '../../../../tensor/element-types.js';
import { type Draft, refuse } from '../draft.js';
import type { Attributes } from '../graph-def.js';
import type { Operands, Operator, Operators } from './operator.js';

/** Reduces over the given axes. An empty list means no axes. */
const reduced =
  (op: string, ofBooleans?: ElementType): Operator =>
  ([x, axes], d, a) => {
    const isBoolean = d.element(x) === 'bool';
    const operand = isBoolean && ofBooleans ? d.cast(x, ofBooleans) : x;
    const settings = { keepdims: Number(a.flag('keep_dims')), noop_with_empty_axes: 1 };
    return d.op(op, [operand, d.reshape(d.long(axes), -1)], settings);
  };

const logical =
  (op: string): Operator =>
  (operands, d, a, around) =>
    d.cast(reduced(op, 'int32')(operands, d, a, around) as Value, 'bool');

const place =
  (op: string): Operator =>
  ([x, axis], d) =>
    d.int(d.emit(op, [x], { axis: d.axis(axis, x), keepdims: 0 }));

/** TensorFlow.js returns the mean of integers as a float. */
const mean: Operator = ([x, ...others], d, a, around) =>
  reduced('ReduceMean')([d.cast(x, 'float32'), ...others] as unknown as Operands, d, a, around);

/** Counts how often each number below `size` occurs, or sums the weights of its occurrences. */
function counted([x, size, weights]: Operands, d: Draft, a: Attributes): Value {
  if (a.flag('binary_output')) refuse('binary_output is not supported');
  const isWeighted = weights !== undefined && d.dims(weights)?.[0] !== 0;
  const given = isWeighted ? weights : d.op('Expand', [d.number('float32', 1), d.shape(x)]);
  const numbers = d.emit('Range', [d.number('int32', 0), d.scalar(d.int(size)), d.number('int32', 1)]);
  const hits = d.cast(d.emit('Equal', [d.unsqueeze(x, -1), numbers]), d.element(given));
  return d.emit('ReduceSum', [d.emit('Mul', [hits, d.unsqueeze(given, -1)]), d.list(-2)], { keepdims: 0 });
}

const summed: Operator = ([x, axis], d, a) =>
  d.emit('CumSum', [x, d.long(axis)], { exclusive: Number(a.flag('exclusive')), reverse: Number(a.flag('reverse')) });

export const reduction: Operators = {
  Max: reduced('ReduceMax'),
  Min: reduced('ReduceMin'),
  Mean: mean,
  Prod: reduced('ReduceProd', 'int32'),
  Sum: reduced('ReduceSum', 'int32'),
  All: logical('ReduceMin'),
  Any: logical('ReduceMax'),
  ArgMax: place('ArgMax'),
  ArgMin: place('ArgMin'),
  Bincount: counted,
  DenseBincount: counted,
  Cumsum: summed,
};
