import { intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import { FLOATS } from '../../../schema/element-sets.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { permutation } from '../../channels-last.js';
import { int64List } from '../../constants.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo } from '../../emit.js';
import {
  arithmetic,
  type Backward,
  type BackwardRule,
  type BackwardRules,
  reducedTo,
  shapeOf,
  upstreamOf,
  zerosLike,
} from './backward.js';

const reshapedTo = (c: Backward, value: Value, like: Value) => emitOne(c, 'Reshape', [value, shapeOf(c, like)]);

const reshaped: BackwardRule = (c) => [reshapedTo(c, upstreamOf(c), c.input(0)), null];

const passed: BackwardRule = (c) => [upstreamOf(c)];

const converted: BackwardRule = (c) =>
  FLOATS.includes(c.element(0)) ? [castTo(c, upstreamOf(c), c.element(0)), null] : [null, null];

const add = { reduction: { type: 'string', value: 'add' } } as const;

/**
 * Gradient of an operator that moves elements. On positions 0, 1, 2 … the node tells where each element of the result came from; the
 * element's gradient is added there. With `first` 1, results of 0 have no source.
 */
export function movedFrom(c: Backward, element: ElementType, first: 0 | 1): Value {
  const x = c.input(0);
  const f = arithmeticOn(c, 'int64');
  const size = emitOne(c, 'Size', [x]);
  const line = f('Range', first, f('Add', size, first), 1);
  const positions = emitOne(c, 'Reshape', [line, shapeOf(c, x)]);
  const moved = c.repeat([element === 'int64' ? positions : castTo(c, positions, element), ...c.node.inputs.slice(1)]);
  const sources = reshapeTo(c, element === 'int64' ? moved : castTo(c, moved, 'int64'), [-1]);
  const count = reshapeTo(c, f('Add', size, first), [-1]);
  const zeros = emitOne(c, 'ConstantOfShape', [count], {
    value: { type: 'tensor', value: tensorOf(c.element(0), [1], [0]) },
  });
  const sums = emitOne(c, 'ScatterElements', [zeros, sources, reshapeTo(c, upstreamOf(c), [-1])], add);
  const own = first === 0 ? sums : emitOne(c, 'Slice', [sums, listOf(c, [first]), count]);
  return emitOne(c, 'Reshape', [own, shapeOf(c, x)]);
}

const moved: BackwardRule = (c) => [movedFrom(c, 'int64', 0), ...c.node.inputs.slice(1).map(() => null)];

function transpose(c: Backward): Value[] {
  const perm = c.attributes.perm as readonly number[] | undefined;
  const inverse = perm?.map((_, i) => perm.indexOf(i));
  return [emitOne(c, 'Transpose', [upstreamOf(c)], inverse ? permutation(inverse) : {})];
}

/** The size of `value` along an axis, as a list. */
function sizeAlong(c: Backward, value: Value, axis: number): Value {
  const start = intAttribute(axis);
  return emitOne(c, 'Shape', [value], axis === -1 ? { start } : { start, end: intAttribute(axis + 1) });
}

function concat(c: Backward): Value[] {
  const axis = c.attributes.axis as number;
  const parts = Array.from({ length: c.inputCount }, (_, i) => sizeAlong(c, c.input(i), axis));
  const sizes = emitOne(c, 'Concat', parts, { axis: intAttribute(0) });
  return c.emit('Split', [upstreamOf(c), sizes], { axis: intAttribute(axis) }, parts.length);
}

function split(c: Backward): (Value | null)[] {
  const parts = Array.from({ length: c.outputCount }, (_, i) => c.upstream(i) ?? zerosLike(c, c.output(i)));
  return [emitOne(c, 'Concat', parts, { axis: intAttribute(c.attributes.axis as number) }), null];
}

/** Adds rows of axis 0 where they came from; along other axes, adds elements. */
const gather: BackwardRule = (c) => {
  if (c.attributes.axis !== 0) return moved(c);
  const indices = emitOne(c, 'Unsqueeze', [c.input(1), listOf(c, [-1])]);
  return [emitOne(c, 'ScatterND', [zerosLike(c, c.input(0)), indices, upstreamOf(c)], add), null];
};

/** Crops where the node pads, and pads where it crops. */
const pad: BackwardRule = (c) => {
  if (c.attributes.mode !== 'constant') return moved(c);
  const attribute = c.attributes.pads as readonly number[] | undefined;
  const pads = attribute ? c.constant(int64List(attribute.map((p) => -p))) : emitOne(c, 'Neg', [c.input(1)]);
  const axes = c.given(3) ? [null, c.input(3)] : [];
  const g = upstreamOf(c);
  const x = emitOne(c, 'Pad', [g, pads, ...axes]);
  const total = (value: Value) => emitOne(c, 'ReduceSum', [value], { keepdims: intAttribute(0) });
  const rest = c.given(2) ? reshapedTo(c, arithmetic(c)('Sub', total(g), total(x)), c.input(2)) : null;
  return [x, null, rest, null];
};

function dropout(c: Backward): (Value | null)[] {
  const f = arithmetic(c);
  const g = upstreamOf(c);
  const isTrained = c.since >= 12 && c.given(2);
  if (!isTrained) return [g, null, null];
  const kept = castTo(c, c.output(1), c.element(0));
  const ratio = c.given(1) ? castTo(c, c.input(1), c.element(0)) : f('Max', 0.5);
  const scale = f('Where', c.input(2), f('Reciprocal', f('Sub', 1, ratio)), 1);
  return [f('Mul', g, f('Mul', kept, scale)), null, null];
}

/** Gradients of operators that move elements. */
export const movement: BackwardRules = {
  Cast: converted,
  CastLike: converted,
  Compress: moved,
  Concat: concat,
  DepthToSpace: moved,
  Dropout: dropout,
  Expand: (c) => [reducedTo(c, upstreamOf(c), 0), null],
  Flatten: reshaped,
  Gather: gather,
  GatherElements: moved,
  GatherND: moved,
  Identity: passed,
  OneHot(c) {
    const f = arithmeticOn(c, c.element(2));
    const g = upstreamOf(c);
    const ends = c.constant(tensorOf(c.element(2), [2], [0, 1]));
    const hot = c.repeat([c.input(0), c.input(1), ends]);
    const total = (value: Value) => emitOne(c, 'ReduceSum', [reshapeTo(c, value, [-1])], { keepdims: intAttribute(1) });
    const [off, on] = [f('Mul', g, f('Sub', 1, hot)), f('Mul', g, hot)].map(total) as [Value, Value];
    return [null, null, emitOne(c, 'Concat', [off, on], { axis: intAttribute(0) })];
  },
  Pad: pad,
  Range(c) {
    const f = arithmetic(c);
    const g = upstreamOf(c);
    const total = (value: Value) => emitOne(c, 'ReduceSum', [value], { keepdims: intAttribute(0) });
    const steps = f('Div', f('Sub', c.output(0), c.input(0)), c.input(2));
    return [total(g), null, total(f('Mul', g, steps))];
  },
  Reshape: reshaped,
  ReverseSequence: moved,
  Slice: moved,
  SpaceToDepth: moved,
  Split: split,
  Squeeze: reshaped,
  Tile: moved,
  TopK(c) {
    const axis = intAttribute(c.attributes.axis as number);
    const zeros = zerosLike(c, c.input(0));
    return [emitOne(c, 'ScatterElements', [zeros, c.output(1), upstreamOf(c)], { axis }), null];
  },
  Transpose: transpose,
  Trilu: (c) => [
    emitOne(c, 'Trilu', [upstreamOf(c), c.given(1) ? c.input(1) : null], {
      upper: intAttribute(c.attributes.upper as number),
    }),
    null,
  ],
  Unsqueeze: reshaped,
  'sardonyx:ReduceTo': (c) => [emitOne(c, 'Expand', [upstreamOf(c), shapeOf(c, c.input(0))]), null],
};
