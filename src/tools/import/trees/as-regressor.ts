import type { AttributeProto } from '../../../../build/onnx.js';
import { floats, int, ints, strings } from '../../convert/node.js';
import type { Forest } from './forest.js';
import { isSplit, type PlacedSplit, placed } from './node-table.js';

/** Attributes of splits; leaves have 0. */
const OF_SPLITS: Readonly<Record<string, (split: PlacedSplit) => number>> = {
  nodes_featureids: ({ feature }) => feature,
  nodes_truenodeids: ({ yes }) => yes,
  nodes_falsenodeids: ({ no }) => no,
  nodes_missing_value_tracks_true: ({ missing }) => Number(missing === 'yes'),
};

/** https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleRegressor.html */
export function asRegressor(forest: Forest): AttributeProto[] {
  const nodes = placed(forest);
  const leaves = nodes.flatMap((node) =>
    isSplit(node) ? [] : [...node.leaf].map(([target, weight]) => ({ ...node, target, weight })),
  );
  const list = <T>(name: string, items: readonly T[], of: (item: T) => number) => ints(name, items.map(of));
  return [
    int('n_targets', forest.targets),
    ...(forest.base.some((x) => x !== 0) ? [floats('base_values', forest.base)] : []),
    list('nodes_treeids', nodes, ({ tree }) => tree),
    list('nodes_nodeids', nodes, ({ place }) => place),
    ...Object.entries(OF_SPLITS).map(([name, of]) => list(name, nodes, (node) => (isSplit(node) ? of(node) : 0))),
    strings(
      'nodes_modes',
      nodes.map((node) => (isSplit(node) ? node.test.mode : 'LEAF')),
    ),
    floats(
      'nodes_values',
      nodes.map((node) => (isSplit(node) && 'value' in node.test ? node.test.value : 0)),
    ),
    list('target_treeids', leaves, ({ tree }) => tree),
    list('target_nodeids', leaves, ({ place }) => place),
    list('target_ids', leaves, ({ target }) => target),
    floats(
      'target_weights',
      leaves.map(({ weight }) => weight),
    ),
  ];
}
