import { inferGraph } from '../analysis/infer-graph.js';
import { NodeView } from '../analysis/node-view.js';
import type { Backend, Candidate, Executor } from '../backends/backend.js';
import { reference } from '../backends/reference/index.js';
import { SardonyxError } from '../base/errors.js';
import type { Facts } from '../graph/facts.js';
import type { Graph, Node } from '../graph/graph.js';
import { executorOf } from './call-executor.js';
import { partition } from './partition.js';
import { PartsExecutor } from './parts-executor.js';

/** Creates executors for a session's graph, or for the part that some outputs need. */
export interface Providers {
  readonly names: readonly string[];
  compile(graph: Graph): Executor;
  /** The name of the provider of a node in the session's graph. */
  providerOf(node: Node): string;
}

/**
 * Combines several backends: each node runs on the first that supports it.
 * @throws SardonyxError UNSUPPORTED_OPERATOR if no backend supports a node
 */
export function openProviders(chosen: readonly ('reference' | Backend)[], graph: Graph): Providers {
  const backends = chosen.map((backend) => (backend === 'reference' ? reference : backend));
  const facts = inferGraph(graph);
  const assigned = assign(backends, graph, facts);
  const compiled = (backend: Backend, part: Graph): Executor => {
    const made = backend.compile(part);
    if (typeof made !== 'function') return made;
    const types = part.outputs.map((value) => facts.get(value)?.type);
    return executorOf(backend.name, part, made, types);
  };
  return {
    names: backends.map(({ name }) => name),
    providerOf: (node) => (assigned.get(node) as Backend).name,
    compile(part) {
      const parts = partition(part, (node) => assigned.get(node) as Backend);
      const [only] = parts;
      if (parts.length === 1 && only) return compiled(only.backend, part);
      return new PartsExecutor(
        part,
        parts.map(({ backend, graph: own }) => compiled(backend, own)),
      );
    },
  };
}

function assign(backends: readonly Backend[], graph: Graph, facts: Facts): ReadonlyMap<Node, Backend> {
  return new Map(
    graph.nodes.map((node) => {
      const view: Candidate = new NodeView(node, facts);
      const backend = backends.find((candidate) => candidate.supports(view));
      return [node, backend ?? refuse(node, backends)];
    }),
  );
}

function refuse(node: Node, backends: readonly Backend[]): never {
  const names = backends.map(({ name }) => name);
  throw new SardonyxError(
    'UNSUPPORTED_OPERATOR',
    `none of the executionProviders ${names.join(', ')} supports it: add 'wasm' at the end of the list`,
    { node: node.name, operator: node.op },
  );
}
