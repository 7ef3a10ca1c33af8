import {
  cumProd as productPrimitive,
  type RunningParameters,
  cumSum as sumPrimitive,
} from '../../../primitives/cum-sum.js';
import { int } from '../../../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../../../schema/definition.js';
import { INDICES, NUMBERS } from '../../../schema/element-sets.js';
import { axisOf, numberAt, sameAsInput } from '../../../schema/shapes.js';

interface RunningAttributes {
  readonly exclusive: number;
  readonly reverse: number;
}

const running = (name: string, since: number, primitive: Primitive<RunningParameters>) =>
  defineOp({
    name,
    since,
    signature: 'x: T, axis: T2 -> y: T',
    types: { T: NUMBERS, T2: INDICES },
    attributes: { exclusive: int(0), reverse: int(0) },
    planned: [1],
    guarded: true,
    infer: sameAsInput,
    computes: by(primitive, (c: Inference<RunningAttributes>) => {
      const [rank, axis] = [c.dims(0)?.length, numberAt(c, 1)];
      if (rank === undefined || axis === undefined) return undefined;
      const { exclusive, reverse } = c.attributes;
      return { axis: axisOf(c, axis, rank), exclusive: exclusive !== 0, reverse: reverse !== 0 };
    }),
  });

/** https://onnx.ai/onnx/operators/onnx__CumSum.html */
export const cumSum = running('CumSum', 11, sumPrimitive);

/** https://onnx.ai/onnx/operators/onnx__CumProd.html */
export const cumProd = running('CumProd', 26, productPrimitive);
