import { groupAttributes, groupedLike, scaledLike } from '../../../primitives/group-normalization.js';
import { normalizeGroups } from '../../../primitives/normalize-groups.js';
import { float, int, ints } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { throughChannelsLast } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';

const isAll = (c: Inference<unknown>, i: number, value: number) => {
  const contents = c.contents(i);
  return contents !== undefined && Array.from(numbersOf(contents)).every((x) => x === value);
};

/**
 * Normalizes [N, G, L] with scale 1 and bias 0, PyTorch's export of a group normalization, without a transpose; other inputs go through
 * channels-last.
 */
function decomposeInstance(c: Decomposition<{ readonly epsilon: number }>) {
  const rank = c.dims(0)?.length;
  if (rank === undefined) return undefined;
  if (c.element(0) !== 'float32') return throughFloat32(c);
  const epsilon = { epsilon: { type: 'float', value: c.attributes.epsilon } } as const;
  if (rank === 3 && isAll(c, 1, 1) && isAll(c, 2, 0)) {
    return c.emit('sardonyx:LayerNormalization', [c.input(0)], { ...epsilon, axis: { type: 'int', value: 2 } });
  }
  return throughChannelsLast(c, rank, [c.input(1), c.input(2)], epsilon);
}

const normalized = (c: Evaluation<{ readonly epsilon: number }>, groups: number) =>
  normalizeGroups(c.tensor(0), { scale: c.tensor(1), bias: c.tensor(2), groups, epsilon: c.attributes.epsilon });

/** https://onnx.ai/onnx/operators/onnx__InstanceNormalization.html */
export const instanceNormalization = defineOp({
  name: 'InstanceNormalization',
  signature: 'input: T, scale: T, B: T -> output: T',
  types: { T: FLOATS },
  attributes: { epsilon: float(1e-5), consumed_inputs: ints() },
  infer: (c) => scaledLike(c, c.dims(0)?.[1]),
  decompose: decomposeInstance,
  evaluate: (c) => [normalized(c, c.tensor(0).dims[1] as number)],
});

/** Scale and bias have one number per channel from opset 21 on, before that one per group. Their lengths distinguish them. */
export const groupNormalization = defineOp({
  name: 'GroupNormalization',
  since: 18,
  signature: 'X: T, scale: T, bias: T -> Y: T',
  types: { T: FLOATS },
  attributes: { ...groupAttributes, stash_type: int(1) },
  infer: (c) => groupedLike(c, c.dims(0)?.[1]),
  decompose(c) {
    const rank = c.dims(0)?.length;
    if (rank === undefined) return undefined;
    if (c.element(0) !== 'float32') return throughFloat32(c);
    return throughChannelsLast(c, rank, [c.input(1), c.input(2)], {
      epsilon: { type: 'float', value: c.attributes.epsilon },
      num_groups: { type: 'int', value: c.attributes.num_groups },
    });
  },
  evaluate: (c) => [normalized(c, c.attributes.num_groups)],
});
