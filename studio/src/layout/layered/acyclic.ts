import { add, at, listsBy } from '../columns.js';

/** The edges to reverse to break all cycles: back edges of a depth-first walk in numerical order. */
export function turnedEdges(count: number, from: Int32Array, to: Int32Array): Uint8Array {
  const turned = new Uint8Array(from.length);
  const out = listsBy(count, from, undefined);
  const state = new Uint8Array(count);
  const [open, done] = [1, 2];
  const cursor = out.start.slice(0, count);
  const stack = new Int32Array(count);
  for (let root = 0; root < count; root++) {
    if (state[root]) continue;
    let depth = 0;
    stack[0] = root;
    state[root] = open;
    while (depth >= 0) {
      const item = at(stack, depth);
      if (at(cursor, item) === at(out.start, item + 1)) {
        state[item] = done;
        depth--;
        continue;
      }
      const edge = at(out.values, add(cursor, item, 1) - 1);
      const next = at(to, edge);
      if (state[next] === open) turned[edge] = 1;
      if (state[next]) continue;
      state[next] = open;
      stack[++depth] = next;
    }
  }
  return turned;
}
