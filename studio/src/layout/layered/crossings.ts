import { at } from '../columns.js';

/** Counts the pairs of segments that cross between two layers: `places` of the lower ends, the upper ends in order. */
export class CrossingCounter {
  private tree = new Int32Array(0);

  /** Segments by their upper end; of one upper end by ascending lower ones. Those with an end in common do not cross. */
  count(lower: ArrayLike<number>, length: number, width: number): number {
    let leaves = 1;
    while (leaves < width) leaves *= 2;
    if (this.tree.length < leaves * 2) this.tree = new Int32Array(leaves * 2);
    else this.tree.fill(0, 0, leaves * 2);
    const { tree } = this;
    let crossings = 0;
    for (let i = 0; i < length; i++) {
      let node = at(lower, i) + leaves;
      tree[node]!++;
      for (; node > 1; node >>= 1) {
        if (!(node & 1)) crossings += at(tree, node + 1);
        tree[node >> 1]!++;
      }
    }
    return crossings;
  }
}
