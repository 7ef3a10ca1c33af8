import { intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import { arithmeticOn, emitOne, listOf, reshapeTo } from '../../emit.js';
import { arithmetic, type Backward, type BackwardRules, filledLike, upstreamOf, zerosLike } from './backward.js';

/** −weight[label] · input[n, label, …]; the mean is weighted by the weights. */
function negativeLogLikelihood(c: Backward): (Value | null)[] {
  const f = arithmetic(c);
  const { reduction, ignore_index } = c.attributes as { reduction: string; ignore_index: number | undefined };
  const labels = c.input(1);
  const index = arithmeticOn(c, c.element(1));
  const ignored = ignore_index === undefined ? null : index('Equal', labels, ignore_index);
  const counted = (value: Value) => (ignored ? f('Where', ignored, 0, value) : value);
  const safe = ignored ? index('Where', ignored, 0, labels) : labels;
  const weights = counted(c.given(2) ? emitOne(c, 'Gather', [c.input(2), safe]) : filledLike(c, labels, 1));
  const isMean = reduction === 'mean';
  const total = isMean ? emitOne(c, 'ReduceSum', [weights], { keepdims: intAttribute(0) }) : 1;
  const share = f('Div', upstreamOf(c), total);
  const perClass = (value: Value) => emitOne(c, 'Unsqueeze', [value, listOf(c, [1])]);
  const axis = { axis: intAttribute(1) };
  const parts = [zerosLike(c, c.input(0)), perClass(safe), perClass(f('Neg', f('Mul', share, weights)))];
  const byInput = emitOne(c, 'ScatterElements', parts, axis);
  if (!c.given(2)) return [byInput, null, null];

  const taken = emitOne(c, 'GatherElements', [c.input(0), perClass(safe)], axis);
  const chosen = emitOne(c, 'Squeeze', [taken, listOf(c, [1])]);
  const loss = f('Neg', isMean ? f('Add', chosen, c.output(0)) : chosen);
  const flat = (value: Value) => reshapeTo(c, value, [-1]);
  const perLabel = [zerosLike(c, c.input(2)), flat(safe), flat(counted(f('Mul', share, loss)))];
  return [byInput, null, emitOne(c, 'ScatterElements', perLabel, { reduction: { type: 'string', value: 'add' } })];
}

export const losses: BackwardRules = { NegativeLogLikelihoodLoss: negativeLogLikelihood };
