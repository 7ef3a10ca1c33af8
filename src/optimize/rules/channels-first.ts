import { intsOf } from '../../graph/attributes.js';
import { toChannelsFirst, toChannelsLast } from '../../primitives/channels-last.js';
import { operatorOf } from '../../schema/registry.js';
import type { Rule } from '../rule.js';

/** Restores the channels-first order of an operator that is alone between two transpositions, if it has such a version. */
export const channelsFirst: readonly Rule[] = [
  {
    name: 'an operator alone in channels-last order',
    roots: ['Transpose'],
    propose(node, editor, build) {
      const perm = intsOf(node.attributes, 'perm');
      const inner = node.inputs[0] && editor.producerOf(node.inputs[0]);
      const twin = inner && operatorOf(inner).channelsFirst;
      const before = twin && inner.inputs[0] && editor.producerOf(inner.inputs[0]);
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
