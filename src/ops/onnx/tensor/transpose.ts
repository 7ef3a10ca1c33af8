import { stridesOf } from '../../../graph/dims.js';
import { ints } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { like } from '../../../schema/shapes.js';
import { evaluateStrided } from '../../../tensor/strided.js';

export type TransposeAttributes = { readonly perm: readonly number[] | undefined };

export function permutation(c: Inference<TransposeAttributes>, rank: number): readonly number[] {
  const perm = c.attributes.perm ?? Array.from({ length: rank }, (_, i) => rank - 1 - i);
  const isPermutation =
    perm.length === rank && new Set(perm).size === rank && perm.every((axis) => axis >= 0 && axis < rank);
  return isPermutation ? perm : c.fail('INVALID_ATTRIBUTE', `perm [${perm}] is no permutation of ${rank} axes`);
}

/** https://onnx.ai/onnx/operators/onnx__Transpose.html */
export const transpose = defineOp({
  name: 'Transpose',
  signature: 'data: T -> transposed: T',
  types: { T: ANY },
  attributes: { perm: ints() },
  infer(c) {
    const dims = c.dims(0);
    return [like(c, 0, dims && permutation(c, dims.length).map((axis) => dims[axis] as number))];
  },
  evaluate(c) {
    const x = c.tensor(0);
    const perm = permutation(c, x.dims.length);
    const strides = stridesOf(x.dims);
    const dims = perm.map((axis) => x.dims[axis] as number);
    return [
      evaluateStrided(
        x,
        dims,
        perm.map((axis) => strides[axis] as number),
        0,
      ),
    ];
  },
});
