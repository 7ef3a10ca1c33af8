import { stridesOf } from '../../../graph/dims.js';
import { add, isKnown, multiply, type Size } from '../../../graph/sizes.js';
import { ints } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { like } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementCount, integers } from '../../../tensor/tensor-value.js';

interface UnpoolAttributes {
  readonly kernel_shape: readonly number[];
  readonly strides: readonly number[] | undefined;
  readonly pads: readonly number[] | undefined;
}

const OUTPUT_SHAPE = 2;

/** The shape before pooling, computed from kernel, strides and pads. */
function pooledDims(c: Inference<UnpoolAttributes>): readonly Size[] | undefined {
  const { kernel_shape, strides, pads } = c.attributes;
  const rank = kernel_shape.length;
  const x = c.dims(0);
  if (x && x.length !== rank + 2)
    c.fail('INVALID_SHAPE', `X [${x}] must have ${rank + 2} axes for kernel_shape [${kernel_shape}]`);
  return x?.map((d, i): Size => {
    const axis = i - 2;
    if (axis < 0) return d;
    const stride = strides?.[axis] ?? 1;
    const added = (kernel_shape[axis] as number) - (pads?.[axis] ?? 0) - (pads?.[axis + rank] ?? 0);
    return add(multiply(add(d, -1), stride), added);
  });
}

const outDims = (c: Inference<UnpoolAttributes>): readonly Size[] | undefined =>
  c.given(OUTPUT_SHAPE) ? (c.sizes(OUTPUT_SHAPE) ?? c.dims(0)?.map(() => c.unknown())) : pooledDims(c);

/** https://onnx.ai/onnx/operators/onnx__MaxUnpool.html; the indices refer to a tensor of the shape before pooling. */
export const maxUnpool = defineOp({
  name: 'MaxUnpool',
  since: 9,
  signature: 'X: T1, I: int64, output_shape?: int64 -> output: T1',
  types: { T1: FLOATS },
  attributes: { kernel_shape: ints.required, strides: ints(), pads: ints() },
  planned: [OUTPUT_SHAPE],
  infer: (c) => [like(c, 0, outDims(c))],
  evaluate(c) {
    const dims = outDims(c);
    if (!isKnown(dims)) return c.fail('INVALID_SHAPE', 'the size of the output is unknown');
    const pooled = pooledDims(c) as readonly number[];
    const [from, to] = [stridesOf(pooled), stridesOf(dims)];
    if (c.tensor(0).data.length !== c.tensor(1).data.length) {
      c.fail('INVALID_SHAPE', `X [${c.tensor(0).dims}] and I [${c.tensor(1).dims}] must have the same dims`);
    }
    const x = numbersOf(c.tensor(0));
    const y = new Float64Array(elementCount(dims));
    integers(c.tensor(1)).forEach((index, i) => {
      const place = pooled.map((d, axis) => Math.floor(index / (from[axis] as number)) % d);
      if (place.some((at, axis) => at < 0 || at >= (dims[axis] as number))) {
        c.fail('INVALID_VALUE', `index ${index} is outside an output of [${dims}]`);
      }
      y[place.reduce((sum, at, axis) => sum + at * (to[axis] as number), 0)] = x[i] as number;
    });
    return [tensorOf(c.element(0), dims, y)];
  },
});
