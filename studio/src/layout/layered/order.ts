import { at, type Lists, listsBy } from '../columns.js';
import type { Proper } from './chains.js';
import { CrossingCounter } from './crossings.js';

/** Left to right, what lies in each layer. */
export type Rows = Int32Array[];

/** Segments looked at, some, for all sweeps together. */
const BUDGET = 3e6;

/** Orders layers such that few segments cross: sweeps down and up by barycentres, neighbours exchanged where that helps, the best kept. */
export function orderRows(graph: Proper): Rows {
  const sweep = new Sweeper(graph);
  let best = sweep.copy();
  let fewest = sweep.crossings();
  const rounds = Math.min(24, Math.max(4, Math.ceil(BUDGET / (graph.up.length + graph.count + 1))));
  for (let round = 0, idle = 0; round < rounds && fewest > 0 && idle < 6; round++) {
    sweep.barycentres(round % 2 === 0);
    sweep.exchange();
    const crossings = sweep.crossings();
    idle++;
    if (crossings >= fewest) continue;
    best = sweep.copy();
    fewest = crossings;
    idle = 0;
  }
  return best;
}

class Sweeper {
  private readonly rows: Rows;
  private readonly place: Int32Array;
  private readonly ups: Lists;
  private readonly downs: Lists;
  private readonly centre: Float64Array;
  private readonly counter = new CrossingCounter();
  private readonly lower: Int32Array;

  constructor(graph: Proper) {
    this.ups = listsBy(graph.count, graph.down, graph.up);
    this.downs = listsBy(graph.count, graph.up, graph.down);
    this.place = new Int32Array(graph.count);
    this.centre = new Float64Array(graph.count);
    this.lower = new Int32Array(graph.up.length);
    this.rows = this.walked(graph);
    for (const row of this.rows) this.number(row);
  }

  copy(): Rows {
    return this.rows.map((row) => row.slice());
  }

  crossings(): number {
    let crossings = 0;
    for (let l = 0; l + 1 < this.rows.length; l++) crossings += this.between(l);
    return crossings;
  }

  /** Each layer by the mean place of its neighbours above, or below; what has none stays where it is. */
  barycentres(isDownwards: boolean): void {
    const { rows, ups, downs } = this;
    const lists = isDownwards ? ups : downs;
    for (let i = 1; i < rows.length; i++) this.sort(rows[isDownwards ? i : rows.length - 1 - i] as Int32Array, lists);
  }

  exchange(): void {
    for (let pass = 0, gained = true; gained && pass < 4; pass++) {
      gained = false;
      for (const row of this.rows) if (this.exchangeIn(row)) gained = true;
    }
  }

  /** As a walk along the edges comes upon the items, so that what belongs together is side by side. */
  private walked(graph: Proper): Rows {
    const rows: number[][] = Array.from({ length: graph.layers }, () => []);
    const seen = new Uint8Array(graph.count);
    const stack: number[] = [];
    for (let root = 0; root < graph.count; root++) {
      if (seen[root] || at(this.ups.start, root + 1) > at(this.ups.start, root)) continue;
      stack.push(root);
      for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
        if (seen[item]) continue;
        seen[item] = 1;
        rows[at(graph.layer, item)]?.push(item);
        for (let i = at(this.downs.start, item + 1) - 1; i >= at(this.downs.start, item); i--)
          stack.push(at(this.downs.values, i));
      }
    }
    return rows.map((row) => Int32Array.from(row));
  }

  private number(row: Int32Array): void {
    for (let i = 0; i < row.length; i++) this.place[at(row, i)] = i;
  }

  private between(l: number): number {
    const { lower, place, downs } = this;
    let length = 0;
    for (const item of this.rows[l] as Int32Array) {
      const begin = length;
      for (let i = at(downs.start, item); i < at(downs.start, item + 1); i++)
        lower[length++] = at(place, at(downs.values, i));
      if (length - begin > 1) lower.subarray(begin, length).sort();
    }
    return this.counter.count(lower, length, (this.rows[l + 1] as Int32Array).length);
  }

  private sort(row: Int32Array, lists: Lists): void {
    const { centre, place } = this;
    const movable: number[] = [];
    for (const item of row) {
      const [begin, end] = [at(lists.start, item), at(lists.start, item + 1)];
      if (begin === end) continue;
      let sum = 0;
      for (let i = begin; i < end; i++) sum += at(place, at(lists.values, i));
      centre[item] = sum / (end - begin);
      movable.push(item);
    }
    movable.sort((a, b) => at(centre, a) - at(centre, b) || at(place, a) - at(place, b));
    let next = 0;
    for (let i = 0; i < row.length; i++) {
      const item = at(row, i);
      if (at(lists.start, item) < at(lists.start, item + 1)) row[i] = movable[next++] as number;
    }
    this.number(row);
  }

  private exchangeIn(row: Int32Array): boolean {
    let gained = false;
    for (let i = 0; i + 1 < row.length; i++) {
      const [a, b] = [at(row, i), at(row, i + 1)];
      const now = this.pair(a, b, this.ups) + this.pair(a, b, this.downs);
      if (now === 0 || now <= this.pair(b, a, this.ups) + this.pair(b, a, this.downs)) continue;
      row[i] = b;
      row[i + 1] = a;
      this.place[a] = i + 1;
      this.place[b] = i;
      gained = true;
    }
    return gained;
  }

  /** Crossings of the segments of a with those of b, where a is left of b. */
  private pair(a: number, b: number, lists: Lists): number {
    let crossings = 0;
    for (let i = at(lists.start, a); i < at(lists.start, a + 1); i++)
      for (let k = at(lists.start, b); k < at(lists.start, b + 1); k++)
        if (at(this.place, at(lists.values, i)) > at(this.place, at(lists.values, k))) crossings++;
    return crossings;
  }
}
