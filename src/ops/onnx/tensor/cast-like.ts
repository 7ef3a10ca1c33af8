import { tensorType } from '../../../graph/types.js';
import { int, oneOf } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { ELEMENTS } from '../../../tensor/element-types.js';

/** https://onnx.ai/onnx/operators/onnx__CastLike.html */
export const castLike = defineOp({
  name: 'CastLike',
  since: 15,
  signature: 'input: T1, target_type: T2 -> output: T2',
  types: { T1: ANY, T2: ANY },
  attributes: { saturate: int(1), round_mode: oneOf('up', 'down', 'nearest') },
  infer: (c) => [tensorType(c.element(1), c.dims(0))],
  decompose(c) {
    const to = { type: 'int' as const, value: ELEMENTS[c.element(1)].onnx };
    return c.emit('Cast', [c.input(0)], { to, ...c.node.attributes });
  },
});
