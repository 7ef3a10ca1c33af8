import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';
import type { ElementType } from '../../tensor/element-types.js';
import { tensorOf } from '../../tensor/numbers.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { emitOne } from '../emit.js';

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

/** The past with the new rows, `rows` in total. Other rows of a larger cache keep their contents. */
export function present(c: Decomposition<unknown>, cache: Cache, growth: Growth, rows: number): Value {
  const { element, past, pastDims, fresh, freshRows } = cache;
  const [batch, heads, pastRows, columns] = pastDims;
  if (freshRows === 0 && past) return past;
  if (growth === 'append') return past ? emitOne(c, 'Concat', [past, fresh], along) : fresh;
  if (rows === freshRows) return fresh;
  const missing = [batch, heads, rows - pastRows, columns];
  const zeros = c.constant(tensorOf(element, missing, new Array<number>(elementCount(missing)).fill(0)));
  const parts = past ? [past, ...(rows > pastRows ? [zeros] : [])] : [zeros];
  const base = parts.length > 1 ? emitOne(c, 'Concat', parts, along) : (parts[0] as Value);
  const { starts, offset = 0 } = growth;
  return emitOne(c, 'sardonyx:WriteRows', [base, starts, fresh], { offset: intAttribute(offset) });
}
