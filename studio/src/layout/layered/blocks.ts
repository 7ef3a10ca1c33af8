import { at } from '../columns.js';
import type { Proper } from './chains.js';
import type { Rows } from './order.js';

/** What stands exactly one below the other: a block of each vertex. Blocks do not cross. */
export function blocksOf(graph: Proper, rows: Rows): { readonly count: number; readonly blockOf: Int32Array } {
  const place = new Int32Array(graph.count);
  for (const row of rows) for (let i = 0; i < row.length; i++) place[at(row, i)] = i;
  const below = new Int32Array(graph.count).fill(-1);
  const above = new Int32Array(graph.count).fill(-1);
  const importance = importances(graph);
  const byLayer: number[][] = Array.from({ length: graph.layers }, () => []);
  for (let s = 0; s < graph.up.length; s++) byLayer[at(graph.layer, at(graph.up, s))]?.push(s);
  byLayer.forEach((segments, l) => {
    segments.sort((s, t) => at(importance, t) - at(importance, s) || s - t);
    const taken = new Straight((rows[l] as Int32Array).length, (rows[l + 1] as Int32Array | undefined)?.length ?? 0);
    for (const s of segments) {
      const [u, v] = [at(graph.up, s), at(graph.down, s)];
      if (at(below, u) >= 0 || at(above, v) >= 0 || !taken.fits(at(place, u), at(place, v))) continue;
      taken.add(at(place, u), at(place, v));
      below[u] = v;
      above[v] = u;
    }
  });
  const blockOf = new Int32Array(graph.count).fill(-1);
  let count = 0;
  for (const row of rows)
    for (const vertex of row) {
      const upper = at(above, vertex);
      blockOf[vertex] = upper >= 0 ? at(blockOf, upper) : count++;
    }
  return { count, blockOf };
}

/** Joints first, so that long edges are straight; then what lies on the longest way through the graph. */
function importances(graph: Proper): Float64Array {
  const [toTop, toBottom] = [new Float64Array(graph.count), new Float64Array(graph.count)];
  const segments = Array.from({ length: graph.up.length }, (_, s) => s);
  segments.sort((s, t) => at(graph.layer, at(graph.up, s)) - at(graph.layer, at(graph.up, t)) || s - t);
  const weight = (v: number) => (v < graph.items ? 1 : 0);
  for (const s of segments) {
    const [u, v] = [at(graph.up, s), at(graph.down, s)];
    toTop[v] = Math.max(at(toTop, v), at(toTop, u) + weight(u));
  }
  for (const s of segments.reverse()) {
    const [u, v] = [at(graph.up, s), at(graph.down, s)];
    toBottom[u] = Math.max(at(toBottom, u), at(toBottom, v) + weight(v));
  }
  return Float64Array.from({ length: graph.up.length }, (_, s) => {
    const [u, v] = [at(graph.up, s), at(graph.down, s)];
    const isInner = u >= graph.items && v >= graph.items;
    return (isInner ? 1e9 : 0) + at(toTop, u) + at(toBottom, v) + weight(u) + weight(v);
  });
}

/** Pairs of places, none of which crosses another. */
class Straight {
  private readonly left: Int32Array;
  private readonly right: Int32Array;

  constructor(
    private readonly uppers: number,
    private readonly lowers: number,
  ) {
    this.left = new Int32Array(uppers + 1).fill(-1);
    this.right = new Int32Array(uppers + 1).fill(lowers);
  }

  fits(upper: number, lower: number): boolean {
    return this.mostLeft(upper) < lower && lower < this.leastRight(upper);
  }

  add(upper: number, lower: number): void {
    for (let i = upper + 1; i <= this.uppers; i += i & -i) this.left[i] = Math.max(at(this.left, i), lower);
    for (let i = this.uppers - upper; i <= this.uppers; i += i & -i) this.right[i] = Math.min(at(this.right, i), lower);
  }

  /** The rightmost lower end of those whose upper one is further left. */
  private mostLeft(upper: number): number {
    let most = -1;
    for (let i = upper; i > 0; i -= i & -i) most = Math.max(most, at(this.left, i));
    return most;
  }

  private leastRight(upper: number): number {
    let least = this.lowers;
    for (let i = this.uppers - 1 - upper; i > 0; i -= i & -i) least = Math.min(least, at(this.right, i));
    return least;
  }
}
