import { account } from '../account.js';
import { asSardonyxError, type SardonyxError } from '../base/errors.js';
import type { FunctionDefinition, Node } from '../graph/graph.js';
import { functionKey, operatorName, subgraphs } from '../graph/walk.js';
import { exceeded } from '../limits/exceeded.js';
import type { LimitedBy } from '../limits.js';

export type Functions = ReadonlyMap<string, FunctionDefinition>;

/** The default limit. A session of 16,384 nodes takes 1.3 s to create. */
const MAX_NODES = 1 << 18;

/** Refuses too many nodes, including those of functions: twenty functions that each call the next one twice make a million nodes. */
export function refuseTooMany(nodes: readonly Node[], functions: Functions = new Map()): void {
  const own = account()?.nodes;
  const most = own ?? MAX_NODES;
  const sizes = new Map<FunctionDefinition, number>();
  const sizeOf = (node: Node): number => {
    const definition = functions.get(functionKey(node.domain, node.op, node.overload));
    const inner = subgraphs(node).reduce((sum, [, graph]) => sum + sizeOfAll(graph.nodes), 0);
    return inner + (definition ? sizeOfFunction(definition) : 1);
  };
  const sizeOfAll = (all: readonly Node[]): number => all.reduce((sum, node) => sum + sizeOf(node), 0);
  const sizeOfFunction = (definition: FunctionDefinition): number => {
    const size = sizes.get(definition) ?? sizeOfAll(definition.graph.nodes);
    sizes.set(definition, size);
    return size;
  };
  let total = 0;
  for (const node of nodes) {
    total += sizeOf(node);
    if (total > most) throw tooMany(node, total, most, own === undefined ? 'default' : 'create');
  }
}

function tooMany(node: Node, total: number, most: number, by: LimitedBy): SardonyxError {
  const complaint = `with subgraphs and the bodies of functions, the model has ${total.toLocaleString('en')} nodes and more; the limit is ${most.toLocaleString('en')}`;
  return asSardonyxError(exceeded(complaint, 'nodes', by), { node: node.name, operator: operatorName(node) });
}
