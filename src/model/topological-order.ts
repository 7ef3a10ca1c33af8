/** The indices of nodes that depend on each other. */
export interface Cycle {
  readonly cycle: readonly number[];
}

/** Sorts indices 0…count−1 so that each follows those that it needs; otherwise their order stays. */
export function topologicalOrder(count: number, needed: (index: number) => readonly number[]): number[] | Cycle {
  const order: number[] = [];
  const state = new Uint8Array(count);
  const [OPEN, DONE] = [1, 2];
  for (let root = 0; root < count; root++) {
    const path = state[root] === DONE ? [] : [root];
    const cursors = [0];
    while (path.length > 0) {
      const index = path.at(-1) as number;
      state[index] = OPEN;
      const cursor = cursors.at(-1) as number;
      const next = needed(index)[cursor];
      if (next === undefined) {
        state[index] = DONE;
        order.push(index);
        path.pop();
        cursors.pop();
      } else {
        cursors[cursors.length - 1] = cursor + 1;
        if (state[next] === OPEN) return { cycle: path.slice(path.indexOf(next)) };
        if (state[next] !== DONE) {
          path.push(next);
          cursors.push(0);
        }
      }
    }
  }
  return order;
}
