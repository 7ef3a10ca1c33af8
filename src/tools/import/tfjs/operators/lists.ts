import type { Value } from '../../../../graph/graph.js';
import type { Draft } from '../draft.js';
import type { Operands, Operator, Operators } from './operator.js';

/** TensorFlow's tensor lists become sequences. */
const taken = (d: Draft, list: Value, at: Value): Value => d.emit('SequenceAt', [list, position(d, at)]);
const position = (d: Draft, at: Value): Value => d.scalar(d.long(at));
const last = (d: Draft): Value => d.number('int64', -1);

function written([list, at, item]: Operands, d: Draft): Value {
  const place = position(d, at);
  return d.emit('SequenceInsert', [d.emit('SequenceErase', [list, place]), item, place]);
}

const taking = (d: Draft, x: Value): Value => d.emit('SplitToSequence', [x], { axis: 0, keepdims: 0 });

/** Creates a list of tensors of zeros. Unknown sizes are 0. */
const reserved: Operator = ([sizes, count], d, a) => {
  const known = d.rank(sizes) === 1 ? d.known(sizes) : undefined;
  const shape = d.list(...(known ?? [0]).map((size) => Math.max(size, 0)));
  const whole = d.emit('Concat', [d.reshape(d.long(count), 1), shape], { axis: 0 });
  return taking(d, d.emit('Expand', [d.number(a.element('element_dtype', 'float32'), 0), whole]));
};

const empty: Operator = (_, d, a) =>
  d.emit('SequenceEmpty', [], { dtype: a.element('element_dtype', 'float32') === 'int32' ? 6 : 1 });

const stacked = (d: Draft, list: Value): Value => d.emit('ConcatFromSequence', [list], { axis: 0, new_axis: 1 });

function spread([x, indices]: Operands, d: Draft): Value {
  const places = d.emit(
    'ScatterElements',
    [
      d.long(indices),
      d.long(indices),
      d.emit('Range', [d.number('int64', 0), d.emit('Size', [indices]), d.number('int64', 1)]),
    ],
    { axis: 0 },
  );
  return taking(d, d.emit('Gather', [x, places]));
}

export const lists: Operators = {
  TensorListReserve: reserved,
  EmptyTensorList: empty,
  TensorListFromTensor: ([x], d) => taking(d, x),
  TensorListScatter: spread,
  TensorListScatterV2: spread,
  TensorListGetItem: ([list, at], d) => taken(d, list, at),
  TensorListSetItem: written,
  TensorListPushBack: ([list, item], d) => d.emit('SequenceInsert', [list, item]),
  TensorListPopBack: ([list], d) => [d.emit('SequenceErase', [list, last(d)]), d.emit('SequenceAt', [list, last(d)])],
  TensorListStack: ([list], d) => stacked(d, list),
  TensorListGather: ([list, indices], d) => d.emit('Gather', [stacked(d, list), indices]),
  TensorListLength: ([list], d) => d.int(d.emit('SequenceLength', [list])),
  TensorListConcat: ([list], d) => d.emit('ConcatFromSequence', [list], { axis: 0 }),
  TensorListConcatV2: ([list], d) => d.emit('ConcatFromSequence', [list], { axis: 0 }),
};
