import type { FunctionProto, GraphProto, ModelProto, NodeProto } from 'sardonyx/model';
import { atStep, graphsOf } from './graph-steps.js';
import { trainingPart } from './training.js';

/** The source of an outline: a graph, or a function body, whose inputs and outputs have names only. */
export type Body = Pick<
  GraphProto,
  'name' | 'node' | 'input' | 'output' | 'initializer' | 'sparseInitializer' | 'valueInfo'
> &
  Partial<Pick<GraphProto, 'quantizationAnnotation'>>;

const ROOT = /^(function|training)\/([^/]+)(?:\/(.*))?$/;

/** The graph at a path, `12/body/3/then_branch`, `4/branches[1]`, `function/DOMAIN:NAME/…`, or `training/algorithm/…`. */
export function graphAt(proto: ModelProto, path: string): Body {
  const [, kind, name = '', rest = ''] = ROOT.exec(path) ?? [];
  const start =
    kind === 'function'
      ? bodyOf(functionNamed(proto, name))
      : kind === 'training'
        ? trainingPart(proto, name)?.graph
        : proto.graph;
  if (!start)
    throw new Error(kind === 'training' ? `the model has no training graph "${name}"` : 'the model has no graph');
  const steps = (kind === undefined ? path : rest).split('/').filter(Boolean);
  let graph: Body = start;
  for (let i = 0; i < steps.length; i += 2) graph = subgraph(graph, Number(steps[i]), steps[i + 1] as string);
  return graph;
}

function functionNamed(proto: ModelProto, name: string): FunctionProto {
  const found = proto.functions.find((each) => `${each.domain}:${each.name}` === name);
  if (!found) throw new Error(`the model has no function "${name}"`);
  return found;
}

function bodyOf({ name, node, valueInfo, input, output }: FunctionProto): Body {
  const named = (name: string) => ({ name, type: null }) as GraphProto['input'][number];
  return {
    name,
    node,
    valueInfo,
    input: input.map(named),
    output: output.map(named),
    initializer: [],
    sparseInitializer: [],
  };
}

function subgraph({ node }: Body, index: number, step: string): Body {
  const found = node[index] && graphOf(node[index], step);
  if (!found) throw new Error(`node ${index} has no graph "${step}"`);
  return found;
}

/** A node's graph at a path step. */
export const graphOf = ({ attribute }: NodeProto, step: string): GraphProto | undefined =>
  atStep(step, (wanted) => {
    const found = attribute.find(({ name }) => name === wanted);
    return found && graphsOf(found);
  });
