import { stringAttribute } from '../../graph/attributes.js';
import { int } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { causalConvWithState as ofOnnx } from '../onnx/nn/causal-conv-with-state.js';

/**
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.CausalConvWithState: ONNX's operator of that
 * name, for one spatial axis.
 */
export const causalConvWithState = defineOp({
  domain: 'com.microsoft',
  name: 'CausalConvWithState',
  signature: 'input: T, weight: T, bias?: T, past_state?: T -> output: T, present_state: T',
  types: ofOnnx.types,
  attributes: { ...ofOnnx.attributes, ndim: int(1) },
  infer(c) {
    if (c.attributes.ndim !== 1) c.fail('INVALID_ATTRIBUTE', `ndim must be 1, not ${c.attributes.ndim}`);
    return ofOnnx.infer(c);
  },
  decompose(c) {
    const inputs = c.node.inputs.map((_, i) => (c.given(i) ? c.input(i) : null));
    return c.emit('CausalConvWithState', inputs, { activation: stringAttribute(c.attributes.activation) }, 2);
  },
});
