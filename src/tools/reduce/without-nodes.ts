import { type GraphProto, NodeProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import { definedIn, outputsOf, readsOf, subgraphsOf, withSubgraphs } from '../surgery/bodies.js';
import { type FreshName, freshNames } from '../surgery/names.js';
import { withoutStale } from '../surgery/restrict.js';
import { type Subject, typeKey } from './subject.js';

const PASSED = 'Identity';

/**
 * The nodes that may be removed; those in subgraphs follow their parent node. Nodes that only pass on an output of a
 * subgraph are excluded.
 */
export const removableIn = (graph: GraphProto, isInside = false): NodeProto[] => {
  const outputs = new Set(isInside ? outputsOf(graph) : []);
  const passesOn = ({ opType, domain, output }: NodeProto) =>
    opType === PASSED && !domain && outputs.has(output[0] ?? '');
  return graph.node
    .filter((node) => !passesOn(node))
    .flatMap((node) => [node, ...subgraphsOf(node).flatMap((inner) => removableIn(inner, true))]);
};

/** Removes nodes. Their outputs become undefined in the rest of the graph. */
export function withoutNodes(graph: GraphProto, gone: ReadonlySet<NodeProto>, infoOf: Subject['infoOf']): GraphProto {
  const fresh = freshNames(new Set(graph.node.flatMap(namesUnder)));
  return withChanges(graph, { node: nodesLeft(graph, { gone, infoOf, fresh }) });
}

const namesUnder = (node: NodeProto): string[] => [
  ...node.output,
  ...subgraphsOf(node).flatMap((graph) => [...definedIn(graph), ...graph.node.flatMap(namesUnder)]),
];

interface Removal {
  readonly gone: ReadonlySet<NodeProto>;
  readonly infoOf: Subject['infoOf'];
  readonly fresh: FreshName;
}

const nodesLeft = ({ node }: GraphProto, removal: Removal): NodeProto[] =>
  changedList(
    node.filter((entry) => !removal.gone.has(entry)),
    (entry) => withSubgraphs(entry, (graph) => bodyLeft(graph, removal)),
  );

/**
 * Keeps the number of outputs of a subgraph. Missing outputs are replaced by unread values of the same type, or else by
 * outer values.
 */
function bodyLeft(graph: GraphProto, removal: Removal): GraphProto {
  const node = nodesLeft(graph, removal);
  if (node.length === graph.node.length && node.every((entry, i) => entry === graph.node[i])) return graph;
  const left = withChanges(graph, { node });
  const [before, now] = [definedIn(graph), definedIn(left)];
  const unseen = unreadIn(left);
  const typeOf = (name: string) => typeKey(removal.infoOf, name);
  const output = changedList(graph.output, (info) => {
    if (now.has(info.name) || !before.has(info.name)) return info;
    const other = [...unseen].find((name) => typeOf(name) === typeOf(info.name));
    if (other) unseen.delete(other);
    const name = other ?? removal.fresh(`${info.name}_passed`);
    if (!other) node.push(new NodeProto({ opType: PASSED, input: [info.name], output: [name] }));
    return withChanges(info, { name });
  });
  const names = new Set([...output.map(({ name }) => name), ...node.flatMap(readsOf)]);
  return withoutStale(withChanges(left, { output }), { names });
}

function unreadIn(graph: GraphProto): Set<string> {
  const unread = new Set(graph.node.flatMap(({ output }) => output));
  for (const name of ['', ...outputsOf(graph), ...graph.node.flatMap(readsOf)]) unread.delete(name);
  return unread;
}

/**
 * Adds the nodes that others require: parent nodes, and producers of values with unknown types, which cannot be cut.
 */
export function withRequired(graph: GraphProto, infoOf: Subject['infoOf']) {
  const required = requirements(graph, infoOf);
  return (nodes: Iterable<NodeProto>): Set<NodeProto> => {
    const found = new Set<NodeProto>();
    const open = [...nodes];
    for (let node = open.pop(); node; node = open.pop()) {
      if (found.has(node)) continue;
      found.add(node);
      open.push(...(required.get(node) ?? []));
    }
    return found;
  };
}

function requirements(graph: GraphProto, infoOf: Subject['infoOf']): Map<NodeProto, NodeProto[]> {
  const { producers, held } = placesIn(graph);
  return new Map(
    held.map(([node, holder]) => {
      const reads = [...node.input, ...subgraphsOf(node).flatMap(outputsOf)];
      const makers = reads.flatMap((name) => (name && !infoOf(name) && producers.get(name)) || []);
      return [node, holder ? [holder, ...makers] : makers];
    }),
  );
}

/**
 * Returns the neighbors of a node: producers of its inputs, readers of its outputs, its parent node, and nodes inside
 * it.
 */
export function neighborsIn(graph: GraphProto): (node: NodeProto) => ReadonlySet<NodeProto> {
  const { producers, held } = placesIn(graph);
  const found = new Map<NodeProto, Set<NodeProto>>(held.map(([node]) => [node, new Set()]));
  for (const [node, holder] of held)
    for (const other of [...node.input.map((name) => producers.get(name)), holder]) {
      if (!other) continue;
      found.get(node)?.add(other);
      found.get(other)?.add(node);
    }
  return (node) => found.get(node) ?? new Set();
}

interface Places {
  readonly producers: ReadonlyMap<string, NodeProto>;
  /** All nodes, each with its parent node. */
  readonly held: readonly (readonly [NodeProto, NodeProto | undefined])[];
}

function placesIn(graph: GraphProto): Places {
  const producers = new Map<string, NodeProto>();
  const held: (readonly [NodeProto, NodeProto | undefined])[] = [];
  const visit = ({ node }: GraphProto, holder?: NodeProto): void => {
    for (const entry of node) {
      held.push([entry, holder]);
      for (const name of entry.output) if (name) producers.set(name, entry);
      for (const inner of subgraphsOf(entry)) visit(inner, entry);
    }
  };
  visit(graph);
  return { producers, held };
}
