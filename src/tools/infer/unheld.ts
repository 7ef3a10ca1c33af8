import type { Facts } from '../../graph/facts.js';
import type { Node } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import type { ValueType } from '../../graph/types.js';

/** An input and one of its axes; without an axis, its rank and all sizes. */
type SizeOfInput = readonly [input: number, axis?: number];

const WEIGHTS: readonly SizeOfInput[] = [[1], [2]];

/**
 * Sizes that must match at run time but that ONNX's inference does not check. It relies on `hidden_size` and
 * `onesided`, and checks only the input channels of a grouped Conv.
 */
const UNHELD: Readonly<Record<string, readonly SizeOfInput[]>> = {
  ':Conv': [[1, 0]],
  ':RNN': WEIGHTS,
  ':GRU': WEIGHTS,
  ':LSTM': WEIGHTS,
  ':NonMaxSuppression': [[0], [1]],
  ':SoftmaxCrossEntropyLoss': [[1]],
  ':STFT': [[0, 2], [2], [3]],
  ':CenterCropPad': [[0]],
};

/** The facts with these sizes left open; undefined if ONNX's inference checks all sizes. */
export function unheld({ domain, op, inputs }: Node, facts: Facts): Facts | undefined {
  const sizes = UNHELD[`${domain}:${op}`];
  if (!sizes) return undefined;
  const open = facts.fork();
  for (const [i, axis] of sizes) {
    const value = inputs[i];
    const type = value && open.get(value)?.type;
    if (value && type?.kind === 'tensor') open.set(value, { type: without(type, axis, open.unknown()) });
  }
  return open;
}

function without(type: ValueType & { kind: 'tensor' }, axis: number | undefined, unknown: Size): ValueType {
  const { dims, ...shapeless } = type;
  if (axis === undefined || !dims) return shapeless;
  return { ...type, dims: dims.map((dim, i) => (i === axis ? unknown : dim)) };
}
