import { TreeTable, TreeTest, TreeTests } from '../../../../build/kernels.js';
import { SardonyxError } from '../../../base/errors.js';
import { type Branch, type Leaf, MAX_DEPTH, type TreeNode } from '../../../primitives/trees.js';
import type { Made } from '../lowering.js';
import { type KernelTest, kernelTest, type TreeElement } from './tree-tests.js';

/** Facts about packed trees for their lowering, and byte offsets of their parts. */
export interface PackedTrees {
  readonly trees: number;
  /** Highest feature tested, plus 1. */
  readonly features: number;
  /** Highest target voted for, plus 1. */
  readonly targets: number;
  /** A value of TreeTests. */
  readonly tests: number;
  /** Mean length of the paths from root to leaf. */
  readonly depth: number;
  readonly nodes: number;
  readonly roots: number;
  readonly votes: number;
  readonly members: number;
  readonly base: number;
}

const MAX_NODES = 1 << 25;

/** The numbers of nodes and leaves, and the total length of all paths from root to leaf. */
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

/** Lists of numbers, each after its count, as votes and members are stored. */
class Lists {
  readonly #lists: (readonly (readonly [target: number, x: number])[])[] = [];
  #bytes = 0;

  constructor(private readonly stride: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Appends a list; returns its byte offset. */
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

/** Sizes in bytes, by the type of thresholds and votes. */
interface Widths {
  readonly number: number;
  readonly node: number;
  readonly vote: number;
  /** Offset of a node's threshold, vote or list offset. */
  readonly valueAt: number;
  put(view: DataView, at: number, x: number): void;
}

const WIDTHS: Record<TreeElement, Widths> = {
  float32: {
    number: 4,
    node: TreeTable.NODE_BYTES,
    vote: TreeTable.VOTE_BYTES,
    valueAt: 12,
    put: (view, at, x) => view.setFloat32(at, x, true),
  },
  float64: {
    number: 8,
    node: TreeTable.NODE_BYTES_F64,
    vote: TreeTable.VOTE_BYTES_F64,
    valueAt: 16,
    put: (view, at, x) => view.setFloat64(at, x, true),
  },
};

/** Nodes written so far, the lists that do not fit in them, and the tests, features and targets they use. */
class NodeTable {
  readonly votes: Lists;
  readonly members: Lists;
  features = 0;
  targets = 0;
  tests: number = TreeTests.THRESHOLDS;
  readonly #view: DataView;
  readonly #widths: Widths;
  #end = 0;

  constructor(
    readonly bytes: Uint8Array,
    private readonly element: TreeElement,
  ) {
    this.#view = new DataView(bytes.buffer);
    this.#widths = WIDTHS[element];
    this.votes = new Lists(this.#widths.vote);
    this.members = new Lists(this.#widths.number);
  }

  /** Writes a tree depth first, the two children of a branch adjacent; returns its byte offset. */
  write(root: TreeNode): number {
    const { node: nodeBytes } = this.#widths;
    const start = this.#end;
    this.#end += nodeBytes;
    const stack = [{ node: root, at: start }];
    for (let top = stack.pop(); top; top = stack.pop()) {
      if ('votes' in top.node) {
        this.#writeLeaf(top.at, top.node);
        continue;
      }
      const { first, second } = this.#writeBranch(top.at, top.node);
      stack.push({ node: second, at: this.#end + nodeBytes }, { node: first, at: this.#end });
      this.#end += 2 * nodeBytes;
    }
    return start;
  }

  #writeLeaf(at: number, { votes }: Leaf): void {
    const { valueAt, put } = this.#widths;
    for (const { target } of votes) this.targets = Math.max(this.targets, target + 1);
    const [only] = votes;
    if (only && votes.length === 1) {
      this.#view.setUint32(at + 4, (only.target + 1) << 8, true);
      put(this.#view, at + valueAt, only.weight);
    } else {
      const list = votes.map(({ target, weight }) => [target, weight] as const);
      this.#view.setUint32(at + valueAt, this.votes.add(list), true);
    }
  }

  #writeBranch(at: number, branch: Branch): KernelTest {
    const { node, number, valueAt, put } = this.#widths;
    const test = kernelTest(branch, this.element);
    this.features = Math.max(this.features, branch.feature + 1);
    if (test.kind >= TreeTest.EQUAL) this.tests = TreeTests.SETS;
    else if (test.kind === TreeTest.NAN_PASSES) this.tests = Math.max(this.tests, TreeTests.MISSING);
    this.#view.setInt32(at, this.#end - at, true);
    this.#view.setUint32(at + 4, node | (test.kind << 8), true);
    this.#view.setUint32(at + 8, branch.feature * number, true);
    if (test.kind & TreeTest.MEMBER)
      this.#view.setUint32(at + valueAt, this.members.add(test.values.map((x) => [0, x] as const)), true);
    else put(this.#view, at + valueAt, test.values[0] as number);
    return test;
  }
}

/** Packs trees for the kernel `treeEnsemble`: nodes, lists of votes and members, the base, and offsets of the roots. */
export function packTrees(
  roots: readonly TreeNode[],
  base: ArrayLike<number>,
  element: TreeElement,
): Made<PackedTrees> {
  const { number, node, put } = WIDTHS[element];
  const { nodes, leaves, steps } = measure(roots);
  const table = new NodeTable(new Uint8Array(nodes * node), element);
  const starts = roots.map((root) => table.write(root));
  const { features, targets, tests, votes, members } = table;

  const votesAt = table.bytes.length;
  const membersAt = votesAt + votes.bytes;
  const baseAt = membersAt + members.bytes;
  const rootsAt = baseAt + base.length * number;
  const bytes = new Uint8Array(rootsAt + 4 * starts.length);
  bytes.set(table.bytes);
  const view = new DataView(bytes.buffer);
  const count = (at: number, n: number) => view.setUint32(at, n, true);
  votes.write(votesAt, count, (at, [target, weight]) => {
    view.setUint32(at, target, true);
    put(view, at + number, weight);
  });
  members.write(membersAt, count, (at, [, x]) => put(view, at, x));
  for (const [i, x] of Array.from(base).entries()) put(view, baseAt + i * number, x);
  for (const [i, start] of starts.entries()) view.setUint32(rootsAt + 4 * i, start, true);
  const depth = steps / Math.max(leaves, 1);
  const places = { nodes: 0, roots: rootsAt, votes: votesAt, members: membersAt, base: baseAt };
  return { bytes, facts: { trees: roots.length, features, targets, tests, depth, ...places } };
}
