import { decompose } from '../../analysis/decompose.js';
import type { Value } from '../../graph/graph.js';
import { operatorsWith } from '../../schema/registry.js';
import type { Rule } from '../rule.js';

/** Replaces operators by their decompositions into primitive ones. */
export const decompositions = (): readonly Rule[] => [
  {
    name: 'decomposition',
    roots: operatorsWith((operator) => operator.decompose !== undefined),
    propose(node, editor, build) {
      const parts = decompose(editor.viewOf(node));
      if (!parts) return undefined;
      build.adopt(parts);
      return { replaces: node.outputs as Value[], covers: [node] };
    },
  },
];
