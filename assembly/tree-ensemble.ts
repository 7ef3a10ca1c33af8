import { scratch } from './program';

export enum TreeAggregate {
  SUM = 0,
  AVERAGE = 1,
  MIN = 2,
  MAX = 3,
}

/** The kinds of tests in the nodes of an ensemble. */
export enum TreeTests {
  /** x ≤ threshold; NaN fails every test */
  THRESHOLDS = 0,
  /** as THRESHOLDS, but NaN passes tests with NAN_PASSES */
  MISSING = 1,
  /** some nodes test equality or membership */
  SETS = 2,
}

/** The test of a branch, from bit 8 of its word. */
export const enum TreeTest {
  /** added to another value: NaN passes */
  NAN_PASSES = 1,
  AT_MOST = 0,
  EQUAL = 2,
  MEMBER = 4,
}

/** Bytes of a node and of a vote, with f32 or f64 numbers; MAX_TARGETS: totals that a block of rows may have. */
export const enum TreeTable {
  NODE_BYTES = 16,
  NODE_BYTES_F64 = 32,
  VOTE_BYTES = 8,
  VOTE_BYTES_F64 = 16,
  MAX_TARGETS = 131072,
}

/**
 * Walks every row of x [rows, features] down every tree, and sums the votes of the leaves in y [rows, targets].
 * A node is four fields (byte offsets for f32 / f64):
 *
 *     0     i32  bytes from this node to the child for a passed test; the other child follows it. A leaf: 0
 *     4     u32  a branch: NODE_BYTES | test << 8. A leaf with one vote: target + 1 << 8, with several: 0
 *     8     u32  a branch: byte offset of its feature in the row. A leaf: 0
 *     12/16 T    a branch: threshold, or as i32 the offset in `members` of the values to compare with. A leaf with one vote: its
 *                weight, with several: as i32 the offset of its votes
 *
 * Votes are u32 count, u32 0, then the votes: i32 target, weight (at 4/8). Members are likewise u32 count, u32 0, then T[count].
 * A tile is `tileRows` rows; tiles = ceil(rows / tileRows). targets ≤ MAX_TARGETS.
 */
@unmanaged
export class TreeEnsembleParams {
  x: usize = 0;
  y: usize = 0;
  nodes: usize = 0;
  /** u32 [trees]: byte offset of each root in `nodes` */
  roots: usize = 0;
  votes: usize = 0;
  members: usize = 0;
  /** f32 or f64 [targets], added to the votes; 0: none */
  base: usize = 0;
  rows: i32 = 0;
  features: i32 = 0;
  trees: i32 = 0;
  targets: i32 = 0;
  /** a TreeAggregate */
  aggregate: i32 = 0;
  /** a TreeTests */
  tests: i32 = 0;
  /** 1: y is f32 whatever x is */
  narrow: i32 = 0;
  tileRows: i32 = 0;
}

@inline
function valueAt<T>(node: usize): T {
  return sizeof<T>() == 4 ? load<T>(node, 12) : load<T>(node, 16);
}

@inline
function wordAt<T>(node: usize): usize {
  return <usize>(sizeof<T>() == 4 ? load<u32>(node, 12) : load<u32>(node, 16));
}

@inline
function isBranch<T>(word: u32): bool {
  return (word & <u32>(sizeof<T>() * 4)) != 0;
}

/** The next node from a branch; a leaf returns itself. Branchless, so four walks at a time overlap. */
@inline
function descend<T>(node: usize, word: u32, row: usize, missing: bool): usize {
  const x = load<T>(row + <usize>load<u32>(node, 8));
  let fails = u32(!(x <= valueAt<T>(node)));
  if (missing) fails &= ~(u32(x != x) & (word >> 8));
  return node + <usize>load<i32>(node) + <usize>((fails << (sizeof<T>() == 4 ? 4 : 5)) & word);
}

/** The leaf that a row reaches, for any kind of test. */
function leafBySets<T>(root: usize, row: usize, members: usize): usize {
  let node = root;
  let word = load<u32>(node, 4);
  while (isBranch<T>(word)) {
    const x = load<T>(row + <usize>load<u32>(node, 8));
    const passes = passesTest<T>(node, word >> 8, x, members);
    node += <usize>load<i32>(node) + (passes ? 0 : sizeof<T>() * 4);
    word = load<u32>(node, 4);
  }
  return node;
}

@inline
function passesTest<T>(node: usize, test: u32, x: T, members: usize): bool {
  if (x != x) return (test & TreeTest.NAN_PASSES) != 0;
  if (test & TreeTest.MEMBER) return isMember<T>(members + wordAt<T>(node), x);
  return test & TreeTest.EQUAL ? x == valueAt<T>(node) : x <= valueAt<T>(node);
}

function isMember<T>(list: usize, x: T): bool {
  const end = list + 8 + <usize>load<u32>(list) * sizeof<T>();
  for (let at = list + 8; at < end; at += sizeof<T>()) if (load<T>(at) == x) return true;
  return false;
}

@inline
function addVote(total: usize, weight: f64, aggregate: i32): void {
  const before = load<f64>(total);
  if (aggregate <= TreeAggregate.AVERAGE) store<f64>(total, before + weight);
  else if (aggregate == TreeAggregate.MIN) store<f64>(total, min(before, weight));
  else store<f64>(total, max(before, weight));
}

@inline
function vote<T>(p: TreeEnsembleParams, leaf: usize, totals: usize): void {
  const one = load<u32>(leaf, 4) >> 8;
  if (one) addVote(totals + ((<usize>one - 1) << 3), <f64>valueAt<T>(leaf), p.aggregate);
  else voteAll<T>(p, leaf, totals);
}

function voteAll<T>(p: TreeEnsembleParams, leaf: usize, totals: usize): void {
  const list = p.votes + wordAt<T>(leaf);
  const end = list + 8 + <usize>load<u32>(list) * (2 * sizeof<T>());
  for (let at = list + 8; at < end; at += 2 * sizeof<T>()) {
    const weight = sizeof<T>() == 4 ? load<T>(at, 4) : load<T>(at, 8);
    addVote(totals + (<usize>load<u32>(at) << 3), <f64>weight, p.aggregate);
  }
}

/** Walks four rows down one tree. */
@inline
function walkRows<T>(p: TreeEnsembleParams, root: usize, row: usize, totals: usize, missing: bool): void {
  const stride = <usize>p.features * sizeof<T>(), width = <usize>p.targets << 3;
  let a = root, b = root, c = root, d = root;
  for (;;) {
    const wordA = load<u32>(a, 4), wordB = load<u32>(b, 4), wordC = load<u32>(c, 4), wordD = load<u32>(d, 4);
    if (!isBranch<T>(wordA | wordB | wordC | wordD)) break;
    a = descend<T>(a, wordA, row, missing);
    b = descend<T>(b, wordB, row + stride, missing);
    c = descend<T>(c, wordC, row + 2 * stride, missing);
    d = descend<T>(d, wordD, row + 3 * stride, missing);
  }
  vote<T>(p, a, totals);
  vote<T>(p, b, totals + width);
  vote<T>(p, c, totals + 2 * width);
  vote<T>(p, d, totals + 3 * width);
}

/** Walks one row down all trees, four at a time. */
@inline
function walkTrees<T>(p: TreeEnsembleParams, row: usize, totals: usize, missing: bool): void {
  const last = p.trees - 1;
  for (let tree = 0; tree < p.trees; tree += 4) {
    let a = rootOf(p, tree), b = rootOf(p, min(tree + 1, last)), c = rootOf(p, min(tree + 2, last));
    let d = rootOf(p, min(tree + 3, last));
    for (;;) {
      const wordA = load<u32>(a, 4), wordB = load<u32>(b, 4), wordC = load<u32>(c, 4), wordD = load<u32>(d, 4);
      if (!isBranch<T>(wordA | wordB | wordC | wordD)) break;
      a = descend<T>(a, wordA, row, missing);
      b = descend<T>(b, wordB, row, missing);
      c = descend<T>(c, wordC, row, missing);
      d = descend<T>(d, wordD, row, missing);
    }
    vote<T>(p, a, totals);
    if (tree < last) vote<T>(p, b, totals);
    if (tree + 1 < last) vote<T>(p, c, totals);
    if (tree + 2 < last) vote<T>(p, d, totals);
  }
}

@inline
function rootOf(p: TreeEnsembleParams, tree: i32): usize {
  return p.nodes + <usize>load<u32>(p.roots + (<usize>tree << 2));
}

/** Walks four rows at a time: each tree over all of them while it is in the cache; then the remaining rows. */
@inline
function walkBlock<T>(p: TreeEnsembleParams, x: usize, count: i32, missing: bool): void {
  const stride = <usize>p.features * sizeof<T>(), width = <usize>p.targets << 3;
  const quads = count & ~3;
  for (let tree = 0; tree < p.trees && quads > 0; tree++) {
    const root = rootOf(p, tree);
    for (let i = 0; i < quads; i += 4) walkRows<T>(p, root, x + <usize>i * stride, scratch + <usize>i * width, missing);
  }
  for (let i = quads; i < count; i++) walkTrees<T>(p, x + <usize>i * stride, scratch + <usize>i * width, missing);
}

function walkBlockBySets<T>(p: TreeEnsembleParams, x: usize, count: i32): void {
  const stride = <usize>p.features * sizeof<T>(), width = <usize>p.targets << 3;
  for (let tree = 0; tree < p.trees; tree++) {
    const root = rootOf(p, tree);
    for (let i = 0; i < count; i++) {
      vote<T>(p, leafBySets<T>(root, x + <usize>i * stride, p.members), scratch + <usize>i * width);
    }
  }
}

@inline
function neutralOf(aggregate: i32): f64 {
  if (aggregate == TreeAggregate.MIN) return Infinity;
  return aggregate == TreeAggregate.MAX ? -Infinity : 0;
}

@inline
function finish<T>(p: TreeEnsembleParams, first: i32, count: i32): void {
  const neutral = neutralOf(p.aggregate);
  const divisor: f64 = p.aggregate == TreeAggregate.AVERAGE ? <f64>p.trees : 1;
  let total = scratch;
  for (let i = first; i < first + count; i++) {
    for (let target = 0; target < p.targets; target++, total += 8) {
      let sum = load<f64>(total);
      sum = sum == neutral ? 0 : sum / divisor;
      if (p.base) sum += <f64>load<T>(p.base + <usize>target * sizeof<T>());
      const at = <usize>i * p.targets + <usize>target;
      if (p.narrow) store<f32>(p.y + (at << 2), <f32>sum);
      else store<T>(p.y + at * sizeof<T>(), <T>sum);
    }
  }
}

function score<T>(p: TreeEnsembleParams, begin: i32, end: i32): void {
  const block = min(p.tileRows, TreeTable.MAX_TARGETS / max(p.targets, 1));
  const stop = min(end * p.tileRows, p.rows);
  const neutral = neutralOf(p.aggregate);
  for (let first = begin * p.tileRows; first < stop; first += block) {
    const count = min(block, stop - first);
    const x = p.x + <usize>first * p.features * sizeof<T>();
    for (let i = 0; i < count * p.targets; i++) store<f64>(scratch + (<usize>i << 3), neutral);
    if (p.tests == TreeTests.THRESHOLDS) walkBlock<T>(p, x, count, false);
    else if (p.tests == TreeTests.MISSING) walkBlock<T>(p, x, count, true);
    else walkBlockBySets<T>(p, x, count);
    finish<T>(p, first, count);
  }
}

export function treeEnsemble(p: TreeEnsembleParams, begin: i32, end: i32): void {
  score<f32>(p, begin, end);
}

export function treeEnsembleF64(p: TreeEnsembleParams, begin: i32, end: i32): void {
  score<f64>(p, begin, end);
}
