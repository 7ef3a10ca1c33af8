import { intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { toChannelsFirst, toChannelsLast } from '../../../primitives/channels-last.js';
import { convDims } from '../../../primitives/conv-geometry.js';
import { convAttributes } from '../../../primitives/window.js';
import { defineOp } from '../../../schema/definition.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { permutation } from '../../channels-last.js';
import { emitOne, reshapeTo } from '../../emit.js';
import { centered, exactProduct } from './exact-product.js';

const [X, W, X_ZERO, W_ZERO] = [0, 1, 2, 3];

/** https://onnx.ai/onnx/operators/onnx__ConvInteger.html; pads are zero points. */
export const convInteger = defineOp({
  name: 'ConvInteger',
  since: 10,
  signature: 'x: T1, w: T2, x_zero_point?: T1, w_zero_point?: T2 -> y: T3',
  types: { T1: ['int8', 'uint8'], T2: ['int8', 'uint8'], T3: ['int32'] },
  attributes: convAttributes,
  infer: (c) => [tensorType('int32', convDims(c, c.dims(X), c.dims(W)))],
  decompose(c) {
    const w = c.dims(W) as readonly number[] | undefined;
    if (!w?.every((d) => typeof d === 'number')) return undefined;
    const terms = elementCount(w.slice(1));
    const x = centered(c, X, X_ZERO, (zeroPoint) => reshapeTo(c, zeroPoint, []));
    const weights = {
      input: W,
      zeroPoint: W_ZERO,
      terms,
      columns: w[0] as number,
      column: (i: number) => Math.floor(i / terms),
      shape: (zeroPoint: Value) => reshapeTo(c, zeroPoint, [-1, ...w.slice(1).map(() => 1)]),
      zeroAt: (zeros: ArrayLike<number>, i: number) => zeros[zeros.length === 1 ? 0 : Math.floor(i / terms)] as number,
    };
    const attributes = { ...c.node.attributes, exact: intAttribute(1) };
    const last = emitOne(c, 'Transpose', [x], permutation(toChannelsLast(w.length)));
    const sums = exactProduct(c, weights, (digit) => emitOne(c, 'sardonyx:Conv', [last, digit], attributes));
    return [emitOne(c, 'Transpose', [sums], permutation(toChannelsFirst(w.length)))];
  },
});
