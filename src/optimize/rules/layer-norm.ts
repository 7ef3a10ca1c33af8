import { floatAttribute, intAttribute, intOf, intsOf } from '../../graph/attributes.js';
import type { Node } from '../../graph/graph.js';
import { integers } from '../../tensor/tensor-value.js';
import { any, bind, constant, either, type Match, op, scalar } from '../pattern.js';
import { type Rule, rule } from '../rule.js';

/** Whether a ReduceMean reduces only the last axis and keeps it. */
function overLastAxis(_attributes: unknown, match: Match, node: Node): boolean {
  if (intOf(node.attributes, 'keepdims', 1) !== 1) return false;
  const axesInput = node.inputs[1] && match.editor.facts.get(node.inputs[1])?.contents;
  const axes = intsOf(node.attributes, 'axes') ?? (axesInput && integers(axesInput));
  const type = node.inputs[0] && match.editor.facts.get(node.inputs[0])?.type;
  const rank = type?.kind === 'tensor' ? type.dims?.length : undefined;
  return axes?.length === 1 && (axes[0] === -1 || axes[0] === (rank ?? 0) - 1);
}

/** The mean of rows, with axes as an attribute or an input. */
const mean = (of: Parameters<typeof op>[1][number], axes: string) =>
  either(
    op('ReduceMean', [of], { where: overLastAxis }),
    op('ReduceMean', [of, constant(axes)], { where: overLastAxis }),
  );

const x = any('x');
const centered = any('centered');
const square = either(op('Pow', [centered, scalar('two', 2)]), op('Mul', [centered, centered]));
const deviation = op('Sqrt', [op('Add', [mean(square, 'axes of the squares'), scalar('epsilon')])]);
const normalized = op('Div', [bind('centered', op('Sub', [x, mean(x, 'axes')])), deviation]);

/** Layer normalization over the last axis from its exported parts. */
export const layerNorm: readonly Rule[] = [
  rule({
    name: 'layer normalization from its parts',
    root: 'Add',
    inputs: [op('Mul', [normalized, constant('scale')]), constant('bias')],
    guard(m) {
      const type = m.editor.facts.get(m.value('x'))?.type;
      const length = type?.kind === 'tensor' ? type.dims?.at(-1) : undefined;
      const spansRows = (name: string) => String(m.constant(name).dims) === String(length);
      return spansRows('scale') && spansRows('bias') ? undefined : 'scale or bias is no vector as long as a row';
    },
    build: (m, b) =>
      b.emit('LayerNormalization', [m.value('x'), m.value('scale'), m.value('bias')], {
        axis: intAttribute(-1),
        epsilon: floatAttribute(m.number('epsilon')),
      }),
  }),
];
