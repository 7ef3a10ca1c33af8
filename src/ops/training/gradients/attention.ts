import { isKnown } from '../../../graph/dims.js';
import type { Value } from '../../../graph/graph.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { permutation } from '../../channels-last.js';
import { intAttribute } from '../../constants.js';
import type { Decomposition } from '../../definition.js';
import { arithmeticOn, castTo, emitOne, reshapeTo } from '../../emit.js';
import type { Spellings } from './backward.js';

interface AttentionAttributes {
  readonly scale: number;
  readonly causal: number;
  readonly causal_offset: number | undefined;
  readonly softcap: number;
  readonly q_perm: readonly number[] | undefined;
  readonly k_perm: readonly number[] | undefined;
  readonly v_perm: readonly number[] | undefined;
  readonly y_perm: readonly number[] | undefined;
}

type Context = Decomposition<AttentionAttributes>;

/** Q, K or V as [batch, heads, rows, columns], with the sizes. */
function shown(c: Context, i: number, perm: readonly number[] | undefined): { value: Value; dims: readonly number[] } {
  const dims = c.dims(i) as readonly number[];
  if (!perm) return { value: c.input(i), dims };
  return {
    value: emitOne(c, 'Transpose', [c.input(i)], permutation(perm)),
    dims: perm.map((axis) => dims[axis] as number),
  };
}

/** Whether query rows see keys, broadcasting over [batch, heads, queries, keys]; null where all see all. */
function visibility(c: Context, queries: number, keys: number): Value | null {
  const { causal, causal_offset = keys - queries } = c.attributes;
  const f = arithmeticOn(c, 'int64');
  const count = (length: number, dims: number[]) =>
    c.constant(
      tensorOf(
        'int64',
        dims,
        Array.from({ length }, (_, i) => i),
      ),
    );
  const key = count(keys, [keys]);
  const lengths = c.given(4) ? reshapeTo(c, castTo(c, c.input(4), 'int64'), [-1, 1, 1, 1]) : null;
  if (!causal) return lengths && f('Less', key, lengths);
  const offset = lengths ? f('Sub', lengths, queries) : causal_offset;
  return f('LessOrEqual', key, f('Add', count(queries, [queries, 1]), offset));
}

/** softmax(scale·Q·Kᵀ, softcapped and masked)·V; query heads that share a key head are an axis of their own. */
function spelled(c: Context): Value[] | undefined {
  if (![0, 1, 2].every((i) => isKnown(c.dims(i)))) return undefined;
  const { q_perm, k_perm, v_perm, y_perm, scale, softcap } = c.attributes;
  const f = arithmeticOn(c, c.element(0));
  const [q, k, v] = [shown(c, 0, q_perm), shown(c, 1, k_perm), shown(c, 2, v_perm)];
  const rank = q.dims.length;
  const [batch, heads, queries] = (rank === 3 ? [1, ...q.dims] : q.dims) as [number, number, number];
  const grouped = ({ value, dims }: typeof k) => {
    const [rows, columns] = dims.slice(-2) as [number, number];
    const own = dims.at(-3) as number;
    const five = reshapeTo(c, value, [rank === 3 ? 1 : (dims[0] as number), own, 1, rows, columns]);
    const all = emitOne(c, 'Expand', [
      five,
      c.constant(tensorOf('int64', [5], [batch, own, heads / own, rows, columns])),
    ]);
    return reshapeTo(c, all, [batch, heads, rows, columns]);
  };
  const keys = k.dims.at(-2) as number;
  const turned = emitOne(c, 'Transpose', [grouped(k)], permutation([0, 1, 3, 2]));
  const products = f('Mul', emitOne(c, 'MatMul', [grouped(q), turned]), scale);
  const capped = softcap ? f('Mul', f('Tanh', f('Div', products, softcap)), softcap) : products;
  const masked = c.given(3) ? f('Add', capped, c.input(3)) : capped;
  const visible = visibility(c, queries, keys);
  const scores = visible ? f('Where', visible, masked, Number.NEGATIVE_INFINITY) : masked;
  const shares = emitOne(c, 'Softmax', [scores], { axis: intAttribute(-1) });
  const y = emitOne(c, 'MatMul', [f('Where', f('IsNaN', shares), 0, shares), grouped(v)]);
  const shaped = rank === 3 ? reshapeTo(c, y, [heads, queries, -1]) : y;
  return y_perm ? c.emit('Transpose', [shaped], permutation(y_perm)) : [shaped];
}

export const attention: Spellings = { 'sardonyx:Attention': spelled };
