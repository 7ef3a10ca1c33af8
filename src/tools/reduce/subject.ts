import { type GraphProto, type NodeProto, TypeProto, type ValueInfoProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { encodeExactly } from '../../model/document/encode.js';
import type { Model } from '../../model/document/model.js';
import type { Feeds } from '../../session/feeds.js';
import { isTensorValue } from '../../tensor/tensor-value.js';
import type { Values } from '../compare/findings.js';
import { madeIn } from '../compare/side.js';
import { typesOf, type ValueTypes } from '../infer/index.js';
import { sessionOf } from '../session-of.js';
import { bodiesIn, isGraph, subgraphsOf } from '../surgery/bodies.js';
import { declaredIn, infoOf } from '../surgery/declared.js';
import { graphOf } from '../surgery/refuse.js';
import { typeProto } from '../surgery/types.js';

/** What is reduced. */
export interface Subject {
  readonly model: Model;
  /** A value as an input or output; undefined where its type is not known well enough. */
  readonly infoOf: (name: string) => ValueInfoProto | undefined;
  readonly feeds: Feeds | undefined;
  /** What values of the graph are in a run on the feeds, those included. */
  readonly values: Values | undefined;
}

/** @param feeds of parts, some are made up for values of subgraphs: where these do not go together, all others are made up, too */
export async function subjectOf(model: Model, feeds: Feeds | undefined): Promise<Subject> {
  const values = feeds && (await valuesIn(model, feeds).catch((error) => unlessFault(error, feeds as Values)));
  return { model, infoOf: await infosOf(model, values), feeds, values };
}

/** @throws SardonyxError where a model cannot be run on feeds */
export async function requireRun(model: Model, feeds: Feeds): Promise<void> {
  await valuesIn(model, feeds).catch((cause) => {
    if (!(cause instanceof SardonyxError)) throw cause;
    const complaint = 'cannot run the model on the feeds, which is needed to compute the inputs of its parts';
    throw new SardonyxError(
      cause.code,
      `${complaint}; leave out the feeds, or fix this: ${cause.message}`,
      {},
      { cause },
    );
  });
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

/** What follows from a model that cannot be read whole: it is known what it declares. */
const NOTHING: ValueTypes = new Map();

/** What values are, or what the model says of them, or what follows. */
async function infosOf(model: Model, values: Values | undefined): Promise<Subject['infoOf']> {
  const graphs = [...bodiesIn(graphOf(model))].filter(isGraph);
  const declared = new Map(graphs.reverse().flatMap((graph) => [...declaredIn(graph)]));
  const inferred = await typesOf(model).catch((error) => unlessFault(error, NOTHING));
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

function unlessFault<T>(error: unknown, instead: T): T {
  if (error instanceof SardonyxError && error.code !== 'INTERNAL') return instead;
  throw error;
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
