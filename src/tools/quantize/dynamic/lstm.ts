import type { Constant } from '../graphs.js';
import { intAt, turnedInto } from '../nodes.js';
import { dimsOf } from '../tensor-data.js';
import { type Desk, type Layout, quantizedWeight, weightIn } from './desk.js';
import type { Rule } from './rule.js';

const KEPT = ['activation_alpha', 'activation_beta', 'activations', 'clip', 'direction', 'hidden_size', 'input_forget'];

const RANK = 3;

/** Symmetric, per direction or, with `perChannel`, per gate row. */
function layoutOf({ options }: Desk, { tensor }: Constant): Layout {
  const [directions = 0, rows = 0, columns = 0] = dimsOf(tensor);
  const { perChannel = false, reduceRange = false } = options;
  const common = { type: 'int8', symmetric: true, reduced: reduceRange, axis: 0, transposed: true } as const;
  return perChannel ? { ...common, dims: [directions * rows, columns], levels: [directions, rows] } : common;
}

export const lstm: Rule = {
  weight(node, scope) {
    const weights = [1, 2].map((i) => weightIn(scope, node.input[i]));
    const isWhole = weights.every((weight) => weight?.tensor.dims.length === RANK);
    return isWhole && intAt(node, 'layout', 0) === 0 ? weights[0] : undefined;
  },
  async quantize(desk, scope, node, weight) {
    const recurrence = weightIn(scope, node.input[2]) as Constant;
    const w = await quantizedWeight(desk, weight, layoutOf(desk, weight));
    const r = await quantizedWeight(desk, recurrence, layoutOf(desk, recurrence));
    const optional = [3, 4, 5, 6, 7].map((i) => node.input[i] ?? '');
    const inputs = [node.input[0] as string, w.codes, r.codes, ...optional, w.scale, w.zero, r.scale, r.zero];
    return [turnedInto(node, 'DynamicQuantizeLSTM', inputs, KEPT)];
  },
};
