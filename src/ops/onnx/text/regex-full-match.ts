import type { RE2JS } from 're2js';
import { account } from '../../../account.js';
import { onDemand } from '../../../base/on-demand.js';
import type { Node } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { string } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';

/** Compiles an RE2 pattern. ONNX requires RE2; unlike JavaScript's regular expressions, it takes linear time for every pattern. */
let compile: typeof RE2JS.compile;

/** Steps of RE2's automata, which may be in many states at a time. */
const STEPS_PER_CHARACTER = 64;

const compiled = new WeakMap<Node, RE2JS>();

function expressionOf(c: Inference<{ readonly pattern: string }>): RE2JS {
  const known = compiled.get(c.node);
  if (known) return known;
  const { pattern } = c.attributes;
  try {
    const expression = compile(pattern);
    compiled.set(c.node, expression);
    return expression;
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, '');
    return c.fail('INVALID_ATTRIBUTE', `pattern "${pattern}" must be a regular expression of RE2: ${reason}`);
  }
}

/** https://onnx.ai/onnx/operators/onnx__RegexFullMatch.html */
export const regexFullMatch = defineOp({
  name: 'RegexFullMatch',
  since: 20,
  signature: 'X: string -> Y: bool',
  attributes: { pattern: string('') },
  infer: (c) => [tensorType('bool', c.dims(0))],
  async prepare() {
    const { RE2JS: engine } = await onDemand('re2js', () => import('re2js'));
    compile = (pattern) => engine.compile(pattern);
  },
  evaluate(c) {
    const expression = expressionOf(c);
    const { dims, data } = c.tensor(0);
    const matches = Uint8Array.from(data as readonly string[], (text) => {
      account()?.spend(STEPS_PER_CHARACTER * text.length);
      return Number(expression.testExact(text));
    });
    return [{ type: 'bool', dims, data: matches }];
  },
});
