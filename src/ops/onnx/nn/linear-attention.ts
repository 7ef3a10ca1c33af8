import { floatAttribute, intAttribute } from '../../../graph/attributes.js';
import type { Attribute } from '../../../graph/graph.js';
import { type Dim, tensorType } from '../../../graph/types.js';
import { entryOf, float, int, string } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { requireDims } from '../../../schema/shapes.js';
import { throughFloat32 } from '../../through-float32.js';

export interface Heads {
  readonly q_num_heads: number;
  readonly kv_num_heads: number;
}

interface LinearAttentionAttributes extends Heads {
  readonly scale: number;
  readonly update_rule: string;
}

export const [QUERY, KEY, VALUE, PAST, DECAY, BETA] = [0, 1, 2, 3, 4, 5];
export const [OUTPUT, PRESENT] = [0, 1];

/** The gates that each update rule has. */
const RULES: Readonly<Record<string, { readonly decays: boolean; readonly corrects: boolean }>> = {
  linear: { decays: false, corrects: false },
  gated: { decays: true, corrects: false },
  delta: { decays: false, corrects: true },
  gated_delta: { decays: true, corrects: true },
};

function checkRule(c: Inference<LinearAttentionAttributes>): void {
  const { update_rule } = c.attributes;
  const unknown = () => `update_rule "${update_rule}" is none of ${Object.keys(RULES).join(', ')}`;
  const rule = entryOf(RULES, update_rule) ?? c.fail('INVALID_ATTRIBUTE', unknown());
  for (const [name, i, needed] of [
    ['decay', DECAY, rule.decays],
    ['beta', BETA, rule.corrects],
  ] as const) {
    if (c.given(i) !== needed)
      c.fail('INVALID_GRAPH', `update_rule "${update_rule}" ${needed ? 'needs' : 'takes no'} input ${name}`);
  }
}

/** The size of each of `heads` that lie side by side in the last axis of input `i`. */
function headSize(c: Inference<Heads>, i: number, heads: number): Dim | undefined {
  const dims = c.dims(i);
  if (!dims) return undefined;
  if (dims.length !== 3) c.fail('INVALID_SHAPE', `input ${i} must be [batch, length, heads · size], not [${dims}]`);
  const width = dims[2] as Dim;
  if (typeof width !== 'number') return c.unknown();
  if (width % heads !== 0) c.fail('INVALID_SHAPE', `${width} columns do not divide into ${heads} heads`);
  return width / heads;
}

/** Sizes that the inputs agree on; undefined while a rank is unknown. */
export function sizesOf(c: Inference<Heads>) {
  const { q_num_heads: heads, kv_num_heads: kvHeads } = c.attributes;
  if (heads <= 0 || kvHeads <= 0 || heads % kvHeads !== 0)
    c.fail('INVALID_ATTRIBUTE', `q_num_heads ${heads} must be a positive multiple of kv_num_heads ${kvHeads}`);
  const keySize = headSize(c, QUERY, heads);
  const valueSize = headSize(c, VALUE, kvHeads);
  const [batch, length] = c.dims(QUERY) ?? [];
  if (batch === undefined || length === undefined || keySize === undefined || valueSize === undefined) return undefined;
  const times = (n: number, size: Dim) => (typeof size === 'number' ? n * size : undefined);
  requireDims(c, KEY, [batch, length, times(kvHeads, keySize)]);
  requireDims(c, VALUE, [batch, length, undefined]);
  requireDims(c, PAST, [batch, kvHeads, keySize, valueSize]);
  const gates = (i: number, widths: readonly (number | undefined)[]) => {
    requireDims(c, i, [batch, length, undefined]);
    const width = c.given(i) ? c.dims(i)?.[2] : undefined;
    if (typeof width === 'number' && !widths.includes(undefined) && !widths.includes(width))
      c.fail('INVALID_SHAPE', `input ${i} must have ${widths.join(' or ')} columns, not ${width}`);
  };
  gates(DECAY, [kvHeads, times(kvHeads, keySize)]);
  gates(BETA, [kvHeads, 1]);
  return { batch, length, heads, kvHeads, keySize, valueSize };
}

export type LinearAttentionSizes = { readonly [K in keyof NonNullable<ReturnType<typeof sizesOf>>]: number };

function infer(c: Inference<Heads>) {
  const sizes = sizesOf(c);
  const { batch, length, heads, kvHeads, keySize, valueSize } = sizes ?? {};
  const width = typeof valueSize === 'number' && heads !== undefined ? heads * valueSize : c.unknown();
  return [
    tensorType(c.element(QUERY), sizes && ([batch, length, width] as Dim[])),
    tensorType(c.element(c.given(PAST) ? PAST : QUERY), sizes && ([batch, kvHeads, keySize, valueSize] as Dim[])),
  ];
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
    return infer(c);
  },
  decompose,
});

/** LinearAttention whose decay is the factor itself; each gate that is given applies. */
export const fusedLinearAttention = defineOp({
  domain: 'sardonyx',
  name: 'LinearAttention',
  signature: 'query: T, key: T, value: T, past_state?: T, decay?: T, beta?: T -> output: T, present_state: T',
  types: { T: ['float32'] },
  attributes: { kv_num_heads: int.required, q_num_heads: int.required, scale: float(1) },
  infer,
});
