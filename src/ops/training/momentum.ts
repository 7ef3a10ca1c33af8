import type { Value } from '../../graph/graph.js';
import { float, oneOf } from '../../schema/attributes.js';
import { defineOptimizer } from './optimizer.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxpreviewtraining_Momentum.html; the first gradient is not multiplied by beta. */
export const momentum = defineOptimizer({
  name: 'Momentum',
  attributes: {
    alpha: float.required,
    beta: float.required,
    mode: { ...oneOf('standard', 'nesterov'), required: true },
    norm_coefficient: float.required,
  },
  states: 1,
  step({ f, attributes: { alpha, beta, mode }, rate, updates, x, g, states: [velocity] }) {
    const share = f('Where', f('Greater', updates, 0), beta, 1);
    const next = f('Add', f('Mul', velocity as Value, alpha), f('Mul', g, share));
    const direction = mode === 'nesterov' ? f('Add', g, f('Mul', next, alpha)) : next;
    return [f('Sub', x, f('Mul', rate, direction)), next];
  },
});
