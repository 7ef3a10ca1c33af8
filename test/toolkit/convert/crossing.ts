const LEAF = `nodes_treeids = [0], nodes_nodeids = [0], nodes_featureids = [0], nodes_modes = ["LEAF"], nodes_values_as_tensor = float[1] {0},
  nodes_truenodeids = [0], nodes_falsenodeids = [0]`;

const votes = (what: string) =>
  `${what}_treeids = [0], ${what}_nodeids = [0], ${what}_ids = [0], ${what}_weights = [1.0]`;

/** Random numbers, of which no two runs give the same, and tables in tensors: ONNX's backend models have none of them. */
export const CROSSING: readonly (readonly [source: number, text: string, ml?: number])[] = [
  [22, 'g () => (float[2,3] y, float[2,3] z) { y = RandomNormal <shape = [2, 3]> () z = RandomNormalLike (y) }'],
  [22, 'g () => (float[2,3] y) { y = RandomUniform <shape = [2, 3]> () }'],
  [22, 'g (float[2,3] x) => (int32[2,4] y) { y = Multinomial <sample_size = 4> (x) }'],
  [
    17,
    `g (float[2,1] x) => (float[2,1] y) { y = ai.onnx.ml.TreeEnsembleRegressor <${LEAF}, n_targets = 1, ${votes('target')}> (x) }`,
    3,
  ],
  [
    17,
    `g (float[2,1] x) => (int64[2] y, float[2,1] z) { y, z = ai.onnx.ml.TreeEnsembleClassifier <${LEAF}, classlabels_int64s = [7], ${votes('class')}> (x) }`,
    3,
  ],
  [
    21,
    `g (float[2,1] x) => (float[2,1] y) { y = ai.onnx.ml.TreeEnsemble <n_targets = 1, tree_roots = [0], nodes_modes = uint8[1] {0},
      nodes_splits = float[1] {0.5}, nodes_featureids = [0], nodes_truenodeids = [0], nodes_trueleafs = [1], nodes_falsenodeids = [1],
      nodes_falseleafs = [1], leaf_targetids = [0, 0], leaf_weights = float[2] {1, 2}> (x) }`,
    5,
  ],
];
