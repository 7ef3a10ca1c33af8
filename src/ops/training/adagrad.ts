import type { Value } from '../../graph/graph.js';
import { float } from '../../schema/attributes.js';
import { defineOptimizer } from './optimizer.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxpreviewtraining_Adagrad.html; the state is the sum of squared gradients. */
export const adagrad = defineOptimizer({
  name: 'Adagrad',
  attributes: { decay_factor: float(0), epsilon: float(0), norm_coefficient: float(0) },
  states: 1,
  step({ f, attributes, rate, updates, x, g, states: [squares] }) {
    const decayed = f('Div', rate, f('Add', f('Mul', updates, attributes.decay_factor), 1));
    const sum = f('Add', squares as Value, f('Mul', g, g));
    const scale = f('Add', f('Sqrt', sum), attributes.epsilon);
    return [f('Sub', x, f('Div', f('Mul', decayed, g), scale)), sum];
  },
});
