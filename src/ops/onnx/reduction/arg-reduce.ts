import { isSame } from '../../../graph/guards.js';
import { formatSizes, type Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { type Along, along } from '../../../primitives/along.js';
import { argReduce } from '../../../primitives/arg-reduce.js';
import { int } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { NUMBERS } from '../../../schema/element-sets.js';
import { axisOf } from '../../../schema/shapes.js';

interface ArgReduceAttributes extends Along {
  readonly keepdims: number;
  readonly select_last_index: number;
}

function reducedDims(c: Inference<ArgReduceAttributes>): Size[] | undefined {
  const dims = c.dims(0);
  if (!dims) return undefined;
  const axis = axisOf(c, c.attributes.axis, dims.length);
  if (isSame(dims[axis] as Size, 0)) c.fail('INVALID_SHAPE', `axis ${axis} of [${formatSizes(dims)}] is empty`);
  return c.attributes.keepdims ? dims.with(axis, 1) : dims.toSpliced(axis, 1);
}

/** https://onnx.ai/onnx/operators/onnx__ArgMax.html and ArgMin. */
const argReduction = (name: string, smallest: boolean) =>
  defineOp({
    name,
    signature: 'data: T -> reduced: int64',
    types: { T: NUMBERS },
    attributes: { axis: int(0), keepdims: int(1), select_last_index: int(0) },
    guarded: true,
    infer: (c) => [tensorType('int64', reducedDims(c))],
    computes: by(argReduce, (c: Inference<ArgReduceAttributes>) => {
      const at = along(c);
      return at && { ...at, smallest, last: c.attributes.select_last_index !== 0 };
    }),
  });

export const argMax = argReduction('ArgMax', false);
export const argMin = argReduction('ArgMin', true);
