import { intsAttribute, intsOf, stringOf } from '../../graph/attributes.js';
import type { Attributes } from '../../graph/graph.js';
import { MAX_PLANAR_WIDTH, toChannelsFirst, toChannelsLast } from '../../ops/channels-last.js';
import type { Rule } from '../rule.js';

interface Twin {
  readonly operator: string;
  readonly attributes: Attributes;
}

/** How an operator on [N, spatial…, C] is said of [N, C, spatial…]; undefined where that would be slower. */
const TWINS: Readonly<Record<string, (attributes: Attributes, rank: number) => Twin | undefined>> = {
  Resize(attributes, rank) {
    const axes = intsOf(attributes, 'axes');
    if (!axes || stringOf(attributes, 'mode', 'nearest') !== 'nearest') return undefined;
    const order = toChannelsLast(rank);
    return {
      operator: 'sardonyx:Resize',
      attributes: { ...attributes, axes: intsAttribute(axes.map((axis) => order[axis] as number)) },
    };
  },
  MaxPool(attributes, rank) {
    const [width = 0, stride = 1] = ['kernel_shape', 'strides'].map((name) => intsOf(attributes, name)?.at(-1));
    const dilated = intsOf(attributes, 'dilations')?.some((n) => n !== 1);
    if (rank !== 4 || dilated || stride > 2 || width > MAX_PLANAR_WIDTH) return undefined;
    return { operator: 'sardonyx:PlanarMaxPool', attributes };
  },
};

/** Operators that are left alone between two transpositions work in the model's own order, if they have a way to. */
export const channelsFirst: readonly Rule[] = [
  {
    name: 'an operator alone in channels-last order',
    roots: ['Transpose'],
    propose(node, editor, build) {
      const perm = intsOf(node.attributes, 'perm');
      const inner = node.inputs[0] && editor.producerOf(node.inputs[0]);
      const twin = inner?.domain === 'sardonyx' ? TWINS[inner.op] : undefined;
      const before = twin && inner?.inputs[0] && editor.producerOf(inner.inputs[0]);
      if (!perm || !inner || !twin || before?.op !== 'Transpose' || before.domain !== '') return undefined;
      const rank = perm.length;
      if (String(perm) !== String(toChannelsFirst(rank))) return undefined;
      if (String(intsOf(before.attributes, 'perm')) !== String(toChannelsLast(rank))) return undefined;
      const other = twin(inner.attributes, rank);
      if (!other) return undefined;
      const inputs = [before.inputs[0] ?? null, ...inner.inputs.slice(1)];
      return { replaces: build.emit(other.operator, inputs, other.attributes), covers: [node, inner] };
    },
  },
];
