import type { Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { axisOf } from '../../../schema/shapes.js';
import { joinRows } from '../../../tensor/rows.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { stack } from '../controlflow/stack.js';
import { elements, elementType, tensorElement } from './elements.js';

interface Attributes {
  readonly axis: number;
  readonly new_axis: number;
}

function joinedDims(c: Inference<Attributes>): readonly Size[] | undefined {
  const of = elementType(c, 0);
  const dims = of.kind === 'tensor' ? of.dims : undefined;
  if (!dims) return undefined;
  const isNew = c.attributes.new_axis !== 0;
  const axis = axisOf(c, c.attributes.axis, dims.length + Number(isNew));
  return dims.toSpliced(axis, isNew ? 0 : 1, c.unknown());
}

/** The shape except for `axis`, as text. */
const around = ({ dims }: TensorValue, axis: number) => String(dims.with(axis, 1));

function joined(c: Evaluation<Attributes>, all: readonly TensorValue[], first: TensorValue): TensorValue {
  const axis = axisOf(c, c.attributes.axis, first.dims.length);
  const fit = all.every((part) => part.dims.length === first.dims.length && around(part, axis) === around(first, axis));
  if (!fit) c.fail('INVALID_SHAPE', `[${all.map(({ dims }) => dims).join('], [')}] differ in more than axis ${axis}`);
  const total = all.reduce((sum, { dims }) => sum + (dims[axis] as number), 0);
  return joinRows(all, first.dims.with(axis, total), axis);
}

/** https://onnx.ai/onnx/operators/onnx__ConcatFromSequence.html */
export const concatFromSequence = defineOp({
  name: 'ConcatFromSequence',
  since: 11,
  signature: 'input_sequence: seq(T) -> concat_result: T',
  types: { T: ANY },
  attributes: { axis: int.required, new_axis: int(0) },
  infer: (c) => [tensorType(tensorElement(c, 0), joinedDims(c))],
  evaluate(c) {
    const all = elements(c, 0);
    const [first = c.fail('INVALID_VALUE', 'the sequence is empty')] = all;
    if (!c.attributes.new_axis) return [joined(c, all, first)];
    if (all.some(({ dims }) => String(dims) !== String(first.dims)))
      c.fail('INVALID_SHAPE', `[${all.map(({ dims }) => dims).join('], [')}] differ and cannot be stacked`);
    return [stack(all, axisOf(c, c.attributes.axis, first.dims.length + 1))];
  },
});
