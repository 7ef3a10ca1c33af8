import type { Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { floats, int, ints } from '../../schema/attributes.js';
import { defineOp, type Inference } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { elementCount } from '../../tensor/tensor-value.js';

interface Filling {
  readonly values: readonly number[] | undefined;
  readonly shape: readonly number[] | undefined;
  readonly input_as_shape: number;
  readonly extra_shape: readonly number[] | undefined;
}

/** The output shape, from an attribute, or from the shape or the contents of the input. */
function filledDims(c: Inference<Filling>): readonly Size[] | undefined {
  const { shape, input_as_shape, extra_shape = [] } = c.attributes;
  if (!c.given(0))
    return shape ?? c.fail('INVALID_ATTRIBUTE', 'needs the attribute "shape" or an input with the shape');
  if (shape) c.fail('INVALID_ATTRIBUTE', 'must not have both the attribute "shape" and an input');
  const contents = input_as_shape ? c.contents(0) : undefined;
  const dims = input_as_shape ? contents && Array.from(numbersOf(contents)) : c.dims(0);
  return dims && [...dims, ...extra_shape];
}

/** https://github.com/onnx/onnx/blob/rel-1.3/docs/Operators.md#experimental-giventensorfill */
export const givenTensorFill = defineOp({
  name: 'GivenTensorFill',
  signature: 'shape?: T -> X: T',
  types: { T: FLOATS },
  halves: 'carried',
  attributes: { values: floats(), shape: ints(), input_as_shape: int(0), extra_shape: ints() },
  infer: (c) => [tensorType(c.given(0) ? c.element(0) : 'float32', filledDims(c))],
  evaluate(c) {
    const { input_as_shape, extra_shape = [], values = [] } = c.attributes;
    const element = c.given(0) ? c.element(0) : 'float32';
    const dims = input_as_shape ? [...Array.from(numbersOf(c.tensor(0))), ...extra_shape] : c.result(0).dims;
    if (values.length !== elementCount(dims))
      c.fail('INVALID_ATTRIBUTE', `values must be ${elementCount(dims)} for the shape [${dims}], not ${values.length}`);
    return [tensorOf(element, dims, values)];
  },
});
