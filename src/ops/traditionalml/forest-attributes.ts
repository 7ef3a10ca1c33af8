import { SardonyxError } from '../../errors.js';
import type { Node } from '../../graph/graph.js';
import { floats, ints, string, strings, tensor } from '../attributes.js';
import type { Forest } from './forest.js';

/** The attributes that say the trees. */
export const nodeAttributes = {
  nodes_treeids: ints.required,
  nodes_nodeids: ints.required,
  nodes_featureids: ints.required,
  nodes_modes: strings.required,
  nodes_values: floats(),
  nodes_values_as_tensor: tensor(),
  nodes_hitrates: floats(),
  nodes_hitrates_as_tensor: tensor(),
  nodes_truenodeids: ints.required,
  nodes_falsenodeids: ints.required,
  nodes_missing_value_tracks_true: ints(),
  base_values: floats(),
  base_values_as_tensor: tensor(),
  post_transform: string('NONE'),
};

const forests = new WeakMap<Node, Forest>();

/** A node's forest, parsed once. */
export function forestOf(node: Node, parse: (fail: (message: string) => SardonyxError) => Forest): Forest {
  const known = forests.get(node);
  if (known) return known;
  const forest = parse(
    (message) => new SardonyxError('INVALID_ATTRIBUTE', message, { node: node.name, operator: node.op }),
  );
  forests.set(node, forest);
  return forest;
}
