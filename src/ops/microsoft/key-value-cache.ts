import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';
import type { ElementType } from '../../tensor/element-types.js';
import { tensorOf } from '../../tensor/numbers.js';
import { emitOne, listOf } from '../emit.js';
import { shapeOf, sizesAlong } from '../emit-shapes.js';

/** Past and new keys or values, [batch, heads, rows, columns]. */
export interface Cache {
  readonly element: ElementType;
  readonly past: Value | null;
  /** [batch, heads, rows, columns] of the past, even if there is none. */
  readonly pastDims: readonly [number, number, number, number];
  readonly fresh: Value;
  readonly freshRows: number;
}

/** Position of new rows: after the past, or from `starts` [batch] + `offset` on. */
export type Growth = 'append' | { readonly starts: Value; readonly offset?: number };

const along = { axis: intAttribute(2) };

/** Zeros, with `count` rows, an int64 list of one. */
function zeros(c: Decomposition<unknown>, { element, fresh, pastDims }: Cache, count: Value): Value {
  const [, heads, , columns] = pastDims;
  const shape = shapeOf(c, sizesAlong(c, fresh, 0, 1), heads, count, columns);
  return emitOne(c, 'Expand', [c.constant(tensorOf(element, [], [0])), shape]);
}

/** A cache with `count` rows in all, of which the last are zeros. */
function extended(c: Decomposition<unknown>, past: Value, count: Value): Value {
  const missing = emitOne(c, 'Sub', [count, sizesAlong(c, past, 2, 3)]);
  return emitOne(c, 'Pad', [past, shapeOf(c, listOf(c, [0, 0, 0, 0, 0, 0]), missing, 0)]);
}

/**
 * The past with the new rows, `rows` in total, which `count` returns as an int64 list. Other rows of a larger cache keep their contents.
 */
export function present(
  c: Decomposition<unknown>,
  cache: Cache,
  growth: Growth,
  rows: number,
  count?: () => Value,
): Value {
  const { past, pastDims, fresh, freshRows } = cache;
  if (freshRows === 0 && past) return past;
  if (growth === 'append') return past ? emitOne(c, 'Concat', [past, fresh], along) : fresh;
  if (rows === freshRows) return fresh;
  const inAll = () => count?.() ?? listOf(c, [rows]);
  const base = !past ? zeros(c, cache, inAll()) : rows > pastDims[2] ? extended(c, past, inAll()) : past;
  const { starts, offset = 0 } = growth;
  return emitOne(c, 'sardonyx:WriteRows', [base, starts, fresh], { offset: intAttribute(offset) });
}
