import { TreeAggregate, TreeTable } from '../../../../build/kernels.js';
import {
  baseOf,
  ensembleTargets,
  targetsOf,
  type treeEnsemble,
  type treeEnsembleRegressor,
} from '../../../ops/ml/tree-ensemble.js';
import { ensembleTrees, regressorTrees, type TreeNode } from '../../../primitives/trees.js';
import { entryOf } from '../../../schema/attributes.js';
import { rowsOf } from '../../../schema/batch.js';
import type { AttributesOf, Lowering, Lowerings } from '../lowering.js';
import { grainOf } from './grain.js';
import { packTrees } from './pack-trees.js';
import type { TreeElement } from './tree-tests.js';

const AGGREGATES: Record<string, number> = TreeAggregate;
/** By their numbers in TreeEnsemble. */
const NUMBERED_AGGREGATES = ['AVERAGE', 'SUM', 'MIN', 'MAX'];

interface Ensemble {
  readonly targets: number;
  readonly aggregate: string;
  readonly base: ArrayLike<number>;
  trees(): TreeNode[];
}

/** What one step down a tree weighs in the size of a tile. */
const STEP_OPERATIONS = 24;

function lowerTrees(c: Lowering, { targets, aggregate, base, trees }: Ensemble): 'host' | undefined {
  const element = c.element(0);
  if (element !== 'float32' && element !== 'float64') return 'host';
  const { place, facts } = c.made(c.node.attributes, element, () => packTrees(trees(), base, element as TreeElement));
  const features = c.shape(0).at(-1) as number;
  if (facts.features > features)
    c.fail('INVALID_SHAPE', `the trees ask for feature ${facts.features - 1}; the input has ${features}`);
  if (facts.targets > targets || targets > TreeTable.MAX_TARGETS)
    c.fail('INVALID_ATTRIBUTE', `leaves vote for target ${facts.targets - 1}; there are ${targets}`);
  if (base.length > 0 && base.length !== targets)
    c.fail('INVALID_ATTRIBUTE', `base_values has ${base.length} entries; there are ${targets} targets`);
  const rows = rowsOf(c) as number;
  const tileRows = Math.ceil(grainOf(rows, facts.trees * (facts.depth + 2) * STEP_OPERATIONS) / 4) * 4;
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
    aggregate:
      entryOf(AGGREGATES, aggregate) ?? c.fail('INVALID_ATTRIBUTE', `aggregate_function "${aggregate}" is unknown`),
    tests: facts.tests,
    narrow: c.outputElement(0) === 'float32' ? 1 : 0,
    tileRows,
  };
  const kernel = element === 'float32' ? 'treeEnsemble' : 'treeEnsembleF64';
  c.launch(kernel, params, Math.ceil(rows / tileRows), { writes: [y] });
}

function regressor(c: Lowering<AttributesOf<(typeof treeEnsembleRegressor)[number]>>): 'host' | undefined {
  const a = c.attributes;
  return lowerTrees(c, {
    targets: targetsOf(a),
    aggregate: a.aggregate_function,
    base: baseOf(a),
    trees: () => regressorTrees(a),
  });
}

function ensemble(c: Lowering<AttributesOf<typeof treeEnsemble>>): 'host' | undefined {
  const a = c.attributes;
  return lowerTrees(c, {
    targets: ensembleTargets(a),
    aggregate: NUMBERED_AGGREGATES[a.aggregate_function] ?? `${a.aggregate_function}`,
    base: [],
    trees: () => ensembleTrees(a),
  });
}

export const treeEnsembles: Lowerings = {
  'ai.onnx.ml:TreeEnsemble': ensemble,
  'ai.onnx.ml:TreeEnsembleRegressor': regressor,
};
