import { TreeTable, TreeTest, TreeTests } from '../../../../build/kernels.js';
import { SardonyxError } from '../../../errors.js';
import type { Branch, Leaf, Test, TreeNode } from '../../../ops/traditionalml/trees.js';
import type { Made } from '../lowering.js';

/** What a lowering must know of packed trees: where the parts lie, in bytes from the start. */
export interface PackedTrees {
  readonly trees: number;
  /** Highest feature asked for, plus 1. */
  readonly features: number;
  /** Highest target voted for, plus 1. */
  readonly targets: number;
  /** A TreeTests. */
  readonly tests: number;
  /** Mean length of the ways from root to leaf. */
  readonly depth: number;
  readonly nodes: number;
  readonly roots: number;
  readonly votes: number;
  readonly members: number;
  readonly base: number;
}

export type TreeElement = 'float32' | 'float64';

const MAX_NODES = 1 << 25;
/** No tree is this high unless its branches lead in a circle. */
const MAX_DEPTH = 1 << 16;

/** A branch in the kernel's terms: it goes first where `test` passes. */
interface KernelTest {
  readonly kind: number;
  readonly values: readonly number[];
  readonly first: TreeNode;
  readonly second: TreeNode;
}

/** How the kernel's tests say ONNX's: x > t is the opposite of x ≤ t, x < t is x ≤ the number before t. */
const KERNEL_TESTS: Record<Test, { kind: number; bound?: 'below' | 'at'; swap?: boolean; nan?: boolean }> = {
  LEQ: { kind: TreeTest.AT_MOST, bound: 'at' },
  LT: { kind: TreeTest.AT_MOST, bound: 'below' },
  GTE: { kind: TreeTest.AT_MOST, bound: 'below', swap: true },
  GT: { kind: TreeTest.AT_MOST, bound: 'at', swap: true },
  EQ: { kind: TreeTest.EQUAL },
  NEQ: { kind: TreeTest.EQUAL, swap: true, nan: true },
  MEMBER: { kind: TreeTest.MEMBER },
};

function kernelTest({ test, values, missingPasses, whenTrue, whenFalse }: Branch, element: TreeElement): KernelTest {
  const { kind, bound, swap = false, nan = false } = KERNEL_TESTS[test];
  const nanPasses = (missingPasses || nan) !== swap;
  const round = bound ? (x: number) => boundBy(x, element, bound === 'below') : (x: number) => exactly(x, element);
  return {
    kind: kind | (nanPasses ? TreeTest.NAN_PASSES : 0),
    values: values.map(round),
    first: swap ? whenFalse : whenTrue,
    second: swap ? whenTrue : whenFalse,
  };
}

/** A number of the element type, or NaN, which equals nothing. */
const exactly = (x: number, element: TreeElement) => (element === 'float64' || Math.fround(x) === x ? x : Number.NaN);

const f32 = new Float32Array(1);
const i32 = new Int32Array(f32.buffer);
const f64 = new Float64Array(1);
const i64 = new BigInt64Array(f64.buffer);

/** The largest number of the element type that is at most x, or that is below it. */
export function boundBy(x: number, element: TreeElement, below: boolean): number {
  const near = element === 'float32' ? Math.fround(x) : x;
  return near < x || (near === x && !below) ? near : predecessor(near, element);
}

function predecessor(x: number, element: TreeElement): number {
  if (Number.isNaN(x) || x === Number.NEGATIVE_INFINITY) return Number.NaN;
  const up = x <= 0;
  if (element === 'float32') {
    f32[0] = x === 0 ? -0 : x;
    i32[0] = (i32[0] as number) + (up ? 1 : -1);
    return f32[0] as number;
  }
  f64[0] = x === 0 ? -0 : x;
  i64[0] = (i64[0] as bigint) + (up ? 1n : -1n);
  return f64[0] as number;
}

/** Numbers of nodes and leaves, and the lengths of all ways down together. */
function measure(roots: readonly TreeNode[]): { nodes: number; leaves: number; steps: number } {
  const stack = roots.map((node) => ({ node, depth: 0 }));
  let [nodes, leaves, steps] = [0, 0, 0];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { node, depth } = top;
    if (++nodes > MAX_NODES || depth > MAX_DEPTH)
      throw new SardonyxError('INVALID_ATTRIBUTE', `the trees have more than ${MAX_NODES} nodes, or a cycle`);
    if ('votes' in node) {
      leaves++;
      steps += depth;
    } else {
      stack.push({ node: node.whenTrue, depth: depth + 1 }, { node: node.whenFalse, depth: depth + 1 });
    }
  }
  return { nodes, leaves, steps };
}

/** Lists of numbers with their count before them, as votes and members lie in memory. */
class Lists {
  readonly #lists: (readonly (readonly [target: number, x: number])[])[] = [];
  #bytes = 0;

  constructor(private readonly stride: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Byte offset of the list. */
  add(list: readonly (readonly [number, number])[]): number {
    const at = this.#bytes;
    this.#lists.push(list);
    this.#bytes += Math.ceil((8 + list.length * this.stride) / 8) * 8;
    return at;
  }

  write(
    start: number,
    count: (at: number, n: number) => void,
    entry: (at: number, x: readonly [number, number]) => void,
  ) {
    let at = start;
    for (const list of this.#lists) {
      count(at, list.length);
      for (const [i, x] of list.entries()) entry(at + 8 + i * this.stride, x);
      at += Math.ceil((8 + list.length * this.stride) / 8) * 8;
    }
  }
}

/** Lays trees out as the kernel `treeEnsemble` walks them, depth first, the two children of a branch side by side. */
export function packTrees(
  roots: readonly TreeNode[],
  base: ArrayLike<number>,
  element: TreeElement,
): Made<PackedTrees> {
  const wide = element === 'float64';
  const nodeBytes = wide ? TreeTable.NODE_BYTES_F64 : TreeTable.NODE_BYTES;
  const numberBytes = wide ? 8 : 4;
  const { nodes, leaves, steps } = measure(roots);
  const votes = new Lists(wide ? TreeTable.VOTE_BYTES_F64 : TreeTable.VOTE_BYTES);
  const members = new Lists(numberBytes);
  const nodesEnd = nodes * nodeBytes;
  const table = new DataView(new ArrayBuffer(nodesEnd));
  const put = (view: DataView, at: number, x: number) =>
    wide ? view.setFloat64(at, x, true) : view.setFloat32(at, x, true);
  const valueAt = wide ? 16 : 12;
  let [features, targets, tests] = [0, 0, TreeTests.THRESHOLDS as number];

  const writeLeaf = (at: number, leaf: Leaf) => {
    for (const { target } of leaf.votes) targets = Math.max(targets, target + 1);
    const [only] = leaf.votes;
    if (only && leaf.votes.length === 1) {
      table.setUint32(at + 4, (only.target + 1) << 8, true);
      put(table, at + valueAt, only.weight);
    } else {
      const list = leaf.votes.map(({ target, weight }) => [target, weight] as const);
      table.setUint32(at + valueAt, votes.add(list), true);
    }
  };

  const writeBranch = (at: number, child: number, branch: Branch): KernelTest => {
    const test = kernelTest(branch, element);
    features = Math.max(features, branch.feature + 1);
    if (test.kind >= TreeTest.EQUAL) tests = TreeTests.SETS;
    else if (test.kind === TreeTest.NAN_PASSES) tests = Math.max(tests, TreeTests.MISSING);
    table.setInt32(at, child - at, true);
    table.setUint32(at + 4, nodeBytes | (test.kind << 8), true);
    table.setUint32(at + 8, branch.feature * numberBytes, true);
    if (test.kind & TreeTest.MEMBER)
      table.setUint32(at + valueAt, members.add(test.values.map((x) => [0, x] as const)), true);
    else put(table, at + valueAt, test.values[0] as number);
    return test;
  };

  let end = 0;
  const starts = roots.map((root) => {
    const start = end;
    end += nodeBytes;
    const stack = [{ node: root, at: start }];
    for (let top = stack.pop(); top; top = stack.pop()) {
      if ('votes' in top.node) {
        writeLeaf(top.at, top.node);
        continue;
      }
      const { first, second } = writeBranch(top.at, end, top.node);
      stack.push({ node: second, at: end + nodeBytes }, { node: first, at: end });
      end += 2 * nodeBytes;
    }
    return start;
  });

  const votesAt = nodesEnd;
  const membersAt = votesAt + votes.bytes;
  const baseAt = membersAt + members.bytes;
  const rootsAt = baseAt + base.length * numberBytes;
  const bytes = new Uint8Array(rootsAt + 4 * starts.length);
  bytes.set(new Uint8Array(table.buffer));
  const view = new DataView(bytes.buffer);
  const count = (at: number, n: number) => view.setUint32(at, n, true);
  votes.write(votesAt, count, (at, [target, weight]) => {
    view.setUint32(at, target, true);
    put(view, at + numberBytes, weight);
  });
  members.write(membersAt, count, (at, [, x]) => put(view, at, x));
  for (const [i, x] of Array.from(base).entries()) put(view, baseAt + i * numberBytes, x);
  for (const [i, start] of starts.entries()) view.setUint32(rootsAt + 4 * i, start, true);
  return {
    bytes,
    facts: {
      trees: roots.length,
      features,
      targets,
      tests,
      depth: steps / Math.max(leaves, 1),
      nodes: 0,
      roots: rootsAt,
      votes: votesAt,
      members: membersAt,
      base: baseAt,
    },
  };
}
