import type { Value } from '../../graph/graph.js';
import { float } from '../../schema/attributes.js';
import { defineOptimizer } from './optimizer.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxpreviewtraining_Adam.html; the states are the two moments of the gradient. */
export const adam = defineOptimizer({
  name: 'Adam',
  attributes: {
    alpha: float(0.9),
    beta: float(0.999),
    epsilon: float(0),
    norm_coefficient: float(0),
    norm_coefficient_post: float(0),
  },
  states: 2,
  step({ f, attributes: { alpha, beta, epsilon, norm_coefficient_post }, rate, updates, x, g, states }) {
    const moved = (state: Value, keep: number, value: Value) =>
      f('Add', f('Mul', state, keep), f('Mul', value, 1 - keep));
    const first = moved(states[0] as Value, alpha, g);
    const second = moved(states[1] as Value, beta, f('Mul', g, g));
    const rest = (keep: number) => f('Sub', 1, f('Pow', keep, updates));
    const corrected = f('Div', f('Mul', rate, f('Sqrt', rest(beta))), rest(alpha));
    const own = f('Where', f('Greater', updates, 0), corrected, rate);
    const next = f('Sub', x, f('Div', f('Mul', own, first), f('Add', f('Sqrt', second), epsilon)));
    return [norm_coefficient_post === 0 ? next : f('Mul', next, 1 - norm_coefficient_post), first, second];
  },
});
