import { at, forEach, lengthOf, real } from '../columns.js';
import type { Proper } from './chains.js';
import { isFixed, numberRow, type Ordering } from './ordering.js';

/** An initial ordering: vertices as visited by a walk along the edges, which keeps related ones together. Each start walks differently. */
export function walked(graph: Proper, hints: Float64Array, start: number): Ordering {
  const [isUpwards, isMirrored] = [start % 2 === 1, start >= 2];
  const { segments } = graph;
  const [lists, ends] = isUpwards ? [graph.upOf, segments.up] : [graph.downOf, segments.down];
  const roots = isUpwards ? graph.downOf : graph.upOf;
  const rows: number[][] = Array.from({ length: graph.layers }, () => []);
  const seen = new Uint8Array(graph.count);
  const stack: number[] = [];
  for (let root = 0; root < graph.count; root++) {
    if (lengthOf(roots, root) > 0) continue;
    stack.push(root);
    for (let vertex = stack.pop(); vertex !== undefined; vertex = stack.pop()) {
      if (seen[vertex]) continue;
      seen[vertex] = 1;
      rows[at(graph.layer, vertex)]?.push(vertex);
      const next: number[] = [];
      forEach(lists, vertex, (s) => next.push(at(ends, s)));
      stack.push(...(isMirrored ? next : next.reverse()));
    }
  }
  const ordering = {
    rows: rows.map((row) => Int32Array.from(row)),
    place: new Int32Array(graph.count),
    side: firstSides(graph, start),
  };
  for (const row of ordering.rows) {
    if (isFixed(row, hints)) row.sort((a, b) => real(hints, a) - real(hints, b) || a - b);
    numberRow(ordering, row);
  }
  return ordering;
}

/** By start: by the operands that lanes lead to; all left; all right; opposite to the operands. */
function firstSides(graph: Proper, start: number): Int8Array {
  const side = sidesByOperands(graph);
  if (start === 1 || start === 2) side.fill(start === 1 ? -1 : 1);
  return start === 3 ? side.map((s) => -s) : side;
}

function sidesByOperands({ lanes, posts, segments, upOf }: Proper): Int8Array {
  const side = new Int8Array(lanes.length).fill(1);
  posts.vertex.forEach((vertex, post) => {
    if (posts.isBelow[post]) return;
    let isFirst = lengthOf(upOf, vertex) > 0;
    forEach(upOf, vertex, (s) => {
      if (at(segments.downSlot, s) <= at(posts.slot, post)) isFirst = false;
    });
    if (isFirst) side[at(posts.lane, post)] = -1;
  });
  return side;
}
