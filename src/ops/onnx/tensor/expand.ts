import { broadcast } from '../../../graph/dims.js';
import type { Size } from '../../../graph/sizes.js';
import { expand as primitive } from '../../../primitives/expand.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { like, openDims } from '../../../schema/shapes.js';

function expandedDims(c: Inference<unknown>): Size[] | undefined {
  const dims = c.dims(0);
  const shape = c.sizes(1) ?? openDims(c, c.dims(1)?.[0]);
  if (!dims || !shape) return undefined;
  const expanded = broadcast(dims, shape);
  return typeof expanded === 'string' ? c.fail('INVALID_SHAPE', expanded) : expanded;
}

/** https://onnx.ai/onnx/operators/onnx__Expand.html */
export const expand = defineOp({
  name: 'Expand',
  since: 8,
  signature: 'input: T, shape: int64 -> output: T',
  types: { T: ANY },
  planned: [1],
  guarded: true,
  infer: (c) => [like(c, 0, expandedDims(c))],
  computes: by(primitive, () => true as const),
});
