import { floatAttribute, intAttribute } from '../../../graph/attributes.js';
import type { Attribute } from '../../../graph/graph.js';
import {
  BETA,
  DECAY,
  type Heads,
  inferLinearAttention,
  KEY,
  PAST,
  QUERY,
  sizesOf,
  VALUE,
} from '../../../primitives/linear-attention.js';
import { entryOf, float, int, string } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { throughFloat32 } from '../../through-float32.js';

interface LinearAttentionAttributes extends Heads {
  readonly scale: number;
  readonly update_rule: string;
}

/** The gates that each update rule has. */
const RULES: Readonly<Record<string, { readonly decays: boolean; readonly corrects: boolean }>> = {
  linear: { decays: false, corrects: false },
  gated: { decays: true, corrects: false },
  delta: { decays: false, corrects: true },
  gated_delta: { decays: true, corrects: true },
};

function checkRule(c: Inference<LinearAttentionAttributes>): void {
  const { update_rule } = c.attributes;
  const unknown = () => `update_rule "${update_rule}" is not one of ${Object.keys(RULES).join(', ')}`;
  const rule = entryOf(RULES, update_rule) ?? c.fail('INVALID_ATTRIBUTE', unknown());
  for (const [name, i, needed] of [
    ['decay', DECAY, rule.decays],
    ['beta', BETA, rule.corrects],
  ] as const) {
    if (c.given(i) !== needed)
      c.fail('INVALID_GRAPH', `update_rule "${update_rule}" ${needed ? 'needs' : 'must not have'} input ${name}`);
  }
}

function decompose(c: Decomposition<LinearAttentionAttributes>) {
  const sizes = sizesOf(c);
  if (!sizes || typeof sizes.keySize !== 'number') return undefined;
  const halves = throughFloat32(c, [c.element(QUERY), c.element(c.given(PAST) ? PAST : QUERY)]);
  if (halves) return halves;
  const inputs = [QUERY, KEY, VALUE, PAST, DECAY, BETA].map((i) => (c.given(i) ? c.input(i) : null));
  if (c.given(DECAY)) [inputs[DECAY] = null] = c.emit('Exp', [c.input(DECAY)]);
  const attributes: Record<string, Attribute> = {
    q_num_heads: intAttribute(sizes.heads),
    kv_num_heads: intAttribute(sizes.kvHeads),
    scale: floatAttribute(c.attributes.scale || 1 / Math.sqrt(sizes.keySize)),
  };
  return c.emit('sardonyx:LinearAttention', inputs, attributes, 2);
}

/** https://onnx.ai/onnx/operators/onnx__LinearAttention.html */
export const linearAttention = defineOp({
  name: 'LinearAttention',
  since: 27,
  signature: 'query: T, key: T, value: T, past_state?: S, decay?: T, beta?: T -> output: T, present_state: S',
  types: { T: ['float32', 'float16', 'bfloat16'], S: ['float32', 'float16', 'bfloat16'] },
  attributes: {
    chunk_size: int(64),
    kv_num_heads: int.required,
    q_num_heads: int.required,
    scale: float(0),
    update_rule: string('gated_delta'),
  },
  infer(c) {
    checkRule(c);
    return inferLinearAttention(c);
  },
  decompose,
});
