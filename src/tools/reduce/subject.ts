import { type GraphProto, type NodeProto, TypeProto, type ValueInfoProto } from '../../../build/onnx.js';
import { encodeExactly } from '../../model/document/encode.js';
import type { Model } from '../../model/document/model.js';
import type { Feeds } from '../../session/feeds.js';
import { isTensorValue } from '../../tensor/tensor-value.js';
import type { Values } from '../compare/findings.js';
import { madeIn } from '../compare/side.js';
import { typesOf } from '../infer/index.js';
import { sessionOf } from '../session-of.js';
import { bodiesIn, isGraph, subgraphsOf } from '../surgery/bodies.js';
import { declaredIn, infoOf } from '../surgery/border.js';
import { graphOf } from '../surgery/refuse.js';
import { typeProto } from '../surgery/types.js';

/** What is reduced. */
export interface Subject {
  readonly model: Model;
  /** A value as an input or output; undefined where its type is not known well enough. */
  readonly infoOf: (name: string) => ValueInfoProto | undefined;
  /** What values of the graph are in a run on the feeds, those included. */
  readonly values: Values | undefined;
}

export async function subjectOf(model: Model, feeds: Feeds | undefined): Promise<Subject> {
  const values = feeds && (await valuesIn(model, feeds));
  return { model, infoOf: await infosOf(model, values), values };
}

async function valuesIn(model: Model, feeds: Feeds): Promise<Values> {
  const outputs = new Set(graphOf(model).output.map(({ name }) => name));
  const extraOutputs = madeIn(model).filter((name) => !outputs.has(name));
  const session = await sessionOf(model, { extraOutputs });
  try {
    return { ...(feeds as Values), ...((await session.run(feeds)) as Values) };
  } finally {
    await session.release();
  }
}

/** What values are, or what the model says of them, or what follows. */
async function infosOf(model: Model, values: Values | undefined): Promise<Subject['infoOf']> {
  const graphs = [...bodiesIn(graphOf(model))].filter(isGraph);
  const declared = new Map(graphs.reverse().flatMap((graph) => [...declaredIn(graph)]));
  const inferred = await typesOf(model);
  const known = new Map<string, ValueInfoProto | undefined>();
  const found = (name: string) => {
    const value = values?.[name];
    if (value && isTensorValue(value))
      return infoOf(name, typeProto({ kind: 'tensor', element: value.type, dims: value.dims }));
    const said = declared.get(name);
    if (said && hasRank(said)) return said;
    const type = inferred.get(name);
    return type && (type.kind !== 'tensor' || type.dims) ? infoOf(name, typeProto(type)) : undefined;
  };
  return (name) => {
    if (!known.has(name)) known.set(name, found(name));
    return known.get(name);
  };
}

const hasRank = ({ type }: ValueInfoProto): boolean => !type?.tensorType || !!type.tensorType.shape;

/** All nodes of a graph, those in their subgraphs behind them. */
export const nodesUnder = (graph: GraphProto): NodeProto[] =>
  graph.node.flatMap((node) => [node, ...subgraphsOf(node).flatMap(nodesUnder)]);

/** Equal for values of one type and shape; undefined where that is not known. */
export const typeKey = (infoOf: Subject['infoOf'], name: string): string | undefined => {
  const type = infoOf(name)?.type;
  return type ? String(encodeExactly(TypeProto, type)) : undefined;
};
