import { floatAttribute, floatOf, intAttribute } from '../../graph/attributes.js';
import { numbersOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { any, constant, type Match, op } from '../pattern.js';
import { type Rule, rule } from '../rule.js';

const holdsOnly = (tensor: TensorValue, wanted: number) => Array.from(numbersOf(tensor)).every((x) => x === wanted);

/** One value per channel of [N, C, spatial…] as a vector; undefined for other constants. */
function perChannel(tensor: TensorValue, rank: number, channels: unknown): TensorValue | undefined {
  const dims = [...Array<number>(Math.max(rank - tensor.dims.length, 0)).fill(1), ...tensor.dims];
  const isVector = dims.length === rank && dims.every((d, axis) => d === (axis === 1 ? channels : 1));
  return isVector ? { type: tensor.type, dims: [channels as number], data: tensor.data } : undefined;
}

const dimsOf = (m: Match, name: string) => {
  const type = m.editor.facts.get(m.value(name))?.type;
  return type?.kind === 'tensor' ? type.dims : undefined;
};

function vectors(m: Match): { scale: TensorValue; bias: TensorValue } | undefined {
  const dims = dimsOf(m, 'x') ?? [];
  const scale = perChannel(m.constant('gamma'), dims.length, dims[1]);
  const bias = perChannel(m.constant('beta'), dims.length, dims[1]);
  return scale && bias && { scale, bias };
}

const normalized = op(
  'InstanceNormalization',
  [op('Reshape', [any('x'), constant('groups')]), constant('ones'), constant('zeros')],
  {
    as: 'instance',
  },
);

/** Group normalization, which PyTorch exports as instance normalization of [N, groups, −1]. */
export const groupNorm: readonly Rule[] = [
  rule({
    name: 'group normalization from its parts',
    root: 'Add',
    inputs: [op('Mul', [op('Reshape', [normalized, any('shape')]), constant('gamma')]), constant('beta')],
    guard(m) {
      if (!holdsOnly(m.constant('ones'), 1) || !holdsOnly(m.constant('zeros'), 0)) return 'the groups are scaled';
      const [batch, groups, rest] = Array.from(m.constant('groups').data as BigInt64Array, Number);
      if (batch !== 0 || groups === undefined || rest !== -1) return 'the shape is not [0, groups, -1]';
      return vectors(m) ? undefined : 'scale or bias is not one value per channel';
    },
    build(m, b) {
      const { scale, bias } = vectors(m) as { scale: TensorValue; bias: TensorValue };
      return b.emit('GroupNormalization', [m.value('x'), b.constant(scale), b.constant(bias)], {
        num_groups: intAttribute(m.constant('ones').dims[0] as number),
        epsilon: floatAttribute(floatOf(m.node('instance').attributes, 'epsilon', 1e-5)),
      });
    },
  }),
];
