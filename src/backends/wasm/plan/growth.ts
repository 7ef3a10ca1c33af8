import { operandsOf } from '../../../graph/captures.js';
import type { Facts } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import { rowsOf } from '../caches/slots.js';
import type { SlotUse } from './stage.js';

/** Values with a dimension equal to the row count of a growing cache, assumed to grow with it in the next run. */
export function growingWith(slots: readonly SlotUse[], nodes: readonly Node[], facts: Facts): Value[] {
  const sizes = new Set(slots.flatMap((slot) => sizesOf(slot, facts)));
  if (sizes.size === 0) return [];
  const isOfThese = (value: Value | null): value is Value => dimsOf(value, facts).some((size) => sizes.has(size));
  return nodes.flatMap((node) => [...operandsOf(node), ...node.outputs].filter(isOfThese));
}

/** Row counts of a cache before and after a run, if it is neither empty nor full; 1 would match too many dimensions. */
function sizesOf({ kind, past, fresh, pitch }: SlotUse, facts: Facts): number[] {
  const rows = rowsOf(past, facts);
  return kind === 'grows' && rows > 0 && rows + fresh < pitch ? [rows, rows + fresh].filter((size) => size > 1) : [];
}

function dimsOf(value: Value | null, facts: Facts): readonly number[] {
  const type = value ? facts.get(value)?.type : undefined;
  return type?.kind === 'tensor' ? ((type.dims ?? []) as readonly number[]) : [];
}
