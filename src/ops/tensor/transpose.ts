import { copyStrided } from '../../backends/wasm/lower/strided-copy.js';
import type { Lowering } from '../../backends/wasm/lowering.js';
import { stridesOf } from '../../graph/dims.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { ints } from '../attributes.js';
import { defineOp, type Inference } from '../definition.js';
import { ANY } from '../element-sets.js';
import { like } from '../shapes.js';
import { evaluateStrided } from '../strided.js';

type Attributes = { readonly perm: readonly number[] | undefined };

function permutation(c: Inference<Attributes>, rank: number): readonly number[] {
  const perm = c.attributes.perm ?? Array.from({ length: rank }, (_, i) => rank - 1 - i);
  const isPermutation =
    perm.length === rank && new Set(perm).size === rank && perm.every((axis) => axis >= 0 && axis < rank);
  return isPermutation ? perm : c.fail('INVALID_ATTRIBUTE', `perm [${perm}] is no permutation of ${rank} axes`);
}

/** Whether only axes of size 1 change their place among the others. */
function movesNothing(perm: readonly number[], dims: readonly number[]): boolean {
  const moved = perm.filter((axis) => dims[axis] !== 1);
  return moved.every((axis, i) => i === 0 || axis > (moved[i - 1] as number));
}

function lower(c: Lowering<Attributes>): 'host' | undefined {
  const dims = c.shape(0);
  const perm = permutation(c, dims.length);
  if (movesNothing(perm, dims) || elementCount(dims) === 0) {
    c.alias(0, 0);
    return;
  }
  const strides = stridesOf(dims);
  const outDims = c.outputShape(0);
  const from = { place: c.input(0), strides: perm.map((axis) => strides[axis] as number) };
  return copyStrided(c, c.element(0), outDims, from, { place: c.output(0), strides: stridesOf(outDims) });
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
  lower,
});
