import { tensorType } from '../../graph/types.js';
import { floats, int, ints, string, tensor } from '../attributes.js';
import { defineOp } from '../definition.js';
import { addVotes, type Join, joinVotes, listOf, parseForest } from './forest.js';
import { forestOf, nodeAttributes } from './forest-attributes.js';
import { POST_TRANSFORMS } from './post-transform.js';
import { FEATURES, featureRows, rowCount } from './rows.js';

const JOINS: Record<string, Join> = { MIN: Math.min, MAX: Math.max };

/** https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleRegressor.html */
export const treeEnsembleRegressor = defineOp({
  domain: 'ai.onnx.ml',
  name: 'TreeEnsembleRegressor',
  signature: 'X: T -> Y: float32',
  types: { T: FEATURES },
  attributes: {
    ...nodeAttributes,
    n_targets: int(1),
    aggregate_function: string('SUM'),
    target_treeids: ints.required,
    target_nodeids: ints.required,
    target_ids: ints.required,
    target_weights: floats(),
    target_weights_as_tensor: tensor(),
  },
  infer: (c) => [tensorType('float32', [rowCount(c), c.attributes.n_targets])],
  evaluate(c) {
    const a = c.attributes;
    const forest = forestOf(c.node, (fail) =>
      parseForest(
        a,
        {
          treeids: a.target_treeids,
          nodeids: a.target_nodeids,
          ids: a.target_ids,
          weights: listOf(a.target_weights, a.target_weights_as_tensor),
        },
        fail,
      ),
    );
    const x = featureRows(c.tensor(0));
    const targets = a.n_targets;
    const scores = new Float64Array(x.rows * targets);
    const join = JOINS[a.aggregate_function];
    if (join) joinVotes(forest, x, targets, scores, join);
    else addVotes(forest, x, targets, scores);
    const share = a.aggregate_function === 'AVERAGE' ? 1 / forest.roots.length : 1;
    const base = listOf(a.base_values, a.base_values_as_tensor);
    for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] as number) * share + (base[i % targets] ?? 0);
    const transform = POST_TRANSFORMS[a.post_transform];
    if (a.post_transform !== 'NONE') for (let row = 0; row < x.rows; row++) transform?.(scores, row * targets, targets);
    return [{ type: 'float32', dims: [x.rows, targets], data: Float32Array.from(scores) }];
  },
});
