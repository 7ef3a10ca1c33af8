import type { Node } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { string } from '../attributes.js';
import { defineOp, type Inference } from '../definition.js';
import { translateRe2 } from './re2.js';

const compiled = new WeakMap<Node, RegExp>();

function expressionOf(c: Inference<{ readonly pattern: string }>): RegExp {
  const known = compiled.get(c.node);
  if (known) return known;
  try {
    const { source, flags } = translateRe2(c.attributes.pattern);
    const expression = new RegExp(`^(?:${source})$`, flags);
    compiled.set(c.node, expression);
    return expression;
  } catch (error) {
    const reason = (error as Error).message;
    return c.fail(
      'INVALID_ATTRIBUTE',
      `pattern "${c.attributes.pattern}" must be a regular expression of RE2: ${reason}`,
    );
  }
}

/** https://onnx.ai/onnx/operators/onnx__RegexFullMatch.html */
export const regexFullMatch = defineOp({
  name: 'RegexFullMatch',
  since: 20,
  signature: 'X: string -> Y: bool',
  attributes: { pattern: string('') },
  infer: (c) => [tensorType('bool', c.dims(0))],
  evaluate(c) {
    const expression = expressionOf(c);
    const { dims, data } = c.tensor(0);
    return [
      { type: 'bool', dims, data: Uint8Array.from(data as readonly string[], (s) => Number(expression.test(s))) },
    ];
  },
});
