import type { Outline } from '../graph/outline.js';
import { add, at } from './columns.js';

/** All nodes, each after those it reads; nodes in cycles keep file order. */
export function topologicalOrder(outline: Outline): Int32Array {
  const { count, inputs } = outline.nodes;
  if (isSorted(outline)) return Int32Array.from({ length: count }, (_, i) => i);
  const order = new Int32Array(count);
  const state = new Uint8Array(count);
  let length = 0;
  const stack = new Int32Array(count);
  const cursor = inputs.start.slice(0, count);
  for (let root = 0; root < count; root++) {
    if (state[root]) continue;
    let depth = 0;
    stack[depth] = root;
    state[root] = 1;
    while (depth >= 0) {
      const node = at(stack, depth);
      if (at(cursor, node) === at(inputs.start, node + 1)) {
        order[length++] = node;
        depth--;
        continue;
      }
      const value = at(inputs.values, add(cursor, node, 1) - 1);
      const producer = value < 0 ? -1 : at(outline.values.producer, value);
      if (producer < 0 || state[producer]) continue;
      state[producer] = 1;
      stack[++depth] = producer;
    }
  }
  return order;
}

function isSorted({ nodes, values }: Outline): boolean {
  for (let node = 0; node < nodes.count; node++)
    for (let i = at(nodes.inputs.start, node); i < at(nodes.inputs.start, node + 1); i++) {
      const value = at(nodes.inputs.values, i);
      if (value >= 0 && at(values.producer, value) >= node) return false;
    }
  return true;
}
