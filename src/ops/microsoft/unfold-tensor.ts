import { intAttribute } from '../../graph/attributes.js';
import { add, floorDivide, formatSize, isNeverAbove, type Size, subtract } from '../../graph/sizes.js';
import { int } from '../../schema/attributes.js';
import { defineOp, type Inference } from '../../schema/definition.js';
import { ANY } from '../../schema/element-sets.js';
import { axisOf, like } from '../../schema/shapes.js';
import { tensorOf } from '../../tensor/numbers.js';
import { permutation } from '../channels-last.js';
import { emitOne } from '../emit.js';

interface Unfolding {
  readonly dim: number;
  readonly size: number;
  readonly step: number;
}

/** Number of slices along an axis. */
function countOf(c: Inference<Unfolding>, length: Size): Size {
  const { size, step } = c.attributes;
  if (size < 1 || step < 1 || isNeverAbove(length, size - 1))
    c.fail('INVALID_ATTRIBUTE', `size ${size} must be from 1 to ${formatSize(length)}, and step ${step} at least 1`);
  return add(floorDivide(subtract(length, size), step), 1);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.UnfoldTensor: torch.Tensor.unfold. */
export const unfoldTensor = defineOp({
  domain: 'com.microsoft',
  name: 'UnfoldTensor',
  signature: 'input: T -> output: T',
  types: { T: ANY },
  attributes: { dim: int(-1), size: int.required, step: int(1) },
  infer(c) {
    const dims = c.dims(0);
    if (!dims) return [like(c, 0, undefined)];
    const { dim, size } = c.attributes;
    const axis = axisOf(c, dim, dims.length);
    const slices = countOf(c, dims[axis] as Size);
    return [like(c, 0, [...dims.with(axis, slices), size])];
  },
  decompose(c) {
    const dims = c.dims(0);
    const { dim, size, step } = c.attributes;
    const axis = dims && axisOf(c, dim, dims.length);
    const length = dims?.[axis as number];
    if (!dims || typeof length !== 'number') return undefined;
    const count = countOf(c, length) as number;
    const places = Array.from({ length: count * size }, (_, i) => Math.floor(i / size) * step + (i % size));
    const slices = emitOne(c, 'Gather', [c.input(0), c.constant(tensorOf('int64', [count, size], places))], {
      axis: intAttribute(axis as number),
    });
    const order = [...dims, size].map((_, i) => i);
    return c.emit(
      'Transpose',
      [slices],
      permutation([...order.toSpliced((axis as number) + 1, 1), (axis as number) + 1]),
    );
  },
});
