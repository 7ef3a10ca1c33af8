import type { NodeProto } from '../../../../build/onnx.js';
import { MICROSOFT, turnedInto } from '../nodes.js';
import { quantizedValue, quantizedWeight, weightIn } from './desk.js';
import { weightLayout } from './product.js';
import type { Rule } from './rule.js';

const KEPT = ['num_heads', 'unidirectional', 'do_rotary', 'past_present_share_buffer', 'mask_filter_value', 'scale'];

/** The position of the first input that QAttention does not have. */
const ATTENTION_BIAS = 5;

/** Quantizes onnxruntime's Attention if its projections have equal widths. */
export const attention: Rule = {
  domain: MICROSOFT,
  weight({ input, attribute }, scope) {
    const isUneven = attribute.some(({ name }) => name === 'qkv_hidden_sizes');
    return isUneven || input.slice(ATTENTION_BIAS).some(Boolean) ? undefined : weightIn(scope, input[1]);
  },
  async quantize(desk, scope, node, weight) {
    const [name = '', , bias = '', mask = '', past = ''] = node.input;
    const nodes: NodeProto[] = [];
    const x = quantizedValue(desk, scope, name, nodes);
    const w = await quantizedWeight(desk, weight, weightLayout(desk, 'int8', weight.tensor.dims.length - 1));
    const inputs = [x.codes, w.codes, bias, x.scale, w.scale, mask, x.zero, w.zero, past];
    return [...nodes, turnedInto(node, 'QAttention', inputs, KEPT)];
  },
};
