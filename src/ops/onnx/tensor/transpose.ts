import type { Size } from '../../../graph/sizes.js';
import { transpose as primitive } from '../../../primitives/transpose.js';
import { ints } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { like } from '../../../schema/shapes.js';

interface TransposeAttributes {
  readonly perm: readonly number[] | undefined;
}

function permutation(c: Inference<TransposeAttributes>, rank: number): readonly number[] {
  const perm = c.attributes.perm ?? Array.from({ length: rank }, (_, i) => rank - 1 - i);
  const isPermutation =
    perm.length === rank && new Set(perm).size === rank && perm.every((axis) => axis >= 0 && axis < rank);
  return isPermutation ? perm : c.fail('INVALID_ATTRIBUTE', `perm [${perm}] is not a permutation of ${rank} axes`);
}

/** https://onnx.ai/onnx/operators/onnx__Transpose.html */
export const transpose = defineOp({
  name: 'Transpose',
  signature: 'data: T -> transposed: T',
  types: { T: ANY },
  attributes: { perm: ints() },
  guarded: true,
  infer(c) {
    const dims = c.dims(0);
    return [like(c, 0, dims && permutation(c, dims.length).map((axis) => dims[axis] as Size))];
  },
  computes: by(primitive, (c: Inference<TransposeAttributes>) => {
    const dims = c.dims(0);
    return dims && { perm: permutation(c, dims.length) };
  }),
});
