import { operandsOf } from '../../../graph/captures.js';
import type { Facts } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import { rowsOf } from '../caches/slots.js';
import type { SlotUse } from './stage.js';

/** Caches that will have more rows in the next run, and what is of as many rows now: it is taken to follow them. */
export function growingWith(slots: readonly SlotUse[], nodes: readonly Node[], facts: Facts): Value[] {
  const sizes = new Set(slots.flatMap((slot) => sizesOf(slot, facts)));
  if (sizes.size === 0) return [];
  const isOfThese = (value: Value | null): value is Value => dimsOf(value, facts).some((size) => sizes.has(size));
  return nodes.flatMap((node) => [...operandsOf(node), ...node.outputs].filter(isOfThese));
}

/** Rows of a cache before and after a run, where these say more than what is one, or none, and more will follow. */
function sizesOf({ kind, past, fresh, pitch }: SlotUse, facts: Facts): number[] {
  const rows = rowsOf(past, facts);
  return kind === 'grows' && rows > 0 && rows + fresh < pitch ? [rows, rows + fresh].filter((size) => size > 1) : [];
}

function dimsOf(value: Value | null, facts: Facts): readonly number[] {
  const type = value ? facts.get(value)?.type : undefined;
  return type?.kind === 'tensor' ? ((type.dims ?? []) as readonly number[]) : [];
}
