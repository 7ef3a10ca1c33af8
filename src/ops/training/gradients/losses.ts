import type { Value } from '../../../graph/graph.js';
import { intAttribute } from '../../constants.js';
import { arithmeticOn, emitOne, listOf } from '../../emit.js';
import { arithmetic, type Backward, type BackwardRules, filledLike, upstreamOf, zerosLike } from './backward.js';

/** −weight[label] · input[n, label, …], the mean being over the weights. */
function negativeLogLikelihood(c: Backward): (Value | null | undefined)[] {
  const f = arithmetic(c);
  const { reduction, ignore_index } = c.attributes as { reduction: string; ignore_index: number | undefined };
  const labels = c.input(1);
  const index = arithmeticOn(c, c.element(1));
  const ignored = ignore_index === undefined ? null : index('Equal', labels, ignore_index);
  const safe = ignored ? index('Where', ignored, 0, labels) : labels;
  const weights = c.given(2) ? emitOne(c, 'Gather', [c.input(2), safe]) : filledLike(c, labels, 1);
  const counted = ignored ? f('Where', ignored, 0, weights) : weights;
  const total = reduction === 'mean' ? emitOne(c, 'ReduceSum', [counted], { keepdims: intAttribute(0) }) : 1;
  const parts = f('Neg', f('Div', f('Mul', upstreamOf(c), counted), total));
  const perClass = (value: Value) => emitOne(c, 'Unsqueeze', [value, listOf(c, [1])]);
  const scattered = [zerosLike(c, c.input(0)), perClass(safe), perClass(parts)];
  return [emitOne(c, 'ScatterElements', scattered, { axis: intAttribute(1) }), null, undefined];
}

export const losses: BackwardRules = { NegativeLogLikelihoodLoss: negativeLogLikelihood };
