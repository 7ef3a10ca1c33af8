import type { GraphProto, ModelProto, NodeProto } from 'sardonyx/model';

/** What an outline is made of: a graph, or the body of a function, which has names for inputs and outputs alone. */
export type GraphLike = Pick<GraphProto, 'node' | 'name'> & Partial<GraphProto> & { readonly formal?: Formal };

interface Formal {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

const FUNCTION = /^function\/([^/]+)(?:\/(.*))?$/;

/** The graph at a path, `12/body/3/then_branch`, or `function/DOMAIN:NAME/…`. */
export function graphAt(proto: ModelProto, path: string): GraphLike {
  const [, name, rest] = FUNCTION.exec(path) ?? [];
  const start = name === undefined ? (proto.graph as GraphLike | null | undefined) : functionNamed(proto, name);
  if (!start) throw new Error('the model has no graph');
  const steps = (name === undefined ? path : (rest ?? '')).split('/').filter(Boolean);
  let graph = start;
  for (let i = 0; i < steps.length; i += 2) graph = subgraph(graph, Number(steps[i]), steps[i + 1] as string);
  return graph;
}

function functionNamed(proto: ModelProto, name: string): GraphLike {
  const found = proto.functions.find((each) => `${each.domain}:${each.name}` === name);
  if (!found) throw new Error(`the model has no function "${name}"`);
  return { node: found.node, name: found.name, formal: { inputs: found.input, outputs: found.output } };
}

function subgraph(graph: GraphLike, index: number, attribute: string): GraphLike {
  const node: NodeProto | undefined = graph.node[index];
  const found = node?.attribute.find(({ name }) => name === attribute)?.g;
  if (!found) throw new Error(`node ${index} has no graph "${attribute}"`);
  return found;
}
