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

/** A model to reduce. */
export interface Subject {
  readonly model: Model;
  /** The declaration of a value as an input or output; undefined if its type is not known well enough. */
  readonly infoOf: (name: string) => ValueInfoProto | undefined;
  readonly feeds: Feeds | undefined;
  /** The values of the graph in a run on the feeds, including the feeds. */
  readonly values: Values | undefined;
}

/**
 * Collects the types and, with feeds, the values of a model.
 * @param feeds those of parts may be random for values of subgraphs; if a run on them fails, only the feeds themselves
 * are known
 */
export async function subjectOf(model: Model, feeds: Feeds | undefined): Promise<Subject> {
  const values = feeds && (await valuesIn(model, feeds).catch((error) => unlessFault(error, feeds as Values)));
  return { model, infoOf: await infosOf(model, values), feeds, values };
}

/**
 * Checks that a model can run on feeds.
 * @throws SardonyxError if it cannot
 */
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

/** The inferred types of a model that cannot be read completely. Only its declarations are known. */
const NOTHING: ValueTypes = new Map();

/** The types of values: those of the run, or else declared or inferred ones. */
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

/** All nodes of a graph. Those in subgraphs follow their parent node. */
export const nodesUnder = (graph: GraphProto): NodeProto[] =>
  graph.node.flatMap((node) => [node, ...subgraphsOf(node).flatMap(nodesUnder)]);

/** A key that values of equal type and shape share; undefined if the type is unknown. */
export const typeKey = (infoOf: Subject['infoOf'], name: string): string | undefined => {
  const type = infoOf(name)?.type;
  return type ? String(encodeExactly(TypeProto, type)) : undefined;
};
