import type { FunctionProto, GraphProto, ModelProto, NodeProto } from 'sardonyx/model';
import { withChanges } from '../../../../src/model/document/changed.js';
import { withSubgraphs } from '../../../../src/tools/surgery/bodies.js';
import { graphOf } from './graph-at.js';
import { trainingPart } from './training.js';

/** A graph, or the definition of a function. */
export type Definition = GraphProto | FunctionProto;
export type ChangeBody = <B extends Definition>(body: B) => B;

/** Changes the graph or function at a path; messages outside the path are reused. */
export function withBodyAt(proto: ModelProto, path: string, change: ChangeBody): ModelProto {
  const steps = path.split('/').filter(Boolean);
  if (steps[0] === 'training') return withTrainingAt(proto, steps, change);
  if (steps[0] !== 'function') {
    if (!proto.graph) throw new Error('the model has no graph');
    return withChanges(proto, { graph: inside(proto.graph, steps, change) });
  }
  const [, name, ...rest] = steps;
  const at = proto.functions.findIndex((each) => `${each.domain}:${each.name}` === name);
  if (at < 0) throw new Error(`function "${name}" no longer exists`);
  return withChanges(proto, { functions: replaced(proto.functions, at, (each) => inside(each, rest, change)) });
}

function withTrainingAt(proto: ModelProto, [, step = '', ...rest]: readonly string[], change: ChangeBody): ModelProto {
  const part = trainingPart(proto, step);
  const graph = part?.graph;
  if (!part || !graph) throw new Error(`training graph "${step}" no longer exists`);
  const trainingInfo = replaced(proto.trainingInfo, part.index, (info) =>
    withChanges(info, { [part.kind]: inside(graph, rest, change) }),
  );
  return withChanges(proto, { trainingInfo });
}

function inside<B extends Definition>(body: B, [index, step, ...rest]: readonly string[], change: ChangeBody): B {
  if (index === undefined || step === undefined) return change(body);
  return withNode(body, Number(index), (node) => {
    const entered = graphOf(node, step);
    if (!entered) throw new Error(`node ${index} no longer has a graph "${step}"`);
    return withSubgraphs(node, (graph) => (graph === entered ? inside(graph, rest, change) : graph));
  });
}

/** A body with the node at an index changed. */
export function withNode<B extends Definition>(body: B, index: number, change: (node: NodeProto) => NodeProto): B {
  if (!body.node[index]) throw new Error(`node ${index} no longer exists`);
  return withChanges<Definition>(body, { node: replaced(body.node, index, change) }) as B;
}

export const withNodeAt = (proto: ModelProto, path: string, index: number, change: (node: NodeProto) => NodeProto) =>
  withBodyAt(proto, path, (body) => withNode(body, index, change));

function replaced<T>(list: readonly T[], at: number, change: (item: T) => T): T[] {
  const item = change(list[at] as T);
  return item === list[at] ? (list as T[]) : list.with(at, item);
}
