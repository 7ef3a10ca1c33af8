import type { Value } from '../../../graph/graph.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { emitOne, listOf } from '../../emit.js';
import { parseEquation } from '../../onnx/math/einsum-equation.js';
import { arithmetic, type Backward, type BackwardRules, rankOf, reducedTo, shapeOf, upstreamOf } from './backward.js';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The identity matrix of `size`, which ties two labels of an equation to each other. */
const identity = (c: Backward, size: number): Value =>
  c.constant(
    tensorOf(
      c.element(0),
      [size, size],
      Float64Array.from({ length: size * size }, (_, i) => Number(i % (size + 1) === 0)),
    ),
  );

/**
 * Gradient of operand i: the equation with result and operand exchanged. It is repeated along axes that only this operand has; a label that
 * an operand has twice becomes two labels, tied by an identity matrix.
 */
function einsum(c: Backward): Value[] {
  const ranks = c.node.inputs.map((_, i) => rankOf(c, i));
  const { operands, output } = parseEquation(c, c.attributes.equation as string, ranks);
  const labels = [...new Set([...operands.flat(), ...output])];
  const letters = new Map(labels.map((label, i) => [label, LETTERS[i] as string]));
  const spare = LETTERS.slice(labels.length);
  const term = (own: readonly string[]) => own.map((label) => letters.get(label) ?? label).join('');
  return operands.map((own, i) => {
    const others = operands.filter((_, k) => k !== i);
    const known = new Set([...output, ...others.flat()]);
    const ties: { value: Value; term: string }[] = [];
    const unique = own.map((label, axis) => {
      if (own.indexOf(label) === axis) return label;
      const size = c.dims(i)?.[axis];
      if (typeof size !== 'number') return c.fail('INVALID_SHAPE', `its axis ${axis} must be known for the derivative`);
      const fresh = spare[ties.length] as string;
      ties.push({ value: identity(c, size), term: `${term([label])}${fresh}` });
      known.add(fresh).add(label);
      return fresh;
    });
    const kept = unique.filter((label) => known.has(label));
    const inputs = [upstreamOf(c), ...c.node.inputs.filter((_, k) => k !== i), ...ties.map((tie) => tie.value)];
    const terms = [term(output), ...others.map(term), ...ties.map((tie) => tie.term)];
    const equation = `${terms.join(',')}->${term(kept)}`;
    const folded = emitOne(c, 'Einsum', inputs, { equation: { type: 'string', value: equation } });
    const missing = unique.flatMap((label, axis) => (known.has(label) ? [] : [axis]));
    const spread = missing.length > 0 ? emitOne(c, 'Unsqueeze', [folded, listOf(c, missing)]) : folded;
    const target = emitOne(c, 'Expand', [spread, shapeOf(c, c.input(i))]);
    return reducedTo(c, target, i);
  });
}

export const matrices: BackwardRules = {
  Det(c) {
    const f = arithmetic(c);
    const g = emitOne(c, 'Unsqueeze', [upstreamOf(c), listOf(c, [-2, -1])]);
    return [f('Mul', g, emitOne(c, 'sardonyx:Cofactors', [c.input(0)]))];
  },
  Einsum: einsum,
};
