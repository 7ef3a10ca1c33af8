import { account } from '../account.js';
import type { Inference, Primitive } from '../schema/definition.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { type Branch, type Leaf, MAX_DEPTH, type Test, type TreeNode } from './trees.js';

/** Aggregations of a target's votes, in the order of their numbers in TreeEnsemble. */
const AGGREGATES = ['AVERAGE', 'SUM', 'MIN', 'MAX'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export interface TreeParameters {
  readonly targets: number;
  readonly aggregate: Aggregate;
  /** Added to the votes for each target; may be empty. */
  readonly base: ArrayLike<number>;
  /** Reads the trees. This takes longer than everything else here, so the result is cached. */
  readonly trees: () => TreeNode[];
}

type Passes = (x: number, values: readonly number[]) => boolean;

/** NaN is equal to nothing. */
const TESTS: Readonly<Record<Test, Passes>> = {
  LEQ: (x, [value]) => x <= (value as number),
  LT: (x, [value]) => x < (value as number),
  GTE: (x, [value]) => x >= (value as number),
  GT: (x, [value]) => x > (value as number),
  EQ: (x, [value]) => x === value,
  NEQ: (x, [value]) => x !== value,
  MEMBER: (x, values) => values.some((value) => value === x),
};

const passes = ({ test, missingPasses, values }: Branch, x: number): boolean =>
  (missingPasses && Number.isNaN(x)) || TESTS[test](x, values);

/** The leaf that a row reaches. */
function leafFor(c: Inference<unknown>, root: TreeNode, row: ArrayLike<number>): Leaf {
  let node = root;
  for (let depth = 0; !('votes' in node); depth++) {
    if (depth > MAX_DEPTH) c.fail('INVALID_ATTRIBUTE', 'the trees have a cycle');
    if (node.feature >= row.length)
      c.fail('INVALID_SHAPE', `the trees ask for feature ${node.feature}; the input has ${row.length}`);
    node = passes(node, row[node.feature] as number) ? node.whenTrue : node.whenFalse;
    account()?.spend(8);
  }
  return node;
}

const joined = (votes: readonly number[], aggregate: Aggregate, trees: number): number => {
  if (votes.length === 0) return 0;
  if (aggregate === 'MIN' || aggregate === 'MAX')
    return votes.reduce((a, b) => (aggregate === 'MIN' ? Math.min(a, b) : Math.max(a, b)));
  const sum = votes.reduce((a, b) => a + b, 0);
  return aggregate === 'AVERAGE' ? sum / trees : sum;
};

/** Aggregates the votes of the leaves that each row of X reaches. */
export const treeEnsemble: Primitive<TreeParameters> = {
  name: 'treeEnsemble',
  facts: {},
  reference(c, { targets, aggregate, base, ...own }) {
    const { element, dims } = c.result(0);
    const trees = own.trees();
    checkBase(c, base, targets);
    const x = numbersOf(c.tensor(0));
    const features = c.tensor(0).dims.at(-1) as number;
    const y = new Float64Array((dims[0] as number) * targets);
    for (let row = 0; row < (dims[0] as number); row++) {
      const values = Array.from({ length: features }, (_, i) => x[row * features + i] as number);
      const votes = trees.flatMap((root) => leafFor(c, root, values).votes);
      for (const { target } of votes) checkTarget(c, target, targets);
      for (let target = 0; target < targets; target++) {
        const weights = votes.filter((vote) => vote.target === target).map(({ weight }) => weight);
        y[row * targets + target] = joined(weights, aggregate, trees.length) + (base[target] ?? 0);
      }
    }
    return [tensorOf(element, dims, y)];
  },
};

export function checkTarget(c: Inference<unknown>, target: number, targets: number): void {
  if (target >= targets) c.fail('INVALID_ATTRIBUTE', `leaves vote for target ${target}; there are ${targets}`);
}

export function checkBase(c: Inference<unknown>, base: ArrayLike<number>, targets: number): void {
  if (base.length > 0 && base.length !== targets)
    c.fail('INVALID_ATTRIBUTE', `base_values has ${base.length} entries; there are ${targets} targets`);
}

export function aggregateOf(c: Inference<unknown>, name: string | number): Aggregate {
  const known = typeof name === 'number' ? AGGREGATES[name] : AGGREGATES.find((aggregate) => aggregate === name);
  return known ?? c.fail('INVALID_ATTRIBUTE', `aggregate_function "${name}" is unknown`);
}
