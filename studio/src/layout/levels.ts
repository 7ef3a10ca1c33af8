import type { Modules } from '../graph/picture.js';
import { at, type Lists, listsBy } from './columns.js';
import type { Flows } from './folding.js';

/**
 * The direct contents of each module, and of the top level, which has the number `modules.count`. Flows are cut at the borders of
 * the modules that they leave and enter, where they pass ports: each piece lies in one level and joins two of its items.
 */
export interface Levels {
  readonly top: number;
  readonly codes: Codes;
  /** Pieces of flow i in order: from pieceStart[i] to pieceStart[i + 1]. */
  readonly pieceStart: Int32Array;
  readonly level: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly flow: Int32Array;
  /** Pieces by level. */
  readonly pieces: Lists;
  /** Items by level: ends, and modules with drawn contents. */
  readonly members: Lists;
}

/** Items by number: modules, then ends, then the ports of incoming values, then those of outgoing values. */
export interface Codes {
  readonly firstEnd: number;
  readonly firstIn: number;
  readonly firstOut: number;
}

export function levelsOf(modules: Modules, flows: Flows, values: number): Levels {
  const top = modules.count;
  const firstEnd = modules.count;
  const firstIn = firstEnd + flows.ends;
  const codes = { firstEnd, firstIn, firstOut: firstIn + values };
  const tree = moduleTree(modules, flows);
  const pieces = cutAll(flows, codes, tree);
  return { top, codes, ...pieces, pieces: listsBy(top + 1, pieces.level), members: membersOf(flows, codes, tree, top) };
}

interface Tree {
  /** The parent of each module; the top's number at the top. */
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  readonly ofEnd: Int32Array;
}

function moduleTree(modules: Modules, flows: Flows): Tree {
  const top = modules.count;
  const parent = modules.parent.map((p) => (p < 0 ? top : p));
  const depth = new Int32Array(top + 1);
  for (let m = 0; m < top; m++) depth[m] = at(depth, at(parent, m)) + 1;
  const ofEnd = new Int32Array(flows.ends).fill(top);
  for (let node = 0; node < flows.firstInput; node++)
    if (at(modules.ofNode, node) >= 0) ofEnd[node] = at(modules.ofNode, node);
  return { parent, depth, ofEnd };
}

function cutAll(flows: Flows, codes: Codes, tree: Tree) {
  const pieceStart = new Int32Array(flows.count + 1);
  for (let f = 0; f < flows.count; f++) pieceStart[f + 1] = at(pieceStart, f) + countPieces(flows, tree, f);
  const count = at(pieceStart, flows.count);
  const [level, from, to, flow] = [
    new Int32Array(count),
    new Int32Array(count),
    new Int32Array(count),
    new Int32Array(count),
  ];
  for (let f = 0; f < flows.count; f++) cut(f);
  return { pieceStart, level, from, to, flow };

  /** Climbs from the source, and backwards from the target, to their common module. */
  function cut(f: number): void {
    const value = at(flows.value, f);
    let [a, b] = [at(tree.ofEnd, at(flows.from, f)), at(tree.ofEnd, at(flows.to, f))];
    let source = codes.firstEnd + at(flows.from, f);
    let target = codes.firstEnd + at(flows.to, f);
    let [first, last] = [at(pieceStart, f), at(pieceStart, f + 1) - 1];
    while (a !== b) {
      if (at(tree.depth, a) >= at(tree.depth, b)) {
        set(first++, a, source, codes.firstOut + value, f);
        source = a;
        a = at(tree.parent, a);
      } else {
        set(last--, b, codes.firstIn + value, target, f);
        target = b;
        b = at(tree.parent, b);
      }
    }
    set(first, a, source, target, f);
  }

  function set(i: number, l: number, a: number, b: number, f: number): void {
    level[i] = l;
    from[i] = a;
    to[i] = b;
    flow[i] = f;
  }
}

function countPieces(flows: Flows, { parent, depth, ofEnd }: Tree, f: number): number {
  let [a, b] = [at(ofEnd, at(flows.from, f)), at(ofEnd, at(flows.to, f))];
  let count = 1;
  for (; a !== b; count++) {
    if (at(depth, a) >= at(depth, b)) a = at(parent, a);
    else b = at(parent, b);
  }
  return count;
}

function membersOf(flows: Flows, { firstEnd }: Codes, { parent, ofEnd }: Tree, top: number): Lists {
  const keys: number[] = [];
  const items: number[] = [];
  const hasDrawn = new Uint8Array(top + 1);
  for (let end = 0; end < flows.ends; end++) {
    if (!flows.isDrawn[end]) continue;
    keys.push(at(ofEnd, end));
    items.push(firstEnd + end);
    for (let m = at(ofEnd, end); m !== top && !hasDrawn[m]; m = at(parent, m)) hasDrawn[m] = 1;
  }
  for (let m = 0; m < top; m++) {
    if (!hasDrawn[m]) continue;
    keys.push(at(parent, m));
    items.push(m);
  }
  return listsBy(top + 1, Int32Array.from(keys), Int32Array.from(items));
}
