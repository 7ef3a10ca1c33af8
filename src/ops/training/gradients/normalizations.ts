import type { Value } from '../../../graph/graph.js';
import { intAttribute } from '../../constants.js';
import { emitOne, listOf, reshapeTo } from '../../emit.js';
import { arithmetic, type Backward, type BackwardRules, rankOf, reducedTo, upstreamOf } from './backward.js';

interface Normalized {
  readonly x: Value;
  readonly dx: Value;
}

/** x normalized over `axes` and the derivative by x, `g` being that by the former. */
function normalized(c: Backward, axes: readonly number[], g: Value, isCentered: boolean): Normalized {
  const f = arithmetic(c);
  const mean = (value: Value) => emitOne(c, 'ReduceMean', [value, listOf(c, axes)], { keepdims: intAttribute(1) });
  const centered = isCentered ? f('Sub', c.input(0), mean(c.input(0))) : c.input(0);
  const variance = f('Add', mean(f('Mul', centered, centered)), c.attributes.epsilon as number);
  const inverse = f('Reciprocal', f('Sqrt', variance));
  const x = f('Mul', centered, inverse);
  const along = f('Mul', x, mean(f('Mul', g, x)));
  const moved = f('Sub', isCentered ? f('Sub', g, mean(g)) : g, along);
  return { x, dx: f('Mul', inverse, moved) };
}

/** LayerNormalization and, not centered, RMSNormalization. */
const layer = (isCentered: boolean) => (c: Backward) => {
  const f = arithmetic(c);
  const rank = rankOf(c, 0);
  const first = ((c.attributes.axis as number) + rank) % rank;
  const axes = Array.from({ length: rank - first }, (_, i) => first + i);
  const g = upstreamOf(c);
  const { x, dx } = normalized(c, axes, f('Mul', g, c.input(1)), isCentered);
  return [dx, reducedTo(c, f('Mul', g, x), 1), c.given(2) ? reducedTo(c, g, 2) : null];
};

function instance(c: Backward): Value[] {
  const f = arithmetic(c);
  const rank = rankOf(c, 0);
  const axes = Array.from({ length: rank - 2 }, (_, i) => i + 2);
  const g = upstreamOf(c);
  const scale = reshapeTo(c, c.input(1), [-1, ...axes.map(() => 1)]);
  const { x, dx } = normalized(c, axes, f('Mul', g, scale), true);
  const perChannel = (value: Value) =>
    emitOne(c, 'ReduceSum', [value, listOf(c, [0, ...axes])], { keepdims: intAttribute(0) });
  return [dx, perChannel(f('Mul', g, x)), perChannel(g)];
}

export const normalizations: BackwardRules = {
  InstanceNormalization: instance,
  LayerNormalization: layer(true),
  RMSNormalization: layer(false),
};
