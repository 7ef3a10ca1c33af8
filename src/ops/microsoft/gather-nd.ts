import { defineOp } from '../../schema/definition.js';
import { ANY, INDICES } from '../../schema/element-sets.js';
import { castTo } from '../emit.js';
import { gatherND as onnx } from '../onnx/tensor/gather-nd.js';

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.GatherND */
export const microsoftGatherND = defineOp({
  domain: 'com.microsoft',
  name: 'GatherND',
  signature: 'data: T, indices: Tind -> output: T',
  types: { T: ANY, Tind: INDICES },
  attributes: onnx.attributes,
  infer: onnx.infer,
  decompose(c) {
    const indices = c.element(1) === 'int64' ? c.input(1) : castTo(c, c.input(1), 'int64');
    return c.emit('GatherND', [c.input(0), indices], c.node.attributes);
  },
});
