import { TreeAggregate, TreeTable } from '../../../../build/kernels.js';
import { isAtMost } from '../../../graph/guards.js';
import { ceilDivide, formatSize, multiply, type Size } from '../../../graph/sizes.js';
import {
  type Aggregate,
  checkBase,
  checkTarget,
  type TreeParameters,
  treeEnsemble,
} from '../../../primitives/tree-ensemble.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { packTrees } from './pack-trees.js';
import type { TreeElement } from './tree-tests.js';

const AGGREGATES: Readonly<Record<Aggregate, number>> = TreeAggregate;

/** Operations per step down a tree, for the tile size. */
const STEP_OPERATIONS = 24;

function lowerTrees(c: Lowering, { targets, aggregate, base, trees }: TreeParameters): 'host' | undefined {
  const element = c.element(0);
  if (element !== 'float32' && element !== 'float64') return 'host';
  const { place, facts } = c.made(c.node.attributes, element, () => packTrees(trees(), base, element as TreeElement));
  const features = c.shape(0).at(-1) as Size;
  if (!isAtMost(facts.features, features))
    c.fail('INVALID_SHAPE', `the trees ask for feature ${facts.features - 1}; the input has ${formatSize(features)}`);
  checkTarget(c, facts.targets - 1, targets);
  if (targets > TreeTable.MAX_TARGETS)
    c.fail('INVALID_ATTRIBUTE', `${targets} targets exceed the limit of ${TreeTable.MAX_TARGETS}`);
  checkBase(c, base, targets);
  const rows = c.outputShape(0)[0] as Size;
  const grain = grainOf(rows, facts.trees * (facts.depth + 2) * STEP_OPERATIONS);
  const tileRows = multiply(ceilDivide(grain, 4), 4);
  const y = c.output(0);
  const params = {
    x: c.input(0),
    y,
    nodes: place,
    roots: c.at(place, facts.roots),
    votes: c.at(place, facts.votes),
    members: c.at(place, facts.members),
    base: base.length > 0 ? c.at(place, facts.base) : 0,
    rows,
    features,
    trees: facts.trees,
    targets,
    aggregate: AGGREGATES[aggregate],
    tests: facts.tests,
    narrow: c.outputElement(0) === 'float32' ? 1 : 0,
    tileRows,
  };
  const kernel = element === 'float32' ? 'treeEnsemble' : 'treeEnsembleF64';
  c.launch(kernel, params, ceilDivide(rows, tileRows), { writes: [y] });
}

export const treeEnsembles = lowers(treeEnsemble, lowerTrees);
