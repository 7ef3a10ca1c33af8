import { decompose } from '../../analysis/decompose.js';
import type { Value } from '../../graph/graph.js';
import type { AnyOperator } from '../../schema/definition.js';
import { operatorsWith } from '../../schema/registry.js';
import type { Rule } from '../rule.js';

const isComposite = ({ decompose }: AnyOperator): boolean => decompose !== undefined;

/** Replaces operators by their decompositions into primitive ones. */
export const decompositions = (): readonly Rule[] => [
  {
    name: 'decomposition',
    roots: operatorsWith(isComposite),
    propose(node, editor, build) {
      const parts = decompose(editor.viewOf(node));
      if (!parts) return undefined;
      build.adopt(parts);
      return { replaces: node.outputs as Value[], covers: [node] };
    },
  },
];
