import { tensorType } from '../../../graph/types.js';
import { view } from '../../../primitives/view.js';
import { int } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { ELEMENTS, elementTypeOf, type TypedArrayConstructor } from '../../../tensor/element-types.js';

/** The target type, which must have the same number of bits. */
function target(c: Inference<{ readonly to: number }>) {
  const to =
    elementTypeOf(c.attributes.to) ?? c.fail('INVALID_ATTRIBUTE', `to=${c.attributes.to} is not an element type`);
  const from = c.element(0);
  if (from === 'string' || ELEMENTS[to].bits !== ELEMENTS[from].bits)
    c.fail('INVALID_ATTRIBUTE', `${from} and ${to} have different numbers of bits`);
  return to;
}

/** https://onnx.ai/onnx/operators/onnx__BitCast.html */
export const bitCast = defineOp({
  name: 'BitCast',
  since: 26,
  signature: 'input: T1 -> output: T2',
  types: { T1: ANY, T2: ANY },
  readsBits: true,
  attributes: { to: int.required },
  computes: by(view, () => true as const),
  infer: (c) => [tensorType(target(c), c.dims(0))],
  evaluate(c) {
    const { dims, data } = c.tensor(0);
    const type = target(c);
    const array = ELEMENTS[type].array as TypedArrayConstructor;
    return [{ type, dims, data: new array((data as Uint8Array).slice().buffer) }];
  },
});
