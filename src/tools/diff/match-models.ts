import type { ModelProto, NodeProto } from '../../../build/onnx.js';
import type { Model } from '../../model/document/model.js';
import { type Body, graphsOf } from '../surgery/bodies.js';
import type { Change } from './change.js';
import { type DiffOptions, reportOn } from './diff-models.js';

/** A node of one model and its counterpart in the other. */
export interface MatchedNode {
  /**
   * The node of the first model, as `inspectModel` identifies it (`12`, `12/body/3`, `function/DOMAIN:NAME/3`); null if
   * it was added.
   */
  readonly before: string | null;
  /** The node of the second model; null if it was removed. */
  readonly after: string | null;
  /** The differences of the node, its attributes and its weights; empty if it is unchanged. */
  readonly changes: readonly Change[];
}

/** The result of `matchModels`. */
export interface Matching {
  /** The nodes in the order of the first model, followed by the nodes that only the second has. */
  readonly nodes: readonly MatchedNode[];
  /** The differences that do not belong to a node. */
  readonly others: readonly Change[];
}

/**
 * Matches the nodes of two models as `diffModels` does, and lists the differences of each.
 * @throws SardonyxError INVALID_MODEL, ABORTED
 */
export async function matchModels(a: Model, b: Model, options: DiffOptions = {}): Promise<Matching> {
  const { changes, pairs, owners } = await reportOn(a, b, options);
  const [left, right] = [idsIn(a.proto), idsIn(b.proto)];
  const byNode = new Map<NodeProto, Change[]>();
  const readers = [a.proto, b.proto].map(readersIn) as [Readers, Readers];
  const others: Change[] = [];
  for (const change of changes) {
    const [before, after] = owners.get(change) ?? [];
    const own = before ?? after;
    const concerned = own ? [own] : readersOf(change, readers);
    for (const node of concerned) listed(byNode, node).push(change);
    if (concerned.length === 0) others.push(change);
  }
  const now = new Set(pairs.values());
  const nodes = Array.from(left, ([node, before]): MatchedNode => {
    const after = pairs.get(node);
    return { before, after: (after && right.get(after)) ?? null, changes: byNode.get(node) ?? [] };
  });
  for (const [node, after] of right)
    if (!now.has(node)) nodes.push({ before: null, after, changes: byNode.get(node) ?? [] });
  return { nodes, others };
}

function listed<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

type Readers = ReadonlyMap<string, NodeProto[]>;

function readersIn({ graph }: ModelProto): Readers {
  const readers = new Map<string, NodeProto[]>();
  for (const node of graph?.node ?? []) for (const name of new Set(node.input)) listed(readers, name).push(node);
  return readers;
}

/** The nodes that read a changed weight, in the first model unless the weight was added. */
const readersOf = ({ part, path, name, change }: Change, [before, after]: readonly [Readers, Readers]): NodeProto[] =>
  part === 'weight' && path === 'graph' ? ((change === 'added' ? after : before).get(name) ?? []) : [];

/** The ids of all nodes of a model. */
function idsIn({ graph, functions }: ModelProto): Map<NodeProto, string> {
  const ids = new Map<NodeProto, string>();
  if (graph) lay(graph, '', ids);
  for (const body of functions) lay(body, `function/${body.domain}:${body.name}/`, ids);
  return ids;
}

function lay({ node }: Body, path: string, ids: Map<NodeProto, string>): void {
  for (const [i, entry] of node.entries()) {
    ids.set(entry, `${path}${i}`);
    for (const attribute of entry.attribute)
      for (const [k, graph] of graphsOf(attribute).entries())
        lay(graph, `${path}${i}/${attribute.name}${attribute.g ? '' : `[${k}]`}/`, ids);
  }
}
