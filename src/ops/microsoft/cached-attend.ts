import { floatAttribute, intAttribute } from '../../graph/attributes.js';
import type { Attribute, Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';
import { emitOne, reshapeTo } from '../emit.js';
import { type Operands, type Rules, SWAP } from './attend.js';

/** Like `attend`, with keys and values in the cache's layout [batch, heads, rows, columns]; reads only rows that a query sees. */
export function cachedAttend(c: Decomposition<unknown>, { q, k, v }: Operands, rules: Rules): Value {
  const { causal, lengths, scale, softcap, mask, sink, window } = rules;
  // Omitted if the last query sees the last key, so that plans for other lengths are alike.
  const isOffset = causal && !lengths && causal.offset !== k.dims[2] - q.dims[2];
  const attributes: Record<string, Attribute> = {
    scale: floatAttribute(scale),
    softcap: floatAttribute(softcap),
    causal: intAttribute(causal ? 1 : 0),
    window: intAttribute(window ?? 0),
    ...(isOffset && { causal_offset: intAttribute(causal.offset) }),
    y_perm: SWAP,
    ...(q.swapped && { q_perm: SWAP }),
  };
  const y = emitOne(c, 'sardonyx:CachedAttention', [q.value, k.value, v.value, mask, lengths, sink], attributes);
  return reshapeTo(c, y, [0, 0, q.dims[1] * v.dims[3]]);
}
