import type { Value } from '../../graph/graph.js';
import { decompose } from '../../ops/decompose.js';
import { operatorsWith } from '../../ops/registry.js';
import type { Rule } from '../rule.js';

/** Says operators in the primitive ones that they are declared to stand for. */
export const decompositions = (): readonly Rule[] => [
  {
    name: 'decomposition',
    roots: operatorsWith((operator) => operator.decompose !== undefined),
    propose(node, editor, build) {
      const parts = decompose(editor.viewOf(node));
      if (!parts) return undefined;
      const renamed = new Map<Value, Value>();
      const now = (value: Value | null) => value && (renamed.get(value) ?? value);
      for (const part of parts) {
        const operator = part.domain ? `${part.domain}:${part.op}` : part.op;
        const results = build.emit(operator, part.inputs.map(now), part.attributes, part.outputs.length);
        part.outputs.forEach((value, i) => {
          if (value) renamed.set(value, results[i] as Value);
        });
      }
      return { replaces: node.outputs.map((value) => now(value) as Value), covers: [node] };
    },
  },
];
