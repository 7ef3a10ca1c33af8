import { along } from '../../../primitives/along.js';
import { gatherElements as primitive } from '../../../primitives/gather-elements.js';
import { int } from '../../../schema/attributes.js';
import { by, defineOp } from '../../../schema/definition.js';
import { ANY, INDICES } from '../../../schema/element-sets.js';
import { like } from '../../../schema/shapes.js';

/** https://onnx.ai/onnx/operators/onnx__GatherElements.html */
export const gatherElements = defineOp({
  name: 'GatherElements',
  since: 11,
  signature: 'data: T, indices: Tind -> output: T',
  types: { T: ANY, Tind: INDICES },
  attributes: { axis: int(0) },
  guarded: true,
  infer: (c) => [like(c, 0, c.dims(1))],
  computes: by(primitive, along),
});
